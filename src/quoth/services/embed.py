"""Embed: give every text that can be found a vector, the most important first (DESIGN §7).

It can be killed at any time: what is in the cache stays there, and the rest is still missing. What is forgotten between
reading a text and keeping its vector does not come back: the text is looked for once more after its vector is kept.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

from quoth.core.errors import EmbedderFailed
from quoth.core.vectors import Embedder, TextKey, VectorCache, Vectors
from quoth.services._embedding import Notes, Progress

__all__ = ["Embedding", "Progress"]

_TOGETHER = 32  # texts of one call: more does not make it faster, and less is lost when it is killed
_CHARACTERS = 16_000  # of one call: whoever wants to end it waits for that long
_HOPELESS = 2  # texts one after the other that can't be read: then it is not them


class Replaced(Exception):
    """Raised when another index took the place of the one that texts are read from."""


class Texts(Protocol):
    """What of an index is to be embedded."""

    def texts(self) -> Iterable[TextKey]:
        """Return what should have a vector, the most important first."""

    def text_of(self, keys: Collection[TextKey]) -> Mapping[TextKey, str]:
        """Return the texts of keys, of those that are still visible."""


@dataclass(slots=True)
class Embedding:
    """`vectors` is the cache of the embedder's model. It knows which texts say nothing, or can't be read: have it live
    as long as the process."""

    embedder: Embedder
    vectors: VectorCache
    notes: Notes
    _empty: set[TextKey] = field(default_factory=set)
    _refused: set[TextKey] = field(default_factory=set)
    _is_present: Callable[[], bool] = lambda: True

    def run(
        self,
        texts: Texts,
        *,
        told: Callable[[Progress], None],
        is_over: Callable[[], bool],
        is_present: Callable[[], bool] = lambda: True,
    ) -> Progress:
        """Embed what is missing until nothing is, or it is over; `told` is told how far it is, again and again.

        `is_present` tells whether the texts are still those of the home.

        Raises:
            Replaced: they are not; what is begun is finished by the next run.
            EmbedderFailed: the model can't be used; what was embedded stays.
            Busy, StoreFailed: the cache can't be written.
        """
        self._is_present = is_present
        self._finish(texts)
        wanted = list(dict.fromkeys(texts.texts()))
        missing = [key for key in self.vectors.missing(wanted) if key not in self._empty | self._refused]
        progress = Progress(self.embedder.model, 0, len(wanted))
        left = len(missing)
        self._tell(told, progress, left, wanted)
        for some in self._batches(texts, missing):
            if is_over():
                break
            self._embed(texts, some)
            left -= len(some)
            self._tell(told, progress, left, wanted)
        return self._so_far(progress, left, wanted)

    def _tell(
        self, told: Callable[[Progress], None], progress: Progress, left: int, wanted: Collection[TextKey]
    ) -> None:
        so_far = self._so_far(progress, left, wanted)
        self.notes.write(so_far)
        told(so_far)

    def _so_far(self, progress: Progress, left: int, wanted: Collection[TextKey]) -> Progress:
        refused = len(self._refused.intersection(wanted)) if self._refused else 0
        return replace(progress, embedded=len(wanted) - left - refused, refused=refused)

    def _batches(self, texts: Texts, missing: Sequence[TextKey]) -> Iterator[Mapping[TextKey, str | None]]:
        """Yield the texts that are embedded together; None stands for one that is not there any more."""
        for at in range(0, len(missing), _TOGETHER):
            keys = missing[at : at + _TOGETHER]
            found = texts.text_of(keys)
            some: dict[TextKey, str | None] = {}
            for key in keys:
                if some and sum(len(text or "") for text in some.values()) + len(found.get(key, "")) > _CHARACTERS:
                    yield some
                    some = {}
                some[key] = found.get(key)
            yield some

    def _embed(self, texts: Texts, some: Mapping[TextKey, str | None]) -> None:
        said = {key: text for key, text in some.items() if text is not None}
        found = {key: vectors for key, vectors in self._read(said) if len(vectors)}
        self._empty |= said.keys() - found.keys() - self._refused
        if found:
            with self.notes.beginning(found):
                self.vectors.put(found.items())
                self._forget_gone(texts, [*found])

    def _finish(self, texts: Texts) -> None:
        """Do what a killed process did not come to."""
        if begun := self.notes.begun():
            self._forget_gone(texts, [*begun])
            self.notes.settled()

    def _forget_gone(self, texts: Texts, keys: Sequence[TextKey]) -> None:
        """Wipe what nobody says any more: whoever forgot it found no vector yet.

        A replaced index still says what was forgotten in the one that took its place. One that is present now says what
        was forgotten until now, and whoever forgets something later finds the vector.
        """
        if not self._is_present():
            raise Replaced
        still = texts.text_of(keys)
        if gone := [key for key in keys if key not in still]:
            self.vectors.forget(gone)

    def _read(self, said: Mapping[TextKey, str]) -> Iterable[tuple[TextKey, Vectors]]:
        """Return the vectors of texts. Where together they can't be read, one of them may be the reason."""
        if not said:
            return ()
        try:
            return [*zip(said, self._vectors([*said.values()]), strict=True)]
        except EmbedderFailed:
            if len(said) == 1:
                raise
        return [*self._one_by_one(said)]

    def _vectors(self, texts: Sequence[str]) -> Sequence[Vectors]:
        found = self.embedder.embed(texts, use="passage")
        if not all(vectors.are_sound(self.embedder.dimensions) for vectors in found if len(vectors)):
            raise EmbedderFailed(self.embedder.model, "it gives vectors without direction", "Use another one.")
        return found

    def _one_by_one(self, said: Mapping[TextKey, str]) -> Iterator[tuple[TextKey, Vectors]]:
        refused: list[TextKey] = []
        for key, text in said.items():
            try:
                (vectors,) = self._vectors([text])
            except EmbedderFailed:
                refused.append(key)
                if len(refused) >= min(_HOPELESS, len(said)):
                    raise
            else:
                self._refused.update(refused)
                refused.clear()
                yield key, vectors
        self._refused.update(refused)
