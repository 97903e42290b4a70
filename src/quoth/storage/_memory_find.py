"""Find entries: by words, by time, by what they say or cite."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate

from quoth.core import text as words
from quoth.core.ids import EntryId, EventId, ProjectId, full_spellings, tail_of
from quoth.core.ledger.entries import State
from quoth.core.ledger.values import Scope
from quoth.core.memory import Counted, EntryFilter, EntryRow, Spot
from quoth.core.query import Query
from quoth.storage import _match
from quoth.storage._database import Database
from quoth.storage._memory_rows import Rows, digest, project_of, scope_columns
from quoth.storage._projects import Places

_FIRST, _LAST = -(1 << 62), 1 << 62
_PORTION = 500
_WORDS = 200  # of a text that others are compared with
_SPARE = 8  # times as many are looked at as are wanted
_COMMON = 2_000  # entries that hold a word; more are not counted, and few words of that kind are looked for
_FEWEST = 5


class Entries:
    def __init__(self, db: Database, places: Places, rows: Rows) -> None:
        self._db = db
        self._places = places
        self._rows = rows

    # --- by id ---

    def find(self, given: str) -> Sequence[EntryId]:
        with self._db.reading():
            for spelled in full_spellings(given):
                if self._db.all("entry_is_known", id=spelled):
                    return [spelled]
            if not (tail := tail_of(given)):
                return []
            rows = self._db.all("entries_of_tail", last=tail[-8:], tail=tail, length=len(tail))
            return [EntryId(id_) for (id_,) in rows]

    def version(self, entry: EntryId) -> EntryRow | None:
        return next(iter(self._read("entry_numbers_of_id", id=entry)), None)

    def history(self, root: EntryId) -> Sequence[EntryRow]:
        return self._read("versions_of_root", root=root)

    def heads(self, root: EntryId) -> Sequence[EntryRow]:
        return self._read("heads_of_root", root=root)

    def all(self) -> Iterator[EntryRow]:
        behind: tuple[object, ...] = ("", "", 0)
        while found := self._db.all("entries_of_age", **_place(behind), most=_PORTION):
            yield from self._rows.read([number for number, *_ in found])
            behind = found[-1][1:]

    # --- by words and time ---

    def search(self, query: Query, where: EntryFilter, *, limit: int, offset: int) -> Sequence[EntryRow]:
        if not query.terms or limit < 1:
            return []
        with self._db.reading():
            page = {"match": _match.said(_match.whole(query)), "limit": limit, "offset": offset}
            return self._read("entries_found", **page, **self.values(where))

    def recent(self, where: EntryFilter, *, limit: int, offset: int) -> Sequence[EntryRow]:
        with self._db.reading():
            return self._read("entries_recent", limit=limit, offset=offset, **self.values(where))

    def alike(self, text: str, *, limit: int) -> Sequence[EntryRow]:
        said = list(dict.fromkeys(token for found in words.tokens(text) for token in found))[:_WORDS]
        if not said or limit < 1:
            return []
        with self._db.reading():
            if not (telling := self._telling(said)):
                return []
            match = _match.said(" OR ".join(f'"{token}"' for token in telling))
            rows = self._db.all("entries_sharing", match=match, most=limit * _SPARE)
            shared = {number: len({*parts.split()} & {*said}) for number, parts in rows}
            best = sorted(shared, key=lambda number: -shared[number])[:limit]
            return self._rows.read(best)

    def _telling(self, said: Sequence[str]) -> Sequence[str]:
        """Return the rarest of some words: what most entries hold tells little, and costs the most to look for."""
        counted = self._db.all("how_common", words=json.dumps(said), most=_COMMON)
        held = sorted((entries, word) for word, entries in counted if entries)
        sums = accumulate(entries for entries, _ in held)
        return [
            word
            for place, ((_, word), total) in enumerate(zip(held, sums, strict=True))
            if place < _FEWEST or total <= _COMMON
        ]

    def branches(self, scope: Scope) -> Sequence[str]:
        with self._db.reading():
            spot = {"spot_tenant": scope.tenant, "spot_places": self._of_spot(scope)}
            return [branch for (branch,) in self._db.all("branches", **spot)]

    def projects(self) -> Mapping[ProjectId, str]:
        with self._db.reading():
            held = (project_of(*place) for place in self._db.all("repositories_shown"))
            ends = {self._places.end(project) for project in held if project}
            return {project: self._places.name(project) for project in sorted(ends)}

    def count(self) -> int:
        return int(self._db.all("count_entries")[0][0])

    def counted(self) -> Counted:
        ((versions, roots, searchable, typed, relations),) = self._db.all("count_versions")
        return Counted(versions=versions, edges=versions - roots + relations, searchable=searchable, typed=typed)

    # --- by what they say ---

    def equal(self, text: str, *, scope: Scope | None, ever: bool) -> Sequence[EntryRow]:
        return self._read("entries_equal", digest=digest(text), ever=ever, **scope_columns(scope))

    def named(self, name: str, type_: str, scope: Scope) -> Sequence[EntryRow]:
        return self._read("entries_named", name=name, type=type_, **scope_columns(scope))

    def citing(self, events: Sequence[EventId]) -> Sequence[EntryRow]:
        return self._read("entries_citing", events=json.dumps(list(events)))

    def judged(self, states: Sequence[State]) -> Sequence[EntryRow]:
        return self._read("entries_in", states=json.dumps([state.value for state in states]))

    def uncited(self, *, since: int) -> Sequence[EntryRow]:
        return self._read("entries_uncited", since=since)

    def _read(self, query: str, **values: object) -> Sequence[EntryRow]:
        with self._db.reading():
            return self._rows.read([number for (number,) in self._db.all(query, **values)])

    def values(self, where: EntryFilter) -> dict[str, object]:
        """Return what the part `entry_passes` of queries takes."""
        return {
            "now": where.now if where.as_of is None else where.as_of,
            "as_of": where.as_of,
            "since": _FIRST if where.since is None else where.since,
            "until": _LAST if where.until is None else where.until,
            "kind": where.kind.value if where.kind else None,
            "type": where.type,
            "types": None if where.types is None else json.dumps(where.types),
            "agent": where.agent,
            "with_negated": where.with_negated,
            "with_replaced": where.with_replaced,
            "with_elsewhere": where.with_elsewhere,
            "places": None if where.projects is None else json.dumps(self._of_projects(where.projects)),
            **self._spot(where.spot),
        }

    def _spot(self, spot: Spot | None) -> dict[str, object]:
        if spot is None:
            return dict.fromkeys(("spot_tenant", "spot_workspace", "spot_places", "spot_branches"))
        return {
            "spot_tenant": spot.scope.tenant,
            "spot_workspace": spot.scope.workspace,
            "spot_places": self._of_spot(spot.scope),
            "spot_branches": json.dumps([spot.scope.branch, *spot.landed]),
        }

    def _of_spot(self, scope: Scope) -> str:
        """Return the spellings of a repository, as a query takes them: projects that were merged are one."""
        project = project_of(scope.workspace, scope.repository)
        return json.dumps([f"{scope.workspace}/{scope.repository}", *(self._of_projects([project]) if project else [])])

    def _of_projects(self, given: Sequence[ProjectId]) -> Sequence[str]:
        """Return where entries of projects apply."""
        wanted = {self._places.end(project) for project in given}
        held = ((workspace, repository) for workspace, repository in self._db.all("repositories"))
        projects = {place: project for place in held if (project := project_of(*place))}
        return ["/".join(place) for place, each in projects.items() if self._places.end(each) in wanted]


def _place(behind: tuple[object, ...]) -> dict[str, object]:
    return dict(zip(("age", "root", "place"), behind, strict=True))
