"""Read the rows of an export; `exports` states the rule by which ids are made."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field

from quoth.core.ids import SessionId, SourceId, event_id
from quoth.core.model import Event, Fact, Json, Kind, Line, Opened, Role, Titled, Unread
from quoth.readers.jsonl import Broken, records
from quoth.sources import _exports_chatgpt as chatgpt
from quoth.sources import _exports_claude as claude
from quoth.sources import _exports_files as files
from quoth.sources._exports_pieces import Piece
from quoth.sources._exports_text import transcript
from quoth.sources._values import Record, inner, instant, name, number, one_line, text, texts

SOURCE = SourceId("exports")

_MOST_COMPLETED = 16_000  # conversations that are known to be read; beyond, the oldest are read again
_NAMELESS = "unnamed"
_TITLE_LENGTH = 1_000


@dataclass(frozen=True, slots=True)
class _Said:
    """Where and when something was said, and by which program."""

    session: str
    time: int | None
    version: str | None = None
    cwd: str | None = None


@dataclass(slots=True)
class RowsParser:
    """Remembers between rows: what was read whole, the time in the conversation at hand, a call of our own tools."""

    completed: dict[str, None] = field(default_factory=dict)
    conversation: str = ""
    time: int | None = None
    own_tool: str = ""
    parts: int = 0

    def state(self) -> Json:
        return {
            "completed": list(self.completed),
            "conversation": self.conversation,
            "time": self.time,
            "own_tool": self.own_tool,
        }

    def feed(self, line: Line) -> Iterator[Fact]:
        self.parts = 0
        for record in records(line.data):
            if isinstance(record, Broken):
                yield Unread(line.number, "unparsable", record.reason)
                self._complete(files.digest_of(line.data))
            else:
                yield from self._facts(record, line.number)
                self._complete(text(record, "complete"))

    def _complete(self, digest: str) -> None:
        if len(digest) == 12:
            self.completed[digest] = None
            if len(self.completed) > _MOST_COMPLETED:
                del self.completed[next(iter(self.completed))]

    def _facts(self, row: Record, line: int) -> Iterator[Fact]:
        match text(row, "type"):
            case files.CHATGPT:
                head = inner(row, "conversation")
                yield from self._begun(row, chatgpt.title(head), chatgpt.instant(head), line)
            case files.CLAUDE:
                head = inner(row, "conversation")
                yield from self._begun(row, one_line(head, "name"), instant(head, "created_at"), line)
            case files.CHATGPT_MESSAGE:
                message = inner(inner(row, "node"), "message")
                said = _Said(self._session(row), chatgpt.instant(message), chatgpt.model(message))
                yield from self._events(chatgpt.pieces(said.session, message), said, line)
            case files.CLAUDE_MESSAGE:
                message = inner(row, "message")
                said = _Said(self._session(row), instant(message, "created_at"), "claude")
                yield from self._events(claude.pieces(said.session, message), said, line)
            case files.TEXT:
                yield from self._text(text(row, "text"), line)
            case files.TOO_LARGE:
                yield Unread(line, "unknown", f"conversation of {(number(row, 'bytes') or 0) >> 20} MB")
            case files.UNKNOWN:
                yield Unread(line, "unknown", f"object with {', '.join(texts(row, 'keys')) or 'nothing'}"[:80])
            case other:
                yield Unread(line, "unknown", f"row/{other[:60]}")

    def _begun(self, row: Record, title: str, time: int | None, line: int) -> Iterator[Fact]:
        session = name(row, "id") or _NAMELESS
        self.conversation, self.time, self.own_tool = session, time, ""
        yield Opened(SessionId(session))
        if title:
            yield Titled(SessionId(session), title[:_TITLE_LENGTH], 1, line)

    def _session(self, row: Record) -> str:
        session = name(row, "conversation") or _NAMELESS
        if session != self.conversation:
            self.conversation, self.time, self.own_tool = session, None, ""
        return session

    def _text(self, whole: str, line: int) -> Iterator[Fact]:
        found = transcript(whole)
        if found is None:
            yield Unread(line, "unknown", "text without speakers")
            return
        self.conversation, self.time, self.own_tool = found.session, found.time, ""
        yield Opened(SessionId(found.session), cwd=found.cwd)
        if found.title:
            yield Titled(SessionId(found.session), found.title, 1, line)
        yield from self._events(found.pieces, _Said(found.session, found.time, cwd=found.cwd), line)

    def _events(self, pieces: Iterable[Piece], said: _Said, line: int) -> Iterator[Fact]:
        """Yield the events of a message; one without a time was said when the one before it was."""
        self.time = said.time or self.time
        for piece in pieces:
            if piece.unknown:
                yield Unread(line, "unknown", piece.unknown, said.version or "")
            yield Event(
                event_id(SOURCE, piece.id),
                SessionId(said.session),
                piece.role,
                piece.kind,
                piece.text,
                line,
                self.parts,
                self.time,
                said.cwd,
                agent_version=said.version,
                own=self._is_own(piece),
            )
            self.parts += 1

    def _is_own(self, piece: Piece) -> bool:
        """Tell whether a call is one of our tools', or a result answers such a call."""
        if piece.kind is Kind.TOOL_USE:
            self.own_tool = piece.tool if piece.own else ""
            return piece.own
        if piece.kind is Kind.TOOL_RESULT and piece.role is Role.ASSISTANT:
            return piece.own or (self.own_tool != "" and piece.tool == self.own_tool)
        return False


def parser(state: Json) -> RowsParser:
    known: Record = state if isinstance(state, dict) else {}
    return RowsParser(
        dict.fromkeys(texts(known, "completed")),
        text(known, "conversation"),
        number(known, "time"),
        text(known, "own_tool"),
    )


def completed(state: Json) -> Collection[str]:
    """Return, by their hashes, the conversations and texts that were read whole."""
    return parser(state).completed
