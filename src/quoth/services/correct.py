"""Correct: write a version that replaces the current one; the old one stays in the history (ORI-53 to 55)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from quoth.core.errors import CannotJudge, Forgotten, InvalidArgument, NotCurrent, SaidBefore
from quoth.core.judging import Action, refusal
from quoth.core.ledger.entries import State
from quoth.core.ledger.operations import asserting
from quoth.core.ledger.values import Citation, Statement
from quoth.core.memory import EntryRow, Quoted, same_text
from quoth.core.model import Json
from quoth.core.speaker import Speaker
from quoth.core.types import Types
from quoth.core.verdicts import is_in_force, uncited_yet
from quoth.services._admission import CONFIDENCES, Admission, demand_free_name, demand_sources
from quoth.services._change import KEEP, Change, Kept
from quoth.services._citing import Citing
from quoth.services._deciding import Deciding, dated, fresh_id, heads, read_back
from quoth.services._entry_shapes import HELD, entry_shape
from quoth.services._memory import Memory
from quoth.services._placing import Placing

__all__ = ["KEEP", "Correct", "Kept"]


@dataclass(frozen=True, slots=True)
class Correct:
    """`read_recent` reads new lines of logs first, so that what was just said can be cited (ORI-65)."""

    memory: Memory
    citing: Citing
    placing: Placing
    types: Callable[[], Types]
    read_recent: Callable[[], str | None]
    deciding: Deciding

    def run(
        self,
        id: str,  # noqa: A002 - the contract's word
        text: str | None = None,
        *,
        by: Speaker,
        kind: str | Kept | None = KEEP,
        confidence: float | Kept | None = KEEP,
        sources: Sequence[Quoted] = (),
        valid_from: str | Kept | None = KEEP,
        valid_to: str | Kept | None = KEEP,
        type: str | Kept | None = KEEP,  # noqa: A002 - the contract's word
        name: str | Kept | None = KEEP,
        tags: Sequence[str] | Kept | None = KEEP,
        importance: float | Kept | None = KEEP,
        event_time: str | Kept | None = KEEP,
        fields: Mapping[str, Json] | Kept | None = KEEP,
        reason: str = "",
    ) -> dict[str, Json]:
        """Write a new version and return `{entry, verdict, redacted}`; NOOP when nothing would be another.

        New sources come after those of the version before. None keeps what an entry can't be without. How sure other
        words are, and whether they deny, follows from them. Words that address an agent's instructions are stored with
        the entry quarantined, and the answer has `quarantined`, the names of the rules.

        Raises:
            NotCurrent: the id names a version that was corrected already.
            SaidBefore: exactly this was sealed, quarantined, forgotten or tombstoned elsewhere.
            Invalid, Unknown: the entry is forgotten or unknown, or an argument can't be used; nothing was stored.
            NotStored: what was written does not read back.
        """
        change = Change(text, kind, type, name, tags, fields, confidence, importance, valid_from, valid_to, event_time)
        admit = Admission(self.types(), self.memory.clock.now())
        why = admit.reason(reason)
        demand_sources(sources)
        statement = change.applied(admit, self._current(id), by)
        note = self.read_recent()
        new = _New(statement, self.citing.resolve(sources, note=note) if sources else ())
        row, verdict = self._stored(new, lambda: self._current(id), by, reason=why, hostile=admit.hostile())
        return _answer(row, verdict, admit)

    def replace_with(self, id: str, text: str, *, by: Speaker, reason: str) -> dict[str, Json]:  # noqa: A002 - as above
        """Put other words in the place of a version, also of one that was negated or replaced before (HMG-19).

        What was current till then is superseded too: an entry has one current version at any time. The answer is that
        of `run`.

        Raises:
            CannotJudge: the version is held back or gone, or it or the current one says exactly that already.
            SaidBefore: another entry says or said exactly that.
            Invalid, Unknown, NotStored: as in `run`.
        """
        change = Change(text, KEEP, KEEP, KEEP, KEEP, KEEP, KEEP, KEEP, KEEP, KEEP, KEEP)
        admit = Admission(self.types(), self.memory.clock.now())
        why = admit.reason(reason)
        if not why:
            raise InvalidArgument("reason", "said: why it is replaced")
        old = self._replaceable(id)
        statement = _as_sure(change.applied(admit, old, by), old)
        self.read_recent()

        def target() -> EntryRow:
            row = self._replaceable(id)
            self._demand_other_words(row, statement)
            return row

        row, verdict = self._stored(_New(statement), target, by, reason=why, hostile=admit.hostile())
        return _answer(row, verdict, admit)

    # --- which version ---

    def _current(self, given: str) -> EntryRow:
        """Return the version that is named, if it can be corrected."""
        row = self.memory.entry(given)
        if row.state in HELD:
            raise Forgotten(given)
        if not row.is_current:
            raise NotCurrent(given, row.current or row.root)
        return row

    def _replaceable(self, given: str) -> EntryRow:
        row = self.memory.any_entry(given)
        if why := refusal(Action.REPLACE, row.state, row.version.epistemic, is_current=row.is_current):
            raise CannotJudge(row.id, why)
        return row

    def _demand_other_words(self, row: EntryRow, said: Statement) -> None:
        entries, now = self.memory.entries, self.memory.clock.now()
        head = entries.version(row.current) if row.current else None
        for each in filter(None, (row, head)):
            if each.version.statement and same_text(each.version.statement.text) == same_text(said.text):
                raise CannotJudge(each.id, "says exactly that already")
        for each in entries.equal(said.text, scope=row.scope):
            if each.root != row.root and each.state is State.CURRENT and is_in_force(each, now):
                raise SaidBefore("current", each.id)

    # --- writing ---

    def _stored(
        self, new: _New, target: Callable[[], EntryRow], by: Speaker, *, reason: str, hostile: Sequence[str]
    ) -> tuple[EntryRow, str]:
        author, entries = by.author(self.memory.journal.device()[1]), self.memory.entries
        with self.memory.deciding():
            old = target()
            self.citing.demand_visible(new.citations)
            open_ = heads(entries, old)
            seen = {row.id for row in open_}
            cited = uncited_yet(old, new.citations)
            if not cited and seen == {old.id} and _is_same(old, new.said):
                return old, "NOOP"
            newest = max(open_, key=lambda row: row.version.rank)
            said = dated(new.said, newest, now=self.memory.clock.now())
            said = replace(said, author=author, uncited=None if cited else said.uncited)
            demand_free_name(entries, said, root=old.root)
            if old.version.statement and old.version.statement.text != said.text:
                self.deciding.demand_fresh_words(said, root=old.root)
            entry = fresh_id(said.created_at)
            body = asserting(entry, said, cited, root=old.root, supersedes=old.id, saw=seen)
            self.deciding.append(body, author=author, reason=reason, hostile=hostile)
        return read_back(entries, entry, said.text), "SUPERSEDE"


@dataclass(frozen=True, slots=True)
class _New:
    """What a version will say and cite."""

    said: Statement
    citations: Sequence[Citation] = ()


def _answer(row: EntryRow, verdict: str, admit: Admission) -> dict[str, Json]:
    hostile = admit.hostile()
    return {
        "entry": entry_shape(row),
        "verdict": verdict,
        "redacted": admit.redacted,
        **({"quarantined": list(hostile)} if hostile else {}),
    }


def _as_sure(said: Statement, old: EntryRow) -> Statement:
    """Take the confidence from how sure the words are, if it came from them before (DESIGN §11)."""
    was = old.version.statement
    if was is None or was.confidence != CONFIDENCES[was.epistemic]:
        return said
    return replace(said, confidence=CONFIDENCES[said.epistemic])


def _is_same(old: EntryRow, new: Statement) -> bool:
    said = old.version.statement
    return said is not None and said == replace(
        new,
        created_at=said.created_at,
        author=said.author,
        attribution=said.attribution,
        approval=said.approval,
        imported=said.imported,
    )
