"""The index on SQLite: one file for each schema, made again from mirror and journal, never migrated."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from quoth.core.candidates import Beside, EventHit, Word
from quoth.core.ids import EventId, ProjectId, SessionId, SourceId
from quoth.core.memory import MemoryIndex
from quoth.core.model import (
    Anchor,
    Answered,
    Batch,
    Coverage,
    EventRow,
    Filter,
    Json,
    Place,
    Project,
    SessionRow,
    Skipped,
    StreamState,
)
from quoth.core.ports import Index
from quoth.core.query import Query
from quoth.core.vectors import TextKey
from quoth.storage._aliases import answered, keep
from quoth.storage._database import Database
from quoth.storage._event_hits import Embeddable, EventHits
from quoth.storage._memory import SqliteMemory
from quoth.storage._projects import Places
from quoth.storage._read import Reader
from quoth.storage._search import Finder
from quoth.storage._settle import settle
from quoth.storage._streams import Ledger
from quoth.storage._write import Writer

# Raise it with every change of the tables, of folding, of tokens or of stems: each schema has a file of its own.
SCHEMA = 3


class SqliteIndex:
    """Implements the port `Index`. Threads may share it; it works for one of them at a time."""

    def __init__(self, path: Path, *, read_only: bool = False) -> None:
        """Open the file, making it when it is missing and may be written.

        Raises:
            NewerFormat: a program of a newer schema wrote it; it is left as it is.
            StoreFailed: it is no index, is damaged, or can't be opened.
            Busy: another process keeps it locked.
        """
        self._db = Database(path, schema=SCHEMA, read_only=read_only)
        self._places = Places(self._db)
        self._writer = Writer(self._db)
        self._reader = Reader(self._db, self._places)
        self._finder = Finder(self._db, self._places)
        self._hits = EventHits(self._db, self._places, self._reader, self._finder)
        self._embeddable = Embeddable(self._db)
        self._ledger = Ledger(self._db)
        self._memory = SqliteMemory(self._db, self._places, self._reader, self._finder)

    @property
    def memory(self) -> MemoryIndex:
        return self._memory

    # --- what was read ---

    def streams(self) -> Sequence[StreamState]:
        return self._ledger.streams()

    def progress(self, source: SourceId) -> Sequence[StreamState]:
        return self._ledger.streams(source)

    def some(self, ranks: Sequence[int]) -> Sequence[StreamState]:
        return self._ledger.some(ranks)

    def put(self, batches: Sequence[Batch]) -> Sequence[int]:
        return self._writer.put(batches)

    def whole_files(self, suffix: str) -> Sequence[StreamState]:
        return self._ledger.whole_files(suffix)

    def noted(self, name: str) -> Json:
        return self._ledger.noted(name)

    def note(self, name: str, value: Json) -> None:
        self._ledger.note(name, value)

    def skipped(self, source: SourceId, skipped: Sequence[Skipped]) -> None:
        self._ledger.skipped(source, skipped)

    def skips(self) -> Sequence[tuple[SourceId, Skipped]]:
        return self._ledger.skips()

    def gone(self, ranks: Sequence[int], *, among: Sequence[SourceId]) -> None:
        self._ledger.gone(ranks, among=among)

    def sealed(self, sizes: Mapping[int, int]) -> None:
        self._ledger.sealed(sizes)

    def passed(self, started_at: int, ended_at: int, *, only: Sequence[SourceId] = ()) -> None:
        self._ledger.passed(started_at, ended_at, only=only)

    def last_pass(self) -> tuple[int, int] | None:
        return self._ledger.last_pass()

    def settle(self) -> None:
        settle(self._db)

    def coverage(self) -> Sequence[Coverage]:
        return self._ledger.coverage()

    # --- projects ---

    def place(self, places: Iterable[Place]) -> None:
        self._places.place(places)

    def merge_projects(self, merged: Mapping[ProjectId, ProjectId], names: Mapping[ProjectId, str]) -> None:
        self._places.merge(merged, names)

    def unplaced(self) -> Sequence[tuple[str, str | None]]:
        return self._places.unplaced()

    # --- what may answer a question, and what to embed ---

    def sharing(self, words: Sequence[Word], where: Filter, *, limit: int) -> Sequence[EventHit]:
        return self._hits.sharing(words, where, limit=limit)

    def of_keys(self, keys: Collection[TextKey], where: Filter, *, words: int = 0) -> Sequence[EventHit]:
        return self._hits.of_keys(keys, where, words=words)

    def beside(self, events: Collection[EventId], where: Filter, *, words: int = 0) -> Mapping[EventId, Beside]:
        return self._hits.beside(events, where, words=words)

    def keys_within(self, where: Filter, *, most: int) -> Collection[TextKey] | None:
        return self._hits.keys_within(where, most=most)

    def rows(self, ids: Collection[EventId]) -> Mapping[EventId, EventRow]:
        return self._hits.rows(ids)

    def texts(self) -> Iterator[TextKey]:
        return self._embeddable.texts()

    def text_of(self, keys: Collection[TextKey]) -> Mapping[TextKey, str]:
        return self._embeddable.text_of(keys)

    def unsaid(self) -> Sequence[TextKey]:
        return self._embeddable.unsaid()

    def wiped(self, keys: Collection[TextKey]) -> None:
        self._embeddable.wiped(keys)

    def projects(self) -> Sequence[Project]:
        return self._places.projects()

    # --- ids that answer ---

    def answered(self) -> Iterator[Answered]:
        return answered(self._db)

    def keep(self, older: Iterable[Answered]) -> int:
        return keep(self._db, older)

    # --- answers ---

    def resolve(self, event: str) -> EventId | None:
        return self._reader.resolve(event)

    def event(self, event: EventId) -> EventRow | None:
        return self._reader.event(event)

    def anchors(self, event: EventId) -> Sequence[Anchor]:
        return self._reader.anchors(event)

    def search(self, query: Query, where: Filter, *, limit: int, offset: int) -> Sequence[EventRow]:
        with self._db.reading():
            return self._reader.events(self._finder.search(query, where, limit=limit, offset=offset))

    def recent(self, where: Filter, *, limit: int, offset: int) -> Sequence[EventRow]:
        with self._db.reading():
            return self._reader.events(self._finder.recent(where, limit=limit, offset=offset))

    def sessions(self, where: Filter, *, limit: int, offset: int) -> Sequence[SessionRow]:
        return self._reader.sessions(where, limit=limit, offset=offset)

    def session(self, session: str, source: SourceId | None) -> Sequence[SessionRow]:
        """Return the sessions of an id, else those whose id begins like that."""
        return self._reader.session(session, source)

    def session_events(
        self, source: SourceId, session: SessionId, *, everything: bool, limit: int, offset: int
    ) -> Sequence[EventRow]:
        return self._reader.session_events(source, session, everything=everything, limit=limit, offset=offset)

    # --- the file ---

    def check(self) -> Sequence[str]:
        found = [str(row[0]) for row in self._db.all("quick_check")]
        return [] if found == ["ok"] else found

    def close(self) -> None:
        self._db.close()


class SqliteEngine:
    """Opens indexes. `schema` is a part of the file's name."""

    schema = SCHEMA

    def open(self, path: Path, *, read_only: bool = False) -> Index:
        return SqliteIndex(path, read_only=read_only)


ENGINE = SqliteEngine()
