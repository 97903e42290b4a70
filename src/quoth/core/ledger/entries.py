"""What folding gives: the state of roots, their versions, events and tombstones. Plain values, no rules."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from quoth.core.ids import DeviceId, EntryId, EventId, OperationId, TombstoneId, tombstone_id
from quoth.core.ledger.clock import Hybrid
from quoth.core.ledger.values import Citation, Epistemic, Scope, Statement, Tier


class State(StrEnum):
    """What an entry is, the strongest first."""

    DESTROYED = "destroyed"
    FORGOTTEN = "forgotten"
    SEALED = "sealed"
    QUARANTINED = "quarantined"
    NEGATED = "negated"
    SUPERSEDED = "superseded"
    CURRENT = "current"


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryVersion:
    """One version of an entry. `statement` is None when its payload was destroyed or has not arrived.

    `cites` are all its citations, inherited ones first, hidden events included: `Ledger.citations` leaves those out.
    `epistemic` is what the statement says or what it was confirmed or demoted to; `judgements` are those operations.
    """

    id: EntryId
    root: EntryId
    supersedes: EntryId | None
    depth: int
    operation: OperationId
    time: Hybrid
    device: DeviceId
    actor: str
    reason: str | None
    statement: Statement | None
    cites: tuple[Citation, ...]
    negated: bool
    epistemic: Epistemic | None
    judgements: frozenset[OperationId]

    @property
    def rank(self) -> tuple[int, Hybrid, DeviceId, EntryId]:
        """Sort versions, the newest last: depth in the version chain, hybrid time, device."""
        return self.depth, self.time, self.device, self.id

    @property
    def created_at(self) -> int:
        return self.statement.created_at if self.statement else self.time.ms


@dataclass(frozen=True, slots=True)
class Relation:
    """An edge between two versions."""

    relation: str
    entry: EntryId
    root: EntryId
    other: EntryId
    other_root: EntryId


@dataclass(frozen=True, slots=True, kw_only=True)
class Root:
    """Everything that was said under one root, oldest version first; without a version when only other operations on
    it have arrived. `tombstones` are those on the entry itself that are not restored, `cited_tombstones` those of them
    that also hide what it cites; `quarantines` are those that nobody released. Tombstones on events are not in here:
    `Ledger.is_hidden` knows both."""

    id: EntryId
    versions: tuple[EntryVersion, ...]
    heads: frozenset[EntryId]
    current: EntryVersion | None
    cited: frozenset[EventId]
    tombstones: frozenset[OperationId]
    cited_tombstones: frozenset[OperationId]
    destroyed: bool
    quarantines: frozenset[OperationId]
    sealed: bool
    scope: Scope | None
    moves: frozenset[OperationId]
    tier: Tier
    relations: frozenset[Relation]

    def version(self, entry: EntryId) -> EntryVersion | None:
        return next((version for version in self.versions if version.id == entry), None)

    def is_current(self, entry: EntryId) -> bool:
        return self.current is not None and self.current.id == entry

    def is_concurrent(self, entry: EntryId) -> bool:
        """Tell whether a version lost to one that did not know it, and no correction has settled that yet."""
        return entry in self.heads and not self.is_current(entry)


@dataclass(frozen=True, slots=True)
class HiddenEvent:
    """Why an event is hidden: tombstones on itself, tombstones of entries that cite it, or for ever."""

    tombstones: frozenset[OperationId] = frozenset()
    through_entries: frozenset[OperationId] = frozenset()
    destroyed: bool = False

    @property
    def hides_entries(self) -> bool:
        """Tell whether the entries that cite it are hidden too; not so when it is hidden through an entry only."""
        return self.destroyed or bool(self.tombstones)

    @property
    def is_hidden(self) -> bool:
        return self.hides_entries or bool(self.through_entries)


@dataclass(frozen=True, slots=True, kw_only=True)
class Tombstone:
    """A forget operation as it is shown. `restored` are the operations that undid it."""

    operation: OperationId
    entries: tuple[EntryId, ...]
    events: tuple[EventId, ...]
    cited: bool
    time: Hybrid
    device: DeviceId
    actor: str
    reason: str | None
    restored: frozenset[OperationId]

    @property
    def id(self) -> TombstoneId:
        return tombstone_id(self.operation)

    @property
    def is_live(self) -> bool:
        return not self.restored
