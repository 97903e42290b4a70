"""The ledger and what the index shows of it: the one way in which services write and read memory.

An operation is on the disk before the index hears of it. Whoever reads first catches up with what was appended since,
so a process that was killed in between, or another one, leaves nothing unseen.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from quoth.core.errors import Ambiguous, Forgotten, UnknownId
from quoth.core.ids import DeviceId, EventId
from quoth.core.ledger.arrivals import Numbered
from quoth.core.ledger.entries import State
from quoth.core.ledger.merge import affected_by, fold
from quoth.core.ledger.operations import Assert, Cite, Destroy, Draft, Forget, Operation
from quoth.core.ledger.values import StoredAnchor
from quoth.core.memory import EntryRow, Fate, MemoryIndex
from quoth.core.model import EventRow
from quoth.core.ports import Clock, Index, Journal, LedgerStore

GONE = frozenset({State.FORGOTTEN, State.DESTROYED})


@dataclass(frozen=True, slots=True)
class Memory:
    """`ledger` opens the store, `is_begun` tells whether there is one, `key` gives the key of the person's devices."""

    ledger: Callable[[], LedgerStore]
    is_begun: Callable[[], bool]
    index: Index
    journal: Journal
    key: Callable[[], bytes]
    clock: Clock

    @property
    def entries(self) -> MemoryIndex:
        return self.index.memory

    # --- writing ---

    @contextmanager
    def deciding(self) -> Iterator[None]:
        """Let nobody else write memory: what is read inside is still true when it is appended to."""
        with self.ledger().writing():
            self.catch_up()
            yield
        self.catch_up()

    def append(self, drafts: Sequence[Draft]) -> Sequence[Operation]:
        """Add operations; they are in the index when `deciding` ends, or at once outside of it."""
        device, _ = self.journal.device()
        return self.ledger().append(drafts, device=DeviceId(device), now=self.clock.now())

    def catch_up(self) -> None:
        """Show in the index everything that the ledger holds."""
        if not self.is_begun():
            return
        store, cursor = self.ledger(), self.entries.cursor()
        while new := store.since(cursor):
            self._project(new)
            cursor = new[-1].cursor

    def _project(self, new: Sequence[Numbered]) -> None:
        store, spelled = self.ledger(), self.entries.spellings
        operations = [each.operation for each in new]
        for event, anchor in _anchored(operations):
            if self.entries.fate(event) is Fate.UNKNOWN:
                self.entries.adopt(event, anchor)
        reach = store.reach(affected_by(operations), same=spelled)
        ledger = fold(store.about(reach, same=spelled), resolve=lambda event: spelled(event)[0])
        self.entries.project(ledger, reach, cursor=new[-1].cursor)

    # --- reading ---

    def entry(self, given: str) -> EntryRow:
        """Return the version that a text names in any spelling.

        Raises:
            UnknownId, Ambiguous: it names none, or several.
            Forgotten: it is forgotten or destroyed.
        """
        row = self.any_entry(given)
        if row.state in GONE:
            raise Forgotten(given)
        return row

    def any_entry(self, given: str) -> EntryRow:
        """Return the version that a text names, whatever its state.

        Raises:
            UnknownId, Ambiguous: it names none, or several.
        """
        self.catch_up()
        found = self.entries.find(given)
        if len(found) > 1:
            raise Ambiguous("Entry", given, found)
        row = self.entries.version(found[0]) if found else None
        if row is None:
            raise UnknownId(given)
        return row

    def event(self, given: str) -> EventRow:
        """Return the visible event that an id names.

        Raises:
            UnknownId: no event has or had that id.
            Forgotten: it is forgotten or destroyed.
        """
        self.catch_up()
        if self.entries.fate(given) in {Fate.FORGOTTEN, Fate.DESTROYED}:
            raise Forgotten(given)
        known = self.index.resolve(given)
        event = self.index.event(known) if known else None
        if event is None:
            raise UnknownId(given)
        return event


def is_entry_id(given: str) -> bool:
    """Tell whether a text can only name an entry: an event's id has a colon, an entry's never."""
    return ":" not in given


def _anchored(operations: Sequence[Operation]) -> Iterator[tuple[EventId, StoredAnchor]]:
    """Yield the events that operations name, with where they were read."""
    for operation in operations:
        match operation.body:
            case Assert() | Cite() as body:
                yield from ((cited.event, cited.anchor) for cited in body.citations if cited.anchor)
            case Forget() | Destroy() as body:
                yield from body.anchors
