"""Choose what may answer a question: the rows of full text that share most with its words, and count those there.

The engine proposes by its own rank; whatever decides is computed from the counts, so that every engine decides alike.
A word that very many rows hold tells little and costs the most. So rows are looked for by the rarer words, and the
others are counted in the rows that were found.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from math import log
from struct import unpack
from typing import TypeAlias, TypeVar

from quoth.core.candidates import EntryHit, EventHit, Word
from quoth.core.vectors import TextKey
from quoth.storage import _match
from quoth.storage._database import Database, Row

_COUNTED = 600  # rows that hold a word; more are counted only where every word is so common
_LOOKED_AT = 900  # rows that are found by the rarer words together
_SATURATION = 1.2

Counts: TypeAlias = tuple[int, ...]
Found = TypeVar("Found", EntryHit, EventHit)


@dataclass(frozen=True, slots=True)
class Look:
    """What to look for, in the language of FTS5.

    - `held` are the words that any row holds, the rarest first; they are the phrases of the expression from `first` on.
    - `weights` says of each of these how much it tells, `places` which of them each word that was asked for is, or -1:
      no row holds it.
    - `is_narrow`: few enough rows match to look at them all.
    """

    match: str
    held: Sequence[str]
    first: int
    places: Sequence[int]
    weights: Sequence[float]
    is_narrow: bool

    def read(self, given: bytes) -> Counts:
        """Read what the function `counted` gives."""
        return unpack(f"<{len(given) // 4}I", given)

    def counts(self, held: Counts) -> Counts:
        """Return how often each word that was asked for is there, where that is known of the held ones."""
        return tuple(map((*held, 0).__getitem__, self.places))

    def best(self, counted: Mapping[int, Counts], wanted: int) -> Mapping[int, float]:
        """Return the `wanted` best rows, by how often they hold each of the held words, and all that equal the last."""
        scores = {row: self._score(counts) for row, counts in counted.items()}
        if len(scores) <= wanted:
            return scores
        last = sorted(scores.values(), reverse=True)[wanted - 1]
        return {row: score for row, score in scores.items() if score >= last}

    def _score(self, counts: Counts) -> float:
        score = 0.0
        for weight, count in zip(self.weights, counts, strict=True):  # a loop: this runs for every row
            if count:
                score += weight * count / (count + _SATURATION)
        return score

    def anything(self) -> str:
        """Return the expression for any of the words, however common."""
        return " OR ".join(self.held)


def look(db: Database, shelf: str, words: Sequence[Word]) -> Look | None:
    """Decide what to look for in a table; None when no row holds any of the words."""
    wanted = [_match.word(word) for word in words]
    often = _how_often(db, shelf, list(dict.fromkeys(wanted)))
    if not often:
        return None
    held = [*often]
    few = sum(total <= _LOOKED_AT for total in accumulate(often.values()))
    telling, is_narrow = (" OR ".join(held[:few]), True) if few else _together(db, shelf, held)
    first = max(1, few) if few else telling.count(" AND ") + 1
    places = {word: place for place, word in enumerate(held)}
    return Look(
        # Whatever holds a rarer word matches, and the others are counted there.
        match=f"({telling}) AND ({' OR '.join(held)})",
        held=held,
        first=first,
        places=[places.get(word, -1) for word in wanted],
        weights=[wanted.count(word) * log(1 + _COUNTED / often[word]) for word in held],
        is_narrow=is_narrow,
    )


def _how_often(db: Database, shelf: str, expressions: Sequence[str]) -> Mapping[str, int]:
    """Return how many rows hold each of some words, the rarest first; what no row holds is missing."""
    given, most = json.dumps(expressions), _COUNTED
    while True:
        counted = db.shelf("how_often", shelf, expressions=given, most=most)
        held = sorted((rows, word) for word, rows in counted if rows)
        if not held or held[0][0] < most:
            return {word: rows if rows < most else most * 10 for rows, word in held}  # nobody knows how many
        most *= 10


def _together(db: Database, shelf: str, held: Sequence[str]) -> tuple[str, bool]:
    """Return what rows hold of words that are all common: as many of the rarest as it takes to leave few rows."""
    for few in range(2, len(held) + 1):
        together = " AND ".join(held[:few])
        ((_, rows),) = db.shelf("how_often", shelf, expressions=json.dumps([together]), most=_LOOKED_AT + 1)
        if not rows:  # no row holds all of these
            return " AND ".join(held[: few - 1]), False
        if rows <= _LOOKED_AT:
            return together, True
    return " AND ".join(held), False


def counted(db: Database, shelf: str, best: str, looked: Look, wanted: int, **values: object) -> Mapping[int, Counts]:
    """Return how often rows hold the held words; of too many rows only those of a query that finds what the engine
    takes for the best, with all that equal them."""
    asked = {"match": looked.match, "first": looked.first}
    rows = db.shelf("sharing", shelf, **asked) if looked.is_narrow else _best(db, best, wanted, {**asked, **values})
    return {row: looked.read(held) for row, held, *_ in rows}


def chosen(
    looked: Look, held: Mapping[int, Counts], limit: int, read: Callable[[Mapping[int, Counts]], Mapping[int, Found]]
) -> Sequence[Found]:
    """Return the best that `read` lets pass, the newest first among equals.

    Reading costs more than counting: no more is read than is still wanted.
    """
    scores: dict[int, float] = {}
    hits: dict[int, Found] = {}
    while held and len(hits) < limit:
        best = looked.best(held, limit - len(hits))
        scores.update(best)
        hits.update(read({row: looked.counts(held[row]) for row in best}))
        held = {row: counts for row, counts in held.items() if row not in best}
    ordered = sorted(hits, key=lambda row: (-scores[row], -hits[row].at, hits[row].id))
    return [hits[row] for row in ordered[:limit]]


def _best(db: Database, query: str, wanted: int, values: Mapping[str, object]) -> Sequence[Row]:
    most = max(_LOOKED_AT, wanted)
    while len(rows := db.all(query, most=most, **values)) == most:
        whole = [row for row in rows if row[-1] < rows[-1][-1]]  # what equals the last may go on behind it
        if len(whole) >= wanted:
            return whole
        most *= 8
    return rows


def keys_json(keys: Collection[TextKey]) -> str:
    """Return keys of texts as a query takes them."""
    return json.dumps([key.hex() for key in keys])
