"""Replace a file of another program: whole or not at all, with its mode, through links, never over others' changes."""

from __future__ import annotations

import os
import stat
import uuid
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from quoth.core.errors import LinkRefused
from quoth.core.names import printable_path

_LARGEST = 64 << 20


def read(path: Path) -> str | None:
    """Return a file's text as it is, byte order mark and line ends included; None when there is none.

    Raises:
        LinkRefused: it is no file, can't be read, or is no UTF-8.
    """
    with _refusing(path):
        try:
            found = path.stat()
        except FileNotFoundError:
            return None
        if not stat.S_ISREG(found.st_mode):
            raise LinkRefused(printable_path(str(path)), "it is no file")
        if found.st_size > _LARGEST:
            raise LinkRefused(printable_path(str(path)), "it is too large")
        return path.read_bytes().decode()


def missing(path: Path) -> tuple[Path, ...]:
    """Return what has to be made for a file: the folders that are missing, outermost first, then the file itself."""
    with _refusing(path):
        real = path.resolve()
        around = [folder for folder in reversed(real.parents) if not folder.exists()]
        return (*around, *([] if real.exists() else [real]))


def write(path: Path, before: str | None, after: str, *, private: bool = False) -> None:
    """Replace what a file held by something else, and make it and its folders when `before` is None.

    Raises:
        LinkRefused: the file is not as it was, or can't be written.
    """
    with _refusing(path):
        real = path.resolve()
        real.parent.mkdir(parents=True, exist_ok=True, mode=0o700 if private else 0o777)
        beside = real.with_name(f".{real.name[:100]}-{uuid.uuid4().hex}")
        try:
            _fill(beside, after.encode(), 0o600 if private else 0o666)
            _demand_unchanged(path, before)
            if before is not None:
                _dress(beside, real)
            beside.replace(real)
        finally:
            beside.unlink(missing_ok=True)
        _force_folder(real.parent)


def remove(path: Path, before: str, created: Sequence[Path]) -> None:
    """Delete a file that we made, and those of its folders that we made and nobody uses.

    Raises:
        LinkRefused: the file is not as it was, or can't be deleted.
    """
    with _refusing(path):
        _demand_unchanged(path, before)
        path.resolve().unlink()
        remove_folders(created)


def remove_folders(created: Sequence[Path]) -> None:
    """Delete the folders among paths, innermost first, that are empty."""
    for folder in reversed(created):
        with suppress(OSError):
            folder.rmdir()


def _fill(beside: Path, content: bytes, mode: int) -> None:
    flags = os.O_CREAT | os.O_EXCL | os.O_WRONLY | getattr(os, "O_BINARY", 0)
    with open(os.open(beside, flags, mode), "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())


def _dress(beside: Path, real: Path) -> None:
    """Give a new file the mode and the owner of the old one."""
    if not os.access(real, os.W_OK):
        raise PermissionError(0, "it is write-protected")
    old = real.stat()
    if hasattr(os, "chown") and (old.st_uid, old.st_gid) != (beside.stat().st_uid, beside.stat().st_gid):
        os.chown(beside, old.st_uid, old.st_gid)
    beside.chmod(stat.S_IMODE(old.st_mode))


def _demand_unchanged(path: Path, before: str | None) -> None:
    if read(path) != before:
        raise LinkRefused(printable_path(str(path)), "another program changed it meanwhile; try again")


def _force_folder(folder: Path) -> None:
    if os.name != "posix":
        return
    number = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(number)
    finally:
        os.close(number)


@contextmanager
def _refusing(path: Path) -> Iterator[None]:
    """Say what the system refuses in a sentence."""
    try:
        yield
    except UnicodeError as error:
        raise LinkRefused(printable_path(str(path)), "it is no UTF-8 text") from error
    except RuntimeError as error:  # Python before 3.13 for a link that leads to itself.
        raise LinkRefused(printable_path(str(path)), "it is a link that leads nowhere") from error
    except OSError as error:
        why = (error.strerror or "the system refused").lower()
        raise LinkRefused(printable_path(str(path)), why) from error
