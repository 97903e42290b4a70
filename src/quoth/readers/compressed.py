"""Read the content of a log, plain or compressed; the only place that knows where the zstd library lives."""

from __future__ import annotations

import errno
import os
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from quoth.core.errors import ReadFailed
from quoth.core.names import printable_path

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

__all__ = ["chunks", "open_regular", "zstd"]

_CHUNK = 1024 * 1024
_BOMB_SIZE = 256 * 1024 * 1024  # up to here every ratio is taken
_BOMB_RATIO = 500  # beyond, logs stay far below
_WINDOW_LOG_MAX = 27  # 128 MiB of memory for one frame
_REASONS = {errno.ENOENT: "vanished", errno.ELOOP: "link", errno.ENXIO: "not_a_file", errno.EISDIR: "not_a_file"}


def chunks(path: Path, *, compressed: bool, start: int = 0, bomb_size: int = _BOMB_SIZE) -> Iterator[bytes]:
    """Yield the content of a plain or `.zst` file from `start` on, in pieces of at most 1 MiB.

    Raises:
        ReadFailed: no regular file, unreadable, vanished, damaged, torn, or it expands beyond reason. What was yielded
            before is right.
    """
    with _failing_as_read(path):
        descriptor = open_regular(path)
        try:
            if compressed:
                size = os.fstat(descriptor).st_size
                yield from _skip(_expand(path, descriptor, max(bomb_size, _BOMB_RATIO * size)), start)
            else:
                os.lseek(descriptor, start, os.SEEK_SET)
                yield from iter(lambda: os.read(descriptor, _CHUNK), b"")
        finally:
            os.close(descriptor)


@contextmanager
def _failing_as_read(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise _failed(path, _REASONS.get(error.errno or 0, "unreadable")) from error


def open_regular(path: Path) -> int:
    """Open a regular file without following a link and without waiting for the other end of a pipe."""
    flags = os.O_RDONLY
    for name in ("O_NOFOLLOW", "O_NONBLOCK", "O_CLOEXEC", "O_BINARY", "O_NOCTTY"):
        flags |= getattr(os, name, 0)
    descriptor = os.open(path, flags)
    if stat.S_ISREG(os.fstat(descriptor).st_mode):
        return descriptor
    os.close(descriptor)
    raise _failed(path, "not_a_file")


def _failed(path: Path, reason: str) -> ReadFailed:
    return ReadFailed(printable_path(str(path)), reason)


def _expand(path: Path, descriptor: int, most: int) -> Iterator[bytes]:
    options: dict[int, int] = {zstd.DecompressionParameter.window_log_max: _WINDOW_LOG_MAX}
    frame: zstd.ZstdDecompressor | None = None
    given = 0
    data = os.read(descriptor, _CHUNK)
    try:
        while data or (frame and not frame.needs_input):
            frame = frame or zstd.ZstdDecompressor(options=options)
            piece = frame.decompress(data, max_length=_CHUNK)
            given += len(piece)
            if given > most:
                raise _failed(path, "expands_beyond_reason")
            if piece:
                yield piece
            if frame.eof:
                data, frame = frame.unused_data, None
            else:
                data = b""
            if not data and (frame is None or frame.needs_input):
                data = os.read(descriptor, _CHUNK)
    except zstd.ZstdError as error:
        raise _failed(path, "damaged") from error
    if frame is not None:
        raise _failed(path, "torn")


def _skip(pieces: Iterator[bytes], start: int) -> Iterator[bytes]:
    for piece in pieces:
        if start < len(piece):
            yield piece[start:]
        start = max(0, start - len(piece))
