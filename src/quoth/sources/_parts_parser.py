"""Read the mirrored rows of a database of sessions, messages and parts, the shape that OpenCode and ZCode share.

Rows come in the order in which they were said: a session, then a message of it, then its parts. Each is understood by
what stands before it, so the parser remembers the last session and the last message.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import count
from typing import Protocol

from quoth.core.ids import SessionId, SourceId, digest16, event_id
from quoth.core.model import Event, Fact, Json, Kind, Line, Opened, Role, Titled, Unread
from quoth.readers.jsonl import Broken, records
from quoth.sources import _parts_words as words
from quoth.sources._parts_memory import Head, Owner, head_of, json_of, owner_of
from quoth.sources._parts_words import Piece, Speaker
from quoth.sources._values import Record, inner, is_name, milliseconds, number, one_line, text

_TITLE = 1_000
_LABEL = 80


@dataclass(frozen=True, slots=True)
class Kin:
    """What a session is to others, and how much its title is worth: 0 for none."""

    is_child: bool = False
    forked_from: str = ""
    title_weight: int = 1


@dataclass(frozen=True, slots=True)
class Found:
    """A row with its payload. A file of the older tree has everything in its payload, under other names."""

    record: Record
    row: Record
    payload: Record

    def id(self, column: str, key: str) -> str:
        """Return an id in a form that can be printed and passed on as an argument; an odd one is hashed."""
        given = text(self.row, column) or text(self.payload, key)
        return given if not given or is_name(given) else digest16(given.encode())

    def said(self, column: str, key: str) -> str:
        return text(self.row, column) or text(self.payload, key)

    @property
    def created(self) -> int | None:
        return milliseconds(self.row, "time_created")


@dataclass(frozen=True, slots=True)
class Spot:
    """The line that is read, and the numbers for its events."""

    line: int
    parts: Iterator[int]


class Rules(Protocol):
    """Where two agents with such a database differ."""

    source: SourceId

    def kin(self, found: Found) -> Kin: ...

    def speaker(self, head: Head, message: Record) -> Speaker:
        """Return who speaks in a message of a person or of the model."""

    def part_id(self, owner: Owner, native: str, part: Record) -> str:
        """Return the id of a part inside the source."""

    def part_time(self, owner: Owner, found: Found) -> int | None:
        """Return when a part was said that says nothing of it itself."""

    def whole(self, found: Found, head: Head) -> list[Piece] | None:
        """Return what a row says that is a message with all its parts; None for a row of a table we do not know."""


@dataclass(slots=True)
class PartsParser:
    rules: Rules
    head: Head = field(default_factory=Head)
    owner: Owner = field(default_factory=Owner)
    progress: Json = None

    def state(self) -> Json:
        return {"progress": self.progress, "head": json_of(self.head), "owner": json_of(self.owner)}

    def feed(self, line: Line) -> Iterator[Fact]:
        """Yield what a line says, its events numbered from 0."""
        spot = Spot(line.number, count())
        for record in records(line.data):
            if isinstance(record, Broken):
                yield Unread(line.number, "unparsable", version=self.head.version)
                continue
            yield from self._facts(record, spot)

    def _facts(self, record: Record, spot: Spot) -> Iterator[Fact]:
        kind = text(record, "type")
        found = _found(record)
        if isinstance(found, Broken):
            yield Unread(spot.line, "unparsable", kind[:_LABEL], self.head.version)
            return
        match kind:
            case "pass":
                self.progress = _plain(record.get("state"))
            case "session" | "session_v2":
                yield from self._session(found, spot)
            case "task":
                yield from self._task(found, spot)
            case "message":
                yield from self._message(found, spot)
            case "part":
                yield from self._part(found, spot)
            case _:
                yield from self._whole(found, kind, spot)

    # --- sessions ---

    def _session(self, found: Found, spot: Spot) -> Iterator[Fact]:
        session = found.id("id", "id")
        if not session:
            yield Unread(spot.line, "unknown", "session without an id")
            return
        kin = self.rules.kin(found)
        directory = found.said("directory", "directory")
        version = found.said("version", "version")[:_LABEL]
        parent = found.id("parent_id", "parentID") if kin.is_child else ""
        self.head = Head(session, directory, version, kin.is_child)
        yield Opened(
            SessionId(session),
            cwd=directory or None,
            parent=SessionId(parent) if parent else None,
            forked_from=SessionId(kin.forked_from) if is_name(kin.forked_from) else None,
        )
        title = (one_line(found.row, "title") or one_line(found.payload, "title"))[:_TITLE]
        if title and kin.title_weight:
            yield Titled(SessionId(session), title, kin.title_weight, spot.line)

    def _task(self, found: Found, spot: Spot) -> Iterator[Fact]:
        """Read what an index beside the database says of a session; a title there was given by the person."""
        session, title = found.id("task_id", ""), one_line(found.row, "title")[:_TITLE]
        if session and title and text(found.row, "title_overridden") == "1":
            yield Titled(SessionId(session), title, 4, spot.line)

    # --- messages and parts ---

    def _message(self, found: Found, spot: Spot) -> Iterator[Fact]:
        message, session = found.id("id", "id"), found.id("session_id", "sessionID")
        if not message or not session:
            yield Unread(spot.line, "unknown", "message without an id", self.head.version)
            return
        self._enter(session)
        self.owner = self._owner(found, message, session)
        if self.owner.is_copy:
            yield from self._copy(found, spot)
            return
        if wrong := words.failed(found.payload.get("error")):
            yield self._event(Piece(f"{message}:error", Role.SYSTEM, Kind.SYSTEM, wrong), session, found, spot)
        if text(found.payload, "text") and number(found.record, "parts") == 0:
            piece = words.said(found.payload, message, self.owner.by, self.owner.role)
            yield self._event(piece, session, found, spot)

    def _owner(self, found: Found, message: str, session: str) -> Owner:
        said = text(found.payload, "role")
        by = self.rules.speaker(self.head, found.payload) if said in {"user", "assistant"} else Speaker.PROGRAM
        role = Role.USER if said == "user" else Role.ASSISTANT if by is Speaker.MODEL else Role.SYSTEM
        time = milliseconds(inner(found.payload, "time"), "created") or found.created
        cwd = text(inner(found.payload, "path"), "cwd")
        return Owner(message, session, by, role, cwd, time, is_copy="copy" in found.record)

    def _copy(self, found: Found, spot: Spot) -> Iterator[Fact]:
        origin = text(found.record, "copy")
        if is_name(origin):
            yield Opened(SessionId(self.owner.session), forked_from=SessionId(origin))
        yield Unread(spot.line, "replayed", text(found.record, "type")[:_LABEL], self.head.version)

    def _part(self, found: Found, spot: Spot) -> Iterator[Fact]:
        native, message = found.id("id", "id"), found.id("message_id", "messageID")
        if message != self.owner.message:  # its message is gone, or not there yet: nobody knows who said it
            self.owner = Owner(message, found.id("session_id", "sessionID"))
            self._enter(self.owner.session)
        if self.owner.is_copy:
            yield Unread(spot.line, "replayed", "part", self.head.version)
            return
        if not native or not self.owner.session:
            yield Unread(spot.line, "unknown", "part without an id", self.head.version)
            return
        part, owner = found.payload, self.owner
        event = self.rules.part_id(owner, native, part)
        for piece in words.pieces(part, event, owner.by, owner.role):
            yield from self._told(piece, owner.session, found, spot, self.rules.part_time(owner, found))
        owner.blocks += text(part, "type") in words.BLOCKS
        owner.texts += text(part, "type") == "text" and words.is_ordinary(part)

    def _whole(self, found: Found, kind: str, spot: Spot) -> Iterator[Fact]:
        session = found.id("session_id", "sessionID")
        pieces = self.rules.whole(found, self._enter(session)) if session else None
        if pieces is None:
            yield Unread(spot.line, "unknown", kind[:_LABEL] or "untyped", self.head.version)
            return
        self.owner = Owner(session=session)
        if "copy" in found.record:
            yield from self._copy(found, spot)
            return
        for piece in pieces:
            yield from self._told(piece, session, found, spot, found.created)

    def _enter(self, session: str) -> Head:
        """Return the session that a row belongs to; of one without a row of its own nothing is known."""
        if session != self.head.session:
            self.head = Head(session)
        return self.head

    # --- events ---

    def _told(self, piece: Piece, session: str, found: Found, spot: Spot, time: int | None) -> Iterator[Fact]:
        yield self._event(piece, session, found, spot, time)
        if piece.unknown:
            yield Unread(spot.line, "unknown", piece.unknown[:_LABEL], self.head.version)

    def _event(self, piece: Piece, session: str, found: Found, spot: Spot, time: int | None = None) -> Event:
        is_of_owner = self.owner.session == session
        return Event(
            event_id(self.rules.source, piece.id),
            SessionId(session),
            piece.role,
            piece.kind,
            piece.text,
            spot.line,
            next(spot.parts),
            time=piece.time or time or (self.owner.time if is_of_owner else None) or found.created,
            cwd=(self.owner.cwd if is_of_owner else "") or self.head.directory or None,
            agent_version=self.head.version or None,
            own=piece.own,
        )


def parser(rules: Rules, state: Json) -> PartsParser:
    """Go on where a parser with this state stopped."""
    memory: Record = state if isinstance(state, dict) else {}
    return PartsParser(
        rules, head_of(inner(memory, "head")), owner_of(inner(memory, "owner")), _plain(memory.get("progress"))
    )


def progress_in(state: Json) -> Json:
    """Return what the reader of rows left in the state of a parser."""
    return _plain(state.get("progress")) if isinstance(state, dict) else None


def _found(record: Record) -> Found | Broken:
    """Take a line apart; a payload that is a text is a document that does not fit a line, or no document."""
    payload = record.get("payload")
    if isinstance(payload, str):
        inside = records(payload.encode("utf-8", "replace"))
        first = inside[0] if inside else Broken("blank", b"")
        return first if isinstance(first, Broken) else Found(record, inner(record, "row"), first)
    return Found(record, inner(record, "row"), inner(record, "payload"))


def _plain(value: object) -> Json:
    return value if isinstance(value, dict) else None
