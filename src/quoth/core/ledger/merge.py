"""Fold operations into the state of memory: a pure function of their set. Order and repetition change nothing.

The rules:

- A *head* is a version that no other assert of its root saw. Newest is (depth, hybrid time, device); the newest head
  is current, the other heads are concurrent, what is no head is superseded. Depth is the longest chain of versions
  that asserts saw or superseded. Equal entry ids are one version: the first in order.
- A tombstone counts until a restore names it and the target. On an event it hides the event and every root one of
  whose versions cites it, whenever that arrives. On an entry it hides the root, and with `cited` every event that any
  version of it cites; an event hidden only so hides no other entry, whose citation of it is left out.
- Destroy can't be undone: the root is hidden for ever and its statements and citations count as gone, also of versions
  that arrive later; so do payloads that it names. A destroyed event hides like a tombstone.
- Negate, confirm and demote are about a version, quarantine, release and seal about the root. A release undoes the
  quarantines it saw; nothing undoes negate and seal. Of confirms and demotes, and of moves, the last in order wins of
  those that no other one saw. Promote takes the highest tier. Relations are a set.

Every rule but three needs the operations of one root alone (`Gathered`). The three look at events, and what they need
is what `neighbourhood` selects: so a projection can go root by root and be equal to folding everything.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from quoth.core.ids import EntryId, EventId, OperationId
from quoth.core.ledger._root import Gathered, fold_root
from quoth.core.ledger.entries import HiddenEvent, Root, Tombstone
from quoth.core.ledger.operations import (
    Assert,
    Body,
    Cite,
    Destroy,
    Forget,
    Move,
    Operation,
    Relate,
    Restore,
    Subjects,
    affected,
)
from quoth.core.ledger.state import Ledger

Resolve = Callable[[EventId], EventId]


def fold(operations: Iterable[Operation], *, resolve: Resolve | None = None) -> Ledger:
    """Compute the state of memory. `resolve` gives the present id of an event whose id rule has changed."""
    ordered = sorted(_wiped(_once(operations)), key=lambda operation: operation.order)
    if resolve:
        ordered = [replace(operation, body=_resolved(operation.body, resolve)) for operation in ordered]
    roots = {root: fold_root(gathered) for root, gathered in _gather(ordered).items()}
    return Ledger(roots, dict(_hidden(ordered, roots)), {each.operation: each for each in _tombstones(ordered)})


def affected_by(operations: Iterable[Operation]) -> Subjects:
    """Return what operations are about; `reach` then tells whose state they may change."""
    found = Subjects()
    for operation in operations:
        found |= affected(operation.body)
    return found


def reach(operations: Collection[Operation], changed: Subjects) -> Subjects:
    """Return the roots and events whose state may differ after operations about `changed` were added."""
    about = _subjects(operations, lambda own: bool(own.entries & changed.entries))
    wiped = _subjects((each for each in operations if each.id in changed.operations), lambda own: True)
    events = changed.events | about.events
    citing = _subjects(operations, lambda own: bool(own.events & events))
    return Subjects(changed.entries | wiped.entries | citing.entries, events)


def neighbourhood(operations: Collection[Operation], asked: Subjects) -> list[Operation]:
    """Return the operations that decide the state of some roots and events; of others they give no whole picture."""
    own = _subjects(operations, lambda each: bool(each.entries & asked.entries or each.events & asked.events))
    events = asked.events | own.events
    entries = asked.entries | _subjects(operations, lambda each: bool(each.events & events)).entries
    found = [each for each in operations if _concerns(affected(each.body), entries, events)]
    ids = {operation.id for operation in found}
    wiping = (each for each in operations if each.id not in ids and not affected(each.body).operations.isdisjoint(ids))
    return [*found, *wiping]


def _concerns(subjects: Subjects, entries: Collection[EntryId], events: Collection[EventId]) -> bool:
    return not subjects.entries.isdisjoint(entries) or not subjects.events.isdisjoint(events)


def _subjects(operations: Iterable[Operation], chosen: Callable[[Subjects], bool]) -> Subjects:
    found = Subjects()
    for operation in operations:
        subjects = affected(operation.body)
        if chosen(subjects):
            found |= subjects
    return found


# --- the set ---


def _once(operations: Iterable[Operation]) -> Iterable[Operation]:
    """Take each operation once; of two that claim one id the lower hash counts, of two copies the fuller one."""
    taken: dict[OperationId, Operation] = {}
    for operation in operations:
        known = taken.get(operation.id)
        if known is None or _preference(operation) < _preference(known):
            taken[operation.id] = operation
    return taken.values()


def _preference(operation: Operation) -> tuple[bytes, bool]:
    return operation.header.hash, operation.header.reason is None


def _wiped(operations: Iterable[Operation]) -> Iterator[Operation]:
    """Take away what was destroyed, wherever its payload is still at hand."""
    operations = list(operations)
    destroys = [operation.body for operation in operations if isinstance(operation.body, Destroy)]
    entries = {entry for body in destroys for entry in body.entries}
    single = {each for body in destroys for each in body.operations}
    for operation in operations:
        gone = operation.id in single or is_wiped(operation.body, entries)
        yield without_payload(operation) if gone else operation


def is_wiped(body: Body, destroyed: Collection[EntryId]) -> bool:
    """Tell whether destroying some roots destroys the payload of an operation: what was said of them and quoted."""
    return isinstance(body, Assert | Cite) and body.root in destroyed


def without_payload(operation: Operation) -> Operation:
    return Operation(replace(operation.header, reason=None), _emptied(operation.body))


def _emptied(body: Body) -> Body:
    match body:
        case Assert():
            return replace(body, statement=None, citations=())
        case Cite():
            return replace(body, citations=())
        case Forget() | Destroy():
            return replace(body, fingerprints=(), anchors=())
        case Move():
            return replace(body, scope=None)
        case Relate():
            return replace(body, relation=None)
        case _:
            return body


def _resolved(body: Body, resolve: Resolve) -> Body:
    match body:
        case Assert() | Cite():
            cited = tuple(replace(each, event=resolve(each.event)) for each in body.citations)
            return replace(body, events=tuple(map(resolve, body.events)), citations=cited)
        case Forget() | Restore() | Destroy():
            return replace(body, events=tuple(map(resolve, body.events)))
        case _:
            return body


def _gather(ordered: Iterable[Operation]) -> Mapping[EntryId, Gathered]:
    roots: dict[EntryId, Gathered] = {}
    for operation in ordered:
        for root in affected(operation.body).entries:
            roots.setdefault(root, Gathered(root)).take(operation)
    return roots


# --- events and tombstones ---


@dataclass(slots=True)
class _Event:
    forgotten: set[OperationId]
    restored: set[OperationId]
    through_entries: set[OperationId]
    destroyed: bool = False


def _hidden(ordered: Iterable[Operation], roots: Mapping[EntryId, Root]) -> Iterator[tuple[EventId, HiddenEvent]]:
    events: dict[EventId, _Event] = {}
    for operation in ordered:
        for event in _targets(operation.body):
            _take(events.setdefault(event, _Event(set(), set(), set())), operation)
    for root in roots.values():
        if root.cited_tombstones:
            for event in root.cited:
                events.setdefault(event, _Event(set(), set(), set())).through_entries |= root.cited_tombstones
    for event, found in events.items():
        own = frozenset(found.forgotten - found.restored)
        hidden = HiddenEvent(own, frozenset(found.through_entries), found.destroyed)
        if hidden.is_hidden:
            yield event, hidden


def _targets(body: Body) -> Collection[EventId]:
    return body.events if isinstance(body, Forget | Restore | Destroy) else ()


def _take(event: _Event, operation: Operation) -> None:
    match operation.body:
        case Forget():
            event.forgotten.add(operation.id)
        case Restore() as body:
            event.restored.add(body.tombstone)
        case Destroy():
            event.destroyed = True


def _tombstones(ordered: Iterable[Operation]) -> Iterator[Tombstone]:
    restored: dict[OperationId, set[OperationId]] = {}
    forgets: list[tuple[Operation, Forget]] = []
    for operation in ordered:
        match operation.body:
            case Restore() as body:
                restored.setdefault(body.tombstone, set()).add(operation.id)
            case Forget() as body:
                forgets.append((operation, body))
    for operation, body in forgets:
        yield _tombstone(operation, body, frozenset(restored.get(operation.id, ())))


def _tombstone(operation: Operation, body: Forget, restored: frozenset[OperationId]) -> Tombstone:
    return Tombstone(
        operation=operation.id,
        entries=body.entries,
        events=body.events,
        cited=body.cited,
        time=operation.header.time,
        device=operation.header.device,
        actor=operation.header.actor,
        reason=operation.header.reason,
        restored=restored,
    )
