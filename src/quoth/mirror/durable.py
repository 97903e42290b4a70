"""Write so that it stays: private files and folders, whole writes, forced onto the disk, failures as sentences."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from io import FileIO
from pathlib import Path

from quoth.core.errors import Busy, StoreFailed

if sys.platform == "darwin":
    import fcntl


@contextmanager
def failing_as_store(what: str) -> Iterator[None]:
    """Turn what the system refuses (full disk, no permission, read-only) into `StoreFailed`."""
    try:
        yield
    except OSError as error:
        raise StoreFailed(what, error.strerror or type(error).__name__) from error


def make_folder(folder: Path) -> None:
    """Make a folder and its missing parents, each readable by the owner alone."""
    if folder.is_dir():
        return
    make_folder(folder.parent)
    folder.mkdir(mode=0o700, exist_ok=True)


@contextmanager
def only_process(home: Path, name: str, doing: str, *, wait: float) -> Iterator[None]:
    """Be the only process that holds the lock of this name; `doing` says what for.

    Raises:
        Busy: another process held it for longer than `wait` seconds.
        StoreFailed: the home can't be written.
    """
    import filelock

    folder = home / "locks"
    with failing_as_store("Locking the home"):
        make_folder(folder)
        lock = filelock.FileLock(folder / name, timeout=wait, mode=0o600)
        try:
            lock.acquire()
        except filelock.Timeout as error:
            raise Busy(doing) from error
    try:
        yield
    finally:
        lock.release()


def open_private(path: Path, mode: str) -> FileIO:
    """Open a file unbuffered; a new one is readable by the owner alone."""
    return FileIO(path, mode, opener=lambda name, flags: os.open(name, flags, 0o600))


def write_whole(file: FileIO, data: bytes | bytearray | memoryview) -> None:
    """Write everything; when the system takes only a part, go on until it refuses."""
    view = memoryview(data)
    while view:
        view = view[file.write(view) :]


def force(descriptor: int) -> None:
    """Wait until the disk has a file."""
    if sys.platform == "darwin":
        with suppress(OSError):  # fsync alone leaves the data in the drive's memory; not every file system can do more
            fcntl.fcntl(descriptor, fcntl.F_FULLFSYNC)
            return
    os.fsync(descriptor)


def force_path(path: Path) -> None:
    """Wait until the disk has a file, or the names in a folder."""
    if path.is_dir():
        force_folder(path)
        return
    descriptor = os.open(path, os.O_RDWR)
    try:
        force(descriptor)
    finally:
        os.close(descriptor)


def force_folder(folder: Path) -> None:
    """Wait until the disk has the names in a folder, where the system can say so."""
    if os.name != "posix":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
