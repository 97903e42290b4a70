"""Which judgement an entry may get: the one place that knows the transitions (HMG-16 to HMG-25, DESIGN §3, §6).

Quarantine and seal are about an entry with all its versions, so they and a lesson need its current version; negate,
confirm and demote are about a version, and only the current one has anything left to say. A version that was replaced
may be destroyed alone, and replaced once more.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Final

from quoth.core.ledger.entries import State
from quoth.core.ledger.values import Epistemic


class Action(StrEnum):
    NEGATE = "negate"
    CONFIRM_ACTUAL = "confirm_actual"
    CONFIRM_NECESSARY = "confirm_necessary"
    DEMOTE = "demote"
    REPLACE = "replace"
    QUARANTINE = "quarantine"
    RELEASE = "release"
    SEAL = "seal"
    TOMBSTONE = "tombstone"
    DERIVE_LESSON = "derive_lesson"


STRENGTHS: Final[Mapping[Action, Epistemic]] = {
    Action.CONFIRM_ACTUAL: Epistemic.ACTUAL,
    Action.CONFIRM_NECESSARY: Epistemic.NECESSARY,
    Action.DEMOTE: Epistemic.POSSIBLE,
}

_OPEN: Final = frozenset({State.CURRENT})
_FROM: Final[Mapping[Action, frozenset[State]]] = {
    Action.NEGATE: _OPEN,
    Action.CONFIRM_ACTUAL: _OPEN,
    Action.CONFIRM_NECESSARY: _OPEN,
    Action.DEMOTE: _OPEN,
    Action.REPLACE: frozenset({State.CURRENT, State.NEGATED, State.SUPERSEDED}),
    Action.QUARANTINE: frozenset({State.CURRENT, State.NEGATED}),
    Action.RELEASE: frozenset({State.QUARANTINED}),
    Action.SEAL: frozenset({State.CURRENT, State.NEGATED, State.QUARANTINED}),
    Action.TOMBSTONE: frozenset({State.CURRENT, State.NEGATED, State.SUPERSEDED, State.QUARANTINED, State.SEALED}),
    Action.DERIVE_LESSON: frozenset({State.CURRENT, State.NEGATED, State.QUARANTINED}),
}
_WHY: Final[Mapping[State, str]] = {
    State.DESTROYED: "is already tombstoned",
    State.FORGOTTEN: "has been forgotten; only its person can bring it back",
    State.SEALED: "is already sealed",
    State.QUARANTINED: "is quarantined; only its person can release it",
    State.NEGATED: "is already negated; replace it instead",
    State.SUPERSEDED: "was already replaced; judge its current version instead",
    State.CURRENT: "is not quarantined",
}


def refusal(action: Action, state: State, epistemic: Epistemic | None, *, is_current: bool) -> str | None:
    """Return why a version can't be judged so, as what follows its id in a sentence; None when it can."""
    found = State.SUPERSEDED if state in {State.CURRENT, State.NEGATED} and not is_current else state
    if found not in _FROM[action]:
        return _refused(action, state if action is Action.NEGATE else found)
    if action is Action.CONFIRM_ACTUAL and epistemic is Epistemic.NECESSARY:
        return "is necessary already, which is more than actual; demote it first"
    return None


def _refused(action: Action, state: State) -> str:
    if action is Action.QUARANTINE and state is State.QUARANTINED:
        return "is already quarantined"
    if action is Action.RELEASE and state in {State.NEGATED, State.SUPERSEDED}:
        return _WHY[State.CURRENT]
    return _WHY[state]
