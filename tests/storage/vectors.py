"""Vectors to put into caches, and what a cache must answer, computed the slow way."""

from __future__ import annotations

import hashlib
import math
import random
import struct
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

import pytest

from quoth.core.vectors import Near, TextKey, Vectors, unit
from quoth.storage._vectors import FileVectors

SIZE = 8


_opened: list[FileVectors] = []


def cache(home: Path, *, model: str = "m", dimensions: int = SIZE) -> FileVectors:
    """Open a cache that `closing` closes after the test."""
    home.mkdir(exist_ok=True)
    _opened.append(FileVectors(home, model=model, dimensions=dimensions))
    return _opened[-1]


@pytest.fixture(autouse=True)
def closing() -> Iterator[None]:
    yield
    while _opened:
        _opened.pop().close()


def key(name: object) -> TextKey:
    return TextKey(hashlib.sha256(str(name).encode()).digest()[:16])


def vector(seed: object, *, dimensions: int = SIZE) -> Vectors:
    source = random.Random(str(seed))
    found = unit([source.gauss(0, 1) for _ in range(dimensions)])
    assert found
    return found


def windows(*seeds: object, dimensions: int = SIZE) -> Vectors:
    return Vectors(dimensions, b"".join(vector(seed, dimensions=dimensions).data for seed in seeds))


def named(names: Iterable[object], *, dimensions: int = SIZE) -> list[tuple[TextKey, Vectors]]:
    return [(key(name), vector(name, dimensions=dimensions)) for name in names]


def slowly(held: Mapping[TextKey, Vectors], asked: Vectors, *, limit: int) -> Sequence[Near]:
    """Compare with everything, in half floats as they are stored."""
    near = [Near(name, max(_nearness(vectors, asked))) for name, vectors in held.items()]
    return sorted(near, key=lambda one: (-one.cosine, one.key))[:limit]


def _nearness(vectors: Vectors, asked: Vectors) -> Iterator[float]:
    """Yield the cosine of each window; the later ones count a tenth less."""
    for place, row in enumerate(vectors):
        halves = struct.unpack(f"<{len(row)}e", struct.pack(f"<{len(row)}e", *row))
        cosine = math.fsum(a * b for a, b in zip(halves, next(iter(asked)), strict=True))
        yield round(cosine - 0.1 * (place > 0), 6)
