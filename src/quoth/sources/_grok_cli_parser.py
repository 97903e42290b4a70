"""Read the mirrored rows of `grok.db`; `grok_cli` states the rule by which ids are made."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import count

from quoth.core.ids import SessionId, SourceId, event_id
from quoth.core.model import Event, Fact, Json, Kind, Line, Opened, Role, Titled, Unread
from quoth.readers.jsonl import Broken, records
from quoth.sources._grok_cli_pieces import Piece, of
from quoth.sources._grok_cli_rows import Watermarks, watermarks
from quoth.sources._values import Record, instant, name, number, one_line, text, texts

SOURCE = SourceId("grok-cli")

_MOST_CALLS = 100
_LABEL_LENGTH = 80
_TITLE_LENGTH = 1_000
_TITLE_WEIGHT = 1


@dataclass(slots=True)
class GrokCliParser:
    """Remembers how far the database was read, and calls of our own tools without an answer."""

    seen: Watermarks
    own_calls: list[str] = field(default_factory=list)

    def state(self) -> Json:
        return {**self.seen.state(), "own_calls": [*self.own_calls]}

    def feed(self, line: Line) -> Iterator[Fact]:
        parts = count()
        for record in records(line.data):
            if isinstance(record, Broken):
                yield Unread(line.number, "unparsable")
                continue
            self.seen.saw(record, line.data)
            yield from self._facts(record, line.number, parts)

    def _facts(self, row: Record, number: int, parts: Iterator[int]) -> Iterator[Fact]:
        table = text(row, "table")
        session = SessionId(name(row, "id" if table == "sessions" else "session_id"))
        match table:
            case "sessions" if session:
                yield from _about(row, session, number)
            case "messages" if session:
                yield from self._message(row, session, number, parts)
            case "compactions" if session:
                yield from _compaction(row, session, number, next(parts))
            case _:
                yield Unread(number, "unknown", table[:_LABEL_LENGTH] or "untyped")

    def _message(self, row: Record, session: SessionId, line: int, parts: Iterator[int]) -> Iterator[Fact]:
        seq, message = number(row, "seq"), _object(text(row, "message_json"))
        if seq is None or message is None:
            yield Unread(line, "unparsable", "messages")
            return
        for piece in of(message, text(row, "role")):
            suffix = f"#{piece.index}" if piece.index else ""
            event = event_id(SOURCE, session, f"{seq}{suffix}")
            own = self._is_own(piece)
            time = instant(row, "created_at")
            yield Event(event, session, piece.role, piece.kind, piece.text, line, next(parts), time=time, own=own)
            if piece.unknown:
                yield Unread(line, "unknown", piece.unknown[:_LABEL_LENGTH])

    def _is_own(self, piece: Piece) -> bool:
        if piece.kind is Kind.TOOL_USE and piece.own:
            self.own_calls = [*self.own_calls, piece.call][-_MOST_CALLS:]
        return piece.own or (piece.kind is Kind.TOOL_RESULT and piece.call in self.own_calls)


def _about(row: Record, session: SessionId, line: int) -> Iterator[Fact]:
    yield Opened(session, cwd=text(row, "cwd_at_start") or text(row, "cwd_last") or None)
    if title := one_line(row, "title")[:_TITLE_LENGTH]:
        yield Titled(session, title, _TITLE_WEIGHT, line)


def _compaction(row: Record, session: SessionId, line: int, part: int) -> Iterator[Fact]:
    number_of_it = number(row, "id") or number(row, "rowid") or 0
    event = event_id(SOURCE, session, "compaction", str(number_of_it))
    time = instant(row, "created_at")
    yield Event(event, session, Role.SYSTEM, Kind.META, text(row, "summary"), line, part, time=time)


def _object(written: str) -> Record | None:
    found = records(written.encode("utf-8", "replace"))
    return found[0] if len(found) == 1 and isinstance(found[0], dict) else None


def parser(state: Json) -> GrokCliParser:
    """Go on where a parser with this state stopped."""
    memory: Record = state if isinstance(state, dict) else {}
    return GrokCliParser(watermarks(state), texts(memory, "own_calls"))
