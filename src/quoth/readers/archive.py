"""Read single members of a ZIP archive without unpacking it; what an archive promises is not believed."""

from __future__ import annotations

import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from quoth.core.errors import ReadFailed
from quoth.core.names import printable_path
from quoth.readers.compressed import open_regular

_CHUNK = 1024 * 1024
_BOMB_SIZE = 256 * 1024 * 1024  # up to here every ratio is taken
_BOMB_RATIO = 500
_MOST_MEMBERS = 100_000
_ENCRYPTED = 1  # flag of a member


def contents(
    path: Path, wanted: Callable[[str], bool], *, bomb_size: int = _BOMB_SIZE
) -> Iterator[tuple[str, Iterator[bytes]]]:
    """Yield the name of each member whose base name is wanted and its content, in pieces of at most 1 MiB.

    A content must be read before the next member is asked for.

    Raises:
        ReadFailed: no archive, unreadable, damaged, encrypted, or it expands beyond reason; also while it is read.
    """
    with _failing_as_read(path), open(open_regular(path), "rb") as file, zipfile.ZipFile(file) as archive:
        if len(archive.infolist()) > _MOST_MEMBERS:
            raise _failed(path, "too_many_members")
        files = [info for info in archive.infolist() if not info.is_dir() and wanted(info.filename.rpartition("/")[2])]
        for member in sorted(files, key=lambda info: info.filename):
            yield member.filename, _chunks(path, archive, member, bomb_size)


def _chunks(path: Path, archive: zipfile.ZipFile, member: zipfile.ZipInfo, bomb_size: int) -> Iterator[bytes]:
    if member.flag_bits & _ENCRYPTED:
        raise _failed(path, "encrypted")
    most, given = max(bomb_size, _BOMB_RATIO * member.compress_size), 0
    with _failing_as_read(path), archive.open(member) as file:
        while piece := file.read(_CHUNK):
            given += len(piece)
            if given > most:
                raise _failed(path, "expands_beyond_reason")
            yield piece


@contextmanager
def _failing_as_read(path: Path) -> Iterator[None]:
    try:
        yield
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, ValueError) as error:
        raise _failed(path, "damaged") from error
    except OSError as error:
        raise _failed(path, "unreadable") from error


def _failed(path: Path, reason: str) -> ReadFailed:
    return ReadFailed(printable_path(str(path)), reason)
