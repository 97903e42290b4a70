"""Bring what an entry requires along with it, whether or not it is relevant itself (ENG-37)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from quoth.core.block import prerequisites
from quoth.core.ids import EntryId
from quoth.core.memory import EntryFilter, EntryRow, MemoryIndex
from quoth.services.recall import Recalled

_MOST = 20  # that one entry brings along; a longer chain leaves it out of the block
_PART = 0.5  # of the relevance of what requires it, as everything that is bound to something (`core.ranking`)


def with_prerequisites(found: Sequence[Recalled], entries: MemoryIndex, where: EntryFilter) -> Sequence[Recalled]:
    """Return what was found, each with those behind it that it requires and that were not found themselves.

    What does not pass the filter is not brought: then the block leaves out what requires it.
    """
    bringing = _Bringing(entries, where, {each.row.root for each in found if isinstance(each.row, EntryRow)})
    return [each for one in found for each in (one, *bringing.required(one))]


@dataclass(frozen=True, slots=True)
class _Bringing:
    """`here` are the roots that are in the block already, or were looked for."""

    entries: MemoryIndex
    where: EntryFilter
    here: set[EntryId]

    def required(self, found: Recalled) -> Iterator[Recalled]:
        if isinstance(found.row, EntryRow) and found.row.relations:
            relevance, score = found.relevance * _PART, found.score * _PART
            for row in self._rows(found.row):
                yield Recalled(replace(row, relevance=relevance), relevance, score, {"required": relevance}, False)

    def _rows(self, row: EntryRow) -> Iterator[EntryRow]:
        """Yield the versions that may be shown of what an entry requires, and of what these require."""
        waiting = [*prerequisites(row)]
        for _ in range(_MOST):
            roots = [root for root in waiting if root not in self.here]
            if not roots:
                return
            self.here.add(roots[0])
            waiting = roots[1:]
            passing = [hit.id for hit in self.entries.bound([roots[0]], (), self.where) if hit.root == roots[0]]
            for each in self.entries.rows(passing).values():
                waiting.extend(prerequisites(each))
                yield each
