"""One SQLite file of the index: opened safely, its named queries, its transactions, its failures in sentences."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path
from struct import pack
from threading import RLock
from typing import Any, TypeAlias

import apsw

from quoth.core.errors import NewerFormat
from quoth.core.ledger.quotes import fold
from quoth.storage import _failures, _queries

# What a query gives is known by the query alone; whoever calls it turns a row into a value at once.
Row: TypeAlias = tuple[Any, ...]

_WAIT_MS = 10_000
_STATEMENTS = 200
_PRAGMAS = (
    "PRAGMA synchronous = normal",
    "PRAGMA cache_size = -32768",
    "PRAGMA temp_store = memory",
    "PRAGMA wal_autocheckpoint = 4000",
)


class Database:
    """A connection that several threads may share: each use takes the lock, transactions hold it."""

    def __init__(self, path: Path, *, schema: int, read_only: bool) -> None:
        """Open the file, making it when it is missing.

        Raises:
            NewerFormat: another schema's program wrote the file; it is left as it is.
            StoreFailed: the file is no index, is damaged, or can't be opened.
            Busy: another process keeps it locked.
        """
        self._lock = RLock()
        self._sql = _queries.load("sqlite")
        with said("Opening the index"):
            self._db = _connect(path, read_only=read_only)
            self._db.create_scalar_function("holds", _holds, 2, deterministic=True)
            try:
                self._prepare(schema, read_only=read_only)
            except BaseException:
                self._db.close()
                raise

    @contextmanager
    def writing(self, doing: str = "Writing to the index") -> Iterator[None]:
        """Hold the one write transaction; what fails in it is undone."""
        with self._lock, said(doing), self._transaction("BEGIN IMMEDIATE"):
            yield

    @contextmanager
    def reading(self) -> Iterator[None]:
        """See one state of the index in several queries."""
        with self._lock, said("Reading the index"), self._transaction("BEGIN"):
            yield

    def all(self, query: str, /, **values: object) -> list[Row]:
        """Run a named query and return its rows."""
        with self._lock, said("Reading the index"):
            return self._db.execute(self._sql[query], values).fetchall()

    def shelf(self, query: str, shelf: str, /, **values: object) -> list[Row]:
        """Run a named query on one of the full-text tables."""
        return self._db.execute(self._sql[query].format(shelf=shelf), values).fetchall()

    def one(self, query: str, /, **values: object) -> Row | None:
        rows = self.all(query, **values)
        return rows[0] if rows else None

    def many(self, query: str, rows: Iterable[Sequence[object]], *, shelf: str = "") -> int:
        """Run a named query for each row inside a write transaction and return how many rows of the table changed."""
        before = self._db.total_changes()
        self._db.executemany(self._sql[query].format(shelf=shelf) if shelf else self._sql[query], rows)
        return self._db.total_changes() - before

    @contextmanager
    def leaving_nothing(self) -> Iterator[None]:
        """Overwrite with zeros what is deleted."""
        with self._lock:
            self._db.execute("PRAGMA secure_delete = on").fetchall()
            try:
                yield
            finally:
                self._db.execute("PRAGMA secure_delete = off").fetchall()

    def empty_log(self) -> None:
        """Take what was overwritten out of the write-ahead log too, unless somebody reads an older state just now."""
        with self._lock, suppress(apsw.BusyError):
            self._db.set_busy_timeout(0)
            try:
                self._db.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_TRUNCATE)
            finally:
                self._db.set_busy_timeout(_WAIT_MS)

    def close(self) -> None:
        with self._lock, said("Closing the index"):
            self._db.close()

    @contextmanager
    def _transaction(self, begin: str) -> Iterator[None]:
        if self._db.in_transaction:  # a read inside a transaction of the same thread sees its state
            yield
            return
        self._db.execute(begin)
        try:
            yield
            self._db.execute("COMMIT")
        except BaseException:
            if self._db.in_transaction:
                self._db.execute("ROLLBACK")
            raise

    def _prepare(self, schema: int, *, read_only: bool) -> None:
        self._db.set_busy_timeout(_WAIT_MS)
        if read_only:
            self._db.execute("PRAGMA query_only = on")
        elif self._is_empty():
            self._make(schema)
        self._check(schema)
        self._db.register_fts5_function("counted", _counted)  # which needs a file that was read
        if not read_only:
            self._db.execute("PRAGMA journal_mode = wal").fetchall()
        for pragma in _PRAGMAS:
            self._db.execute(pragma).fetchall()

    def _make(self, schema: int) -> None:
        with self._transaction("BEGIN IMMEDIATE"):
            if self._is_empty():  # another process may have been faster
                for part in ("schema", "schema_memory"):
                    self._db.execute(self._sql[part]).fetchall()
                self._db.execute(self._sql["write_schema"], {"schema": schema})

    def _is_empty(self) -> bool:
        return not self._db.execute("SELECT 1 FROM sqlite_schema LIMIT 1").fetchall()

    def _check(self, schema: int) -> None:
        try:
            rows = self._db.execute(self._sql["read_schema"]).fetchall()
        except apsw.SQLError as error:
            raise apsw.NotADBError from error
        found = rows[0][0] if rows else None
        if isinstance(found, int) and found > schema:
            raise NewerFormat("index", found, schema)
        if found != schema:
            raise apsw.NotADBError


def _holds(*given: apsw.SQLiteValue) -> bool:
    """Tell whether a text holds a folded one: SQL asks it of many texts of which hardly one is answered."""
    text, folded = map(str, given)
    return folded in fold(text)


def _counted(row: apsw.FTS5ExtensionApi, *given: apsw.SQLiteValue) -> bytes:
    """Return how often a row of full text holds each phrase of the expression from one on, as numbers of four bytes."""
    (first,) = given
    phrases = range(int(str(first)), row.phrase_count)
    held = [len(parts) + len(joined) + len(stems) for parts, joined, stems in map(row.phrase_locations, phrases)]
    return pack(f"<{len(held)}I", *held)


def said(doing: str) -> AbstractContextManager[None]:
    return _failures.said(doing, what="the index", remedy="`quoth rebuild` makes it again from the mirror")


def _connect(path: Path, *, read_only: bool) -> apsw.Connection:
    if read_only:
        return apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY, statementcachesize=_STATEMENTS)
    os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
    return apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READWRITE, statementcachesize=_STATEMENTS)
