"""Keep hidden events out of every answer, however often and under whatever id they are read again.

The ledger names events by ids, some of them not read yet (`hidden`). An event and its repeats share one fate: the worst
that became of any of their ids. One that is hidden is on no shelf; of one that is destroyed the text is gone too.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from quoth.core.ids import EventId
from quoth.core.model import Stream
from quoth.storage._database import Database, Row
from quoth.storage._shelves import Shelved, Shelves, shelf_of

SHOWN, FORGOTTEN, DESTROYED = 0, 1, 2
RESPELLED = "respelled"


@dataclass(frozen=True, slots=True)
class Reading:
    """An event that was read at a line of some stream."""

    event: int
    line: int
    part: int
    sha256: bytes


class Hiding:
    """Tells a transaction what it must hide. `begin` looks once whether the ledger concerns any event at all."""

    def __init__(self, db: Database, shelves: Shelves) -> None:
        self._db = db
        self._shelves = shelves
        self._is_hiding = self._is_waiting = self._is_citing = False

    def begin(self) -> None:
        row = self._db.all("concern")[0]
        self._is_hiding, self._is_waiting, self._is_citing = map(bool, row)

    def fates(self, ids: Collection[EventId]) -> Mapping[EventId, int]:
        """Return what became of those ids that are hidden."""
        return dict(self._db.all("fates_of", ids=json.dumps(list(ids)))) if self._is_hiding else {}

    def settle(self, numbers: Collection[int]) -> None:
        """Give events and their repeats their common fate."""
        if self._is_hiding and numbers:
            self.decide(numbers)

    def decide(self, numbers: Collection[int]) -> None:
        groups: dict[int, list[Row]] = defaultdict(list)
        for original, *member in self._db.all("members_of", numbers=json.dumps(list(numbers))):
            groups[original].append(tuple(member))
        for members in groups.values():
            fate = max(member[-1] for member in members)
            self._become(fate, [member for member in members if member[-2] != fate])

    def _become(self, fate: int, members: Sequence[Row]) -> None:
        """Hide or show events, of which each has another fate now."""
        texts = self._texts(member[0] for member in members) if fate == SHOWN else {}
        for number, session, role, kind, own, shelf, pieces, twin, *_ in members:
            shelved = Shelved(number, shelf, pieces)
            self._shelves.take(shelved)
            text = texts.get(number, "")
            shelved = Shelved(number, None if twin else shelf_of(role, kind, text, own=bool(own)))
            self._shelves.put(shelved, text)
            self._db.many("set_hidden", [(fate, *shelved.columns, number)])
            self._db.many("touch", [(session,)])
        if fate == DESTROYED:
            self._db.many("wipe_text", ((member[0],) for member in members))
            self._db.many("wipe_size", ((member[0],) for member in members))

    def _texts(self, numbers: Iterable[int]) -> dict[int, str]:
        return dict(self._db.all("texts_of", numbers=json.dumps(list(numbers))))

    # --- ids that change ---

    def respell(self, numbers: Collection[int]) -> None:
        """Note that events got or lost ids, where the ledger names one of them: it is projected again then."""
        if not numbers or not (self._is_hiding or self._is_citing):
            return
        given = json.dumps(list(numbers))
        if self._db.all("is_mentioned", numbers=given):
            self._db.all("respell", numbers=given)
            self._db.all("count", key=RESPELLED)

    def welcome(self, stream: Stream, ids: Collection[EventId], readings: Iterable[Reading]) -> set[int]:
        """Give what a stream says the ids that were waited for in its places, and return the events that got one."""
        if not self._is_waiting:
            return set()
        where = {"source": stream.source, "root": stream.root, "key": stream.key, "generation": stream.generation}
        lines: dict[int, list[Reading]] = defaultdict(list)
        for reading in readings:
            lines[reading.line].append(reading)
        named: dict[str, int] = {}
        for id_, line, part, sha256 in self._db.all("awaited_in", **where):
            if id_ not in ids and (found := choose(lines[line], part, sha256)):
                named[id_] = found.event
        self._name(named)
        self._db.all("arrived", ids=json.dumps(list(ids)))
        return set(named.values())

    def name(self, id_: EventId, event: int) -> None:
        """Give an event another id by which the ledger names it."""
        self._name({id_: event})
        self.decide([event])

    def answer(self) -> None:
        """Hide what older ids of events say, after many were given."""
        named: dict[str, int] = dict(self._db.all("aliases_mentioned"))
        self._answers(named)
        if named:
            self.decide(set(named.values()))

    def _name(self, named: Mapping[str, int]) -> None:
        self._db.many("name_also", named.items())
        self._answers(named)

    def _answers(self, named: Mapping[str, int]) -> None:
        """Note that something answers to ids now."""
        if named:
            self._db.many("respell_id", ((id_,) for id_ in named))
            self._db.all("count", key=RESPELLED)
            self._db.all("arrived", ids=json.dumps(list(named)))


def choose(readings: Collection[Reading], part: int, sha256: bytes) -> Reading | None:
    """Return what an anchor means of what was read at its line: its part, or with a hash that agrees any other one."""
    if not sha256:
        return next((reading for reading in readings if reading.part == part), None)
    agreeing = [reading for reading in readings if reading.sha256 == sha256]
    return min(agreeing, key=lambda reading: (reading.part != part, reading.part), default=None)
