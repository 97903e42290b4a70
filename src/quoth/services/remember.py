"""Remember: store a statement with the words it comes from (QUO-5, ORI-48 to 52)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from quoth.core.inference import Inferred, infer
from quoth.core.ledger.values import Scope, Statement
from quoth.core.memory import EntryRow, Quoted
from quoth.core.model import Json
from quoth.core.speaker import Speaker
from quoth.core.types import EntryType, Level, Types
from quoth.core.verdicts import Candidate, Decision
from quoth.services._admission import (
    CONFIDENCES,
    Admission,
    attribution,
    demand_one,
    demand_order,
    demand_sources,
)
from quoth.services._citing import Citing
from quoth.services._deciding import Deciding, Stored, read_back
from quoth.services._entry_shapes import entry_shape
from quoth.services._memory import Memory
from quoth.services._placing import Placing
from quoth.services._similar import similar

_CONFIDENCE, _IMPORTANCE = 0.8, 0.5


@dataclass(frozen=True, slots=True)
class Remember:
    """`read_recent` reads new lines of logs first, so that what was just said can be cited (ORI-51)."""

    memory: Memory
    citing: Citing
    placing: Placing
    types: Callable[[], Types]
    read_recent: Callable[[], str | None]
    deciding: Deciding

    def run(
        self,
        text: str,
        *,
        by: Speaker,
        kind: str | None = None,
        type: str | None = None,  # noqa: A002 - the contract's word
        name: str | None = None,
        sources: Sequence[Quoted] = (),
        uncited: str | None = None,
        confidence: float | None = None,
        importance: float | None = None,
        tags: Sequence[str] = (),
        fields: Mapping[str, Json] | None = None,
        valid_from: str | None = None,
        valid_to: str | None = None,
        event_time: str | None = None,
        project: str | None = None,
        scope: str | None = "repository",
        cwd: str | None = None,
        adds_citations: bool = False,
        distinct: bool = False,
        once: bool = False,
        weighed: bool = False,
        agent: str | None = None,
        explain: bool = False,
    ) -> dict[str, Json]:
        """Store a statement and return `{entry, verdict, similar, redacted}`.

        Kind and type follow from the words where neither is given; how sure the words are and whether they deny
        always does. `verdict` is ADD, NOOP (said already, that entry is answered), UPDATE (said already, and with
        `adds_citations` it got new ones) or SUPERSEDE (the entry of the same name and type says this from now on). An
        older entry that can't be so any more is marked as possibly outdated.

        - With `scope` None it applies where entries of its type do.
        - `distinct` stores it also where it is said already (a hand-over), though never what was sealed or destroyed.
        - `once` refuses also what an entry said before it was replaced (HMG-7).
        - `weighed` takes the confidence, where none is given, from how sure the words are: .5, .8 or 1.
        - `agent` owns it, in any spelling of `core.owners`; None is everybody.
        - `explain` adds `because`: what decided each inference and the verdict.

        Words that address an agent's instructions are stored quarantined: the entry's text is a placeholder then, and
        the answer has `quarantined`, the names of the rules.

        Raises:
            SaidBefore: exactly this is negated (its sentence names replace), sealed, quarantined, forgotten or
                tombstoned; with `once` also replaced; nothing was stored.
            Invalid, Unknown: an argument can't be used; nothing was stored.
            NotStored: what was written does not read back.
        """
        admit = Admission(self.types(), self.memory.clock.now())
        why = admit.reason(uncited, "uncited")
        demand_sources(sources)
        demand_one(sources, why)
        words = admit.text(text)
        inferred = infer(words)
        is_said = kind is not None or type is not None
        chosen = admit.type(type, kind) if is_said else admit.inferred_type(inferred)
        usual = CONFIDENCES[inferred.epistemic] if weighed else _CONFIDENCE
        more = _More(name, tags, fields or {}, confidence, importance, valid_from, valid_to, event_time)
        statement = replace(
            more.told_of(words, inferred, chosen, admit, usual),
            author=by.author(self.memory.journal.device()[1]),
            attribution=attribution(by),
            agent=admit.owner(agent),
            uncited=why or None,
        )
        note = self.read_recent()
        place = self._place(chosen, scope, project, cwd)
        self.placing.note(cwd, project=project)
        candidate = Candidate(
            said=replace(statement, scope=place, branch=self._branch(place, project, cwd)),
            type=chosen,
            citations=self.citing.resolve(sources, note=note) if sources else (),
            distinct=distinct,
            adds_citations=adds_citations,
            once=once,
            may_begin=by.is_person,
        )
        answer, stored = self._answered(candidate, admit)
        return {**answer, **({"because": _because(inferred, chosen, stored, is_said=is_said)} if explain else {})}

    def _place(self, chosen: EntryType, level: str | None, project: str | None, cwd: str | None) -> Scope:
        if level is None:
            return self.placing.usual(chosen.place, project=project, cwd=cwd)
        return self.placing.scope(project=project, level=level, cwd=cwd)

    def _branch(self, place: Scope, project: str | None, cwd: str | None) -> str:
        """Return the branch that is checked out where something is said of a repository (DESIGN §4)."""
        if place.branch or not place.repository:
            return place.branch
        return self.placing.usual(Level.BRANCH, project=project, cwd=cwd).branch

    def _answered(self, candidate: Candidate, admit: Admission) -> tuple[dict[str, Json], Stored]:
        hostile = admit.hostile()
        alike = () if hostile else self.deciding.alike(candidate.said.text)
        row, stored = self._stored(candidate, hostile, alike)
        answer: dict[str, Json] = {
            "entry": entry_shape(row),
            "verdict": stored.decision.value,
            "similar": similar(row, alike, now=admit.now),
            "redacted": admit.redacted,
            **({"quarantined": list(hostile)} if hostile else {}),
        }
        return answer, stored

    def _stored(
        self, candidate: Candidate, hostile: Sequence[str], alike: Sequence[EntryRow]
    ) -> tuple[EntryRow, Stored]:
        entries = self.memory.entries
        with self.memory.deciding():
            self.citing.demand_visible(candidate.citations)
            said = replace(candidate.said, created_at=self.memory.clock.now())
            stored = self.deciding.store(replace(candidate, said=said), hostile, alike=alike)
            text = said.text
            if stored.decision in {Decision.NOOP, Decision.UPDATE}:
                known = entries.version(stored.entry)
                text = known.version.statement.text if known and known.version.statement else text
        return read_back(entries, stored.entry, text), stored


@dataclass(frozen=True, slots=True)
class _More:
    """What is told of a statement beside its words, as a door gave it."""

    name: str | None
    tags: Sequence[str]
    fields: Mapping[str, Json]
    confidence: float | None
    importance: float | None
    valid_from: str | None
    valid_to: str | None
    event_time: str | None

    def told_of(
        self, words: str, inferred: Inferred, chosen: EntryType, admit: Admission, confidence: float
    ) -> Statement:
        """Return the statement; nobody is its author yet. `confidence` is that where none is given.

        Raises:
            InvalidArgument: an argument can't be used.
        """
        said = Statement(
            text=words,
            kind=chosen.kind,
            type=chosen.name,
            created_at=admit.now,
            author="",
            name=admit.name(self.name),
            tags=admit.tags(self.tags),
            fields=admit.fields(self.fields, chosen, {}),
            confidence=admit.strength(self.confidence, "confidence", confidence),
            epistemic=inferred.epistemic,
            polarity=inferred.polarity,
            importance=admit.strength(self.importance, "importance", _IMPORTANCE),
            valid_from=admit.instant(self.valid_from, "valid_from"),
            valid_to=admit.instant(self.valid_to, "valid_to"),
            event_time=admit.instant(self.event_time, "event_time"),
        )
        demand_order(said.valid_from, said.valid_to)
        return said


_SENTENCES = {
    Decision.ADD: "no entry here says exactly this",
    Decision.UPDATE: "an entry here says exactly this; it got the new citations",
    Decision.SUPERSEDE: "an entry here has this name and type",
    Decision.NOOP: "an entry here says exactly this",
}


def _because(inferred: Inferred, chosen: EntryType, stored: Stored, *, is_said: bool) -> dict[str, Json]:
    """Return what decided, in words: for each inference, for the verdict, for each entry that is against it."""
    types = {"kind": f"type {chosen.name}", "type": inferred.because["type"]} if not is_said else {}
    return {
        "epistemic": inferred.because["epistemic"],
        "polarity": inferred.because["polarity"],
        **types,
        "verdict": _SENTENCES[stored.decision],
        **(
            {"conflicts": {each.row.id: each.likeness.because for each in stored.conflicts}} if stored.conflicts else {}
        ),
    }
