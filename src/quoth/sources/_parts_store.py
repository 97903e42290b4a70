"""Read a database of sessions, messages and parts, the shape that OpenCode and ZCode share, row by row.

A row becomes one line of JSON: `type` names its table, `row` holds the columns we know, and `payload` is its column
`data` as it stands there, or as a text when it is no object on one line.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeAlias

import orjson

from quoth.sources._values import Record

Value: TypeAlias = int | float | str | None

# The only columns that are ever read, besides `data`; others hold secrets, such as links of shared sessions.
_HEAD = (
    "id",
    "project_id",
    "workspace_id",
    "parent_id",
    "fork_session_id",
    "directory",
    "title",
    "title_source",
    "task_type",
    "version",
    "time_created",
    "time_updated",
    "time_archived",
)
_STAMPS = ("time_created", "time_updated")
_KNOWN: Mapping[str, Sequence[str]] = {
    "session": _HEAD,
    "session_v2": _HEAD,
    "message": ("id", "session_id", *_STAMPS, "sequence"),
    "part": ("id", "message_id", "session_id", *_STAMPS, "sequence"),
    "session_message": ("id", "session_id", "type", "seq", *_STAMPS),
}
_DATA = "data"


class Database(Protocol):
    """An open database, as `readers.database` gives it."""

    def execute(
        self, query: str, values: Sequence[Value] | Mapping[str, Value | bytes] = ..., /
    ) -> Iterator[tuple[Any, ...]]: ...


@dataclass(frozen=True, slots=True)
class Stored:
    """A row of a table: the columns we know, and the bytes of its column `data`."""

    table: str
    rowid: int
    row: Mapping[str, Value]
    data: bytes | None = None

    @property
    def written_at(self) -> int:
        """Return when the row was last written, as it says itself."""
        stamp = self.row.get("time_updated")
        return stamp if isinstance(stamp, int) else 0

    def line(self, **more: object) -> bytes:
        record: dict[str, object] = {"type": self.table, "rowid": self.rowid, **more, "row": self.row}
        if self.data is not None:
            record["payload"] = payload_of(self.data)
        return orjson.dumps(record)


@dataclass(slots=True)
class Store:
    """An open database. Tables and columns come and go between versions, so what is there is looked up."""

    db: Database
    _columns: dict[str, tuple[str, ...]] = field(default_factory=dict)

    def columns(self, table: str) -> tuple[str, ...]:
        """Return which columns we know are there; none when the table is missing."""
        if table not in self._columns:
            present = {str(row[1]) for row in self.db.execute(f"PRAGMA table_info({table})")}
            self._columns[table] = tuple(name for name in (*_KNOWN[table], _DATA) if name in present)
        return self._columns[table]

    def has(self, *tables: str) -> bool:
        return all("id" in self.columns(table) for table in tables)

    def one_of(self, table: str, column: str) -> str:
        """Return how a query names a column that may be missing."""
        return column if column in self.columns(table) else "NULL"

    def written_since(self, table: str, *, name: str | None = None) -> str:
        """Return a condition for rows written since `:since`, whatever stands where a time should."""
        column = self.one_of(table, "time_updated")
        return f"CAST({f'{name}.{column}' if name and column != 'NULL' else column} AS INTEGER) >= :since"

    def fetch(self, table: str, rowid: int) -> Stored | None:
        names = self.columns(table)
        # Text as bytes, because text in a database need not be valid.
        values = ", ".join(
            f"CASE typeof({name}) WHEN 'text' THEN CAST({name} AS BLOB) ELSE {name} END" for name in names
        )
        found = next(self.db.execute(f"SELECT {values} FROM {table} WHERE rowid = ?", (rowid,)), None)
        if found is None:
            return None
        row = dict(zip(names, found, strict=True))
        data = row.pop(_DATA, None)
        return Stored(table, rowid, {name: as_value(value) for name, value in row.items()}, _as_bytes(data))

    def written_at(self, table: str, rowid: int) -> int:
        """Return when a row was last written, without reading the rest of it."""
        query = f"SELECT {self.one_of(table, 'time_updated')} FROM {table} WHERE rowid = ?"
        return next((stamp for (stamp,) in self.db.execute(query, (rowid,)) if isinstance(stamp, int)), 0)

    def last(self, table: str) -> int:
        """Return the highest row id of a table; 0 when it is empty or missing."""
        rows = self.db.execute(f"SELECT max(rowid) FROM {table}") if self.has(table) else iter([(0,)])
        return next(iter(rows))[0] or 0

    def rows(self, query: str, *values: object) -> Iterator[tuple[Value, ...]]:
        bound = tuple(value if isinstance(value, int | float | str) else None for value in values)
        return (tuple(as_value(value) for value in row) for row in self.db.execute(query, bound))


def as_value(value: object) -> Value:
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    return value if isinstance(value, int | float | str) else None


def payload_of(data: bytes) -> object:
    """Return what stands for a JSON document in a line: the document itself, byte for byte, else its text."""
    if b"\n" not in data and b"\r" not in data:
        try:
            if isinstance(orjson.loads(data), dict):
                return orjson.Fragment(data)
        except ValueError:
            pass
    return data.decode("utf-8", "replace")


def text_of(row: Record, key: str) -> str:
    value = row.get(key)
    return value if isinstance(value, str) else ""


def _as_bytes(value: object) -> bytes | None:
    if isinstance(value, bytes):
        return value
    return None if value is None else str(value).encode()
