"""The file of the ledger: opened safely, migrated, its transactions, its failures in sentences.

Migrations are numbered files in `sql/ledger/migrations`, applied forward only; `user_version` counts those applied.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from functools import cache
from importlib.resources import files
from pathlib import Path
from threading import RLock
from typing import Any, TypeAlias

import apsw

from quoth.core.errors import NewerFormat
from quoth.storage import _failures, _queries

# What a query gives is known by the query alone; whoever calls it turns a row into a value at once.
Row: TypeAlias = tuple[Any, ...]

_WAIT_MS = 30_000
_NAP = 0.002


@cache
def migrations() -> Sequence[str]:
    """Return the migrations in order; the last one's place from 1 is the format's number."""
    folder = files("quoth.storage").joinpath("sql/ledger/migrations")
    found = sorted((entry.name, entry) for entry in folder.iterdir() if entry.name.endswith(".sql"))
    return [entry.read_text("utf-8") for _, entry in found]


class Database:
    """A connection that several threads may share: each use takes the lock, transactions hold it."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = RLock()
        self._sql = _queries.load("ledger")
        with said("Opening"):
            os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
            self._db = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READWRITE)
            try:
                self._prepare()
            except BaseException:
                self._db.close()
                raise

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Hold the one write transaction; what fails in it is undone. Inside another one it is part of that."""
        with self._lock, self._transaction("BEGIN IMMEDIATE"):
            yield

    @contextmanager
    def reading(self) -> Iterator[None]:
        """See one state in several queries."""
        with self._lock, self._transaction("BEGIN"):
            yield

    def all(self, query: str, /, **values: object) -> list[Row]:
        """Run a named query and return its rows."""
        with self._lock, said("Using"):
            return self._db.execute(self._sql[query], values).fetchall()

    def one(self, query: str, /, **values: object) -> Row | None:
        rows = self.all(query, **values)
        return rows[0] if rows else None

    def quick_check(self) -> Sequence[str]:
        with self._lock, said("Checking"):
            found = [str(row[0]) for row in self._db.execute("PRAGMA quick_check(10)")]
        return [] if found == ["ok"] else found

    def compact(self, *, patience_ms: int) -> bool:
        """Write the file anew and empty its log; False when others read an older state for longer than we wait."""
        with self._lock, said("Compacting"):
            self._db.execute("VACUUM").fetchall()
            self._db.set_busy_handler(_Patience(patience_ms))
            try:
                busy, _, _ = self._db.execute("PRAGMA wal_checkpoint(truncate)").fetchall()[0]
            finally:
                self._db.set_busy_handler(_Patience(_WAIT_MS))
            return not busy

    def copy(self, target: Path) -> None:
        """Write a compact, consistent copy to a new file, while others write; nothing deleted is in it."""
        with self._lock, said("Copying"):
            os.close(os.open(target, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
            self._db.execute("VACUUM INTO ?", (str(target),)).fetchall()

    def close(self) -> None:
        with self._lock, said("Closing"):
            self._db.close()

    @contextmanager
    def _transaction(self, begin: str) -> Iterator[None]:
        if self._db.in_transaction:
            yield
            return
        with said("Opening"):
            self._db.execute(begin)
        try:
            yield
            with said("Writing"):
                self._db.execute("COMMIT")
        except BaseException:
            if self._db.in_transaction:
                self._db.execute("ROLLBACK")
            raise

    def _prepare(self) -> None:
        self._db.set_busy_handler(_Patience(_WAIT_MS))
        if self._format() < len(migrations()):
            self._migrate()
        self._db.execute("PRAGMA journal_mode = wal").fetchall()
        for pragma in ("synchronous = full", "secure_delete = on", "temp_store = memory"):
            self._db.execute(f"PRAGMA {pragma}").fetchall()

    def _format(self) -> int:
        """Return the number of the file's format, before anything of the file is changed."""
        number = int(str(self._db.pragma("user_version")))
        if number > len(migrations()):
            raise NewerFormat("ledger", number, len(migrations()))
        return number

    def _migrate(self) -> None:
        with self._transaction("BEGIN IMMEDIATE"):
            for number in range(self._format(), len(migrations())):
                self._db.execute(migrations()[number]).fetchall()
                self._db.execute(f"PRAGMA user_version = {number + 1}")


class _Patience:
    """Waits for a lock in short, equal naps: SQLite's own grow, so that who has waited longest asks least often."""

    def __init__(self, wait_ms: int) -> None:
        self._wait = wait_ms / 1_000
        self._until = 0.0

    def __call__(self, tries: int) -> bool:
        now = time.monotonic()
        if tries == 0:
            self._until = now + self._wait
        if now >= self._until:
            return False
        time.sleep(_NAP)
        return True


def said(doing: str) -> AbstractContextManager[None]:
    return _failures.said(f"{doing} the ledger (ledger.db)", what="the ledger", remedy="restore it from a backup")
