"""Carry out what was decided of a statement: the last steps of admission, the same for every door (DESIGN §6).

Words that address an agent's instructions are kept, quarantined in the same step: nobody is shown them, and only the
person releases them. They outdate nothing, and take no entry's place by its name.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from secrets import token_bytes

from quoth.core.errors import InvalidArgument, NotStored, QuothError, SaidBefore
from quoth.core.ids import ENTROPY, EntryId, entry_id, time_ordered
from quoth.core.ledger.entries import State
from quoth.core.ledger.operations import Assert, Draft, Relate, asserting, citing
from quoth.core.ledger.values import Statement
from quoth.core.memory import EntryRow, MemoryIndex
from quoth.core.verdicts import (
    OUTDATED,
    Add,
    Candidate,
    Conflict,
    Decision,
    NameTaken,
    Noop,
    NothingToReplace,
    Refuse,
    Snapshot,
    Supersede,
    Update,
    decide,
    refusal,
)
from quoth.services._entry_shapes import outdated_by
from quoth.services._gone import Gone
from quoth.services._memory import Memory
from quoth.services._quarantine import OURSELVES, quarantining
from quoth.services._similar import CANDIDATES

_WORDS = {State.DESTROYED: "tombstoned"}


@dataclass(frozen=True, slots=True)
class Stored:
    """What became of a statement: the entry that says it now, and those that are against it."""

    entry: EntryId
    decision: Decision
    conflicts: Sequence[Conflict] = ()


@dataclass(frozen=True, slots=True)
class Deciding:
    memory: Memory
    gone: Gone

    def alike(self, text: str) -> Sequence[EntryRow]:
        """Return the entries that share words with a text. It takes a while, so nobody has to wait for it."""
        self.memory.catch_up()
        return self.memory.entries.alike(text, limit=CANDIDATES)

    def store(
        self,
        candidate: Candidate,
        hostile: Sequence[str] = (),
        *,
        alike: Sequence[EntryRow] = (),
        reason: str = "",
    ) -> Stored:
        """Decide on a candidate and append what follows; the caller lets nobody else write (`Memory.deciding`).

        `alike` are the entries that share words with it, as they were a moment before.

        Raises:
            SaidBefore: its words were judged, hidden or destroyed.
            InvalidArgument: its name is taken, or its type is only for entries that are there.
        """
        if hostile:
            candidate = replace(candidate, said=replace(candidate.said, name=None))
        said, seen = candidate.said, self._snapshot(candidate, alike)
        match decide(candidate, seen):
            case (Refuse() | NameTaken() | NothingToReplace()) as refused:
                raise _failure(refused, said)
            case Noop(row) | Update(row, ()):
                return Stored(row.id, Decision.NOOP)
            case Update(row, citations):
                self.memory.append([Draft(citing(row.id, row.root, citations), said.author)])
                return Stored(row.id, Decision.UPDATE)
            case Add(conflicts):
                body = asserting(fresh_id(said.created_at), said, candidate.citations)
                found = () if hostile else conflicts
                self.append(body, author=said.author, reason=reason, hostile=hostile, conflicts=found)
                return Stored(body.entry, Decision.ADD, found)
            case Supersede(row, conflicts):
                body = self._following(row, candidate)
                self.append(body, author=said.author, reason=reason, conflicts=conflicts)
                return Stored(body.entry, Decision.SUPERSEDE, conflicts)

    def append(
        self,
        body: Assert,
        *,
        author: str,
        reason: str = "",
        hostile: Sequence[str] = (),
        conflicts: Sequence[Conflict] = (),
        more: Sequence[Draft] = (),
    ) -> None:
        """Append a version with everything that follows from it, in one step."""
        marks = [Draft(_outdating(each, body), self._us, each.likeness.because) for each in conflicts]
        quarantine = quarantining(body.entry, body.root, hostile, actor=self._us)
        self.memory.append([Draft(body, author, reason), *quarantine, *marks, *more])

    def _following(self, old: EntryRow, candidate: Candidate) -> Assert:
        """Return the next version of an entry, its fields merged by the rules of its type."""
        was = old.version.statement.fields if old.version.statement else {}
        said = replace(candidate.said, fields=candidate.type.merged(was, candidate.said.fields))
        said = dated(said, old, now=said.created_at)
        seen = {row.id for row in heads(self.memory.entries, old)}
        return asserting(
            fresh_id(said.created_at), said, candidate.citations, root=old.root, supersedes=old.id, saw=seen
        )

    def demand_fresh_words(self, said: Statement, *, root: EntryId) -> None:
        """Demand that the words of a correction were not governed in another entry.

        Raises:
            SaidBefore: they were.
        """
        equal = [row for row in self.memory.entries.equal(said.text, scope=said.scope) if row.root != root]
        if found := refusal(Snapshot(equal=equal, gone=self.gone.state(said.text))):
            raise SaidBefore(_WORDS.get(found.state, found.state.value), found.entry)

    @property
    def _us(self) -> str:
        return OURSELVES.author(self.memory.journal.device()[1])

    def _snapshot(self, candidate: Candidate, alike: Sequence[EntryRow]) -> Snapshot:
        said, entries = candidate.said, self.memory.entries
        return Snapshot(
            named=entries.named(said.name, type=said.type, scope=said.scope) if said.name else (),
            equal=entries.equal(said.text, scope=said.scope, ever=candidate.once),
            alike=alike,
            doubted=frozenset(row.id for row in alike if outdated_by(row, entries)),
            gone=self.gone.state(said.text),
        )


def _failure(verdict: Refuse | NameTaken | NothingToReplace, said: Statement) -> QuothError:
    match verdict:
        case Refuse(state, entry):
            return SaidBefore(_WORDS.get(state, state.value), entry)
        case NameTaken(entry):
            return InvalidArgument("name", f"another one: {entry} has it; correct that entry instead")
        case NothingToReplace():
            return InvalidArgument("type", f"another one; an agent may only correct an entry of the type {said.type}")


def _outdating(conflict: Conflict, new: Assert) -> Relate:
    """Mark the one of the two that is less likely to be so."""
    old = conflict.row
    if conflict.is_won_by_older:
        return Relate(new.entry, new.root, old.id, old.root, OUTDATED)
    return Relate(old.id, old.root, new.entry, new.root, OUTDATED)


def fresh_id(now: int) -> EntryId:
    return entry_id(time_ordered(now, token_bytes(ENTROPY)))


def heads(entries: MemoryIndex, row: EntryRow) -> Sequence[EntryRow]:
    """Return a version with all that nothing replaced yet; a correction that saw all of them settles a fork."""
    return [row, *(each for each in entries.heads(row.root) if each.id != row.id)]


def dated(said: Statement, old: EntryRow, *, now: int) -> Statement:
    """Write a statement down later than what it replaces (ORI-55), and where that is."""
    return replace(said, created_at=max(now, old.version.created_at + 1), scope=old.scope, tier=old.tier)


def read_back(entries: MemoryIndex, entry: EntryId, text: str) -> EntryRow:
    """Return what was written as readers will find it.

    Raises:
        NotStored: it is not there, or says something else.
    """
    row = entries.version(entry)
    if row is None or row.version.statement is None or row.version.statement.text != text:
        raise NotStored(f"Entry {entry}")
    return row
