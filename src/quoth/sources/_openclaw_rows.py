"""Find what is new among the events in the database of one of OpenClaw's agents (since 2026.8).

A row becomes one line of JSON with its `table`, its `rowid` and the columns below, and no others. An event that is kept
compressed is written as the text it stands for.

Events are only ever inserted, with growing row ids; to rewrite a session, OpenClaw deletes its events and inserts them
again, and the last ids may then be given to other events. So the state keeps a ladder of rows, dense near the end and
thin far away, each with a digest: rows are read from the highest one that is still what it was. Newer versions also
note which sessions they rewrote, and when; those are read again from their beginning.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

import orjson

from quoth.core.errors import ReadFailed
from quoth.core.ids import digest16
from quoth.core.model import Json
from quoth.core.names import printable_path
from quoth.core.ports import Allows, everywhere
from quoth.readers.compressed import zstd
from quoth.readers.database import open_readonly
from quoth.readers.jsonl import records
from quoth.sources import _openclaw_sessions as sessions
from quoth.sources._openclaw_sessions import Database, Row
from quoth.sources._values import Record, number, text

TABLE, REWRITES = "transcript_events", "transcript_rewrite_watermarks"

_LARGEST = 512 << 20  # bytes of one event
_HEADER = 4  # events at the start of a session, of which one is its header
_RUNGS = 64
_GAP = 0.4  # how wide a gap between rungs may be, as a share of how far it is from the top


@dataclass(slots=True)
class Ladder:
    """Row ids that were read, lowest first, each with a digest of its event."""

    rungs: dict[int, str] = field(default_factory=dict)

    def climb(self, record: Record) -> None:
        """Remember a row; when it comes after higher ones, those were read before a session was rewritten."""
        row = number(record, "rowid")
        if row is None or record.get("is_again") is True:
            return
        while self.rungs and next(reversed(self.rungs)) >= row:
            self.rungs.popitem()
        self.rungs[row] = _digest(record)
        if len(self.rungs) > 2 * _RUNGS:
            self._thin(row)

    def _thin(self, top: int) -> None:
        """Drop each rung whose neighbours stay close to each other, seen from the top; that only gets truer."""
        lowest, *between, highest = self.rungs
        kept = [lowest]
        for row, newer in pairwise((*between, highest)):
            if newer - kept[-1] > _GAP * (top - newer + 1):
                kept.append(row)
        self.rungs = {row: self.rungs[row] for row in (*kept, highest)}

    def state(self) -> Json:
        return [[row, digest] for row, digest in self.rungs.items()]


def ladder(state: object) -> Ladder:
    pairs = state if isinstance(state, list) else []
    return Ladder({row: digest for row, digest in pairs if isinstance(row, int) and isinstance(digest, str)})


def changed(path: Path, state: Json, allows: Allows = everywhere) -> Iterator[bytes]:
    """Yield the rows that the parser has not seen, or not like this, of sessions whose directory is allowed.

    Raises:
        ReadFailed: the database is locked, damaged, or has no events.
    """
    memory = state if isinstance(state, dict) else {}
    with open_readonly(path) as database:
        columns = sessions.columns_of(database, TABLE)
        if not {"session_id", "seq", "event_json"} <= columns:
            raise ReadFailed(printable_path(str(path)), "unknown_schema")
        query = _query(columns)
        is_allowed = sessions.admission(allows, lambda session: _directory(database, query, session))
        yield from sessions.windows(database, sessions.known(memory.get("sessions")), is_allowed)
        since = number(memory, "rewritten_at") or 0
        yield from _events(database, query, is_allowed, ladder(memory.get("ladder")), since)


def _query(columns: set[str]) -> str:
    packed = "CAST(event_zstd AS BLOB)" if "event_zstd" in columns else "NULL"
    created = "created_at" if "created_at" in columns else "NULL"
    # As bytes, because text in a database need not be valid.
    return (
        f"SELECT rowid, CAST(session_id AS BLOB), seq, {created}, CAST(event_json AS BLOB), {packed} "
        f"FROM {TABLE} WHERE rowid %s ? ORDER BY rowid"
    )


def _directory(database: Database, query: str, session: str) -> str | None:
    """Return the directory that the header of a session names."""
    first = query.replace("WHERE rowid %s", "WHERE session_id =").replace(
        "ORDER BY rowid", f"ORDER BY seq LIMIT {_HEADER}"
    )
    for row in database.execute(first, (session,)):
        for record in records(str(_record(row)["event_json"]).encode()):
            if isinstance(record, dict) and record.get("type") == "session" and (cwd := text(record, "cwd")):
                return cwd
    return None


def _events(
    database: Database, query: str, is_allowed: Callable[[str], bool], seen: Ladder, rewritten_at: int
) -> Iterator[bytes]:
    start = next((row for row in reversed(seen.rungs) if _is_there(database, query, row, seen.rungs[row])), -1)
    for session, at in _rewrites(database, rewritten_at):
        if not is_allowed(session):
            continue
        for row in database.execute(query.replace("WHERE", "WHERE session_id = ? AND") % "<=", (session, start)):
            yield orjson.dumps({**_record(row), "is_again": True})
        yield orjson.dumps({"table": REWRITES, "session_id": session, "updated_at": at})
    for row in database.execute(query % ">", (start,)):
        record = _record(row)
        if is_allowed(str(record["session_id"])):
            yield orjson.dumps(record)


def _rewrites(database: Database, since: int) -> Sequence[tuple[str, int]]:
    """Return which sessions were rewritten since an instant, and when, in that order."""
    if not {"session_id", "updated_at"} <= sessions.columns_of(database, REWRITES):
        return []
    query = f"SELECT session_id, updated_at FROM {REWRITES} WHERE updated_at > ? ORDER BY updated_at"
    found = database.execute(query, (since,))
    return [(session, at) for session, at in found if isinstance(session, str) and isinstance(at, int)]


def _is_there(database: Database, query: str, row: int, digest: str) -> bool:
    return any(_digest(_record(found)) == digest for found in database.execute(query % "=", (row,)))


def _digest(record: Record) -> str:
    parts = (text(record, "session_id"), str(record.get("seq")), text(record, "event_json"))
    return digest16(*(part.encode() for part in parts))


def _record(row: Row) -> dict[str, object]:
    rowid, session, seq, created, written, packed = row
    if written is None and isinstance(packed, bytes):
        written = _unpacked(packed)
    return {
        "table": TABLE,
        "rowid": rowid,
        "session_id": sessions.as_text(session),
        "seq": _plain(seq),
        "created_at": _plain(created),
        "event_json": sessions.as_text(written),
    }


def _unpacked(packed: bytes) -> bytes | None:
    """Expand an event; None when it can't be, which the parser then tells of."""
    try:
        frame = zstd.ZstdDecompressor()
        whole = frame.decompress(packed, max_length=_LARGEST)
    except zstd.ZstdError:
        return None
    return whole if frame.eof else None


def _plain(value: object) -> object:
    return value if isinstance(value, int | float) else None if value is None else sessions.as_text(value)
