"""Decide what becomes of a statement: a pure function of it and of what is remembered already (DESIGN §6).

Only an explicit correction, or the same name of a type whose entries may be replaced, supersedes. Distinct facts are
never merged: what says nearly the same is kept beside it, and where the two can't both be so the older is marked as
possibly outdated. Nothing here asks a model; `likeness` says by which words it decided.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from quoth.core.ids import EntryId
from quoth.core.ledger.entries import State
from quoth.core.ledger.values import Attribution, Citation, Statement
from quoth.core.likeness import Likeness, Newer
from quoth.core.memory import EntryRow
from quoth.core.types import EntryType, Mode

OUTDATED = "possibly_outdated_by"
"""The edge from an entry to the one against it that is more likely to be so."""

GOVERNED = (State.DESTROYED, State.SEALED, State.FORGOTTEN, State.QUARANTINED)
"""States in which words may not come back by being said again."""


class Decision(StrEnum):
    """What a door answers."""

    ADD = "ADD"
    UPDATE = "UPDATE"
    SUPERSEDE = "SUPERSEDE"
    NOOP = "NOOP"


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """What somebody wants remembered. With `distinct` it is never taken for another entry that says the same,
    `adds_citations` gives what it cites to that one. `once` keeps back also what was said and replaced. `may_begin`
    lets it be the first of a type that is only replaced.
    """

    said: Statement
    type: EntryType
    citations: Sequence[Citation] = ()
    distinct: bool = False
    adds_citations: bool = False
    once: bool = False
    may_begin: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Snapshot:
    """What is remembered that matters.

    `named` have the candidate's name in its scope and type, `equal` say the same in its scope, whatever their state
    (for `once` in any version), `alike` share words with it; `doubted` are those of them that another entry is against
    already. `gone` is what became of exactly its words where no entry shows that any more.
    """

    named: Sequence[EntryRow] = ()
    equal: Sequence[EntryRow] = ()
    alike: Sequence[EntryRow] = ()
    doubted: frozenset[EntryId] = frozenset()
    gone: State | None = None


@dataclass(frozen=True, slots=True)
class Conflict:
    """An older entry that can't be so if the candidate is. What the person said wins against what others say, also
    when it is older (HMG-33); else the newer one does."""

    row: EntryRow
    likeness: Likeness
    is_won_by_older: bool


@dataclass(frozen=True, slots=True)
class Add:
    """It becomes an entry."""

    conflicts: Sequence[Conflict] = ()


@dataclass(frozen=True, slots=True)
class Update:
    """It is said already; that entry gets these citations."""

    row: EntryRow
    citations: Sequence[Citation]


@dataclass(frozen=True, slots=True)
class Supersede:
    """It becomes the next version of an entry."""

    row: EntryRow
    conflicts: Sequence[Conflict] = ()


@dataclass(frozen=True, slots=True)
class Noop:
    """It is said already."""

    row: EntryRow


@dataclass(frozen=True, slots=True)
class Refuse:
    """It may not come back: `state` is what was done with the same words, `entry` where, if that is still known."""

    state: State
    entry: EntryId | None = None


@dataclass(frozen=True, slots=True)
class NameTaken:
    """Another entry has its name, and entries of its type are not replaced."""

    entry: EntryId


@dataclass(frozen=True, slots=True)
class NothingToReplace:
    """Entries of its type are only replaced, and none has its name."""


Verdict: TypeAlias = Add | Update | Supersede | Noop | Refuse | NameTaken | NothingToReplace


def decide(candidate: Candidate, snapshot: Snapshot) -> Verdict:
    """Return what becomes of a candidate."""
    if refused := refusal(snapshot) or _softer_refusal(candidate, snapshot):
        return refused
    named = next(iter(snapshot.named), None)
    is_same = named is not None and _is_same(named, candidate)
    if named and not is_same and candidate.type.mode is not Mode.ADD_ONLY:
        return Supersede(named, _conflicts(candidate, snapshot, but=named))
    known = named if is_same else _said_already(snapshot, candidate.said.created_at)
    if known and not candidate.distinct:
        new = uncited_yet(known, candidate.citations) if candidate.adds_citations else ()
        return Update(known, new) if new else Noop(known)
    if named:
        return NameTaken(named.id)
    if candidate.type.mode is Mode.UPDATE_ONLY and not candidate.may_begin:
        return NothingToReplace()
    return Add(_conflicts(candidate, snapshot))


def uncited_yet(row: EntryRow, citations: Sequence[Citation]) -> Sequence[Citation]:
    """Return the citations that an entry does not have: other events, or other words of the same."""
    known = {(each.event, each.quote) for each in row.version.cites}
    events = {each.event for each in row.version.cites}
    return [
        each for each in citations if (each.event, each.quote) not in known and (each.quote or each.event not in events)
    ]


def is_in_force(row: EntryRow, now: int) -> bool:
    """Tell whether an entry has not ended."""
    said = row.version.statement
    return said is not None and (said.valid_to is None or said.valid_to > now)


def refusal(snapshot: Snapshot) -> Refuse | None:
    """Tell whether the words were hidden or destroyed."""
    return Refuse(snapshot.gone) if snapshot.gone else _refused(snapshot, GOVERNED)


def _softer_refusal(candidate: Candidate, snapshot: Snapshot) -> Refuse | None:
    """Tell whether the words were negated, or replaced where that counts, and nothing current says them."""
    if candidate.distinct or _said_already(snapshot, candidate.said.created_at):
        return None
    return _refused(snapshot, (State.NEGATED, State.SUPERSEDED) if candidate.once else (State.NEGATED,))


def _refused(snapshot: Snapshot, states: Sequence[State]) -> Refuse | None:
    rows = {state: row for row in reversed(snapshot.equal) if (state := row.state) in states}
    return next((Refuse(state, rows[state].id) for state in states if state in rows), None)


def _said_already(snapshot: Snapshot, now: int) -> EntryRow | None:
    return next((row for row in snapshot.equal if row.state is State.CURRENT and is_in_force(row, now)), None)


def _is_same(row: EntryRow, candidate: Candidate) -> bool:
    """Tell whether an entry says the words of a candidate, and would have the same fields after it."""
    old, new = row.version.statement, candidate.said
    if old is None or old.text != new.text:
        return False
    return not new.fields or candidate.type.merged(old.fields, new.fields) == old.fields


def _conflicts(candidate: Candidate, snapshot: Snapshot, *, but: EntryRow | None = None) -> Sequence[Conflict]:
    """Return the entries of the same place that can't be so if the candidate is; what is doubted already is left out.

    So a value that changes every day leaves a chain of marks, each old entry having one, and not one for every pair.
    """
    said, found = candidate.said, list[Conflict]()
    newer = Newer(said.text)
    for row in snapshot.alike:
        old = row.version.statement
        if old is None or row.scope != said.scope or (but and row.root == but.root) or row.id in snapshot.doubted:
            continue
        likeness = newer.against(old.text)
        if likeness.outdates and is_in_force(row, said.created_at):
            found.append(Conflict(row, likeness, _outranks(old, said)))
    return tuple(found)


def _outranks(one: Statement, other: Statement) -> bool:
    return one.attribution is Attribution.USER and other.attribution is not Attribution.USER
