"""Back a home up, and restore it elsewhere (QUO-13, SEC-1).

The mirror and the journal are copied under the ingest lock, so that nothing is appended or wiped meanwhile; ledger and
state are copied by their engines while others write, the ledger first: what it cites is in the mirror then. The index
is left out: a restore makes it again. A folder appears whole or not at all.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import stat
import tempfile
from collections.abc import Callable, Collection, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path

from quoth.core.errors import BackupRefused, StoreFailed
from quoth.core.ports import Clock, LedgerStore, State
from quoth.core.times import local_iso
from quoth.services import _manifest
from quoth.services._manifest import KEPT, MIRROR, TYPES, Item
from quoth.services._private import sync_folder

_PIECE = 1 << 20
_STATE, _LEDGER = "state.db", "ledger.db"  # copied by their engines
_JOURNAL = "observations.jsonl"


@dataclass(frozen=True, slots=True)
class Copied:
    """What a backup or a restore holds. `events` is how many a restored home answers."""

    folder: Path
    files: int
    bytes: int
    events: int | None = None


@dataclass(frozen=True, slots=True)
class Backup:
    """Copies a home. `lock` keeps ingestion out while the mirror is copied, `ledger` is None while nothing was ever
    remembered."""

    home: Path
    state: State
    clock: Clock
    lock: Callable[[], AbstractContextManager[object]]
    ledger: Callable[[], LedgerStore | None]

    def run(self, folder: Path) -> Copied:
        """Copy everything that can't be made again into a new or empty folder.

        Raises:
            BackupRefused: the folder is not empty, or lies in the home or around it.
            Busy: another process ingests.
            StoreFailed: a file can't be read or written; the folder is as it was.
        """
        target = folder.absolute()
        _demand_apart(self.home, target)
        _demand_empty(target, "choose a new folder")
        with _appearing(target) as beside:
            items = list(self._copied(beside))
            (beside / _manifest.NAME).write_bytes(_manifest.render(items, local_iso(self.clock.now())))
            (beside / _manifest.NAME).chmod(0o600)
        return Copied(target, len(items), sum(item.size for item in items))

    def _copied(self, beside: Path) -> Iterator[Item]:
        self.state.copy(beside / _STATE)
        yield _measured(beside / _STATE, _STATE)
        with self.lock():
            if ledger := self.ledger():
                ledger.copy(beside / _LEDGER)
                yield _measured(beside / _LEDGER, _LEDGER)
            for path in self._paths():
                stop = _complete(self.home / path) if path == _JOURNAL else None
                yield _copy(self.home / path, beside / path, path, stop=stop)

    def _paths(self) -> Iterator[str]:
        yield from (name for name in KEPT if name not in {_STATE, _LEDGER} and (self.home / name).is_file())
        for top in (MIRROR, TYPES):
            if (self.home / top).is_dir():  # Else nothing was read, or no type added.
                yield from self._below(top)

    def _below(self, top: str) -> Iterator[str]:
        for folder, _, names in os.walk(self.home / top, onerror=_raise):
            for name in sorted(names):
                path = Path(folder, name)
                if stat.S_ISREG(path.lstat().st_mode):
                    yield path.relative_to(self.home).as_posix()


@dataclass(frozen=True, slots=True)
class Restore:
    """Makes a home from a backup. `renew` gives the home in a folder a device series of its own, `rebuild` makes the
    index and returns how many events there are."""

    home: Path
    renew: Callable[[Path], None]
    rebuild: Callable[[], int]

    def run(self, folder: Path) -> Copied:
        """Check a backup against its list, copy it into the empty home, and make the index.

        Raises:
            BackupRefused: the backup is not complete, not ours or damaged, or the home is not empty.
            NewerFormat: a newer program made it.
            StoreFailed: a file can't be read or written; the home is as it was.
        """
        source = folder.absolute()
        items = _manifest.read(source)
        _demand_apart(self.home, source)
        _demand_empty(self.home, "move it away, or set QUOTH_HOME to a new folder", ignored={"locks"})
        with _appearing(self.home) as beside:
            for item in items:
                _check(source, item, _copy(_inside(source, item.path), beside / item.path, item.path))
            self.renew(beside)
        return Copied(self.home, len(items), sum(item.size for item in items), self.rebuild())


def _check(source: Path, listed: Item, found: Item) -> None:
    if found != listed:
        raise BackupRefused(str(source), f"{listed.path} is not what was backed up")


def _inside(source: Path, path: str) -> Path:
    """Return a file of a backup. No part of its path may be a link: it could lead anywhere."""
    place = source
    for part in path.split("/"):
        place = place / part
        if place.is_symlink():
            raise BackupRefused(str(source), f"{path} is reached through a link")
    if not place.is_file():
        raise BackupRefused(str(source), f"{path} is missing")
    return place


def _demand_apart(home: Path, folder: Path) -> None:
    inner, outer = folder.resolve(), home.resolve()
    if inner == outer or outer in inner.parents or inner in outer.parents:
        raise BackupRefused(str(folder), f"it and the store {home} must not lie in one another")


def _demand_empty(folder: Path, otherwise: str, *, ignored: Collection[str] = ()) -> None:
    if folder.is_symlink() or (folder.exists() and not folder.is_dir()):
        raise BackupRefused(str(folder), "it is not a folder")
    if folder.is_dir() and any(entry.name not in ignored for entry in folder.iterdir()):
        raise BackupRefused(str(folder), f"it is not empty; {otherwise}")


@contextmanager
def _appearing(target: Path) -> Iterator[Path]:
    """Fill a folder beside the target, then put it in place in one step, forced onto the disk."""
    with _said(f"Writing {target}"):
        target.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        beside = Path(tempfile.mkdtemp(prefix=f".{target.name}-", suffix=".part", dir=target.parent))
        try:
            yield beside
            if hasattr(os, "sync"):
                os.sync()
            if target.is_dir():
                shutil.rmtree(target)  # Empty but for locks that nobody holds.
            beside.replace(target)
            sync_folder(target.parent)
        except BaseException:
            shutil.rmtree(beside, ignore_errors=True)
            raise


@contextmanager
def _said(doing: str) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise StoreFailed(doing, error.strerror or type(error).__name__) from error


def _copy(source: Path, target: Path, path: str, *, stop: int | None = None) -> Item:
    """Copy a file up to `stop` into a private one and return its list item."""
    _make_folders(target.parent)
    number = os.open(target, os.O_CREAT | os.O_EXCL | os.O_WRONLY | getattr(os, "O_BINARY", 0), 0o600)
    hashed, size = hashlib.sha256(), 0
    with source.open("rb") as read, open(number, "wb") as written:
        while piece := read.read(_PIECE if stop is None else min(_PIECE, stop - size)):
            hashed.update(piece)
            written.write(piece)
            size += len(piece)
    return Item(path, size, hashed.hexdigest())


def _measured(file: Path, path: str) -> Item:
    with file.open("rb") as read:
        return Item(path, file.stat().st_size, hashlib.file_digest(read, "sha256").hexdigest())


def _make_folders(folder: Path) -> None:
    """Make a folder and those around it, each private: `mkdir(parents=True)` would leave the outer ones open."""
    if not folder.is_dir():
        _make_folders(folder.parent)
        folder.mkdir(mode=0o700)


def _complete(journal: Path) -> int:
    """Return how many bytes the complete lines of the journal take; a killed process may leave half a line."""
    stop = journal.stat().st_size
    with journal.open("rb") as file:
        while stop > 0:
            start = max(0, stop - _PIECE)
            file.seek(start)
            feed = file.read(stop - start).rfind(b"\n")
            if feed >= 0:
                return start + feed + 1
            stop = start
    return 0


def _raise(error: OSError) -> None:
    raise error
