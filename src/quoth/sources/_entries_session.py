"""Read the entries of one session in Pi's format, a tree in one file, in the order in which they were written.

Ids are frozen; they are stored in citations. After `<source>:` stands

- `<session>:<entry id>` for the first block of an entry's content, `<session>:<entry id>#<n>` for the block at position
  n from 0, whatever the blocks are; an entry's id is unique only inside its session;
- `...#<n>:injected` for what a program had put around the words of block n, `...:out` for what a command of the person
  printed, `...:error` for what made an answer fail, and `<session>:session` for the header;
- instead of the entry id, for an entry without one (format 1), the first 16 hex digits of SHA-256 over three texts,
  each preceded by its length in 8 big-endian bytes (`core.ids.digest16`): `type`, the role of its message, the entry as
  compact JSON. The n-th equal entry among neighbours with the same timestamp ends in `~n` from n = 2 on. When the agent
  migrates the file, its entries get ids, and the index recognises the repeats.

A session that was begun from another one holds a copy of its entries, with their ids and times. What is older than the
header was copied, and keeps the id it has in the session it came from; what is older than that session, too, has been
copied twice and is told as `replayed`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from itertools import count
from typing import cast

from quoth.core.ids import SessionId, SourceId, digest16, event_id
from quoth.core.model import Event, Fact, Json, Opened, Titled, Unread
from quoth.core.times import from_iso
from quoth.sources import _entries as entries
from quoth.sources._entries import Dialect, OwnCalls
from quoth.sources._text import compact
from quoth.sources._values import Record, inner, instant, is_name, milliseconds, name, number, one_line, text

TITLE_WEIGHT = 10  # of the name in the session itself

_MOST_HASHES = 200
_LABEL_LENGTH = 80
_TITLE_LENGTH = 1_000
_STAMPED = re.compile(r"(\d{4}-\d{2}-\d{2}T\d{2})-(\d{2})-(\d{2})-(\d{3}Z)_(.+)")


@dataclass(frozen=True, slots=True)
class Spot:
    """Where an entry stands: its line, the parts that are left there, and when its row was written."""

    line: int
    parts: Iterator[int] = field(default_factory=count)
    written_at: int | None = None


@dataclass(slots=True)
class Session:
    """What is remembered of a session between two of its entries. Of a fixed one its header can't change the id."""

    id: str
    is_fixed: bool = False
    begun_at: int | None = None
    is_begun: bool = False
    cwd: str = ""
    version: str = ""
    parent: str = ""
    parent_begun_at: int | None = None
    stamp: str = ""
    hashes: dict[str, int] = field(default_factory=dict)

    def state(self) -> Json:
        """Return what differs from a session that nothing is known of."""
        fresh = asdict(Session(self.id))
        return cast(Json, {key: value for key, value in asdict(self).items() if key == "id" or value != fresh[key]})


def remembered(state: object, otherwise: str) -> Session:
    """Return the session that a state speaks of; a new one when it is none."""
    if not isinstance(state, dict) or not isinstance(state.get("id"), str):
        return Session(otherwise)
    return Session(**{key: value for key, value in state.items() if key in Session.__slots__})


def session_of(given: str) -> str:
    """Return a session's id as we know it: its own when it can be printed and passed on as an argument."""
    return given if not given or is_name(given) else f"id-{digest16(given.encode())}"


def named(base: str) -> tuple[str, int | None]:
    """Return the session that a file is named after, and when it was begun, if the name says so."""
    stem = base.partition(".jsonl")[0]
    if match := _STAMPED.fullmatch(stem):
        return session_of(match[5]), from_iso(f"{match[1]}:{match[2]}:{match[3]}.{match[4]}")
    return session_of(stem), None


@dataclass(frozen=True, slots=True)
class Reading:
    """Yields the facts of a session's entries."""

    source: SourceId
    dialect: Dialect
    session: Session
    calls: OwnCalls

    def facts(self, record: Record, spot: Spot) -> Iterator[Fact]:
        if text(record, "type") == "session":
            yield from self._header(record)
            yield from self._events(record, self.session.id, "session", spot)
        elif origin := self._origin(record):
            yield from self._entry(record, origin, spot)
        else:
            yield Unread(spot.line, "replayed", text(record, "type")[:_LABEL_LENGTH], self.session.version)

    def _entry(self, record: Record, origin: str, spot: Spot) -> Iterator[Fact]:
        kind = text(record, "type")
        if kind not in entries.KNOWN:
            yield Unread(spot.line, "unknown", kind[:_LABEL_LENGTH] or "untyped", self.session.version)
        if kind == "session_info" and (title := one_line(record, "name")[:_TITLE_LENGTH]):
            yield Titled(SessionId(self.session.id), title, TITLE_WEIGHT, spot.line)
        yield from self._events(record, origin, self._base(record), spot)

    def _header(self, record: Record) -> Iterator[Fact]:
        """Learn what a session is; the first header of a file counts."""
        session = self.session
        if session.is_begun:
            return
        session.is_begun = True
        session.id = session.id if session.is_fixed else session_of(text(record, "id")) or session.id
        session.begun_at = instant(record, "timestamp")
        session.cwd = text(record, "cwd")
        session.version = f"v{number(record, 'version') or 1}"
        if came_from := text(record, "parentSession"):
            session.parent, session.parent_begun_at = named(re.split(r"[/\\]", came_from)[-1])
        yield Opened(
            SessionId(session.id),
            cwd=session.cwd or None,
            forked_from=SessionId(session.parent) if session.parent else None,
        )

    def _origin(self, record: Record) -> str | None:
        """Return the session an entry was first written in; None when that is further away than the parent."""
        session, at = self.session, instant(record, "timestamp")
        if not session.parent or session.begun_at is None or at is None or at >= session.begun_at:
            return session.id
        is_older = session.parent_begun_at is not None and at < session.parent_begun_at
        return None if is_older else session.parent

    def _base(self, record: Record) -> str:
        if given := name(record, "id"):
            return given
        session, stamp = self.session, str(record.get("timestamp"))[:_LABEL_LENGTH]
        if stamp != session.stamp:
            session.stamp, session.hashes = stamp, {}
        role = text(inner(record, "message"), "role")
        digest = digest16(text(record, "type").encode(), role.encode(), compact(record).encode())
        nth = session.hashes[digest] = session.hashes.pop(digest, 0) + 1
        if len(session.hashes) > _MOST_HASHES:
            del session.hashes[next(iter(session.hashes))]
        return digest if nth == 1 else f"{digest}~{nth}"

    def _events(self, record: Record, origin: str, base: str, spot: Spot) -> Iterator[Fact]:
        session, at = self.session, _time(record) or spot.written_at
        for piece in entries.of(record, self.dialect, self.calls):
            yield Event(
                event_id(self.source, origin, f"{base}{piece.suffix}"),
                SessionId(session.id),
                piece.role,
                piece.kind,
                piece.text,
                spot.line,
                next(spot.parts),
                time=at,
                cwd=session.cwd or None,
                own=piece.own,
            )
            if piece.unknown:
                yield Unread(spot.line, "unknown", piece.unknown, session.version)


def _time(record: Record) -> int | None:
    return instant(record, "timestamp") or milliseconds(inner(record, "message"), "timestamp")
