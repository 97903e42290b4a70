"""Local state in `state.db`: what the person decided on this device. Backed up, never synchronised.

Migrations are numbered files in `sql/state/migrations`, applied forward only; `user_version` counts those applied.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import cast

import apsw

from quoth.core.errors import InvalidArgument, NewerFormat
from quoth.core.ids import ProjectId
from quoth.core.links import Level, Link, Splice
from quoth.core.model import Exclusion
from quoth.core.times import LATEST
from quoth.storage import _failures, _queries

_WAIT_MS = 15_000
_PAGES = 1_000  # copied in one step of a backup


@cache
def migrations() -> Sequence[str]:
    """Return the migrations in order; the last one's place from 1 is the format's number."""
    folder = files("quoth.storage").joinpath("sql/state/migrations")
    found = sorted((entry.name, entry) for entry in folder.iterdir() if entry.name.endswith(".sql"))
    return [entry.read_text("utf-8") for _, entry in found]


class StateFile:
    """Implements the port `State` on one file; every change is on the disk when its call returns."""

    def __init__(self, path: Path) -> None:
        """Open the state, making or migrating the file.

        Raises:
            NewerFormat: a newer program wrote the file; it is left as it is.
            StoreFailed: the file is no database or can't be written.
            Busy: another process keeps it locked.
        """
        self._path = path
        self._sql = _queries.load("state")
        with _said("Opening"):
            os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
            self._db = apsw.Connection(str(path))
            try:
                self._prepare()
            except BaseException:
                self._db.close()
                raise

    def exclusions(self) -> Sequence[Exclusion]:
        return [Exclusion(str(kind), str(value)) for kind, value in self._rows("exclusions")]

    def exclude(self, exclusion: Exclusion) -> bool:
        return bool(self._rows("exclude", kind=exclusion.kind, value=exclusion.value))

    def include(self, exclusion: Exclusion) -> bool:
        return bool(self._rows("include", kind=exclusion.kind, value=exclusion.value))

    def paused_until(self) -> int | None:
        rows = self._rows("paused")
        if not rows:
            return None
        until = rows[0][0]
        return until if isinstance(until, int) else LATEST

    def pause(self, until: int | None) -> None:
        self._rows("pause", until=until)

    def resume(self) -> None:
        self._rows("resume")

    def project_merges(self) -> Mapping[ProjectId, ProjectId]:
        return {ProjectId(str(merged)): ProjectId(str(target)) for merged, target in self._rows("merges")}

    def project_names(self) -> Mapping[ProjectId, str]:
        return {ProjectId(str(project)): str(name) for project, name in self._rows("names")}

    def merge_project(self, merged: ProjectId, into: ProjectId) -> None:
        """Make one project part of another. What was merged into it before follows.

        Raises:
            InvalidArgument: both are the same project.
        """
        with self._changing():
            there = self._all("target", project=into)
            if there and there[0][0] == merged:
                self._all("unmerge", project=into)
            elif there:
                into = ProjectId(str(there[0][0]))
            if merged == into:
                raise InvalidArgument("into", "another project")
            self._all("redirect", merged=merged, target=into)
            self._all("merge", merged=merged, target=into)

    def rename_project(self, project: ProjectId, name: str) -> None:
        self._rows("rename", project=project, name=name)

    def links(self) -> Sequence[Link]:
        return [_link(row) for row in self._rows("links")]

    def set_links(self, path: Path, links: Sequence[Link]) -> None:
        with self._changing():
            self._all("unlink", path=os.fsencode(path))
            for position, link in enumerate(links):
                self._all("link", position=position, **_columns(link))

    def check(self) -> Sequence[str]:
        with _said("Checking"):
            found = [str(row[0]) for row in self._db.execute("PRAGMA quick_check(10)")]
        return [] if found == ["ok"] else found

    def copy(self, target: Path) -> None:
        with _said("Copying"):
            os.close(os.open(target, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
            copied = apsw.Connection(str(target))
            try:
                copied.set_busy_timeout(_WAIT_MS)
                with copied.backup("main", self._db, "main") as backup:
                    while not backup.done:
                        backup.step(_PAGES)
            finally:
                copied.close()

    def close(self) -> None:
        self._db.close()

    def _prepare(self) -> None:
        self._db.set_busy_timeout(_WAIT_MS)
        if self._format() < len(migrations()):
            self._migrate()
        self._db.execute("PRAGMA journal_mode = wal").fetchall()
        self._db.execute("PRAGMA synchronous = full")

    def _format(self) -> int:
        """Return the number of the file's format, before anything of the file is changed."""
        number = self._db.pragma("user_version")
        if not isinstance(number, int) or number > len(migrations()):
            raise NewerFormat("local state", int(str(number)), len(migrations()))
        return number

    def _migrate(self) -> None:
        with self._changing():
            for number in range(self._format(), len(migrations())):
                self._db.execute(migrations()[number]).fetchall()
                self._db.execute(f"PRAGMA user_version = {number + 1}")

    @contextmanager
    def _changing(self) -> Iterator[None]:
        with _said("Writing"):
            self._db.execute("BEGIN IMMEDIATE")
            try:
                yield
                self._db.execute("COMMIT")
            except BaseException:
                if self._db.in_transaction:
                    self._db.execute("ROLLBACK")
                raise

    def _rows(self, query: str, **values: apsw.SQLiteValue) -> list[tuple[apsw.SQLiteValue, ...]]:
        with _said("Using"):
            return self._all(query, **values)

    def _all(self, query: str, **values: apsw.SQLiteValue) -> list[tuple[apsw.SQLiteValue, ...]]:
        return self._db.execute(self._sql[query], values).fetchall()


def _columns(link: Link) -> dict[str, apsw.SQLiteValue]:
    """Return a link as columns; paths keep bytes that are no text."""
    return {
        "path": os.fsencode(link.path),
        "host": link.host,
        "level": link.level.value,
        "name": link.name,
        "removed": link.splice.removed if link.splice else None,
        "inserted": link.splice.inserted if link.splice else None,
        "created": json.dumps([os.fsencode(path).hex() for path in link.created]),
    }


def _link(row: Sequence[apsw.SQLiteValue]) -> Link:
    path, host, level, name, removed, inserted, created = row
    splice = None if inserted is None else Splice(str(removed), str(inserted))
    made = tuple(Path(os.fsdecode(bytes.fromhex(each))) for each in json.loads(str(created)))
    return Link(str(host), Level(str(level)), Path(os.fsdecode(cast("bytes", path))), str(name), splice, made)


def _said(doing: str) -> AbstractContextManager[None]:
    what = "the local state"
    return _failures.said(f"{doing} {what} (state.db)", what=what, remedy="restore it from a backup")
