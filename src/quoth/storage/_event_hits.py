"""Spoken messages that may answer a question: by shared words, by what they say, or because they stand beside one."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cache

from quoth.core.candidates import Beside, EventHit, Word
from quoth.core.ids import EventId
from quoth.core.model import EventRow, Filter, Role
from quoth.core.vectors import TextKey
from quoth.storage._database import Database, Row
from quoth.storage._projects import Places
from quoth.storage._read import Reader
from quoth.storage._search import Finder, is_everything
from quoth.storage._sharing import Counts, Look, chosen, counted, keys_json, look
from quoth.storage._shelves import PIECES, SPOKEN, event_of, pieces_of

_ALIKE = 5  # messages that say the same are answered
_PORTION = 5_000
_END = 1 << 62


class EventHits:
    def __init__(self, db: Database, places: Places, reader: Reader, finder: Finder) -> None:
        self._db = db
        self._places = places
        self._reader = reader
        self._finder = finder

    def sharing(self, words: Sequence[Word], where: Filter, *, limit: int) -> Sequence[EventHit]:
        if limit < 1:
            return []
        with self._db.reading():
            if not (looked := look(self._db, SPOKEN, words)):
                return []
            held = self._counted(looked, where, limit)
            return chosen(looked, held, limit, lambda counts: self._hits(counts, where))

    def _counted(self, looked: Look, where: Filter, wanted: int) -> Mapping[int, Counts]:
        """Return how often events hold each held word, by their numbers; of a long one all pieces count."""
        values = {} if is_everything(where) else {"pieces": PIECES, **self._finder.values(where)}
        rows = counted(self._db, SPOKEN, "spoken_best_where" if values else "spoken_best", looked, wanted, **values)
        found = {row: counts for row, counts in rows.items() if row < PIECES}
        long = {event_of(row) for row in rows if row >= PIECES}
        return found | {number: self._whole(looked, number) for number in long}

    def _whole(self, looked: Look, number: int) -> Counts:
        first, last = pieces_of(number)
        rows = self._db.all("counted_in_pieces", match=looked.anything(), first=first, last=last)
        return tuple(map(sum, zip(*(looked.read(held) for (held,) in rows), strict=True)))

    def of_keys(self, keys: Collection[TextKey], where: Filter, *, words: int) -> Sequence[EventHit]:
        with self._db.reading():
            rows = self._db.all("events_of_keys", keys=keys_json(keys), most=_ALIKE, **self._finder.values(where))
            hits = self._hits(dict.fromkeys((number for (number,) in rows), (0,) * words), where)
        return sorted(hits.values(), key=lambda hit: (-hit.at, hit.id))

    def beside(self, events: Collection[EventId], where: Filter, *, words: int) -> Mapping[EventId, Beside]:
        with self._db.reading():
            rows = self._db.all("events_beside", ids=json.dumps(list(events)))
            numbers = {number for _, *both in rows for number in both if number is not None}
            hits = self._hits(dict.fromkeys(numbers, (0,) * words), where)
        return {EventId(id_): (hits.get(before), hits.get(after)) for id_, before, after in rows}

    def keys_within(self, where: Filter, *, most: int) -> Collection[TextKey] | None:
        with self._db.reading():
            rows = self._db.all(_keys_query(where), most=most + 1, **self._finder.values(where))
        return None if len(rows) > most else {TextKey(key) for (key,) in rows}

    def rows(self, ids: Collection[EventId]) -> Mapping[EventId, EventRow]:
        with self._db.reading():
            numbers = [number for (number,) in self._db.all("numbers_of", ids=json.dumps(list(ids)))]
            return {row.id: row for row in self._reader.events(numbers)}

    def _hits(self, counted: Mapping[int, Counts], where: Filter) -> dict[int, EventHit]:
        rows = self._db.all("event_hits", numbers=json.dumps(list(counted)), **self._finder.values(where))
        project = cache(self._places.project)  # each asks the index whether projects changed
        return {row[0]: _hit(row, counted[row[0]], project(row[7])) for row in rows}


class Embeddable:
    """What should have a vector, and what must have none any more."""

    def __init__(self, db: Database) -> None:
        self._db = db

    def texts(self) -> Iterator[TextKey]:
        yield from (TextKey(key) for (key,) in self._db.all("entries_to_embed"))
        for role in (Role.USER, Role.ASSISTANT):
            time = number = _END
            while rows := self._db.all("events_to_embed", role=role.value, time=time, number=number, most=_PORTION):
                yield from (TextKey(key) for key, *_ in rows)
                _, time, number = rows[-1]

    def text_of(self, keys: Collection[TextKey]) -> Mapping[TextKey, str]:
        given = keys_json(keys)
        with self._db.reading():
            return dict(self._db.all("said_in_events", keys=given)) | dict(self._db.all("said_in_entries", keys=given))

    def unsaid(self) -> Sequence[TextKey]:
        return [TextKey(key) for (key,) in self._db.all("unsaid")]

    def wiped(self, keys: Collection[TextKey]) -> None:
        with self._db.leaving_nothing(), self._db.writing():  # a key tells whoever guesses a text that it was there
            self._db.all("drop_unsaid", keys=keys_json(keys))
        self._db.empty_log()


def _keys_query(where: Filter) -> str:
    """Return the query that reaches what passes a filter by an index."""
    if where.projects is not None:
        return "event_keys_of_directories"
    return "event_keys" if where.source is None else "event_keys_of_source"


def _hit(row: Row, counts: tuple[int, ...], project: str | None) -> EventHit:
    _, id_, key, tokens, time, by_person, source, _, branch, session, *place, speaker = row
    stream, line, part = place
    return EventHit(
        id=EventId(id_),
        key=TextKey(key),
        counts=counts,
        length=tokens,
        at=time,
        by_person=bool(by_person),
        agent=source,
        project=project,
        branch=branch,
        session=f"{source}/{session}",
        place=(stream, line, part),
        speaker=speaker,
    )
