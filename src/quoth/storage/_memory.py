"""What the index holds of the ledger, on SQLite: the port `MemoryIndex`."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from quoth.core.candidates import EntryHit, Word
from quoth.core.ids import EntryId, EventId, ProjectId
from quoth.core.ledger.entries import State
from quoth.core.ledger.operations import Subjects
from quoth.core.ledger.state import Ledger
from quoth.core.ledger.values import Scope, StoredAnchor
from quoth.core.memory import Counted, EntryFilter, EntryRow, Fate, Respelled
from quoth.core.model import Anchor, EventRow, Kind
from quoth.core.query import Query
from quoth.core.vectors import TextKey
from quoth.storage._database import Database
from quoth.storage._entry_hits import EntryHits
from quoth.storage._memory_events import Events
from quoth.storage._memory_find import Entries
from quoth.storage._memory_project import Projection
from quoth.storage._memory_rows import Rows
from quoth.storage._projects import Places
from quoth.storage._read import Reader
from quoth.storage._search import Finder


class SqliteMemory:
    def __init__(self, db: Database, places: Places, reader: Reader, finder: Finder) -> None:
        self._projection = Projection(db)
        rows = Rows(db, places)
        self._entries = Entries(db, places, rows)
        self._hits = EntryHits(db, places, rows, self._entries)
        self._events = Events(db, reader, finder)

    def cursor(self) -> int:
        return self._projection.cursor()

    def project(self, ledger: Ledger, reach: Subjects, *, cursor: int, after: int | None, mark: int) -> bool:
        return self._projection.project(ledger, reach, cursor=cursor, after=after, mark=mark)

    def respelled(self) -> Respelled:
        return self._projection.respelled()

    def spellings(self, event: EventId) -> Sequence[EventId]:
        return self._events.spellings(event)

    def adopt(self, event: EventId, anchor: StoredAnchor) -> bool:
        return self._events.adopt(event, anchor)

    # --- entries ---

    def find(self, given: str) -> Sequence[EntryId]:
        return self._entries.find(given)

    def version(self, entry: EntryId) -> EntryRow | None:
        return self._entries.version(entry)

    def history(self, root: EntryId) -> Sequence[EntryRow]:
        return self._entries.history(root)

    def heads(self, root: EntryId) -> Sequence[EntryRow]:
        return self._entries.heads(root)

    def search(self, query: Query, where: EntryFilter, *, limit: int, offset: int) -> Sequence[EntryRow]:
        return self._entries.search(query, where, limit=limit, offset=offset)

    def recent(self, where: EntryFilter, *, limit: int, offset: int) -> Sequence[EntryRow]:
        return self._entries.recent(where, limit=limit, offset=offset)

    def alike(self, text: str, *, limit: int) -> Sequence[EntryRow]:
        return self._entries.alike(text, limit=limit)

    def sharing(self, words: Sequence[Word], where: EntryFilter, *, limit: int) -> Sequence[EntryHit]:
        return self._hits.sharing(words, where, limit=limit)

    def of_keys(self, keys: Collection[TextKey], where: EntryFilter, *, words: int = 0) -> Sequence[EntryHit]:
        return self._hits.of_keys(keys, where, words=words)

    def bound(
        self, roots: Collection[EntryId], events: Collection[EventId], where: EntryFilter, *, words: int = 0
    ) -> Sequence[EntryHit]:
        return self._hits.bound(roots, events, where, words=words)

    def keys_within(self, where: EntryFilter, *, most: int) -> Collection[TextKey] | None:
        return self._hits.keys_within(where, most=most)

    def rows(self, ids: Collection[EntryId]) -> Mapping[EntryId, EntryRow]:
        return self._hits.rows(ids)

    def branches(self, scope: Scope) -> Sequence[str]:
        return self._entries.branches(scope)

    def projects(self) -> Mapping[ProjectId, str]:
        return self._entries.projects()

    def count(self) -> int:
        return self._entries.count()

    def counted(self) -> Counted:
        return self._entries.counted()

    def equal(self, text: str, *, scope: Scope | None = None, ever: bool = False) -> Sequence[EntryRow]:
        return self._entries.equal(text, scope=scope, ever=ever)

    def named(self, name: str, *, type: str, scope: Scope) -> Sequence[EntryRow]:  # noqa: A002 - the record's word
        return self._entries.named(name, type, scope)

    def citing(self, event: EventId) -> Sequence[EntryRow]:
        return self._entries.citing(self.spellings(event))

    def all(self) -> Iterator[EntryRow]:
        return self._entries.all()

    def judged(self, states: Sequence[State]) -> Sequence[EntryRow]:
        return self._entries.judged(states)

    def uncited(self, *, since: int) -> Sequence[EntryRow]:
        return self._entries.uncited(since=since)

    # --- events ---

    def fate(self, given: str) -> Fate:
        return self._events.fate(given)

    def said(self, event: EventId) -> EventRow | None:
        return self._events.said(event)

    def unsearched(self, parts: Sequence[str]) -> Iterator[EventRow]:
        return self._events.unsearched(parts)

    def holding(self, query: Query, kind: Kind, *, folded: str = "") -> Iterator[EventRow]:
        return self._events.holding(query, kind, folded)

    def newest(self, kind: Kind, *, folded: str = "", most: int | None = None) -> Iterator[EventRow]:
        return self._events.newest(kind, folded, most)

    def own_calls(self, *, since: int) -> Iterator[EventRow]:
        return self._events.own_calls(since=since)

    def newest_own_call(self) -> int:
        return self._events.newest_own_call()

    def on_lines(self, anchor: Anchor) -> Sequence[tuple[EventId, Fate]]:
        return self._events.on_lines(anchor)

    def destroyed_anchors(self) -> Sequence[Anchor]:
        return self._events.destroyed_anchors()

    def blanked(self, anchors: Sequence[Anchor]) -> None:
        self._events.blanked(anchors)
