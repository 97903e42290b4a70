"""Read the mirrored messages of a `store.db`; `cursor` states the rule by which ids are made."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import count

from quoth.core.ids import EventId, SessionId, event_id
from quoth.core.model import Event, Fact, Json, Kind, Line, Opened, Role, Titled, Unread
from quoth.readers.jsonl import Broken, records
from quoth.sources import _cursor_words as words
from quoth.sources._cursor_blobs import about_of, read_before
from quoth.sources._cursor_lines import held
from quoth.sources._cursor_memory import Session, chained, seal
from quoth.sources._cursor_transcript import SOURCE, blocks
from quoth.sources._cursor_words import Piece
from quoth.sources._values import Record, inner, is_name, number, one_line, text, texts

CHAT_WEIGHT = 1

_LABEL_LENGTH = 80
_TITLE_LENGTH = 1_000
_HASH = 16
_OPEN_CALLS = 512
_UNNAMED = frozenset({"New Agent", "New Chat"})
_THOUGHTS = frozenset({"reasoning", "redacted-reasoning", "thinking"})
_ROLES = {"user": Role.USER, "assistant": Role.ASSISTANT, "tool": Role.USER, "system": Role.SYSTEM}


@dataclass(slots=True)
class ChatParser:
    """Remembers how far the conversation was read, calls of our own tools, and whether a model speaks as the person."""

    id: SessionId
    read: Session = field(default_factory=Session)
    is_child: bool = False
    own: list[str] = field(default_factory=list)

    def state(self) -> Json:
        read: dict[str, Json] = {
            "n": self.read.bubbles,
            "chain": self.read.chain,
            "seal": self.read.seal,
            "time": self.read.time,
        }
        return {**read, "child": self.is_child, "own": list(self.own)}

    def feed(self, line: Line) -> Iterator[Fact]:
        parts = count()
        for record in records(line.data):
            if isinstance(record, Broken):
                yield Unread(line.number, "unparsable", record.reason)
                continue
            match text(record, "type"):
                case "chat":
                    yield from self._chat(record, line.number)
                case "message":
                    for fact in self._message(record, line.number):
                        yield replace(fact, part=next(parts)) if isinstance(fact, Event) else fact
                case kind:
                    yield Unread(line.number, "unknown", (kind or "untyped")[:_LABEL_LENGTH])

    def _chat(self, record: Record, line: int) -> Iterator[Fact]:
        about, first = inner(record, "value"), number(record, "from") or 0
        time = self.read.time or number(about, "createdAt") or number(about, "createdAtMs")
        self.read = Session(first, self.read.chain if first else "", seal(about_of(about)), time)
        self.is_child = about.get("isSubagent") is True
        yield Opened(self.id, cwd=text(about, "cwd") or None)
        title = one_line(about, "name")[:_TITLE_LENGTH]
        if title and title not in _UNNAMED:
            yield Titled(self.id, title, 2, line)
        if record.get("blobs") and not record.get("messages"):
            yield Unread(line, "unknown", "store.db whose conversation can't be read")

    def _message(self, record: Record, line: int) -> Iterator[Fact]:
        blob, said_at = text(record, "id"), number(record, "time")
        self.read = replace(self.read, bubbles=self.read.bubbles + 1, chain=chained(self.read.chain, [blob]))
        message = held(record)
        if message is None or not is_name(blob):
            yield Unread(line, "unparsable" if message is None else "unknown", "message")
            return
        base = self._base(blob, number(record, "nth") or 1)
        for piece in self._pieces(message):
            if isinstance(piece, Unread):
                yield replace(piece, line=line)
                continue
            self.read = replace(self.read, time=said_at or piece.time or self.read.time)
            yield self._event(EventId(f"{base}{piece.suffix}"), piece, line)

    def _base(self, blob: str, nth: int) -> EventId:
        hashed, _, rest = blob.partition("-")
        part = f"{hashed[:_HASH]}{'-' if rest else ''}{rest}"
        return event_id(SOURCE, self.id, part if nth == 1 else f"{part}#{nth}")

    def _event(self, id_: EventId, piece: Piece, line: int) -> Event:
        time = self.read.time
        return Event(
            id_, self.id, piece.role, piece.kind, piece.text, line, time=time, own=piece.own, weight=CHAT_WEIGHT
        )

    # --- what a message holds ---

    def _pieces(self, message: Record) -> Iterator[Piece | Unread]:
        said = text(message, "role")
        if said not in _ROLES:
            yield Unread(0, "unknown", f"role {said or 'none'}"[:_LABEL_LENGTH])
            return
        is_summary = inner(inner(message, "providerOptions"), "cursor").get("isSummary") is True
        for index, block in enumerate(blocks(message.get("content"))):
            at = f":{index}" if index else ""
            for piece in self._block(_ROLES[said], block, by_person=not (self.is_child or is_summary)):
                yield piece if isinstance(piece, Unread) else replace(piece, suffix=f"{at}{piece.suffix}")

    def _block(self, role: Role, block: Record, *, by_person: bool) -> Iterator[Piece | Unread]:
        kind = text(block, "type")
        if kind == "text":
            yield from words.spoken(role, text(block, "text"), by_person=by_person)
        elif kind in _THOUGHTS:
            yield Piece(role, Kind.META, words.answer(text(block, "text") or text(block, "reasoning")))
        elif kind == "tool-call":
            yield self._call(block)
        elif kind == "tool-result":
            own = text(block, "toolCallId") in self.own
            yield Piece(Role.USER, Kind.TOOL_RESULT, words.result(_output(block)), own=own)
        else:
            yield Unread(0, "unknown", f"{role}/{kind or 'untyped'}"[:_LABEL_LENGTH])

    def _call(self, block: Record) -> Piece:
        tool, given = text(block, "toolName"), block.get("args", block.get("input"))
        own = words.is_own_call(tool, given if isinstance(given, dict) else {})
        call = text(block, "toolCallId")
        if own and 0 < len(call) <= 100 and call not in self.own:
            self.own = [*self.own, call][-_OPEN_CALLS:]
        return Piece(Role.ASSISTANT, Kind.TOOL_USE, words.call(tool, given), own=own)


def parser(session: str, state: Json) -> ChatParser:
    """Go on where a parser with this state stopped."""
    memory: Record = state if isinstance(state, dict) else {}
    return ChatParser(SessionId(session), read_before(state), memory.get("child") is True, texts(memory, "own"))


def _output(block: Record) -> object:
    """Return what a tool gave: `result`, or `output` as `{type, value}`, or parts of content."""
    given = block.get("result", block.get("output"))
    if isinstance(given, dict) and "value" in given:
        given = given["value"]
    parts = given if isinstance(given, list) else block.get("content") if given is None else None
    shown = [text(part, "text") for part in parts if isinstance(part, dict)] if isinstance(parts, list) else []
    return "\n".join(shown) if any(shown) else given
