"""The ledger and what the index shows of it: the one way in which services write and read memory.

An operation is on the disk before the index hears of it. Whoever reads first catches up with what was appended since,
so a process that was killed in between, or another one, leaves nothing unseen.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass

from quoth.core.errors import Ambiguous, Busy, Forgotten, StoreFailed, UnknownId
from quoth.core.ids import DeviceId, EventId
from quoth.core.ledger.arrivals import Numbered
from quoth.core.ledger.entries import State
from quoth.core.ledger.merge import affected_by, fold
from quoth.core.ledger.operations import Assert, Cite, Destroy, Draft, Forget, Operation, Subjects
from quoth.core.ledger.values import StoredAnchor
from quoth.core.memory import EntryRow, Fate, MemoryIndex
from quoth.core.model import EventRow
from quoth.core.ports import Clock, Index, Journal, LedgerStore
from quoth.core.vectors import Wiping

GONE = frozenset({State.FORGOTTEN, State.DESTROYED})
SHOWN = frozenset({State.CURRENT, State.NEGATED})


@dataclass(frozen=True, slots=True)
class Memory:
    """`ledger` opens the store, `is_begun` tells whether there is one, `key` gives the key of the person's devices.

    `changed` hears that something was written. `vectors` loses what is forgotten; None where there can be none.
    """

    ledger: Callable[[], LedgerStore]
    is_begun: Callable[[], bool]
    index: Index
    journal: Journal
    key: Callable[[], bytes]
    clock: Clock
    changed: Callable[[], None] = lambda: None
    vectors: Wiping | None = None

    @property
    def entries(self) -> MemoryIndex:
        return self.index.memory

    # --- writing ---

    @contextmanager
    def deciding(self) -> Iterator[None]:
        """Let nobody else write memory: what is read inside is still true when it is appended to."""
        store = self.ledger()
        with store.writing():
            self.catch_up()
            before = store.cursor()
            yield
        self._show_all(store)
        self._wipe()
        if store.cursor() != before:
            self.changed()

    def append(self, drafts: Sequence[Draft]) -> Sequence[Operation]:
        """Add operations; they are in the index when `deciding` ends, or at once outside of it."""
        device, _ = self.journal.device()
        return self.ledger().append(drafts, device=DeviceId(device), now=self.clock.now())

    def catch_up(self) -> None:
        """Show in the index everything that the ledger holds, and leave no vector of what it hides (INV-5).

        A cache of vectors that can't be written keeps nobody from reading: the index finds nothing by it that is
        hidden. Who wrote is told, `doctor` tells it, and each one who comes later tries again.
        """
        if self.is_begun():
            self._show_all(self.ledger())
            with suppress(Busy, StoreFailed):
                self._wipe()

    def _show_all(self, store: LedgerStore) -> None:
        while self._lags(store):
            pass

    def _wipe(self) -> None:
        if self.vectors and (keys := self.index.unsaid()):
            self.vectors.wipe(keys)
            self.index.wiped(keys)

    def _lags(self, store: LedgerStore) -> bool:
        """Show a part of what is not shown yet; False when there is nothing."""
        cursor, respelled = self.entries.cursor(), self.entries.respelled()
        if store.cursor() < cursor:  # another ledger took the place of the one that was shown
            self._project(store.since(0, limit=cursor), after=None, mark=respelled.mark)
        elif new := store.since(cursor):
            self._project(new, after=cursor, mark=respelled.mark)
        elif respelled.events:
            self._show(Subjects(events=respelled.events), cursor=cursor, after=cursor, mark=respelled.mark)
        else:
            return False
        return True

    def _project(self, new: Sequence[Numbered], *, after: int | None, mark: int) -> None:
        operations = [each.operation for each in new]
        for event, anchor in _anchored(operations):
            if self.entries.fate(event) is Fate.UNKNOWN:
                self.entries.adopt(event, anchor)
        self._show(affected_by(operations), cursor=new[-1].cursor if new else 0, after=after, mark=mark)

    def _show(self, changed: Subjects, *, cursor: int, after: int | None, mark: int) -> None:
        store, spelled = self.ledger(), self.entries.spellings
        reach = store.reach(changed, same=spelled)
        ledger = fold(store.about(reach, same=spelled), resolve=lambda event: spelled(event)[0])
        self.entries.project(ledger, reach, cursor=cursor, after=after, mark=mark)

    # --- reading ---

    def entry(self, given: str) -> EntryRow:
        """Return the version that a text names in any spelling.

        Raises:
            UnknownId, Ambiguous: it names none, or several.
            Forgotten: it is forgotten or destroyed; a version that was destroyed alone is answered, without its words,
                as long as the current one is shown.
        """
        row = self.any_entry(given)
        if row.state in GONE and not self._leads_on(row):
            raise Forgotten(given)
        return row

    def _leads_on(self, row: EntryRow) -> bool:
        """Tell whether a version that was destroyed, as one that held a secret, was replaced by one that is shown."""
        if row.state is not State.DESTROYED or row.is_current or row.current is None:
            return False
        current = self.entries.version(row.current)
        return current is not None and current.state in SHOWN

    def any_entry(self, given: str) -> EntryRow:
        """Return the version that a text names, whatever its state; of several, the one that is not gone.

        Raises:
            UnknownId, Ambiguous: it names none, or several.
            Forgotten: all that it names are gone.
        """
        self.catch_up()
        rows = [row for found in self.entries.find(given) if (row := self.entries.version(found))]
        if len(rows) > 1:
            rows = [row for row in rows if row.state not in GONE]  # no answer names what is forgotten
            if not rows:
                raise Forgotten(given)
        if len(rows) > 1:
            raise Ambiguous("Entry", given, [row.id for row in rows])
        if not rows:
            raise UnknownId(given)
        return rows[0]

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
