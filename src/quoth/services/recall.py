"""Recall: what memory holds that is relevant to a question, by the words they share, or nothing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from quoth.core.ledger.values import Attribution
from quoth.core.memory import EntryFilter, EntryRow, Spot, same_text
from quoth.core.relevance import FLOOR, asked, relevances
from quoth.services._memory import Memory

_CANDIDATES = 100  # that the engine may propose
_SAID_BY_PERSON = 1.05  # what the person said ranks a little higher (HMG-33)
_SAME_BRANCH = 1.03  # so does what was said on the branch that is checked out (DESIGN §4)


@dataclass(frozen=True, slots=True)
class Recall:
    memory: Memory

    def by_words(
        self,
        question: str,
        *,
        limit: int,
        spot: Spot | None = None,
        with_negated: bool = False,
        now: int | None = None,
    ) -> Sequence[tuple[EntryRow, float]]:
        """Return the entries that are relevant to a question with their relevance, the best first.

        With `spot` only what applies there, with `now` only what is valid then. What says the same is there once.
        """
        self.memory.catch_up()
        wanted = asked(question)
        where = EntryFilter(now=now, spot=spot, with_negated=with_negated)
        rows = self.memory.entries.sharing(wanted, where, limit=_CANDIDATES)
        found = zip(rows, relevances(wanted, [_words(row) for row in rows]), strict=True)
        relevant = sorted((each for each in found if each[1] >= FLOOR), key=partial(_rank, spot), reverse=True)
        return [*_once(relevant)][:limit]


def _words(row: EntryRow) -> str:
    said = row.version.statement
    return "\n".join((said.text, said.name or "", *said.tags)) if said else ""


def _rank(spot: Spot | None, found: tuple[EntryRow, float]) -> tuple[float, int, str]:
    """Sort by relevance, the newest first among equals."""
    row, relevance = found
    said = row.version.statement
    weight = relevance
    if said and said.attribution is Attribution.USER:
        weight *= _SAID_BY_PERSON
    if said and said.branch and spot and said.branch == spot.scope.branch and row.scope.repository:
        weight *= _SAME_BRANCH
    return weight, row.version.created_at, row.id


def _once(found: Iterable[tuple[EntryRow, float]]) -> Iterator[tuple[EntryRow, float]]:
    """Leave out what says the same as something before it: dialects that keep duplicates are answered one."""
    seen: set[tuple[str, bool]] = set()
    for row, relevance in found:
        key = same_text(row.version.statement.text if row.version.statement else ""), row.is_current
        if key not in seen:
            seen.add(key)
            yield row, relevance
