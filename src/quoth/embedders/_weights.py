"""Read the file of weights: sizes, vocabulary, and matrices in four bits."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float32]
Octets: TypeAlias = NDArray[np.uint8]

_BLOCK = 32  # weights that share a scale: two bytes of scale, then low halves and high halves of sixteen bytes
_ZERO = 8


@dataclass(frozen=True)
class Shape:
    """The sizes of the network."""

    hidden: int
    layers: int
    heads: int
    inner: int
    longest: int
    epsilon: float


@dataclass(frozen=True)
class Weights:
    """The file, mapped into memory. Its tensors are unpacked when they are asked for."""

    shape: Shape
    pieces: Sequence[bytes]
    """The vocabulary, by token."""
    scores: Sequence[float]
    _data: memoryview
    _tensors: dict[str, tuple[int, int]]

    def floats(self, name: str) -> Floats:
        start, size = self._tensors[name]
        return np.frombuffer(self._data, "<f4", size // 4, start)

    def packed(self, name: str, width: int) -> tuple[Floats, Octets]:
        """Return the scales and the nibbles of a matrix, row by row and block by block."""
        start, size = self._tensors[name]
        blocks = np.frombuffer(self._data, np.uint8, size, start).reshape(-1, 2 + _BLOCK // 2)
        scales = blocks[:, :2].copy().view("<f2").astype(np.float32)
        per_row = width // _BLOCK
        return scales.reshape(-1, per_row), blocks[:, 2:].reshape(-1, per_row, _BLOCK // 2)

    def matrix(self, name: str, width: int) -> Floats:
        """Return a matrix as plain numbers."""
        return unpacked(*self.packed(name, width))


def unpacked(scales: Floats, nibbles: Octets) -> Floats:
    """Return rows of numbers from their scales and nibbles."""
    values = np.concatenate([nibbles & 15, nibbles >> 4], axis=-1).astype(np.float32)
    values -= _ZERO
    values *= scales[..., None]
    return values.reshape(*scales.shape[:-1], -1)


def parsed(data: memoryview) -> Weights:
    """Return the weights that a mapped file holds."""
    hidden, layers, heads, inner, _, longest, _ = struct.unpack_from("<7i", data, 8)
    (epsilon,) = struct.unpack_from("<f", data, 36)
    count, *_ = struct.unpack_from("<5i", data, 44)
    (length,) = struct.unpack_from("<Q", data, 64)
    at = 72
    ends = np.frombuffer(data, "<u4", count + 1, at).tolist()
    at += 4 * (count + 1)
    scores = np.frombuffer(data, "<f4", count, at).tolist()
    at += 4 * count
    text = bytes(data[at : at + length])
    at += length
    _, skipped = struct.unpack_from("<iI", data, at)  # a table of the normaliser; Python has its own
    pieces = [text[start:end] for start, end in pairwise(ends)]
    shape = Shape(hidden, layers, heads, inner, longest, epsilon)
    return Weights(shape, pieces, scores, data, _directory(data, at + 8 + skipped))


def _directory(data: memoryview, at: int) -> dict[str, tuple[int, int]]:
    (count,) = struct.unpack_from("<i", data, at)
    at += 4
    tensors = {}
    for _ in range(count):
        (length,) = struct.unpack_from("<H", data, at)
        name = str(data[at + 2 : at + 2 + length], "ascii")
        tensors[name] = struct.unpack_from("<QQ", data, at + 2 + length + 5)
        at += 2 + length + 21
    return tensors
