"""What a batch makes of its events, before anything is written.

An event may be read in many places. Its *place* (session, order, time, directory, branch, version) is that of the
lowest reading, its *content* (role, kind, text) that of the highest, in the order (rank of the stream, line, part). So
any order of arrival gives the same event.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from quoth.core.ids import EventId, SessionId, SourceId
from quoth.core.model import Batch, Kind, Located
from quoth.storage._database import Row
from quoth.storage._shelves import Shelved

Key: TypeAlias = tuple[int, int, int]


@dataclass(slots=True)
class Draft:
    """An event with its lowest and highest reading. `placed` and `content` are what this batch changes of them."""

    id: EventId
    shelved: Shelved
    session: int
    first: Key
    last: Key
    kind: str
    is_new: bool
    placed: Located | None = None
    content: Located | None = None
    twin: int | None = None
    was: int | None = None  # the session that owned it before this batch
    is_reclassified: bool = False
    hidden: int = 0

    @property
    def number(self) -> int:
        return self.shelved.number

    @property
    def is_changed(self) -> bool:
        return not self.is_new and (self.placed is not None or self.content is not None or self.is_reclassified)


@dataclass(slots=True)
class Drafts:
    """The events of a batch, by id, with all their readings."""

    events: dict[EventId, Draft]
    anchors: list[tuple[int, int, int, int, int, bytes]]
    reads: list[tuple[int, Draft]]  # session, event

    @property
    def new(self) -> list[Draft]:
        return [draft for draft in self.events.values() if draft.is_new]

    @property
    def changed(self) -> list[Draft]:
        return [draft for draft in self.events.values() if draft.is_changed]


def stored(row: Row) -> Draft:
    """Read a row of the query `events_of_ids`."""
    number, id_, session, stream, line, part, last_stream, last_line, last_part, kind, shelf, pieces, twin, hidden = row
    return Draft(
        id_,
        Shelved(number, shelf, pieces),
        session,
        (stream, line, part),
        (last_stream, last_line, last_part),
        kind,
        is_new=False,
        twin=twin,
        hidden=hidden,
    )


def draw(
    batch: Batch, known: Mapping[EventId, Draft], following: int, session_of: Callable[[SourceId, SessionId], int]
) -> Drafts:
    """Join the readings of a batch with what is known of their events; `following` numbers the first new one."""
    drafts = Drafts(dict(known), [], [])
    for located in batch.events:
        event, rank = located.event, batch.stream.rank
        session = session_of(batch.stream.source, event.session)
        key = (rank, event.line, event.part)
        draft = drafts.events.get(event.id)
        if draft is None:
            shelved = Shelved(following, None)
            draft = Draft(event.id, shelved, session, key, key, event.kind, True, located, located)
            drafts.events[event.id] = draft
            following += 1
        else:
            _read(draft, key, located, session)
        drafts.reads.append((session, draft))
        first_line = event.line if event.first_line is None else event.first_line
        drafts.anchors.append((draft.number, rank, event.line, event.part, first_line, located.sha256))
    return drafts


def _read(draft: Draft, key: Key, located: Located, session: int) -> None:
    if key < draft.first:
        if not draft.is_new and draft.was is None:
            draft.was = draft.session
        draft.first, draft.placed, draft.session = key, located, session
    if key > draft.last:
        draft.last, draft.content, draft.kind = key, located, Kind(located.event.kind)
        draft.is_reclassified = False
