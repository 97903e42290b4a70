"""Entries that may answer a question: by shared words, or by what they say."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cache
from typing import TypeVar

from quoth.core.candidates import EntryHit, Word
from quoth.core.ids import EntryId, EventId, ProjectId
from quoth.core.memory import EntryFilter, EntryRow
from quoth.core.vectors import TextKey
from quoth.core.verdicts import OUTDATED
from quoth.storage._database import Database, Row
from quoth.storage._memory_find import Entries
from quoth.storage._memory_rows import Rows, project_of
from quoth.storage._projects import Places
from quoth.storage._sharing import Counts, chosen, counted, keys_json, look

_T = TypeVar("_T")
_TABLE, _BEST = "remembered", "remembered_best_where"
_SUPERSEDES = "supersedes"
_ALIKE = 5  # entries that say the same are answered
_LOOKED_THROUGH = 20_000  # versions, whether they pass or not: that takes 25 ms


class EntryHits:
    def __init__(self, db: Database, places: Places, rows: Rows, entries: Entries) -> None:
        self._db = db
        self._places = places
        self._rows = rows
        self._entries = entries

    def sharing(self, words: Sequence[Word], where: EntryFilter, *, limit: int) -> Sequence[EntryHit]:
        if limit < 1:
            return []
        with self._db.reading():
            if not (looked := look(self._db, _TABLE, words)):
                return []
            held = counted(self._db, _TABLE, _BEST, looked, limit, **self._entries.values(where))
            return chosen(looked, held, limit, lambda counts: self._hits(counts, where))

    def of_keys(self, keys: Collection[TextKey], where: EntryFilter, *, words: int) -> Sequence[EntryHit]:
        with self._db.reading():
            rows = self._db.all("entries_of_keys", keys=keys_json(keys), most=_ALIKE, **self._entries.values(where))
            return self._uncounted(rows, where, words)

    def bound(
        self, roots: Collection[EntryId], events: Collection[EventId], where: EntryFilter, *, words: int
    ) -> Sequence[EntryHit]:
        given = {"roots": json.dumps(list(roots)), "events": json.dumps(list(events))}
        with self._db.reading():
            rows = self._db.all("entries_bound", **given, **self._entries.values(where))
            return self._uncounted(rows, where, words)

    def keys_within(self, where: EntryFilter, *, most: int) -> Collection[TextKey] | None:
        with self._db.reading():
            ((held,),) = self._db.all("entries_with_text", most=_LOOKED_THROUGH + 1)
            if held > _LOOKED_THROUGH:
                return None
            rows = self._db.all("entry_keys", most=most + 1, **self._entries.values(where))
        return None if len(rows) > most else {TextKey(key) for (key,) in rows}

    def rows(self, ids: Collection[EntryId]) -> Mapping[EntryId, EntryRow]:
        with self._db.reading():
            numbers: dict[str, int] = dict(self._db.all("entry_numbers_of", ids=json.dumps(list(ids))))
            return {row.id: row for row in self._rows.read([*numbers.values()])}

    def _uncounted(self, rows: Iterable[Row], where: EntryFilter, words: int) -> Sequence[EntryHit]:
        hits = self._hits(dict.fromkeys((number for (number,) in rows), (0,) * words), where)
        return sorted(hits.values(), key=lambda hit: (-hit.at, hit.id))

    def _hits(self, counted: Mapping[int, Counts], where: EntryFilter) -> dict[int, EntryHit]:
        rows = self._db.all("entry_hits", numbers=json.dumps(list(counted)), **self._entries.values(where))
        roots = json.dumps(sorted({row[2] for row in rows}))
        cites, linked = self._cites(roots), self._linked(roots)
        against = self._against(roots, where) if linked else {}

        @cache
        def project(workspace: str, repository: str) -> ProjectId | None:
            known = project_of(workspace, repository)
            return None if known is None else self._places.end(known)

        return {
            row[0]: _hit(
                row,
                counted[row[0]],
                project=project(row[8], row[9]),
                is_current=bool(row[13]) or where.as_of is not None,
                cites=cites.get(row[2], ()),
                linked=linked.get(row[2], ()),
                against=against.get(row[1], ()),
            )
            for row in rows
        }

    def _cites(self, roots: str) -> Mapping[str, tuple[EventId, ...]]:
        return _grouped((root, EventId(event)) for root, event in self._db.all("visible_citations", roots=roots))

    def _linked(self, roots: str) -> Mapping[str, tuple[EntryId, ...]]:
        edges = self._db.all("relations_of", roots=roots)
        return _grouped(
            (holder, EntryId(end))
            for holder, relation, _, root, _, other in edges
            for end in (root, other)
            if end != holder and relation != _SUPERSEDES
        )

    def _against(self, roots: str, where: EntryFilter) -> Mapping[str, tuple[EntryId, ...]]:
        edges = self._db.all("edges_to_visible", roots=roots, relation=OUTDATED, as_of=where.as_of)
        return _grouped((entry, EntryId(other)) for entry, other in edges)


def _grouped(pairs: Iterable[tuple[str, _T]]) -> Mapping[str, tuple[_T, ...]]:
    found: dict[str, dict[_T, None]] = defaultdict(dict)
    for key, value in pairs:
        found[key][value] = None
    return {key: tuple(values) for key, values in found.items()}


def _hit(
    row: Row,
    counts: tuple[int, ...],
    *,
    project: ProjectId | None,
    is_current: bool,
    cites: tuple[EventId, ...],
    linked: tuple[EntryId, ...],
    against: tuple[EntryId, ...],
) -> EntryHit:
    _, id_, root, key, tokens, created_at, by_person, agent, _, _, branch, type_, importance, _ = row
    return EntryHit(
        id=EntryId(id_),
        root=EntryId(root),
        key=TextKey(key),
        counts=counts,
        length=tokens,
        at=created_at,
        by_person=bool(by_person),
        agent=agent,
        project=project,
        branch=branch or None,
        type=type_,
        importance=importance,
        is_current=is_current,
        cites=cites,
        linked=linked,
        against=against,
    )
