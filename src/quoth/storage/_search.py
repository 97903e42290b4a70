"""Find events: those that hold every word, best first, or the newest."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from math import inf
from operator import itemgetter

from quoth.core.model import Filter, Kind
from quoth.core.query import Query
from quoth.storage import _match
from quoth.storage._database import Database, Row
from quoth.storage._projects import Places, as_json
from quoth.storage._shelves import PIECES, SPOKEN, TOOLS

_SPARE = 64  # hits beyond the page, so that most ties at its end are seen at once
_FIRST, _LAST = -(1 << 62), 1 << 62


class Finder:
    def __init__(self, db: Database, places: Places) -> None:
        self._db = db
        self._places = places

    def search(self, query: Query, where: Filter, *, limit: int, offset: int) -> Sequence[int]:
        """Return the numbers of events that hold every word, best first, the newest first among equals."""
        if not query.terms or limit < 1:
            return []
        hits = self._best(query, where, offset + limit)
        order = {number: key for number, *key in self._db.all("order_of", numbers=json.dumps(list(hits)))}
        ranked = sorted(hits, key=lambda number: (hits[number], *(-value for value in order[number])))
        return ranked[offset : offset + limit]

    def recent(self, where: Filter, *, limit: int, offset: int) -> Sequence[int]:
        """Return the numbers of the newest events."""
        values = self.values(where)
        rows: list[Row] = []
        for shelf in _shelves(where):
            rows += self._db.all("recent", shelf=shelf, most=offset + limit, **values)
        newest = sorted(rows, key=lambda row: row[1:], reverse=True)
        return [number for number, *_ in newest[offset : offset + limit]]

    def holding(self, query: Query, shelf: str, kind: Kind) -> Sequence[int]:
        """Return the numbers of the events of a kind that hold every word, the newest first."""
        match = _on(shelf, _match.whole(query))
        numbers = [n for (n,) in self._db.shelf("holding", shelf, match=match, pieces=PIECES, kind=kind.value)]
        long = self._long(query, Filter(), shelf, self.values(Filter()))
        numbers += [n for (n,) in self._db.all("of_kind", numbers=json.dumps(sorted(long)), kind=kind.value)]
        order = self._db.all("order_of", numbers=json.dumps(numbers))
        return [number for number, *_ in sorted(order, key=itemgetter(slice(1, None)), reverse=True)]

    def _best(self, query: Query, where: Filter, wanted: int) -> Mapping[int, float]:
        """Return at least the `wanted` best hits with their scores (lower is better), and all that equal the last."""
        values = self.values(where)
        long = {n: score for shelf in _shelves(where) for n, score in self._long(query, where, shelf, values).items()}
        most = wanted + _SPARE
        while True:
            tables = [self._short(query, where, shelf, most, values) for shelf in _shelves(where)]
            hits = {number: score for table in tables for number, score in table} | long
            last = sorted(hits.values())[wanted - 1] if len(hits) >= wanted else inf
            if all(len(table) < most or table[-1][1] > last for table in tables):
                return hits
            most *= 8

    def _short(
        self, query: Query, where: Filter, shelf: str, most: int, values: Mapping[str, object]
    ) -> Sequence[tuple[int, float]]:
        match = _on(shelf, _match.whole(query))
        if is_everything(where):
            return [(n, s) for n, s in self._db.shelf("hits", shelf, match=match, pieces=PIECES, most=most)]
        rows = self._db.shelf("hits_where", shelf, match=match, pieces=PIECES, most=most, **values)
        return [(number, score) for number, score in rows]

    def _long(self, query: Query, where: Filter, shelf: str, values: Mapping[str, object]) -> Mapping[int, float]:
        """Return the long events that hold every word in any of their pieces."""
        scores: dict[int, float] = defaultdict(float)
        found: set[int] | None = None
        for match in _match.apart(query):
            held: dict[int, float] = dict(
                self._db.shelf("hits_in_pieces", shelf, match=_on(shelf, match), pieces=PIECES)
            )
            found = set(held) if found is None else found & set(held)
            if not found:
                return {}
            for number in found:
                scores[number] += held[number]
        passing = self._db.all("passing", numbers=json.dumps(sorted(found or ())), **values)
        return {number: scores[number] for (number,) in passing}

    def values(self, where: Filter) -> dict[str, object]:
        """Return what the part `event_passes` of queries takes."""
        directories = None if where.projects is None else self._places.directories(where.projects)
        return {
            "since": _FIRST if where.since is None else where.since,
            "until": _LAST if where.until is None else where.until,
            "source": where.source,
            "directories": as_json(directories),
        }


def _on(shelf: str, expression: str) -> str:
    return _match.said(expression) if shelf == SPOKEN else expression  # tool traffic has no stems


def _shelves(where: Filter) -> Sequence[str]:
    return (SPOKEN, TOOLS) if where.include_tools else (SPOKEN,)


def is_everything(where: Filter) -> bool:
    return (where.since, where.until, where.source, where.projects) == (None, None, None, None)
