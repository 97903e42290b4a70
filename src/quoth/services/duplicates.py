"""Tell which entries say what a text says already (MMC-8).

Candidates come by shared words and, where an embedder is at hand, by meaning; `core.duplicates` measures each of them.
Nothing is decided here: whoever asked is shown them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from quoth.core.candidates import Meaning
from quoth.core.duplicates import Original, likeness
from quoth.core.memory import EntryFilter, EntryRow
from quoth.core.redact import redact_part
from quoth.core.vectors import LONGEST, TextKey, key_of
from quoth.core.verdicts import is_in_force
from quoth.readers.stems import stem
from quoth.services._memory import Memory

THRESHOLD = 0.9
_CANDIDATES = 20  # by words, and as many by meaning
_NEAREST = 200  # texts; what was said in sessions is among them
_MOST = 5  # that are shown
_DIGITS = 4  # of a similarity


@dataclass(frozen=True, slots=True)
class Similar:
    """An entry and how much alike a text and its words are, from 0 to 1."""

    row: EntryRow
    similarity: float


@dataclass(frozen=True, slots=True)
class Duplicates:
    memory: Memory
    meaning: Meaning

    def run(self, text: str, *, threshold: float | None = None) -> Sequence[Similar]:
        """Return the entries that are at least so similar to a text (.9), the most similar first; at most five.

        What has ended is left out, and so is every secret of the text before anything looks at it.
        """
        least = THRESHOLD if threshold is None else threshold
        self.memory.catch_up()
        said = redact_part(text, 0, LONGEST).text
        by_words = self.memory.entries.alike(said, limit=_CANDIDATES)
        near, by_meaning = self._near(said, by_words)
        rows = {row.id: row for row in (*by_words, *by_meaning)}.values()
        found = [each for each in self._measured(said, rows, near) if each.similarity >= least]
        return sorted(found, key=lambda each: (-each.similarity, -each.row.version.created_at, each.row.id))[:_MOST]

    def _near(self, said: str, by_words: Sequence[EntryRow]) -> tuple[Mapping[TextKey, float], Sequence[EntryRow]]:
        """Return how near texts are by their keys, and the entries that are near by meaning alone."""
        held = {key for row in by_words if (key := _key(row))}
        compared = self.meaning.compare(said, nearest=_NEAREST, also=held, use="passage")
        if compared is None:
            return {}, ()
        found = {each.key: likeness(compared.model, each.cosine) for each in compared.near}
        now = self.memory.clock.now()
        hits = self.memory.entries.of_keys([*(found.keys() - held)], EntryFilter(now=now))
        nearest = sorted(hits, key=lambda hit: (-found[hit.key], hit.id))[:_CANDIDATES]
        return found, [*self.memory.entries.rows([hit.id for hit in nearest]).values()]

    def _measured(self, said: str, rows: Iterable[EntryRow], near: Mapping[TextKey, float]) -> Iterator[Similar]:
        original, now = Original(said, stem), self.memory.clock.now()
        for row in rows:
            statement = row.version.statement
            if statement and is_in_force(row, now):
                meant = near.get(key_of(statement.text))
                yield Similar(row, round(original.repeated_by(statement.text, meant=meant), _DIGITS))


def _key(row: EntryRow) -> TextKey | None:
    return key_of(row.version.statement.text) if row.version.statement else None
