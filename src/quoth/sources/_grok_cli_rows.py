"""Read the rows of `grok.db` that are new or changed, as JSON lines; no other table or column is ever looked at.

Messages and compactions are only ever added, so the row id of the last one tells what is new. When another row stands
there, because the database was vacuumed or sessions were deleted, the time of the last one does. Rows of `sessions` are
updated in place and bear the time of that.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

import orjson

from quoth.core.errors import ReadFailed
from quoth.core.ids import line_digest
from quoth.core.model import Json
from quoth.core.names import printable_path
from quoth.core.ports import Allows, everywhere
from quoth.readers.database import open_readonly
from quoth.sources._values import Record, inner, number, text, texts

_Ask: TypeAlias = Callable[[str, Sequence[int | str]], Iterable[Sequence[object]]]
"""Runs a statement with its values and returns the rows."""

_DIRECTORIES = ("cwd_at_start", "cwd_last")
_SESSIONS = ("id", "title", "model", *_DIRECTORIES, "created_at", "updated_at")
_ADDED = {
    "messages": ("session_id", "seq", "role", "message_json", "created_at"),
    "compactions": ("id", "session_id", "first_kept_seq", "summary", "created_at"),
}
_NEEDED = {"messages": {"session_id", "seq", "message_json"}, "compactions": {"session_id", "summary"}}
_LONGEST_NAME = 300
_MOST = 2_000  # digests of the sessions that were updated last
_TIMELESS = "-"  # before the digest of a session that says no time


@dataclass(frozen=True, slots=True)
class Mark:
    """How far a table was read: the row read last, when it was written, and what it is called inside the table."""

    rowid: int = 0
    written: str = ""
    name: str = ""

    def state(self) -> Json:
        return [self.rowid, self.written, self.name]


@dataclass(slots=True)
class Watermarks:
    """What a parser remembers of the rows it was fed; `rows` goes on from there."""

    added: dict[str, Mark]
    sessions: Mark
    updated: list[str]  # digests of the rows of `sessions` that bear the latest time or none

    def saw(self, row: Record, line: bytes) -> None:
        """Take note of a mirrored row."""
        table, rowid = text(row, "table"), number(row, "rowid") or 0
        if table in _ADDED:
            written = text(row, "created_at") or self.added.get(table, Mark()).written
            self.added[table] = Mark(rowid, written, _name(row))
        elif table == "sessions":
            self._saw_session(rowid, text(row, "updated_at"), _digest(row, line))

    def _saw_session(self, rowid: int, written: str, digest: str) -> None:
        if written > self.sessions.written:
            self.updated = [digest for digest in self.updated if digest.startswith(_TIMELESS)]
        if not written or written >= self.sessions.written:
            self.updated = [*self.updated, digest][-_MOST:]
        self.sessions = Mark(max(rowid, self.sessions.rowid), max(written, self.sessions.written))

    def state(self) -> dict[str, Json]:
        added: dict[str, Json] = {table: mark.state() for table, mark in self.added.items()}
        return {"added": added, "sessions": self.sessions.state(), "updated": [*self.updated]}


def watermarks(state: Json) -> Watermarks:
    """Read what a parser remembers."""
    memory: Record = state if isinstance(state, dict) else {}
    added = inner(memory, "added")
    return Watermarks(
        {table: _mark(added, table) for table in added}, _mark(memory, "sessions"), texts(memory, "updated")
    )


def changed_rows(path: Path, state: Json, allows: Allows = everywhere) -> Iterator[bytes]:
    """Yield the rows that a parser with this state was not fed, of sessions whose directory is allowed.

    Raises:
        ReadFailed: the database is locked, damaged, or has no such tables.
    """
    known = watermarks(state)
    with open_readonly(path) as database:
        ask = database.execute
        if not _NEEDED["messages"] <= _columns(ask, "messages"):
            raise ReadFailed(printable_path(str(path)), "unknown_schema")
        hidden = _hidden(ask, allows)
        if "id" in _columns(ask, "sessions"):
            yield from (orjson.dumps(row) for row in _changed_sessions(ask, known) if row["id"] not in hidden)
        for table in _ADDED:
            if _NEEDED[table] <= _columns(ask, table):
                rows = _added_rows(ask, table, known.added.get(table, Mark()))
                yield from (orjson.dumps(row) for row in rows if row["session_id"] not in hidden)


def _hidden(ask: _Ask, allows: Allows) -> set[object]:
    """Return the ids of the sessions whose directory is not allowed."""
    if allows is everywhere or "id" not in _columns(ask, "sessions"):
        return set()
    sessions = _rows(ask, "sessions", ("id", *_DIRECTORIES), "1", ())
    return {
        row["id"] for row in sessions if not allows(next((cwd for c in _DIRECTORIES if (cwd := text(row, c))), None))
    }


def _changed_sessions(ask: _Ask, known: Watermarks) -> Iterator[Record]:
    where, updated = "rowid > ?", set(known.updated)
    values: list[int | str] = [known.sessions.rowid, known.sessions.written]
    if "updated_at" in _columns(ask, "sessions"):
        where = f"{where} OR updated_at >= ? OR updated_at IS NULL ORDER BY updated_at, rowid"
    else:
        values.pop()
    for row in _rows(ask, "sessions", _SESSIONS, where, values):
        if _digest(row, orjson.dumps(row)) not in updated:
            yield row


def _digest(row: Record, line: bytes) -> str:
    return f"{'' if text(row, 'updated_at') else _TIMELESS}{line_digest(line)[:8]}"


def _added_rows(ask: _Ask, table: str, last: Mark) -> Iterator[Record]:
    where = "rowid > ? ORDER BY rowid"
    values: list[int | str] = [last.rowid]
    if last.rowid and [*map(_name, _rows(ask, table, _ADDED[table], "rowid = ?", values))] != [last.name]:
        where, values = _since(last, has_times="created_at" in _columns(ask, table))
    for row in _rows(ask, table, _ADDED[table], where, values):
        if _name(row) != last.name:
            yield row


def _since(last: Mark, *, has_times: bool) -> tuple[str, list[int | str]]:
    """Return which rows may be new where row ids tell nothing; those read before are harmless."""
    return ("created_at >= ? ORDER BY rowid", [last.written]) if has_times else ("rowid > ? ORDER BY rowid", [0])


def _name(row: Record) -> str:
    return f"{row.get('session_id')}:{row.get('seq', row.get('id'))}"[:_LONGEST_NAME]


def _rows(ask: _Ask, table: str, columns: Sequence[str], where: str, values: Sequence[int | str]) -> Iterator[Record]:
    present = _columns(ask, table)
    names = [column for column in columns if column in present]
    # Texts as bytes, because text in a database need not be valid.
    read = ", ".join(f"CASE typeof({name}) WHEN 'text' THEN CAST({name} AS BLOB) ELSE {name} END" for name in names)
    for rowid, *row in ask(f"SELECT rowid, {read} FROM {table} WHERE {where}", values):
        found = {name: _readable(value) for name, value in zip(names, row, strict=True)}
        yield {"table": table, "rowid": rowid, **found}


def _readable(value: object) -> object:
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else value


def _columns(ask: _Ask, table: str) -> set[str]:
    return {str(row[1]) for row in ask(f"PRAGMA table_info({table})", ())}


def _mark(state: Record, key: str) -> Mark:
    match state.get(key):
        case [int(rowid), str(written), str(name)]:
            return Mark(rowid, written, name)
    return Mark()
