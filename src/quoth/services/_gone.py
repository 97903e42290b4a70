"""Recognise words that were destroyed or forgotten when they come again, without keeping them (HMG-7).

What is hidden in this index is known by its entry. The fingerprints in the ledger are for what is not there any more,
and for what another device hid before its words arrived here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from quoth.core.ids import OperationId
from quoth.core.ledger.entries import State
from quoth.core.ledger.marks import fingerprint
from quoth.core.ledger.operations import Destroy, Forget, Operation, Restore
from quoth.core.memory import same_text
from quoth.core.ports import LedgerStore
from quoth.services._memory import Memory


@dataclass(slots=True)
class _Known:
    cursor: int = 0
    destroyed: set[bytes] = field(default_factory=set)
    forgotten: dict[OperationId, frozenset[bytes]] = field(default_factory=dict)
    restored: set[OperationId] = field(default_factory=set)

    def take(self, operation: Operation) -> None:
        match operation.body:
            case Destroy() as body:
                self.destroyed.update(body.fingerprints)
            case Forget() as body if body.fingerprints:
                self.forgotten[operation.id] = frozenset(body.fingerprints)
            case Restore() as body:
                self.restored.add(body.tombstone)

    def is_forgotten(self, mark: bytes) -> bool:
        live = (marks for tombstone, marks in self.forgotten.items() if tombstone not in self.restored)
        return any(mark in marks for marks in live)


@dataclass(frozen=True, slots=True)
class Gone:
    """Reads the fingerprints once, then only what was appended since."""

    memory: Memory
    _known: list[_Known] = field(default_factory=lambda: [_Known()])

    def state(self, text: str) -> State | None:
        """Tell whether exactly these words were destroyed, or forgotten in an entry that is not known here."""
        if not self.memory.is_begun():
            return None
        known, mark = self._present(), statement_mark(self.memory, text)
        if mark in known.destroyed:
            return State.DESTROYED
        is_unknown = known.is_forgotten(mark) and not self.memory.entries.equal(text, ever=True)
        return State.FORGOTTEN if is_unknown else None

    def _present(self) -> _Known:
        store = self.memory.ledger()
        known = self._known[0]
        if known.cursor == 0 or store.cursor() < known.cursor:
            known = self._known[0] = _all(store)
        while new := store.since(known.cursor):
            for each in new:
                known.take(each.operation)
            known.cursor = new[-1].cursor
        return known


def statement_mark(memory: Memory, text: str) -> bytes:
    """Return the fingerprint by which a statement is recognised."""
    return fingerprint(memory.key(), same_text(text))


def statement_marks(memory: Memory, texts: Sequence[str]) -> tuple[bytes, ...]:
    return tuple(sorted({statement_mark(memory, text) for text in texts}))


def _all(store: LedgerStore) -> _Known:
    known = _Known(cursor=store.cursor())
    for operation in store.of_kinds("destroy", "forget", "restore"):
        known.take(operation)
    return known
