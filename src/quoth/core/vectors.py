"""What a text means, as numbers: what an embedder answers, and the names by which a cache keeps it.

A vector is 32-bit floats, little endian, of length one. Only vectors of the same model can be compared, and the name of
a model says everything that changes its vectors: the weights, and what is done before and after them.
"""

from __future__ import annotations

import hashlib
import math
import re
import struct
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, NewType, Protocol
from unicodedata import normalize

TextKey = NewType("TextKey", bytes)
"""Stands for a text in the cache of vectors; 16 bytes."""

KEY_BYTES = 16
LONGEST = 20_000
"""Characters of a text that are read for its meaning; what comes later is found by its words."""

_ROUNDING = 0.001  # of the length one

Use = Literal["query", "passage"]
_NAME = re.compile(r"[a-z0-9][a-z0-9.-]{0,79}")
_UNSEEN = re.compile("[\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufffe\uffff\ud800-\udfff]")
_SPACES = re.compile(r"\s+")


@dataclass(frozen=True, slots=True)
class Vectors:
    """Vectors of one text, one after the other: one for each window that a long text was read in."""

    dimensions: int
    data: bytes

    def __len__(self) -> int:
        return len(self.data) // (4 * self.dimensions)

    def __iter__(self) -> Iterator[tuple[float, ...]]:
        return struct.iter_unpack(f"<{self.dimensions}f", self.data)

    def are_sound(self, dimensions: int) -> bool:
        """Tell whether they have that size and the length one; a number that is none has no length."""
        return self.dimensions == dimensions and all(abs(math.hypot(*one) - 1) < _ROUNDING for one in self)

    def cut(self) -> Sequence[Vectors]:
        """Return each vector by itself."""
        size = 4 * self.dimensions
        return [Vectors(self.dimensions, self.data[at : at + size]) for at in range(0, len(self.data), size)]


@dataclass(frozen=True, slots=True)
class Near:
    """A text that a cache holds, and the cosine between it and what was asked; 0.1 less if by a later window."""

    key: TextKey
    cosine: float


class Embedder(Protocol):
    """Turns texts into vectors. The file's name is its id (`local.py`)."""

    @property
    def model(self) -> str:
        """Return the name of the model and of what is done around it: `is_model_name` holds for it."""

    @property
    def dimensions(self) -> int: ...

    @property
    def scale(self) -> Sequence[tuple[float, float]]:
        """Return how relevant a cosine of this model is: points (cosine, relevance), both rising."""

    def check(self) -> None:
        """See that what it needs is there, without loading or asking it. Raises `EmbedderFailed`."""

    def embed(self, texts: Sequence[str], *, use: Use) -> Sequence[Vectors]:
        """Return the vectors of each text: one of a query; of a passage, one for each of its first few windows.

        Never a zero vector: a text that says nothing (`tidy` leaves nothing of it) has no vectors. Any text is safe,
        and the longest takes no longer than `LONGEST` characters do.
        Raises `EmbedderFailed` when the model can't be used.
        """


class VectorCache(Protocol):
    """The vectors of one model. It survives a rebuild of the index, and can be thrown away at any time."""

    @property
    def model(self) -> str: ...

    def __len__(self) -> int:
        """Return how many vectors are held."""

    def missing(self, keys: Iterable[TextKey]) -> Sequence[TextKey]:
        """Return the keys, each once and in their order, of texts that have no vectors here yet."""

    def put(self, embedded: Iterable[tuple[TextKey, Vectors]]) -> int:
        """Hold the vectors of texts, all or none; return how many texts are new. A text keeps its first vectors."""

    def nearest(self, asked: Vectors, *, limit: int, among: Collection[TextKey] | None = None) -> Sequence[Near]:
        """Return the texts nearest to a vector, nearest first and equals by key; `among` leaves out all others."""

    def cosines(self, asked: Vectors, keys: Collection[TextKey]) -> Sequence[Near]:
        """Return the cosine of each of some texts that is held, in no order that means anything."""

    def forget(self, keys: Iterable[TextKey]) -> int:
        """Wipe the vectors of texts; their bytes are in no file then. Return how many texts were held."""

    def keep(self, keys: Collection[TextKey]) -> int:
        """Wipe the vectors of every other text, and return how many texts that were."""

    def check(self) -> Sequence[str]:
        """Return what is wrong with the file, in words; nothing when it is sound."""

    def close(self) -> None: ...


class Wiping(Protocol):
    """Reaches the vectors of every model that a home has or had: what is forgotten is in none of them."""

    def wipe(self, keys: Collection[TextKey]) -> int:
        """Wipe the vectors of texts; their bytes are in no file then. Return how many were held.

        Raises:
            Busy, StoreFailed: a cache can't be written.
        """

    def remove(self) -> int:
        """Remove the caches of all models, and return how many there were. Texts are embedded again then."""


def tidy(text: str) -> str:
    """Return what of a text is read for its meaning: compatibility forms resolved, spaces collapsed, unseen left out.

    No string makes this slow: U+FDFA becomes eighteen characters, so the text is cut before and after.
    """
    seen = _UNSEEN.sub(" ", text[:LONGEST])
    return _SPACES.sub(" ", normalize("NFKC", seen)[:LONGEST]).strip()


def key_of(text: str) -> TextKey:
    """Return the key of a text. Texts that read the same to an embedder have the same key."""
    return TextKey(hashlib.sha256(tidy(text).encode()).digest()[:KEY_BYTES])


def is_model_name(name: str) -> bool:
    """Tell whether a name can be the name of a model: it is part of a file name on every system."""
    return _NAME.fullmatch(name) is not None


def unit(values: Sequence[float]) -> Vectors | None:
    """Return numbers as one vector of length one; None where they have no direction."""
    length = math.hypot(*values)
    if not math.isfinite(length) or length < 1e-9:
        return None
    return Vectors(len(values), struct.pack(f"<{len(values)}f", *(value / length for value in values)))
