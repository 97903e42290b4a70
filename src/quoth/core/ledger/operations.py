"""The nine operations on memory. Each has two halves, which `core.ledger.codec` keeps apart:

- what it binds: ids and verdicts, in the operation's row for ever, so that state can be computed after a destroy;
- what it says: statement, citations, scope, words of a relation, reason. That is the payload; it may be destroyed,
  and is None (or empty) here then.

`saw` always names what the writer knew and replaces, undoes or outvotes: heads, quarantines, earlier judgements.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from quoth.core.ids import DeviceId, EntryId, EventId, OperationId
from quoth.core.ledger.clock import Hybrid
from quoth.core.ledger.values import Citation, Epistemic, Scope, Statement, StoredAnchor, Tier


class Verdict(StrEnum):
    NEGATE = "negate"
    CONFIRM = "confirm"
    DEMOTE = "demote"
    QUARANTINE = "quarantine"
    RELEASE = "release"
    SEAL = "seal"


@dataclass(frozen=True, slots=True)
class Assert:
    """A version of an entry; make it with `asserting`. `saw` are the heads the writer knew, `events` what it cites.

    Without `inherits` it does not take over the citations of the version it supersedes.
    """

    entry: EntryId
    root: EntryId
    supersedes: EntryId | None
    saw: tuple[EntryId, ...]
    events: tuple[EventId, ...]
    inherits: bool
    statement: Statement | None
    citations: tuple[Citation, ...]


@dataclass(frozen=True, slots=True)
class Cite:
    """Citations that a version got later; make it with `citing`."""

    entry: EntryId
    root: EntryId
    events: tuple[EventId, ...]
    citations: tuple[Citation, ...]


@dataclass(frozen=True, slots=True)
class Judge:
    """A verdict. Negate, confirm and demote are about the version `entry`, the others about the root.

    `epistemic` is what a confirmed or demoted version is from then on. `saw` holds, for a release, the quarantines it
    undoes, for confirm and demote the earlier ones of that version.
    """

    verdict: Verdict
    entry: EntryId
    root: EntryId
    epistemic: Epistemic | None = None
    saw: tuple[OperationId, ...] = ()


@dataclass(frozen=True, slots=True)
class Forget:
    """A tombstone on entries (by root) and events; with `cited` also on every event that those entries cite.

    `fingerprints` recognise what must not come back, `anchors` find the events when the rule of their ids changes.
    """

    entries: tuple[EntryId, ...] = ()
    events: tuple[EventId, ...] = ()
    cited: bool = False
    fingerprints: tuple[bytes, ...] = ()
    anchors: tuple[tuple[EventId, StoredAnchor], ...] = ()


@dataclass(frozen=True, slots=True)
class Restore:
    """Undoes one tombstone; make it with `restoring`. It names the tombstone's targets again, so that whoever folds
    one root finds it."""

    tombstone: OperationId
    entries: tuple[EntryId, ...]
    events: tuple[EventId, ...]


@dataclass(frozen=True, slots=True)
class Destroy:
    """Wipes for ever: every version of entries (by root), single operations' payloads, words of events.

    `fingerprints` recognise statements and raw lines that must not come back; `anchors` are as in `Forget`, without
    hashes, which would let somebody try what the lines said.
    """

    entries: tuple[EntryId, ...] = ()
    events: tuple[EventId, ...] = ()
    operations: tuple[OperationId, ...] = ()
    fingerprints: tuple[bytes, ...] = ()
    anchors: tuple[tuple[EventId, StoredAnchor], ...] = ()


@dataclass(frozen=True, slots=True)
class Move:
    """Gives a root another scope; `saw` are the earlier moves."""

    root: EntryId
    scope: Scope | None
    saw: tuple[OperationId, ...] = ()


@dataclass(frozen=True, slots=True)
class Promote:
    """Raises a root to a tier."""

    root: EntryId
    tier: Tier


@dataclass(frozen=True, slots=True)
class Relate:
    """An edge from one version to another; `relation` is its name (`derived_lesson_from`)."""

    entry: EntryId
    root: EntryId
    other: EntryId
    other_root: EntryId
    relation: str | None


Body: TypeAlias = Assert | Cite | Judge | Forget | Restore | Destroy | Move | Promote | Relate


@dataclass(frozen=True, slots=True)
class Draft:
    """An operation that is not yet in a series."""

    body: Body
    actor: str
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Header:
    """What every operation has. `reason` is None once its payload is gone."""

    id: OperationId
    device: DeviceId
    sequence: int
    time: Hybrid
    actor: str
    reason: str | None
    commitment: bytes
    previous: bytes
    hash: bytes


@dataclass(frozen=True, slots=True)
class Operation:
    header: Header
    body: Body

    @property
    def id(self) -> OperationId:
        return self.header.id

    @property
    def order(self) -> tuple[Hybrid, DeviceId, OperationId]:
        """Sort operations: hybrid time, then device; the id only makes it total."""
        return self.header.time, self.header.device, self.header.id


@dataclass(frozen=True, slots=True)
class Subjects:
    """What operations are about: roots, events, and operations whose payload they wipe."""

    entries: frozenset[EntryId] = frozenset()
    events: frozenset[EventId] = frozenset()
    operations: frozenset[OperationId] = frozenset()

    def __or__(self, other: Subjects) -> Subjects:
        return Subjects(self.entries | other.entries, self.events | other.events, self.operations | other.operations)


def asserting(
    entry: EntryId,
    statement: Statement,
    citations: Sequence[Citation] = (),
    *,
    root: EntryId | None = None,
    supersedes: EntryId | None = None,
    saw: Iterable[EntryId] = (),
    inherits: bool = True,
) -> Assert:
    """Make the first version of an entry, or with `root`, `supersedes` and the heads `saw` a later one."""
    if (supersedes is None) != (root is None or root == entry):
        raise ValueError("a first version is its own root; a later one names its root and what it supersedes")
    seen = tuple(sorted(set(saw)))
    return Assert(entry, root or entry, supersedes, seen, _events(citations), inherits, statement, tuple(citations))


def citing(entry: EntryId, root: EntryId, citations: Sequence[Citation]) -> Cite:
    return Cite(entry, root, _events(citations), tuple(citations))


def restoring(tombstone: OperationId, forget: Forget) -> Restore:
    return Restore(tombstone, forget.entries, forget.events)


def affected(body: Body) -> Subjects:
    """Return what an operation is about: the roots and events whose state it may change by itself."""
    match body:
        case Assert() | Cite():
            return Subjects(frozenset({body.root}), frozenset(body.events))
        case Forget() | Restore():
            return Subjects(frozenset(body.entries), frozenset(body.events))
        case Destroy():
            return Subjects(frozenset(body.entries), frozenset(body.events), frozenset(body.operations))
        case Relate():
            return Subjects(frozenset({body.root, body.other_root}))
        case Judge() | Move() | Promote():
            return Subjects(frozenset({body.root}))


def _events(citations: Iterable[Citation]) -> tuple[EventId, ...]:
    return tuple(sorted({citation.event for citation in citations}))
