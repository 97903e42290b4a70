"""Open the database of an agent for reading, beside the agent and without leaving a file in its folder."""

from __future__ import annotations

import os
import shutil
import stat
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from urllib.parse import quote

import apsw

from quoth.core.errors import ReadFailed
from quoth.core.model import Signature
from quoth.core.names import printable_path
from quoth.readers.tree import signature

_BUSY_MS = 2_000
_MAGIC = b"SQLite format 3\0"
_LARGEST_COPY = 2 * 1024**3
_COPY_ATTEMPTS = 3
_SIDE_FILES = ("", "-wal", "-journal")  # `-shm` is made again from the WAL
_READ_ONLY = apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI


@contextmanager
def open_readonly(path: Path) -> Iterator[apsw.Connection]:
    """Open a database that its agent may be writing to; queries fail as `ReadFailed` too.

    Raises:
        ReadFailed: no database, locked for too long, damaged, too large to copy where a copy is needed, or changed
            while read in a way that makes what was read doubtful.
    """
    with _failing_as_read(path), _connection(path) as connection:
        yield connection


def is_database(path: Path) -> bool:
    """Tell whether a file begins like one of SQLite."""
    try:
        with path.open("rb") as file:
            return file.read(len(_MAGIC)) == _MAGIC
    except OSError:
        return False


@contextmanager
def _failing_as_read(path: Path) -> Iterator[None]:
    try:
        yield
    except (apsw.BusyError, apsw.LockedError, apsw.ProtocolError) as error:
        raise _failed(path, "locked") from error
    except (apsw.CorruptError, apsw.NotADBError, apsw.FormatError) as error:
        raise _failed(path, "damaged") from error
    except apsw.SQLError as error:
        raise _failed(path, "unknown_schema") from error
    except (FileNotFoundError, apsw.CantOpenError) as error:
        raise _failed(path, "unreadable" if path.exists() else "vanished") from error
    except (OSError, apsw.Error) as error:
        raise _failed(path, "unreadable") from error


def _failed(path: Path, reason: str) -> ReadFailed:
    return ReadFailed(printable_path(str(path)), reason)


@contextmanager
def _connection(path: Path) -> Iterator[apsw.Connection]:
    if not stat.S_ISREG(os.lstat(path).st_mode):
        raise _failed(path, "not_a_file")
    with ExitStack() as stack:
        if not _size(path, "-wal") and _is_wal(path):
            yield stack.enter_context(_unwritten(path))
        elif _size(path, "-wal") and not os.path.exists(f"{path}-shm"):
            yield stack.enter_context(_copied(path))
        else:
            yield _in_place_or_copied(path, stack)


def _in_place_or_copied(path: Path, stack: ExitStack) -> apsw.Connection:
    try:
        return stack.enter_context(_opened(_uri(path, "mode=ro")))
    except (apsw.ReadOnlyError, apsw.CantOpenError):  # a transaction to roll back, or a folder we can't write to
        return stack.enter_context(_copied(path))


@contextmanager
def _opened(uri: str, flags: int = _READ_ONLY) -> Iterator[apsw.Connection]:
    connection = apsw.Connection(uri, flags=flags)
    try:
        connection.set_busy_timeout(_BUSY_MS)
        connection.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
        connection.config(apsw.SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0)
        connection.config(apsw.SQLITE_DBCONFIG_DEFENSIVE, 1)
        connection.execute("SELECT count(*) FROM sqlite_schema").fetchall()
        connection.execute("PRAGMA query_only = ON")
        yield connection
    finally:
        connection.close()


@contextmanager
def _unwritten(path: Path) -> Iterator[apsw.Connection]:
    """Read a WAL database that nobody has open: an ordinary connection would make `-wal` and `-shm` beside it."""
    before = signature(os.lstat(path))
    try:
        with _opened(_uri(path, "immutable=1")) as connection:
            yield connection
    finally:
        if signature(os.lstat(path)) != before:
            raise _failed(path, "changed_while_read")


@contextmanager
def _copied(path: Path) -> Iterator[apsw.Connection]:
    with tempfile.TemporaryDirectory(prefix="quoth-") as folder:
        copy = Path(folder, "copy.db")
        for _ in range(_COPY_ATTEMPTS):
            before = _signatures(path)
            _copy(path, copy)
            if _signatures(path) == before:
                break
        else:
            raise _failed(path, "changed_while_read")
        with _opened(_uri(copy, "mode=rw"), apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_URI) as connection:
            yield connection


def _copy(path: Path, copy: Path) -> None:
    if sum(_size(path, suffix) for suffix in _SIDE_FILES) > _LARGEST_COPY:
        raise _failed(path, "too_large_to_copy")
    for suffix in _SIDE_FILES:
        target = Path(f"{copy}{suffix}")
        target.unlink(missing_ok=True)
        if _size(path, suffix):
            shutil.copyfile(f"{path}{suffix}", target, follow_symlinks=False)


def _is_wal(path: Path) -> bool:
    with open(path, "rb") as file:
        return file.read(20)[18:20] == b"\2\2"


def _size(path: Path, suffix: str) -> int:
    try:
        return os.lstat(f"{path}{suffix}").st_size
    except FileNotFoundError:
        return 0


def _signatures(path: Path) -> list[Signature | None]:
    return [_signature(f"{path}{suffix}") for suffix in _SIDE_FILES]


def _signature(path: str) -> Signature | None:
    try:
        return signature(os.lstat(path))
    except FileNotFoundError:
        return None


def _uri(path: Path, how: str) -> str:
    return f"file:{quote(os.fsencode(path.absolute()))}?{how}"
