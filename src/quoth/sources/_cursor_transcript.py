"""Read the transcripts of Cursor's agents; `cursor` states the rule by which ids are made.

They hold no ids, times or tool results. The time is told by a tag in the prompt; what follows inherits it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import count

from quoth.core.ids import EventId, SessionId, SourceId, digest16, event_id
from quoth.core.model import Event, Fact, Json, Kind, Line, Opened, Role, Unread
from quoth.readers.jsonl import Broken, records
from quoth.sources import _cursor_words as words
from quoth.sources._cursor_places import folder_named
from quoth.sources._cursor_words import Piece
from quoth.sources._text import compact
from quoth.sources._values import Record, inner, is_name, text

SOURCE = SourceId("cursor")

_ROLES = {"user": Role.USER, "assistant": Role.ASSISTANT, "system": Role.SYSTEM, "tool": Role.USER}
_KNOWN = 10  # hex digits of a hash that are remembered
_LABEL_LENGTH = 80


@dataclass(frozen=True, slots=True)
class Transcript:
    """A file by its name: its session, of a subagent the session it works for, and the project's lossy name."""

    session: SessionId
    parent: SessionId | None
    slug: str


def transcript(key: str) -> Transcript:
    parts = key.removesuffix(".jsonl").split("/")
    parent = parts[-3] if parts[-2] == "subagents" else None
    return Transcript(_session(parts[-1]), _session(parent) if parent else None, parts[1])


def _session(stem: str) -> SessionId:
    return SessionId(stem if is_name(stem) else f"file-{digest16(stem.encode())}")


@dataclass(slots=True)
class TranscriptParser:
    """Remembers how often what was said, and whether parent and folder were told."""

    file: Transcript
    is_begun: bool = False
    is_placed: bool = False
    counts: dict[str, int] = field(default_factory=dict)

    def state(self) -> Json:
        again = {known: times for known, times in self.counts.items() if times > 1}
        return {"begun": self.is_begun, "placed": self.is_placed, "seen": "".join(self.counts), "again": again}

    def feed(self, line: Line) -> Iterator[Fact]:
        parts = count()
        for record in records(line.data):
            if isinstance(record, Broken):
                yield Unread(line.number, "unparsable", record.reason)
                continue
            for fact in self._record(record):
                match fact:
                    case Event():
                        yield replace(fact, line=line.number, part=next(parts))
                    case Unread():
                        yield replace(fact, line=line.number)
                    case _:
                        yield fact

    def _record(self, record: Record) -> Iterator[Fact]:
        """Yield what a record says, without its line."""
        if self.file.parent and not self.is_begun:
            yield Opened(self.file.session, parent=self.file.parent)
        self.is_begun = True
        role, kind = text(record, "role"), text(record, "type")
        if kind == "turn_ended":
            ended = " ".join(filter(None, [kind, text(record, "status"), words.result(record.get("error"))]))
            yield self._event(self._id(role, kind, ended), Piece(Role.SYSTEM, Kind.META, ended))
        elif role in _ROLES:
            for block in blocks(inner(record, "message").get("content")):
                yield from self._block(_ROLES[role], block)
        else:
            yield Unread(0, "unknown", (kind or role or "untyped")[:_LABEL_LENGTH])

    def _block(self, role: Role, block: Record) -> Iterator[Fact]:
        match kind := text(block, "type"):
            case "text":
                said = text(block, "text")
                id_ = self._id(role, kind, said)
                for piece in words.spoken(role, said, by_person=self.file.parent is None):
                    yield self._event(id_, piece)
            case "tool_use":
                yield from self._call(role, block)
            case "tool_result":
                shown = words.result(block.get("content"))
                yield self._event(self._id(role, kind, shown), Piece(role, Kind.TOOL_RESULT, shown))
            case _:
                yield Unread(0, "unknown", f"{role}/{kind or 'untyped'}"[:_LABEL_LENGTH])

    def _call(self, role: Role, block: Record) -> Iterator[Fact]:
        tool, given = text(block, "name"), inner(block, "input")
        yield from self._placed(given)
        own, shown = words.is_own_call(tool, given), words.call(tool, block.get("input"))
        id_ = self._id(role, "tool_use", f"{tool}\n{compact(block.get('input'))}")
        yield self._event(id_, Piece(role, Kind.TOOL_USE, shown, own=own))

    def _placed(self, given: Record) -> Iterator[Opened]:
        folder = None if self.is_placed else folder_named(self.file.slug, given)
        if folder:
            self.is_placed = True
            yield Opened(self.file.session, cwd=folder)

    def _id(self, role: str, kind: str, content: str) -> EventId:
        hashed = digest16(role.encode(), kind.encode(), content.encode())
        times = self.counts[hashed[:_KNOWN]] = self.counts.get(hashed[:_KNOWN], 0) + 1
        return event_id(SOURCE, self.file.session, hashed if times == 1 else f"{hashed}#{times}")

    def _event(self, id_: EventId, piece: Piece) -> Event:
        session = self.file.session
        id_ = EventId(f"{id_}{piece.suffix}")
        return Event(id_, session, piece.role, piece.kind, piece.text, 0, time=piece.time, own=piece.own)


def parser(key: str, state: Json) -> TranscriptParser:
    """Go on where a parser with this state stopped."""
    memory: Record = state if isinstance(state, dict) else {}
    seen = text(memory, "seen")
    counts = {seen[at : at + _KNOWN]: 1 for at in range(0, len(seen), _KNOWN)}
    counts |= {known: times for known, times in inner(memory, "again").items() if isinstance(times, int)}
    return TranscriptParser(transcript(key), memory.get("begun") is True, memory.get("placed") is True, counts)


def blocks(content: object) -> list[Record]:
    """Return the blocks of a content, at least one; a bare text is a block."""
    listed = content if isinstance(content, list) else [content]
    return [_block(item) for item in listed] or [_block(None)]


def _block(item: object) -> Record:
    if isinstance(item, dict):
        return item
    return {"type": "text", "text": item if isinstance(item, str) else ""}
