"""The format of `.zst` files in the mirror, and nothing about where they are.

A file is a row of pairs: a zstd *skippable frame*, which every zstd program passes over, then an ordinary zstd frame
with a checksum. So `zstdcat` prints the exact log, while we find any line by reading the small frames alone. The
payload of the skippable frame, little-endian; never change it, only add a format number:

    4 bytes  `QTHF`
    u32      format, 1
    u64      where the raw bytes of this frame start in the log
    u64      how many raw bytes it holds
    u64      how many bytes the zstd frame behind takes
    u64      how many LFs come before this frame
    u64      how many LFs are in it
    32 bytes SHA-256 of the raw bytes
    u32      CRC-32 of all the above
"""

from __future__ import annotations

import hashlib
import struct
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from io import FileIO

from quoth.core.errors import NewerFormat
from quoth.readers.compressed import zstd

FORMAT = 1

_LABEL = b"QTHF"
_FIELDS = struct.Struct("<4sIQQQQQ32s")
_CRC = struct.Struct("<I")
_SKIPPABLE = struct.pack("<II", 0x184D2A50, _FIELDS.size + _CRC.size)
HEADER = len(_SKIPPABLE) + _FIELDS.size + _CRC.size
_LEVEL = 3
_PIECE = 1024 * 1024


class FrameError(Exception):
    """Raised for bytes that are neither a frame nor the beginning of one."""


@dataclass(frozen=True, slots=True)
class Frame:
    """One frame: the raw bytes it holds, the LFs before and in it, where its zstd frame lies, the hash of its bytes."""

    start: int
    length: int
    feeds_before: int
    feeds: int
    at: int
    size: int
    sha256: bytes

    @property
    def stop(self) -> int:
        return self.start + self.length

    @property
    def feeds_until(self) -> int:
        return self.feeds_before + self.feeds

    @property
    def end(self) -> int:
        """Where the next frame begins in the file."""
        return self.at + self.size


def pack(raw: bytes, after: Frame | None) -> tuple[bytes, Frame]:
    """Return the bytes to append for the next frame, and that frame."""
    packed = _compressed(raw)
    position = after.end if after else 0
    frame = Frame(
        start=after.stop if after else 0,
        length=len(raw),
        feeds_before=after.feeds_until if after else 0,
        feeds=raw.count(b"\n"),
        at=position + HEADER,
        size=len(packed),
        sha256=hashlib.sha256(raw).digest(),
    )
    return _header(frame) + packed, frame


def unpack(file: FileIO, frame: Frame) -> bytes:
    """Return the raw bytes of a frame. Raises `FrameError` when they are not there."""
    file.seek(frame.at)
    packed = _read(file, frame.size)
    decompressor = zstd.ZstdDecompressor()
    try:
        raw = decompressor.decompress(packed, max_length=frame.length + 1)
    except zstd.ZstdError as error:
        raise FrameError(f"the frame at byte {frame.start} can't be decompressed") from error
    if len(raw) != frame.length:
        raise FrameError(f"the frame at byte {frame.start} holds {len(raw)} bytes instead of {frame.length}")
    return raw


def as_written(file: FileIO, frame: Frame) -> bytes:
    """Return the bytes that a frame takes in the file, its header with them."""
    file.seek(frame.at - HEADER)
    return _read(file, HEADER + frame.size)


def is_intact(frame: Frame, raw: bytes) -> bool:
    return hashlib.sha256(raw).digest() == frame.sha256 and raw.count(b"\n") == frame.feeds


def walk(file: FileIO, size: int, *, name: str, after: Frame | None = None) -> Iterator[Frame]:
    """Yield the complete frames of a file of some size behind a known one; a torn one at the end is passed over.

    Raises:
        FrameError: what follows is no frame and no torn one.
        NewerFormat: a newer program wrote it.
    """
    while frame := _next(file, size, after, name):
        yield frame
        after = frame


def _next(file: FileIO, size: int, after: Frame | None, name: str) -> Frame | None:
    position = after.end if after else 0
    if position >= size:
        return None
    file.seek(position)
    header = _read(file, HEADER)
    if _is_blank(header) and _rest_is_blank(file):
        return None  # a machine that lost power may leave zeros at the end
    if len(header) < HEADER:
        _demand_beginning(header, position)
        return None
    frame = _parse(header, position, name)
    if frame.start != (after.stop if after else 0) or frame.feeds_before != (after.feeds_until if after else 0):
        raise FrameError(f"the frame at byte {frame.start} does not follow the one before it")
    return frame if frame.end <= size else None


def _demand_beginning(header: bytes, position: int) -> None:
    fixed = _SKIPPABLE + _LABEL
    if header[: len(fixed)] != fixed[: len(header)]:
        raise FrameError(f"no frame begins at position {position}")


def _is_blank(data: bytes) -> bool:
    return not data.strip(b"\0")


def _rest_is_blank(file: FileIO) -> bool:
    return all(_is_blank(piece) for piece in iter(lambda: file.read(_PIECE), b""))


def _parse(header: bytes, position: int, name: str) -> Frame:
    prefix, fields, crc = header[: len(_SKIPPABLE)], header[len(_SKIPPABLE) : -_CRC.size], header[-_CRC.size :]
    label, number, start, length, size, feeds_before, feeds, sha256 = _FIELDS.unpack(fields)
    if label == _LABEL and number > FORMAT:
        raise NewerFormat(f"mirror file {name}", number, FORMAT)
    if prefix != _SKIPPABLE or label != _LABEL or crc != _CRC.pack(zlib.crc32(fields)):
        raise FrameError(f"no frame begins at position {position}")
    return Frame(start, length, feeds_before, feeds, position + HEADER, size, sha256)


def _header(frame: Frame) -> bytes:
    fields = _FIELDS.pack(
        _LABEL, FORMAT, frame.start, frame.length, frame.size, frame.feeds_before, frame.feeds, frame.sha256
    )
    return _SKIPPABLE + fields + _CRC.pack(zlib.crc32(fields))


def _compressed(raw: bytes) -> bytes:
    options: dict[int, int] = {
        zstd.CompressionParameter.compression_level: _LEVEL,
        zstd.CompressionParameter.checksum_flag: 1,
    }
    return zstd.compress(raw, options=options)


def _read(file: FileIO, size: int) -> bytes:
    data = file.read(size) or b""
    while len(data) < size and (more := file.read(size - len(data))):
        data += more
    return data
