"""What the ledger asks of events: their ids, what became of them, which hold some words, what is on a line."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import suppress

from quoth.core.ids import EventId
from quoth.core.ledger.values import StoredAnchor
from quoth.core.memory import Fate
from quoth.core.model import Anchor, EventRow, Kind
from quoth.core.query import Query
from quoth.storage._database import Database, Row
from quoth.storage._hidden import DESTROYED, FORGOTTEN, Hiding, Reading, choose
from quoth.storage._read import Reader, anchor
from quoth.storage._search import Finder
from quoth.storage._shelves import SPOKEN, TOOLS, Shelves

_FATES = {0: Fate.VISIBLE, FORGOTTEN: Fate.FORGOTTEN, DESTROYED: Fate.DESTROYED}
_SHELVES = {Kind.MESSAGE: SPOKEN, Kind.TOOL_USE: TOOLS, Kind.TOOL_RESULT: TOOLS}
_PORTION = 200
_END = (1 << 62, 1 << 62, 1 << 62, 1 << 62)


class Events:
    def __init__(self, db: Database, reader: Reader, finder: Finder) -> None:
        self._db = db
        self._reader = reader
        self._finder = finder

    # --- ids ---

    def spellings(self, event: EventId) -> Sequence[EventId]:
        with self._db.reading():
            number = self._reader.number(event)
            if number is None:
                return [event]
            return list(dict.fromkeys(EventId(id_) for (id_,) in self._db.all("spellings", number=number)))

    def adopt(self, event: EventId, anchor: StoredAnchor) -> bool:
        root, _, key = anchor.stream.partition("/")
        stream = {"source": anchor.source, "root": root, "key": key, "generation": anchor.generation}
        shelves = Shelves(self._db)
        with self._db.writing():
            found = self._read_at(stream, anchor)
            if found is None:
                place = {"line": anchor.last_line, "part": anchor.part, "sha256": anchor.sha256}
                self._db.all("wait_for", id=event, **stream, **place)
                return False
            hiding = Hiding(self._db, shelves)
            hiding.name(event, found.event)
            shelves.close()
        return True

    def _read_at(self, stream: dict[str, object], anchor: StoredAnchor) -> Reading | None:
        row = self._db.one("stream_of", **stream)
        rows = self._db.all("read_at", stream=row[0], line=anchor.last_line) if row else ()
        line = anchor.last_line
        return choose([Reading(event, line, part, sha256) for event, part, sha256 in rows], anchor.part, anchor.sha256)

    def fate(self, given: str) -> Fate:
        with self._db.reading():
            number = self._reader.number(given)
            if number is not None:
                return _FATES[self._db.all("fate_of", number=number)[0][0]]
            row = self._db.one("fate_of_id", id=given)
            return _FATES[row[0]] if row else Fate.UNKNOWN

    def said(self, event: EventId) -> EventRow | None:
        with self._db.reading():
            number = self._reader.number(event)
            return None if number is None else next(iter(self._reader.events([number], worst=FORGOTTEN)), None)

    # --- words and kinds ---

    def holding(self, query: Query, kind: Kind, folded: str) -> Iterator[EventRow]:
        if not query.terms or (shelf := _SHELVES.get(kind)) is None:
            return
        with self._db.reading():
            numbers = self._finder.holding(query, shelf, kind)
        for start in range(0, len(numbers), _PORTION):
            yield from self._reader.events(self._that_hold(numbers[start : start + _PORTION], folded))

    def unsearched(self, parts: Sequence[str]) -> Iterator[EventRow]:
        numbers = [number for (number,) in self._db.all("unsearched", parts=json.dumps(list(parts)))]
        for start in range(0, len(numbers), _PORTION):
            yield from self._reader.events(numbers[start : start + _PORTION])

    def newest(self, kind: Kind, folded: str, most: int | None) -> Iterator[EventRow]:
        behind, seen = _END, 0
        while (most is None or seen < most) and (found := self._portion(kind, behind)):
            numbers = [number for number, *_ in found]
            yield from self._reader.events(self._that_hold(numbers, folded))
            behind, seen = found[-1][1:], seen + len(found)

    def _that_hold(self, numbers: Sequence[int], folded: str) -> Sequence[int]:
        """Return those of some events that hold a folded text, without making rows of the others; all hold ""."""
        if not folded:
            return numbers
        with suppress(UnicodeEncodeError):  # half a character, which no text has
            held = {number for (number,) in self._db.all("texts_holding", numbers=json.dumps(numbers), folded=folded)}
            return [number for number in numbers if number in held]
        return []

    def _portion(self, kind: Kind, behind: Sequence[int]) -> list[Row]:
        place = dict(zip(("time", "stream", "line", "part"), behind, strict=True))
        if shelf := _SHELVES.get(kind):
            return self._db.all("newest_on_shelf", shelf=shelf, kind=kind.value, most=_PORTION, **place)
        if kind is Kind.MEMORY:
            return self._db.all("newest_memory", most=_PORTION, **place)
        return self._db.all("newest_other", kind=kind.value, most=_PORTION, **place)

    def own_calls(self, *, since: int) -> Iterator[EventRow]:
        numbers = [number for (number,) in self._db.all("own_calls", since=since)]
        for start in range(0, len(numbers), _PORTION):
            yield from self._reader.events(numbers[start : start + _PORTION])

    def newest_own_call(self) -> int:
        return int(self._db.all("newest_own_call")[0][0])

    # --- lines ---

    def on_lines(self, anchor: Anchor) -> Sequence[tuple[EventId, Fate]]:
        place = {"stream": anchor.stream.rank, "first": anchor.first_line, "last": anchor.line}
        return [(EventId(id_), _FATES[hidden]) for id_, hidden in self._db.all("on_lines", **place)]

    def destroyed_anchors(self) -> Sequence[Anchor]:
        return [anchor(EventId(id_), tuple(row)) for id_, *row in self._db.all("destroyed_anchors")]

    def blanked(self, anchors: Sequence[Anchor]) -> None:
        with self._db.writing():
            self._db.many("drop_blanked", ((each.stream.rank, each.first_line, each.line) for each in anchors))
