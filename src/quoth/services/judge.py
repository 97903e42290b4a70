"""Judge: say that an entry is wrong, surer, unsafe or over, and put another in its place (HMG-16 to HMG-25)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from quoth.core.errors import CannotJudge, InvalidArgument, NotStored, PersonOnly, TooMany
from quoth.core.ids import EntryId
from quoth.core.inference import infer
from quoth.core.judging import STRENGTHS, Action, refusal
from quoth.core.ledger.entries import State
from quoth.core.ledger.merge import fold
from quoth.core.ledger.operations import Draft, Judge, Relate, Subjects, Verdict
from quoth.core.ledger.values import Statement
from quoth.core.memory import EntryRow, same_text
from quoth.core.model import Json
from quoth.core.speaker import Speaker
from quoth.core.types import Types
from quoth.core.verdicts import Candidate
from quoth.services._admission import CONFIDENCES, Admission, attribution
from quoth.services._deciding import Deciding
from quoth.services._destroying import Destroying
from quoth.services._entry_shapes import entry_shape
from quoth.services._memory import Memory
from quoth.services.correct import Correct

LESSON_OF = "derived_lesson_from"

_LESSON = "lesson"
_MOST, _HOUR = 20, 60 * 60 * 1_000  # what one agent may destroy, and in how many milliseconds (SEC-8)
_JUDGED = (State.QUARANTINED, State.SEALED, State.NEGATED, State.DESTROYED)
_VERDICTS = {
    Action.NEGATE: Verdict.NEGATE,
    Action.CONFIRM_ACTUAL: Verdict.CONFIRM,
    Action.CONFIRM_NECESSARY: Verdict.CONFIRM,
    Action.DEMOTE: Verdict.DEMOTE,
    Action.QUARANTINE: Verdict.QUARANTINE,
    Action.RELEASE: Verdict.RELEASE,
    Action.SEAL: Verdict.SEAL,
}
_AFTER = {
    Action.NEGATE: State.NEGATED,
    Action.QUARANTINE: State.QUARANTINED,
    Action.SEAL: State.SEALED,
    Action.DERIVE_LESSON: State.SEALED,
    Action.TOMBSTONE: State.DESTROYED,
}


@dataclass(frozen=True, slots=True)
class Judging:
    """`correct` replaces, `destroying` wipes, `deciding` stores lessons."""

    memory: Memory
    types: Callable[[], Types]
    correct: Correct
    deciding: Deciding
    destroying: Destroying

    def run(
        self,
        target: str,
        verdict: str,
        reason: str,
        *,
        by: Speaker,
        content: str | None = None,
        how: str = "",
    ) -> dict[str, Json]:
        """Judge one version and return `{entry, verdict, new, redacted}`.

        `verdict` is a word of `core.judging.Action`, hyphens allowed. `entry` is the version that was judged as it is
        now, `new` the version that took its place (replace) or the lesson (derive_lesson), else None. `content` is
        what the new one says. A `how` says by what the person was told from an agent; it stands before the reason. A
        new one that addresses the agent's instructions is stored quarantined; the answer has `quarantined` then, the
        names of the rules.

        A tombstone destroys the entry with all its versions for ever; on a version that was replaced, that one alone.

        Raises:
            InvalidArgument: an unknown verdict, no reason, no content, or content that can't be stored.
            UnknownId, Ambiguous: the target names none, or several.
            CannotJudge: the target can't be judged so; the sentence says why (`why` is its end).
            SaidBefore: the new words were said, judged or destroyed before.
            PersonOnly: an agent wants to release.
            TooMany: an agent destroyed too much within an hour.
            NotStored: what was decided does not read back.
        """
        action = _action(verdict)
        admit = Admission(self.types(), self.memory.clock.now())
        why = admit.reason(reason)
        if not why:
            raise InvalidArgument("reason", "said: why it is judged so")
        if action is Action.REPLACE:
            return self._replaced(target, _demanded(content, action), why, by)
        if content is not None and action is not Action.DERIVE_LESSON:
            raise InvalidArgument("content", "left out but for replace and derive_lesson")
        if action is Action.RELEASE and not by.is_person:
            raise PersonOnly("release a quarantined entry", f"{by.agent} asked")
        said = f"{how}: {why}" if how else why
        if action is Action.DERIVE_LESSON:
            return self._lesson(target, _demanded(content, action), said, by, admit)
        return self._judged(target, action, said, by)

    def listed(self, state: str | None = None) -> list[dict[str, Json]]:
        """Return the entries in a state that a judgement gave them (all four without one), the newest first.

        Raises:
            InvalidArgument: no judgement gives that state.
        """
        if state is not None and state not in [each.value for each in _JUDGED]:
            raise InvalidArgument("state", f"one of {', '.join(each.value for each in _JUDGED)}")
        wanted = [State(state)] if state else list(_JUDGED)
        self.memory.catch_up()
        rows = self.memory.entries.judged(wanted)
        return [entry_shape(row) for row in sorted(rows, key=lambda row: row.version.rank[1:], reverse=True)]

    # --- verdicts ---

    def _judged(self, target: str, action: Action, reason: str, by: Speaker) -> dict[str, Json]:
        actor = self._author(by)
        with self.memory.deciding():
            row = self._judgeable(target, action)
            if action is Action.TOMBSTONE:
                self._demand_few(by, actor)
                self.destroying.version(row, actor=actor, reason=reason)
            else:
                self.memory.append([Draft(self._body(action, row), actor, reason)])
        if action is Action.TOMBSTONE:
            self.destroying.scrub()
        return _answer(self._after(row, action), action)

    def _judgeable(self, target: str, action: Action) -> EntryRow:
        row = self.memory.any_entry(target)
        if why := refusal(action, row.state, row.version.epistemic, is_current=row.is_current):
            raise CannotJudge(row.id, why)
        return row

    def _body(self, action: Action, row: EntryRow) -> Judge:
        saw = row.version.judgements if action in STRENGTHS else ()
        if action is Action.RELEASE:
            about = self.memory.ledger().about(Subjects(entries=frozenset({row.root})))
            saw = fold(about).roots[row.root].quarantines
        return Judge(_VERDICTS[action], row.id, row.root, STRENGTHS.get(action), tuple(sorted(saw)))

    def _demand_few(self, by: Speaker, actor: str) -> None:
        if by.agent is None:
            return
        before = self.memory.ledger().recent("destroy", actor=actor, since=self.memory.clock.now() - _HOUR)
        if before >= _MOST:
            raise TooMany(by.agent, "destroys", _MOST)

    def _after(self, row: EntryRow, action: Action) -> EntryRow:
        """Return the version as it reads back.

        Raises:
            NotStored: it is not what it was judged to be.
        """
        found = self.memory.entries.version(row.id)
        expected = _AFTER.get(action, State.CURRENT)
        is_released = action is Action.RELEASE and found is not None and found.state is not State.QUARANTINED
        is_strong = action not in STRENGTHS or (found and found.version.epistemic is STRENGTHS[action])
        if found is None or not is_strong or not (found.state is expected or is_released):
            raise NotStored(f"The judgement of entry {row.id}")
        return found

    # --- new words ---

    def _replaced(self, target: str, content: str, reason: str, by: Speaker) -> dict[str, Json]:
        done = self.correct.replace_with(target, content, by=by, reason=reason)
        row = self.memory.any_entry(target)
        told = {name: said for name, said in done.items() if name in {"redacted", "quarantined"}}
        return {**_answer(row, Action.REPLACE), "new": done["entry"], **told}

    def _lesson(self, target: str, content: str, reason: str, by: Speaker, admit: Admission) -> dict[str, Json]:
        text = admit.text(content)
        hostile = admit.hostile()
        actor, alike = self._author(by), () if hostile else self.deciding.alike(text)
        with self.memory.deciding():
            row = self._judgeable(target, Action.DERIVE_LESSON)
            old = row.version.statement
            if old and same_text(old.text) == same_text(text):
                raise CannotJudge(row.id, "says exactly that; a lesson is in other words")
            lesson = replace(self._said(text, row, by, admit), author=actor)
            candidate = Candidate(said=lesson, type=admit.types.get(_LESSON))
            stored = self.deciding.store(candidate, hostile, alike=alike)
            new = self._row_of(stored.entry)
            relate = Relate(stored.entry, new, row.id, row.root, LESSON_OF)
            seal = Judge(Verdict.SEAL, row.id, row.root)
            self.memory.append([Draft(relate, actor), Draft(seal, actor, reason)])
        shown = self.memory.entries.version(stored.entry)
        if shown is None:
            raise NotStored(f"Entry {stored.entry}")
        answer = {**_answer(self._after(row, Action.DERIVE_LESSON), Action.DERIVE_LESSON), "new": entry_shape(shown)}
        return {**answer, "redacted": admit.redacted, **({"quarantined": list(hostile)} if hostile else {})}

    def _said(self, text: str, row: EntryRow, by: Speaker, admit: Admission) -> Statement:
        inferred = infer(text)
        of = admit.types.get(_LESSON)
        return Statement(
            text=text,
            kind=of.kind,
            type=of.name,
            created_at=self.memory.clock.now(),
            author="",
            confidence=CONFIDENCES[inferred.epistemic],
            epistemic=inferred.epistemic,
            polarity=inferred.polarity,
            scope=row.scope,
            attribution=attribution(by),
            uncited=f"derived from {row.id}",
        )

    def _row_of(self, entry: EntryId) -> EntryId:
        """Return the root of what was stored just now; the index may not show it yet."""
        row = self.memory.entries.version(entry)
        return row.root if row else entry

    def _author(self, by: Speaker) -> str:
        return by.author(self.memory.journal.device()[1])


def _action(given: object) -> Action:
    name = given.strip().replace("-", "_") if isinstance(given, str) else given
    if name not in list(Action):
        raise InvalidArgument("action", f"one of {', '.join(Action)}")
    return Action(str(name))


def _demanded(content: str | None, action: Action) -> str:
    if content is None or (isinstance(content, str) and not content.strip()):
        raise InvalidArgument("content", f"given: what the new entry says ({action.value})")
    return content


def _answer(row: EntryRow, action: Action) -> dict[str, Json]:
    return {"entry": entry_shape(row), "verdict": action.value, "new": None, "redacted": 0}
