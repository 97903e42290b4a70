"""Find the rows nearest to a vector: few by all of their numbers, many first by the signs of theirs."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from quoth.core.vectors import KEY_BYTES, Near, TextKey
from quoth.storage._vector_file import NO_KEY, ROWS, VectorFile, signs_of

_FEW = 1024  # rows that are compared in full: that takes two milliseconds
_CANDIDATES = 200
_LATER = 0.1  # how much less near a text is by a later window: long texts have more chances, and mostly by accident
_MOST = 1.2  # a cosine that is more, less or no number is that of a damaged row
_DIGITS = 6  # the last bits of a sum depend on the machine, and on what else is summed

Rows = NDArray[np.int64]


def nearest(file: VectorFile, asked: NDArray[np.float32], rows: Rows, *, limit: int) -> list[Near]:
    """Return the nearest of some rows, each text once, nearest first and equals by key."""
    if len(rows) > _FEW:
        rows = _likely(file, asked, rows, most=max(_CANDIDATES, 8 * limit))
    return sorted(best(file, asked, rows), key=lambda near: (-near.cosine, near.key))[:limit]


def best(file: VectorFile, asked: NDArray[np.float32], rows: Rows) -> Iterable[Near]:
    """Return how near each text is that has some of these rows: as its nearest row, a later one a little less."""
    pages, places = np.divmod(rows, ROWS)
    # In double precision the order of summing is lost in the rounding.
    with np.errstate(invalid="ignore"):  # left out below
        cosines = file.halves[pages, places].astype(np.float64) @ asked.astype(np.float64)
    keys = file.keys[pages, places].reshape(-1, KEY_BYTES)
    before = file.keys[np.divmod(np.maximum(rows - 1, 0), ROWS)].reshape(-1, KEY_BYTES)
    cosines = np.round(cosines - _LATER * ((rows > 0) & np.all(keys == before, axis=1)), _DIGITS)
    found: dict[TextKey, float] = {}
    for key, cosine in zip(map(bytes, keys), cosines.tolist(), strict=True):
        if abs(cosine) < _MOST:
            found[TextKey(key)] = max(cosine, found.get(TextKey(key), -2.0))
    found.pop(NO_KEY, None)  # wiped just now, by another process
    return (Near(key, cosine) for key, cosine in found.items())


def _likely(file: VectorFile, asked: NDArray[np.float32], rows: Rows, *, most: int) -> Rows:
    """Return the rows whose signs differ least from those of a vector; all that differ as much as the last one."""
    distances = _distances(file, asked)[rows]
    if most >= len(rows):
        return rows
    likely: Rows = rows[distances <= np.partition(distances, most - 1)[most - 1]]
    return likely


def _distances(file: VectorFile, asked: NDArray[np.float32]) -> NDArray[np.uint16]:
    """Return in how many signs every row of the file differs from a vector."""
    wanted = signs_of(asked.astype(np.float16)[None])[0]
    signs = file.signs
    found = np.zeros((file.pages, ROWS), np.uint16)
    for word in range(file.layout.words):
        found += np.bitwise_count(signs[:, word] ^ wanted[word])
    return found.reshape(-1)
