"""Read what is new in a `state.vscdb`: sessions with their bubbles in the order of the session, and lists of sessions.

The database is live, holds access tokens beside the sessions, and grows to tens of gigabytes. So only the keys named
here are ever asked for, by range of keys or above a rowid; a pass holds one session's list of keys and one row.

Lines: `reading` and `read` around a pass; `composer` before the bubbles of a session; `bubble`, `inline` (one inside
its session's row, as old versions wrote them), `null` (an empty row), `large` (a row left out); `composers`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import orjson

from quoth.core.errors import ReadFailed
from quoth.core.ids import digest16
from quoth.core.model import Json
from quoth.core.names import printable_path
from quoth.core.ports import Allows, everywhere
from quoth.readers.database import open_readonly
from quoth.readers.jsonl import records
from quoth.sources import _cursor_places as places
from quoth.sources._cursor_lines import LARGEST, Database, as_bytes, ask, write
from quoth.sources._cursor_lists import changed_lists, listed, listed_elsewhere, own_folder
from quoth.sources._cursor_memory import Memory, Row, goes_on, remembered, row_of, seal
from quoth.sources._values import Record, inner, items, text

_COMPOSER, _BUBBLE = "composerData:", "bubbleId:"
# What is read of a session's row; the rest is state of the editor.
_FIELDS = (
    "_v",
    "name",
    "createdAt",
    "lastUpdatedAt",
    "unifiedMode",
    "workspaceIdentifier",
    "subComposerIds",
    "subagentInfo",
)
_AT_ONCE = 500  # keys
_DEEPEST = 8  # sessions that began one another
_FAR = 50_000  # rows of other kinds above the mark, after which it is moved
_WATCHED = 32  # sessions whose own rows are compared
_END = "\U0010ffff"


def changed_rows(path: Path, state: Json, allows: Allows = everywhere) -> Iterator[bytes]:
    """Yield the rows that differ from what `state` remembers, as JSON lines, of sessions whose folder is allowed.

    Raises:
        ReadFailed: the database is locked, damaged, or has none of the known tables.
    """
    with open_readonly(path) as database:
        tables = {str(row[0]) for row in ask(database, "SELECT name FROM sqlite_schema WHERE type = 'table'")}
        if not tables & {"cursorDiskKV", "ItemTable"}:
            raise ReadFailed(printable_path(str(path)), "unknown_schema")
        memory = remembered(state)
        sessions = _Sessions(database, path, memory, allows, tables)
        if "cursorDiskKV" in tables:
            yield from sessions.lines()
        if "ItemTable" in tables:
            yield from changed_lists(database, path, memory, sessions.are_allowed)


@dataclass
class _Sessions:
    database: Database
    path: Path
    memory: Memory
    allows: Allows
    tables: set[str]

    def lines(self) -> Iterator[bytes]:
        top, mark, begun = self._top(), self.memory.mark, self.memory.begun
        if top is None:
            return
        floor = self._floor(mark) if mark else None
        if floor is not None:
            yield from self._news(top, floor)
        elif mark is None and begun is not None:
            yield from self._rest(begun)
            yield orjson.dumps({"type": "read"})
        else:
            yield _mark(top, everything=True)
            for id_ in self._ids(""):
                yield from self._session(id_, 0)
            yield orjson.dumps({"type": "read"})

    def _news(self, top: Row, floor: int) -> Iterator[bytes]:
        """Read what is above a rowid; nothing at all is written when nothing is new."""
        is_begun = False
        for id_ in self._touched(floor):
            for line in self._session(id_, floor):
                if not is_begun:
                    yield _mark(top)
                    is_begun = True
                yield line
        if is_begun:
            yield orjson.dumps({"type": "read"})
        elif top.rowid > floor + _FAR:
            yield from (_mark(top), orjson.dumps({"type": "read"}))

    def _rest(self, begun: Row) -> Iterator[bytes]:
        """Read the sessions that a first pass did not come to, and what became of the others since it began."""
        at = self.memory.at
        for id_ in self._ids(at):
            yield from self._session(id_, 0)
        floor = self._floor(begun)
        for id_ in self._ids("") if floor is None else self._touched(floor):
            if id_ < at:
                yield from self._session(id_, floor or 0)

    def _top(self) -> Row | None:
        found = self._ask("SELECT max(rowid) FROM cursorDiskKV")
        return None if found[0][0] is None else self._row_at(found[0][0])

    def _row_at(self, rowid: int) -> Row:
        """Return what a row of any kind is known by."""
        query = (
            "SELECT CAST(key AS BLOB), octet_length(value), CAST(substr(value, 1, 4000) AS BLOB)"
            " FROM cursorDiskKV WHERE rowid = ?"
        )
        parts = next(iter(self._ask(query, rowid)), ())
        return Row(rowid, digest16(*(str(part).encode() for part in parts)))

    def _floor(self, mark: Row) -> int | None:
        """Return the rowid below which nothing is new since it was marked; None when all must be read."""
        if self._row_at(mark.rowid) == mark:
            return mark.rowid
        standing = (row.rowid for key, row in self.memory.rows.items() if self._stands(key, row))
        highest = max(standing, default=None)
        return None if highest is None else min(highest, mark.rowid)

    def _stands(self, key: str, row: Row) -> bool:
        found = self._ask("SELECT 1 FROM cursorDiskKV WHERE rowid = ? AND +key = ?", row.rowid, key)
        return bool(found) and not self._is_changed(key, row)

    def _ask(self, query: str, *values: object) -> list[tuple[Any, ...]]:
        return ask(self.database, query, *values)

    def _touched(self, floor: int) -> list[str]:
        query = "SELECT CAST(key AS BLOB) FROM cursorDiskKV WHERE rowid > ? AND (+key GLOB ? OR +key GLOB ?)"
        keys = self._ask(query, floor, f"{_COMPOSER}*", f"{_BUBBLE}*")
        touched = {_id_of(as_bytes(key).decode("utf-8", "replace")) for (key,) in keys}
        touched |= {_id_of(key) for key, row in self.memory.rows.items() if self._is_changed(key, row)}
        touched |= {id_ for id_ in list(self.memory.sessions)[-_WATCHED:] if self._has_changed(id_)}
        return sorted(touched)

    def _is_changed(self, key: str, row: Row) -> bool:
        line = self._bubble(key)
        return line is not None and row_of(line, 0).hashed != row.hashed

    def _has_changed(self, id_: str) -> bool:
        composer, known = self._composer(id_), self.memory.sessions[id_]
        return composer is not None and (composer.seal, len(composer.ids)) != (known.seal, known.bubbles)

    def _ids(self, at: str) -> Iterator[str]:
        """List the sessions in the order of their keys, from one on."""
        query = "SELECT CAST(key AS BLOB) FROM cursorDiskKV WHERE key {} ? AND key < ? ORDER BY key LIMIT ?"
        key, how = f"{_COMPOSER}{at}", ">="
        while True:
            found = self._ask(query.format(how), key, f"{_COMPOSER}{_END}", _AT_ONCE)
            for (value,) in found:
                key = as_bytes(value).decode("utf-8", "replace")
                yield key.removeprefix(_COMPOSER)
            if len(found) < _AT_ONCE:
                return
            how = ">"

    # --- one session ---

    def _session(self, id_: str, floor: int) -> Iterator[bytes]:
        composer = self._composer(id_)
        if composer is None or not self.are_allowed(id_, self._folder(composer)):
            return
        known = self.memory.sessions.get(id_)
        first = goes_on(known, composer.ids)
        head = composer.line(first, self._folder(composer))
        is_news = known is None or (known.bubbles, known.seal) != (len(composer.ids), composer.seal)
        for line in self._bubbles(composer, first, floor):
            if head:
                yield head
            head = b""
            yield line
        if head and is_news:
            yield head

    def _composer(self, id_: str) -> _Composer | None:
        key = f"{_COMPOSER}{id_}"
        query = "SELECT rowid, octet_length(value) FROM cursorDiskKV WHERE key = ?"
        for rowid, size in self._ask(query, key):
            if size is not None and size <= LARGEST:
                query = "SELECT CAST(value AS BLOB) FROM cursorDiskKV WHERE rowid = ? AND +key = ?"
                value = next(iter(self._ask(query, rowid, key)), (b"",))
                found = records(as_bytes(value[0]))
                return _Composer(id_, rowid, found[0]) if found and isinstance(found[0], dict) else None
        return None

    def _bubbles(self, composer: _Composer, first: int, floor: int) -> Iterator[bytes]:
        prefix = f"{_BUBBLE}{composer.id}:"
        query = "SELECT CAST(key AS BLOB), rowid FROM cursorDiskKV WHERE key >= ? AND key < ?"
        rows = {as_bytes(key): rowid for key, rowid in self._ask(query, prefix, f"{prefix}{_END}")}
        for place, bubble in enumerate(composer.ids):
            key = f"{prefix}{bubble}"
            rowid = rows.get(key.encode("utf-8", "replace"))
            known = self.memory.rows.get(key)
            if place < first and known is None and (rowid is None or rowid <= floor):
                continue
            line = self._bubble(key) if rowid is not None else composer.inline(bubble)
            if line is not None and (known is None or row_of(line, 0).hashed != known.hashed):
                yield line

    def _bubble(self, key: str) -> bytes | None:
        """Read the row of a bubble as a line; None when there is none."""
        query = "SELECT rowid, octet_length(value) FROM cursorDiskKV WHERE key = ?"
        for rowid, size in self._ask(query, key):
            if size is None:
                return _line(rowid, "null", key)
            if size > LARGEST:
                return _line(rowid, "large", key, size=size)
            query = "SELECT CAST(value AS BLOB) FROM cursorDiskKV WHERE rowid = ? AND +key = ?"
            for (value,) in self._ask(query, rowid, key):
                return _line(rowid, "bubble", key, as_bytes(value))
        return None

    def _folder(self, composer: _Composer) -> str | None:
        said = inner(composer.row, "workspaceIdentifier")
        user = self.path.parent.parent
        return places.of_identifier(said) or places.workspace_folder(user, text(said, "id")) or self._own_folder

    @cached_property
    def _own_folder(self) -> str | None:
        return own_folder(self.path)

    # --- where a session was, when its row does not say ---

    def are_allowed(self, id_: str, folder: str | None) -> bool:
        """Tell whether rows of a session may be read that names this folder, or none."""
        return self.allows is everywhere or self.allows(folder or self._elsewhere(id_))

    def _elsewhere(self, id_: str, depth: int = _DEEPEST) -> str | None:
        """Return the folder that a list of sessions tells, or the row of a session that began this one."""
        composer = self._composer(id_) if "cursorDiskKV" in self.tables else None
        if folder := (self._folder(composer) if composer else None) or self._listed.get(id_):
            return folder
        parent = text(inner(composer.row, "subagentInfo"), "parentComposerId") if composer else ""
        return self._elsewhere(parent, depth - 1) if parent and depth else None

    @cached_property
    def _listed(self) -> Mapping[str, str]:
        return {
            **listed_elsewhere(self.path),
            **(listed(self.database, self.path) if "ItemTable" in self.tables else {}),
        }


@dataclass
class _Composer:
    """The row of a session."""

    id: str
    rowid: int
    row: Record

    @cached_property
    def ids(self) -> list[str]:
        """The session's bubbles in order."""
        listed = items(self.row, "fullConversationHeadersOnly") or items(self.row, "conversation")
        return list(dict.fromkeys(bubble for item in listed if (bubble := text(item, "bubbleId"))))

    @cached_property
    def said(self) -> bytes:
        return said_of(self.row)

    @property
    def seal(self) -> str:
        return seal(self.said)

    def line(self, first: int, folder: str | None) -> bytes:
        """Write the row with those bubbles that are new in its list."""
        more = {"from": first, "bubbles": self.ids[first:], "folder": folder}
        return _line(self.rowid, "composer", f"{_COMPOSER}{self.id}", self.said, **more)

    def inline(self, bubble: str) -> bytes | None:
        for item in items(self.row, "conversation"):
            if item.get("bubbleId") == bubble:
                return _line(self.rowid, "inline", f"{_BUBBLE}{self.id}:{bubble}", orjson.dumps(item))
        return None


def said_of(row: Record) -> bytes:
    """Return the known fields of a session's row as JSON."""
    return orjson.dumps({field: row[field] for field in _FIELDS if field in row})


def _mark(top: Row, *, everything: bool = False) -> bytes:
    said: dict[str, Json] = {"rowid": top.rowid, "type": "reading", "witness": top.hashed}
    return orjson.dumps(said | {"all": True} if everything else said)


def _line(rowid: int, kind: str, key: str, value: bytes | None = None, **more: object) -> bytes:
    return write({"rowid": rowid, "type": kind, "key": key, **more}, value)


def _id_of(key: str) -> str:
    """Return the session that the key of a row names."""
    return key.split(":", 2)[1]
