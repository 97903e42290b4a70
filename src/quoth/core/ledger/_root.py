"""Fold the operations of one root: its versions, judgements and tombstones. What events do to it comes later."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from quoth.core.ids import EntryId, EventId, OperationId
from quoth.core.ledger.entries import EntryVersion, Relation, Root
from quoth.core.ledger.operations import (
    Assert,
    Cite,
    Destroy,
    Forget,
    Judge,
    Move,
    Operation,
    Promote,
    Relate,
    Restore,
    Verdict,
)
from quoth.core.ledger.values import Citation, Epistemic, Scope, Tier

_Vote = TypeVar("_Vote", Judge, Move)


@dataclass(slots=True)
class Gathered:
    """The operations of one root by what they do, each list in order."""

    id: EntryId
    asserts: dict[EntryId, tuple[Operation, Assert]] = field(default_factory=dict)
    cites: list[Cite] = field(default_factory=list)
    judged: list[tuple[Operation, Judge]] = field(default_factory=list)
    moved: list[tuple[Operation, Move]] = field(default_factory=list)
    promoted: list[Tier] = field(default_factory=list)
    related: list[Relate] = field(default_factory=list)
    forgotten: list[tuple[Operation, Forget]] = field(default_factory=list)
    restored: set[OperationId] = field(default_factory=set)
    destroyed: bool = False
    cited: set[EventId] = field(default_factory=set)

    def take(self, operation: Operation) -> None:
        match operation.body:
            case Assert() as body:
                # The same file read again asserts the same version again: the first in order counts.
                self.asserts.setdefault(body.entry, (operation, body))
                self.cited.update(body.events)
            case Cite() as body:
                self.cites.append(body)
                self.cited.update(body.events)
            case Judge() as body:
                self.judged.append((operation, body))
            case Move() as body:
                self.moved.append((operation, body))
            case Promote() as body:
                self.promoted.append(body.tier)
            case Relate() as body:
                self.related.append(body)
            case Forget() as body:
                self.forgotten.append((operation, body))
            case Restore() as body:
                self.restored.add(body.tombstone)
            case Destroy():
                self.destroyed = True


def fold_root(gathered: Gathered) -> Root:
    """Compute the state of a root from its operations, which were taken in order."""
    versions = _versions(gathered)
    heads = _heads(gathered.asserts)
    current = max((versions[head] for head in heads), key=lambda version: version.rank, default=None)
    live = [(operation, body) for operation, body in gathered.forgotten if operation.id not in gathered.restored]
    moved = _outvoting(gathered.moved)
    return Root(
        id=gathered.id,
        versions=tuple(sorted(versions.values(), key=lambda version: version.rank)),
        heads=frozenset(heads),
        current=current,
        cited=frozenset(gathered.cited),
        tombstones=frozenset(operation.id for operation, _ in live),
        cited_tombstones=frozenset(operation.id for operation, body in live if body.cited),
        destroyed=gathered.destroyed,
        quarantines=_quarantines(gathered.judged),
        sealed=any(body.verdict is Verdict.SEAL for _, body in gathered.judged),
        scope=_scope(moved, current),
        moves=frozenset(operation.id for operation, _ in gathered.moved),
        tier=_tier(gathered.promoted, current),
        relations=frozenset(_relations(gathered.related)),
    )


# --- versions ---


def _versions(gathered: Gathered) -> Mapping[EntryId, EntryVersion]:
    depths = _depths(gathered.asserts)
    citations = _Citations(gathered)
    judged: dict[EntryId, list[tuple[Operation, Judge]]] = {}
    for operation, body in gathered.judged:
        judged.setdefault(body.entry, []).append((operation, body))
    return {
        entry: _version(operation, body, depths[entry], citations.of(entry), judged.get(entry, ()))
        for entry, (operation, body) in gathered.asserts.items()
    }


def _version(
    operation: Operation,
    body: Assert,
    depth: int,
    citations: tuple[Citation, ...],
    judged: Sequence[tuple[Operation, Judge]],
) -> EntryVersion:
    outvoting = [each for each in judged if each[1].verdict in {Verdict.CONFIRM, Verdict.DEMOTE}]
    return EntryVersion(
        id=body.entry,
        root=body.root,
        supersedes=body.supersedes,
        depth=depth,
        operation=operation.id,
        time=operation.header.time,
        device=operation.header.device,
        actor=operation.header.actor,
        reason=operation.header.reason,
        statement=body.statement,
        cites=citations,
        negated=any(body.verdict is Verdict.NEGATE for _, body in judged),
        epistemic=_epistemic(_outvoting(outvoting), body),
        judgements=frozenset(operation.id for operation, _ in outvoting),
    )


def _parents(body: Assert, known: Mapping[EntryId, object]) -> set[EntryId]:
    """Return the versions that an assert replaced knowingly, as far as they are known."""
    seen = {*body.saw, body.supersedes} - {None, body.entry}
    return {parent for parent in seen if parent is not None and parent in known}


def _depths(asserts: Mapping[EntryId, tuple[Operation, Assert]]) -> Mapping[EntryId, int]:
    """Return the length of the longest chain below each version; whatever stands on a circle has 0."""
    parents = {entry: _parents(body, asserts) for entry, (_, body) in asserts.items()}
    children: dict[EntryId, list[EntryId]] = {}
    for entry, above in parents.items():
        for parent in above:
            children.setdefault(parent, []).append(entry)
    missing = Counter({entry: len(above) for entry, above in parents.items()})
    depths, lengths = dict.fromkeys(asserts, 0), dict.fromkeys(asserts, 0)
    ready = [entry for entry in asserts if not parents[entry]]
    while ready:
        entry = ready.pop()
        depths[entry] = lengths[entry]
        for child in children.get(entry, ()):
            lengths[child] = max(lengths[child], lengths[entry] + 1)
            missing[child] -= 1
            if not missing[child]:
                ready.append(child)
    return depths


def _heads(asserts: Mapping[EntryId, tuple[Operation, Assert]]) -> set[EntryId]:
    """Return the versions that no other assert saw; all of them when a circle leaves none."""
    seen = {parent for _, body in asserts.values() for parent in _parents(body, asserts)}
    return set(asserts) - seen or set(asserts)


class _Citations:
    """The citations of a version: those of the one it supersedes, its own, those added later; each once."""

    def __init__(self, gathered: Gathered) -> None:
        self._asserts = gathered.asserts
        self._own = {entry: list(body.citations) for entry, (_, body) in gathered.asserts.items()}
        for cite in gathered.cites:
            self._own.setdefault(cite.entry, []).extend(cite.citations)

    def of(self, entry: EntryId) -> tuple[Citation, ...]:
        chain = list(self._chain(entry))
        cited = (citation for each in reversed(chain) for citation in self._own[each])
        return tuple({(citation.event, citation.quote): citation for citation in cited}.values())

    def _chain(self, entry: EntryId) -> Iterable[EntryId]:
        met: set[EntryId] = set()
        following: EntryId | None = entry
        while following in self._asserts and following not in met:
            yield following
            met.add(following)
            body = self._asserts[following][1]
            following = body.supersedes if body.inherits else None


# --- judgements and places ---


def _outvoting(given: Sequence[tuple[Operation, _Vote]]) -> _Vote | None:
    """Return the last in order of those that no other one saw."""
    seen = {earlier for operation, body in given for earlier in body.saw if earlier != operation.id}
    unseen = [each for each in given if each[0].id not in seen] or given
    return unseen[-1][1] if unseen else None


def _epistemic(verdict: Judge | None, body: Assert) -> Epistemic | None:
    if verdict is None:
        return body.statement.epistemic if body.statement else None
    if verdict.epistemic is not None:
        return verdict.epistemic
    return Epistemic.POSSIBLE if verdict.verdict is Verdict.DEMOTE else Epistemic.ACTUAL


def _quarantines(judged: Sequence[tuple[Operation, Judge]]) -> frozenset[OperationId]:
    released = {each for _, body in judged if body.verdict is Verdict.RELEASE for each in body.saw}
    quarantined = {operation.id for operation, body in judged if body.verdict is Verdict.QUARANTINE}
    return frozenset(quarantined - released)


def _scope(moved: Move | None, current: EntryVersion | None) -> Scope | None:
    if moved and moved.scope is not None:
        return moved.scope
    return current.statement.scope if current and current.statement else None


def _tier(promoted: Sequence[Tier], current: EntryVersion | None) -> Tier:
    own = current.statement.tier if current and current.statement else Tier.WORKING
    return Tier.DURABLE if Tier.DURABLE in {own, *promoted} else Tier.WORKING


def _relations(related: Iterable[Relate]) -> Iterable[Relation]:
    for body in related:
        if body.relation is not None:
            yield Relation(body.relation, body.entry, body.root, body.other, body.other_root)
