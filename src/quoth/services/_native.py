"""Entries of the agents' own memory files (ORI-28, ORI-71, DESIGN §5).

The device that owns a file asserts what it says. The first version is a root; other words supersede the version that is
current then, also a correction; a file that is gone or blank ends it; the same words again begin anew. The id of each
version is a function of device, file, the version before and the words, so that asserting twice is asserting once.

A file that was forgotten stays forgotten: what it says later becomes a version under the hidden root. What was
destroyed is not asserted again; other words of that file are a new entry.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, islice

from quoth.core.errors import AdapterBroken
from quoth.core.ids import DeviceId, EntryId, EventId, SourceId, imported_entry_id
from quoth.core.ledger.entries import State
from quoth.core.ledger.operations import Draft, asserting
from quoth.core.ledger.values import Citation, Scope, Statement, StoredAnchor
from quoth.core.memory import EntryRow, Fate
from quoth.core.model import Anchor, EventRow, Json, MemoryFile, StreamState
from quoth.core.ports import Adapter, KeepsMemory
from quoth.core.speaker import Speaker
from quoth.services._memory import Memory
from quoth.services._native_places import NativePlaces
from quoth.services._native_words import says_the_same, statement
from quoth.services._placing import Placing
from quoth.services._quarantine import OURSELVES, with_quarantines

READ = "Read from the agent's memory file."
ENDED = "The agent's memory file is gone, or says nothing any more."

_NOTE = "native memory"
_SUFFIX = ".md"
_LARGEST_BLANK = 64 * 1024  # bytes; a larger file without an event is one that could not be read
_AT_ONCE = 100  # files decided on while nobody else may write


@dataclass(frozen=True, slots=True)
class Life:
    """A memory file with all its generations, of which the last counts.

    `event` and `said` are what it says now; None when it is gone or blank. `scope` is None where nobody knows it.
    """

    lives: Sequence[StreamState]
    event: EventRow | None = None
    said: Statement | None = None
    scope: Scope | None = None

    @property
    def last(self) -> StreamState:
        return self.lives[-1]

    @property
    def source(self) -> SourceId:
        return self.last.stream.source

    @property
    def path(self) -> str:
        return f"{self.last.stream.root}/{self.last.stream.key}"

    @property
    def content(self) -> bytes:
        return self.event.text.encode("utf-8") if self.event else b""


@dataclass(frozen=True, slots=True)
class NativeMemory:
    memory: Memory
    placing: Placing
    adapters: Mapping[SourceId, Adapter]

    def run(self) -> None:
        """Bring the entries up to date with the memory files that were read; a note says which are."""
        index = self.memory.index
        noted = _numbers(index.noted(_NOTE))
        states = index.whole_files(_SUFFIX)
        files = {_token(lives[-1]): lives for lives in _by_file(states)}
        changed = [lives for token, lives in files.items() if token not in noted]
        if done := list(self._done(changed)):
            index.note(_NOTE, sorted({*noted & files.keys(), *done}))

    def _done(self, changed: Iterable[Sequence[StreamState]]) -> Iterator[int]:
        """Decide on files and yield those that need not be looked at until they change."""
        places = NativePlaces(self.memory.index, self.placing)
        known = ((file, lives) for lives in changed if (file := self._described(lives[-1])))
        lives_of = (life for file, lives in known if (life := self._life(file, lives, places)))
        while some := list(islice(lives_of, _AT_ONCE)):
            with self.memory.deciding():
                drafts = [draft for life in some if (draft := self._draft(life))]
                if drafts:
                    self.memory.append(with_quarantines(drafts, actor=self._us))
            yield from (_token(life.last) for life in some)

    @property
    def _us(self) -> str:
        return OURSELVES.author(self.memory.journal.device()[1])

    # --- what a file says ---

    def _described(self, state: StreamState) -> MemoryFile | None:
        try:
            adapter = self.adapters.get(state.stream.source)
        except AdapterBroken:
            return None  # the pass has said so
        return adapter.memory_file(state.stream.key) if isinstance(adapter, KeepsMemory) else None

    def _life(self, file: MemoryFile, lives: Sequence[StreamState], places: NativePlaces) -> Life | None:
        """Return what a file says; None while that can't be told: half read, hidden, or not as the index has it."""
        last = lives[-1]
        if last.progress.signature is None or _is_there(last.stream.path) is not (not last.gone):
            return None
        now = [] if last.gone else self._events(last)
        if not now:
            is_blank = last.gone or last.progress.offset < _LARGEST_BLANK
            return Life(lives) if is_blank else None
        event = self._visible(*now[-1])
        return self._saying(Life(lives), file, event, places) if event else None

    def _visible(self, event: EventId, fate: Fate) -> EventRow | None:
        """Return an event, or the one that it repeats."""
        known = self.memory.index.resolve(event) if fate is Fate.VISIBLE else None
        return self.memory.index.event(known) if known else None

    def _saying(self, life: Life, file: MemoryFile, event: EventRow, places: NativePlaces) -> Life:
        scope = places.scope(file, life.last.stream, event)
        said = statement(
            file,
            life.last.stream,
            event,
            author=self._author(life.source),
            scope=scope or Scope(self.placing.tenant),
        )
        return replace(life, event=event, said=said, scope=scope)

    def _events(self, state: StreamState) -> Sequence[tuple[EventId, Fate]]:
        lines = state.progress.lines
        whole = Anchor(EventId(""), state.stream, 1, lines, b"")
        return self.memory.entries.on_lines(whole) if lines else []

    def _author(self, source: SourceId) -> str:
        return Speaker(agent=source).author(self.memory.journal.device()[1])

    # --- what follows from it ---

    def _draft(self, life: Life) -> Draft | None:
        """Return what is to be written; None when memory says so already, or must not."""
        versions = self._versions(life)
        old = next((row for row in versions if row.is_current), None)
        if not versions or old is None or old.version.statement is None:
            return self._first(life)
        told = max((row for row in versions if self._is_ours(row)), key=lambda row: row.version.rank)
        if life.said is None:
            return None if _is_because(told, ENDED) else self._end(life, old, versions)
        is_told = _is_because(told, READ) and self._says(told, life)
        return None if is_told else self._next(life, life.said, old, versions)

    def _first(self, life: Life) -> Draft | None:
        if life.said is None:
            return None
        entry = self._id(life, None, life.content)
        return None if self.memory.entries.version(entry) else self._asserting(life, entry, life.said)

    def _next(self, life: Life, said: Statement, old: EntryRow, versions: Sequence[EntryRow]) -> Draft | None:
        entry = self._id(life, old.id, life.content)
        if self.memory.entries.version(entry):
            return None
        later = replace(
            said,
            created_at=max(said.created_at, old.version.created_at + 1),  # ORI-55
            scope=life.scope or old.scope,
            tier=old.tier,
        )
        return self._asserting(life, entry, later, old, versions)

    def _end(self, life: Life, old: EntryRow, versions: Sequence[EntryRow]) -> Draft | None:
        entry = self._id(life, old.id, b"")
        said, now = old.version.statement, self.memory.clock.now()
        if said is None or self.memory.entries.version(entry):
            return None
        ended = replace(
            said,
            created_at=max(now, old.version.created_at + 1),
            author=self._author(life.source),
            scope=old.scope,
            tier=old.tier,
            valid_to=min(now, said.valid_to or now),
            imported=True,
        )
        body = asserting(entry, ended, root=old.root, supersedes=old.id, saw=_heads(versions))
        return Draft(body, ended.author, ENDED)

    def _asserting(
        self,
        life: Life,
        entry: EntryId,
        said: Statement,
        old: EntryRow | None = None,
        versions: Sequence[EntryRow] = (),
    ) -> Draft:
        body = asserting(
            entry,
            said,
            [self._citation(life)],
            root=old.root if old else None,
            supersedes=old.id if old else None,
            saw=_heads(versions),
            inherits=False,  # these words come from the file alone
        )
        return Draft(body, said.author, READ)

    def _citation(self, life: Life) -> Citation:
        event, stream = life.event, life.last.stream
        assert event is not None
        read = next(a for a in self.memory.index.anchors(event.id) if a.stream.rank == stream.rank)
        device = DeviceId(self.memory.journal.device()[0])
        anchor = StoredAnchor(
            device, stream.source, life.path, stream.generation, read.first_line, read.line, read.sha256, read.part
        )
        return Citation(event.id, anchor=anchor)

    # --- what was written before ---

    def _versions(self, life: Life) -> Sequence[EntryRow]:
        """Return all versions of the entry that was made of a file, the oldest first."""
        for event in (event for state in reversed(life.lives) for event, _ in self._events(state)):
            roots = sorted({row.root for row in self.memory.entries.citing(event)}, reverse=True)
            for versions in map(self.memory.entries.history, roots):
                if any(map(self._is_ours, versions)) and versions[-1].state is not State.DESTROYED:
                    return versions
        return ()

    def _is_ours(self, row: EntryRow) -> bool:
        """Tell whether this home made a version of a file, under the id it has or one that it had."""
        return _is_because(row, READ, ENDED) and row.version.device in self.memory.journal.devices()

    def _says(self, told: EntryRow, life: Life) -> bool:
        ids = {self._id(life, told.version.supersedes, life.content, device) for device in self._devices()}
        return told.id in ids or (life.said is not None and says_the_same(told.version.statement, life.said))

    def _devices(self) -> Collection[DeviceId]:
        return [DeviceId(device) for device in self.memory.journal.devices()]

    def _id(self, life: Life, previous: EntryId | None, content: bytes, device: DeviceId | None = None) -> EntryId:
        return imported_entry_id(
            self.memory.key(),
            device=device or DeviceId(self.memory.journal.device()[0]),
            source=life.source,
            path=life.path,
            previous=previous,
            content=content,
        )


def _is_because(row: EntryRow, *reasons: str) -> bool:
    """Tell whether a version was written for one of some reasons; a secret that was taken out later adds another."""
    return (row.version.reason or "").startswith(reasons)


def _by_file(states: Iterable[StreamState]) -> Iterator[Sequence[StreamState]]:
    """Yield the generations of each file, by rank."""

    def place(state: StreamState) -> tuple[str, str, str]:
        return state.stream.source, state.stream.root, state.stream.key

    for _, lives in groupby(sorted(states, key=lambda state: (*place(state), state.stream.rank)), place):
        yield list(lives)


def _token(last: StreamState) -> int:
    """Number what a file may say: another generation, its first words, coming and going are another number."""
    return last.stream.rank * 4 + last.gone * 2 + (last.progress.lines > 0)


def _numbers(noted: Json) -> set[int]:
    return {each for each in noted if isinstance(each, int)} if isinstance(noted, list) else set()


def _heads(versions: Iterable[EntryRow]) -> Sequence[EntryId]:
    """Return every version that nothing replaced yet: one that saw all of them settles a fork."""
    return [row.id for row in versions if row.is_current or row.is_concurrent]


def _is_there(path: str) -> bool | None:
    """Tell whether a file is on the disk; None when nobody can say."""
    for each in (path, f"{path}.zst"):
        try:
            os.stat(each)
        except (FileNotFoundError, NotADirectoryError):
            continue
        except (OSError, ValueError):
            return None
        return True
    return False
