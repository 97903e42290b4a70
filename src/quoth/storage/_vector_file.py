"""The file of one model's vectors: pages of rows that only grow, and a count that says how many of them are there.

A head of 4,096 bytes names the model and holds two numbers: how many rows are there, and how often rows were wiped. A
page has 1,024 rows, column by column: keys, check sums, signs (one bit for each dimension), half floats. Columns make
the scan of signs fast, pages make the file grow without moving anything. A row is counted once it is on the disk, so
that a killed process leaves nothing half-written that counts. A wiped row is all zeros.

Readers map the file and need no lock; writers hold one. The format is read by its magic: a change is another magic.
"""

from __future__ import annotations

import io
import mmap
import os
import struct
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from quoth.core.vectors import KEY_BYTES, TextKey, is_model_name

Halves: TypeAlias = NDArray[np.float16]
Signs: TypeAlias = NDArray[np.uint64]
_Number = TypeVar("_Number", np.uint8, np.uint32, np.uint64, np.float16)

NO_KEY = TextKey(bytes(KEY_BYTES))
"""The key of a row that was wiped."""

ROWS = 1024
HEAD = 4096
_MAGIC = b"QUOTHVE1"
_NAMED = struct.Struct("<8sII80s")  # magic, dimensions, rows of a page, name of the model
_COUNTS = struct.Struct("<QQ")
_COUNTS_AT = 512
_ROUNDING = 0.01


class Foreign(Exception):
    """Raised for a file that is not one of ours, or of another model."""


@dataclass(frozen=True, slots=True)
class Layout:
    """Where the columns of a page lie."""

    dimensions: int

    @property
    def words(self) -> int:
        """Return how many numbers of 64 bits hold the signs of a row."""
        return -(-self.dimensions // 64)

    @property
    def columns(self) -> Sequence[tuple[int, int]]:
        """Return where each column begins in its page, and how many bytes of it a row has."""
        widths = (KEY_BYTES, 4, 8 * self.words, 2 * self.dimensions)
        return [(ROWS * sum(widths[:place]), width) for place, width in enumerate(widths)]

    @property
    def page(self) -> int:
        """Return the bytes of a page."""
        last, width = self.columns[-1]
        return -(-(last + ROWS * width) // HEAD) * HEAD


class VectorFile:
    """An open file. Whoever writes holds the lock, and opens the file after taking it."""

    def __init__(self, path: Path, *, writing: bool) -> None:
        """Open and map a file.

        Raises:
            Foreign: it is none of ours.
            OSError: it can't be opened.
        """
        self._path = path
        self._file = io.FileIO(path, "r+" if writing else "r")
        try:
            self.model, self.layout = _head(self._file.read(_NAMED.size))
            self._map()
        except BaseException:
            self._file.close()
            raise

    @property
    def count(self) -> int:
        """Return how many rows are there, wiped ones included; never more than the file can hold."""
        return min(self._counts()[0], self.pages * ROWS)

    @property
    def wiped(self) -> int:
        """Return how often rows were wiped."""
        return self._counts()[1]

    @property
    def pages(self) -> int:
        return self._pages

    @property
    def keys(self) -> NDArray[np.uint8]:
        at, width = self.layout.columns[0]
        return self._column(np.uint8, at, (ROWS, width), (width, 1))

    @property
    def sums(self) -> NDArray[np.uint32]:
        return self._column(np.uint32, self.layout.columns[1][0], (ROWS,), (4,))

    @property
    def signs(self) -> Signs:
        """Return the signs, word by word: by page, word and row."""
        at, _ = self.layout.columns[2]
        return self._column(np.uint64, at, (self.layout.words, ROWS), (8 * ROWS, 8))

    @property
    def halves(self) -> Halves:
        at, width = self.layout.columns[3]
        return self._column(np.float16, at, (ROWS, self.layout.dimensions), (width, 2))

    def is_still(self) -> bool:
        """Map what was added to the file; False when another file has the name now, or none, or one that is no more
        what it was."""
        try:
            if not os.path.samestat(self._path.stat(), os.fstat(self._file.fileno())):
                return False
            if os.fstat(self._file.fileno()).st_size != self._size:
                self._map()
            return _head(self._data[: _NAMED.size]) == (self.model, self.layout)
        except (OSError, Foreign):
            return False

    def append(self, keys: Sequence[bytes], halves: Halves) -> None:
        """Add rows: they count when they are on the disk, all or none."""
        start = self.count
        self._grow(start + len(keys))
        signs = signs_of(halves)
        for page, first, last in _spans(start, start + len(keys)):
            at = page * ROWS + first - start
            some = slice(at, at + last - first)
            self._write(page, 0, first, b"".join(keys[some]))
            self._write(page, 1, first, _sums(keys[some], halves[some]))
            for word in range(self.layout.words):
                self._write(page, 2, word * ROWS + first, signs[some, word].tobytes(), width=8)
            self._write(page, 3, first, halves[some].tobytes())
        os.fsync(self._file.fileno())
        self._tell(start + len(keys), self.wiped)

    def wipe(self, rows: Sequence[int]) -> None:
        """Overwrite rows with zeros, the key first: a row without a key is no longer anything."""
        for column in range(4):
            for row in rows:
                self._blank(column, *divmod(row, ROWS))
            os.fsync(self._file.fileno())
            if column == 0:
                self._tell(self.count, self.wiped + 1)

    def settle(self) -> None:
        """Finish what a killed writer left: cut off rows that are not whole, wipe what no row counts."""
        self._grow(self.count)
        whole = self._whole()
        if whole < self.count:
            self._tell(whole, self.wiped + 1)
        keyless = np.flatnonzero(~self._keyed()[: self.count])
        rows = np.concatenate([keyless, np.arange(self.count, self.pages * ROWS)])
        left = rows[self._is_left(rows)].tolist()
        if left:
            self.wipe(left)

    def broken(self, start: int = 0) -> Iterator[int]:
        """Yield the rows, from one on, that are not what was written."""
        keys, sums, halves = self.keys, self.sums, self.halves
        for row in range(start, self.count):
            page, place = divmod(row, ROWS)
            key = keys[page, place].tobytes()
            if any(key) and zlib.crc32(halves[page, place].tobytes(), zlib.crc32(key)) != sums[page, place]:
                yield row

    def is_broken(self) -> bool:
        """Tell whether a row is not what was written, or says nothing."""
        return any(True for _ in self.broken()) or not all(map(self._is_sound, range(self.pages)))

    def _is_sound(self, page: int) -> bool:
        keyed = np.any(self.keys[page], axis=1)
        keyed[max(0, self.count - page * ROWS) :] = False  # not there yet
        return are_sound(self.halves[page][keyed])

    def close(self) -> None:
        """Close the file; what was mapped is let go when the last array of it is."""
        self._file.close()

    def _whole(self) -> int:
        """Return how many rows there are before the first of the last page that is not whole."""
        last = max(0, self.count - 1) // ROWS * ROWS
        return next(self.broken(last), self.count)

    def _is_left(self, rows: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Tell of each row whether anything is in there."""
        pages, places = np.divmod(rows, ROWS)
        columns = (self.keys, self.sums[..., None], self.signs.swapaxes(1, 2), self.halves.view(np.uint16))
        found = np.zeros(len(rows), np.bool_)
        for column in columns:
            found |= np.any(column[pages, places], axis=1)
        return found

    def _keyed(self) -> NDArray[np.bool_]:
        keyed: NDArray[np.bool_] = np.any(self.keys.reshape(-1, KEY_BYTES), axis=1)
        return keyed

    def _blank(self, column: int, page: int, place: int) -> None:
        if column == 2:
            for word in range(self.layout.words):
                self._write(page, 2, word * ROWS + place, bytes(8), width=8)
            return
        self._write(page, column, place, bytes(self.layout.columns[column][1]))

    def _write(self, page: int, column: int, place: int, data: bytes, *, width: int | None = None) -> None:
        at, usual = self.layout.columns[column]
        self._put(HEAD + page * self.layout.page + at + place * (width or usual), data)

    def _tell(self, count: int, wiped: int) -> None:
        self._put(_COUNTS_AT, _COUNTS.pack(count, wiped))

    def _put(self, at: int, data: bytes) -> None:
        self._file.seek(at)
        view = memoryview(data)
        while view:
            view = view[self._file.write(view) :]

    def _grow(self, rows: int) -> None:
        size = HEAD + -(-rows // ROWS) * self.layout.page
        if size > self._size or (self._size - HEAD) % self.layout.page:
            self._file.truncate(max(size, HEAD + self.pages * self.layout.page))
            self._map()

    def _map(self) -> None:
        self._size = os.fstat(self._file.fileno()).st_size
        if self._size < HEAD:
            raise Foreign
        self._pages = (self._size - HEAD) // self.layout.page
        self._data = mmap.mmap(self._file.fileno(), self._size, access=mmap.ACCESS_READ)

    def _counts(self) -> tuple[int, int]:
        count, wiped = _COUNTS.unpack_from(self._data, _COUNTS_AT)
        return count, wiped

    def _column(
        self, kind: type[_Number], at: int, shape: tuple[int, ...], strides: tuple[int, ...]
    ) -> NDArray[_Number]:
        start = HEAD + at if self.pages else 0
        return np.ndarray((self.pages, *shape), kind, self._data, start, (self.layout.page, *strides))


def head(model: str, dimensions: int) -> bytes:
    """Return how a new file begins; it has no rows."""
    return _NAMED.pack(_MAGIC, dimensions, ROWS, model.encode()).ljust(HEAD, b"\0")


def signs_of(halves: Halves) -> Signs:
    """Return the signs of vectors: a bit for each dimension, in whole numbers of 64."""
    bits = np.packbits(halves > 0, axis=1)
    wide = np.zeros((len(halves), 8 * Layout(halves.shape[1]).words), np.uint8)
    wide[:, : bits.shape[1]] = bits
    return wide.view("<u8")


def are_sound(halves: Halves) -> bool:
    """Tell whether vectors have the length one, but for rounding: one that is not finite has no length."""
    lengths = np.linalg.norm(halves.astype(np.float32), axis=1)
    return bool(np.all(np.abs(lengths - 1) < _ROUNDING))


def _head(data: bytes) -> tuple[str, Layout]:
    if len(data) < _NAMED.size:
        raise Foreign
    magic, dimensions, rows, name = _NAMED.unpack(data)
    model = name.rstrip(b"\0").decode("ascii", "replace")
    if magic != _MAGIC or rows != ROWS or not 0 < dimensions <= 65_536 or not is_model_name(model):
        raise Foreign
    return model, Layout(dimensions)


def _spans(start: int, stop: int) -> Iterator[tuple[int, int, int]]:
    """Yield the pages of a run of rows, each with the places it begins and ends at in there."""
    while start < stop:
        page, first = divmod(start, ROWS)
        last = min(ROWS, first + stop - start)
        yield page, first, last
        start += last - first


def _sums(keys: Sequence[bytes], halves: Halves) -> bytes:
    sums = (zlib.crc32(half.tobytes(), zlib.crc32(key)) for key, half in zip(keys, halves, strict=True))
    return b"".join(struct.pack("<I", number) for number in sums)
