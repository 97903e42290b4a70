"""Compare two statements by their words: the same, near, contradicting, or one possibly outdated by the other.

Two statements are near when they share at least half of their words (pairs of characters where words have no space
between). They contradict each other when what they are about is the same and one denies it; one is possibly outdated
when both say the same but for a number. Names and other words that differ keep statements apart: "the auth service
listens on 8710" and "the mail service listens on 8720" are two facts. So are numbers that name something: ticket 12.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import Final

from quoth.core import _likeness_words as known
from quoth.core.memory import same_text
from quoth.core.text import fold, tokens

NEAR: Final = 0.5
_FAR: Final = 0.2  # what shares less is not looked at closely
_FEWEST: Final = 2  # words; one says too little of what a statement is about
_SAME: Final = 0.8  # of the words that are no numbers, denials or fillers; and nothing differs on both sides


class Relation(StrEnum):
    """How one statement stands to another."""

    EXACT = "exact"
    NEAR = "near"
    CONTRADICTING = "contradicting"
    OUTDATED = "possibly outdated"
    DISTINCT = "distinct"


@dataclass(frozen=True, slots=True)
class Likeness:
    """How a newer statement stands to an older one, the share of words in common, and what decided it."""

    relation: Relation
    share: float
    because: str

    @property
    def outdates(self) -> bool:
        return self.relation in {Relation.CONTRADICTING, Relation.OUTDATED}


def share(one: frozenset[str], other: frozenset[str]) -> float:
    """Return the share of words that two texts have in common of all that either has, from 0 to 1."""
    return len(one & other) / len(one | other) if one or other else 0.0


def compare(newer: str, older: str) -> Likeness:
    """Tell how a newer statement stands to an older one."""
    return Newer(newer).against(older)


@dataclass(frozen=True)
class Newer:
    """A statement that is held against older ones."""

    text: str

    def against(self, older: str) -> Likeness:
        if self._same == same_text(older):
            return Likeness(Relation.EXACT, 1.0, "the same words")
        common = share(self._tokens, frozenset(tokens(older)[0]))
        if common >= _FAR and (doubt := self._doubt(_About.of(older))):
            relation, because = doubt
            return Likeness(relation, common, because)
        if common >= NEAR:
            return Likeness(Relation.NEAR, common, f"{common:.0%} of the words are the same")
        return Likeness(Relation.DISTINCT, common, "other words")

    def _doubt(self, other: _About) -> tuple[Relation, str] | None:
        """Tell why the older statement can't be so if this one is."""
        one = self._about
        if min(len(one.words), len(other.words)) < _FEWEST or not _is_the_same(one.words, other.words):
            return None
        if one.is_denied != other.is_denied and _shares_numbers(one, other):
            return Relation.CONTRADICTING, "one of the two denies what the other says"
        changed = _changed(one, other)
        return (Relation.OUTDATED, f"the same but for {changed}") if changed else None

    @cached_property
    def _same(self) -> str:
        return same_text(self.text)

    @cached_property
    def _tokens(self) -> frozenset[str]:
        return frozenset(tokens(self.text)[0])

    @cached_property
    def _about(self) -> _About:
        return _About.of(self.text)


@dataclass(frozen=True, slots=True)
class _About:
    """What a statement is about, without what may change: its numbers and whether it is denied."""

    words: frozenset[str]
    numbers: tuple[str, ...]
    names: frozenset[str]
    is_denied: bool

    @classmethod
    def of(cls, text: str) -> _About:
        said = known.NAMED_CJK.sub(_as_name, fold(text))
        for opposite, plain in known.OPPOSITES_CJK.items():
            said = said.replace(opposite, f"不{plain}")
        is_denied = len(known.DENIALS.findall(said)) % 2 == 1
        said = known.FILLERS_CJK.sub("", known.DENIALS.sub(_gap, said))
        words, turned = _turned(said)
        numbers, names = _numbers(said)
        spelled = (known.NUMBER_WORDS[word] for word in words if word in known.NUMBER_WORDS)
        rest = " ".join(word for word in words if word not in known.FILLERS and word not in known.NUMBER_WORDS)
        return cls(frozenset(tokens(rest)[0]), (*numbers, *spelled), names, is_denied != turned)


def _gap(found: re.Match[str]) -> str:
    """Take a denial out of a sentence as if it had never stood there."""
    return " " if found[0] < "\u3000" else ""


def _as_name(found: re.Match[str]) -> str:
    return f" #{re.sub('[^0-9]', '', found[0])} "


def _turned(said: str) -> tuple[list[str], bool]:
    """Return the words, each in the form that is not the opposite of another, and whether that turned the meaning."""
    words = known.WORD.findall(said)
    turned = sum(word in known.OPPOSITES for word in words)
    return [known.OPPOSITES.get(word, word) for word in words], turned % 2 == 1


def _numbers(said: str) -> tuple[list[str], frozenset[str]]:
    """Return the numbers that say how much or which version, and those that name something."""
    values, names = [], set()
    for before, number in known.NUMBER.findall(said):
        if number[0] in "#№" or before in known.NAMING:
            names.add(number.lstrip("#№"))
        else:
            values.append(number)
    return values, frozenset(names)


def _is_the_same(one: frozenset[str], other: frozenset[str]) -> bool:
    return share(one, other) >= _SAME and (one <= other or other <= one)


def _shares_numbers(one: _About, other: _About) -> bool:
    return one.names == other.names and sorted(one.numbers) == sorted(other.numbers)


def _changed(one: _About, other: _About) -> str | None:
    """Return the number that changed; several changes of several numbers make another fact."""
    if one.names != other.names or one.is_denied != other.is_denied or len(one.numbers) != len(other.numbers):
        return None
    changed = [(new, old) for new, old in zip(one.numbers, other.numbers, strict=True) if new != old]
    return f"{changed[0][1]} and {changed[0][0]}" if len(changed) == 1 else None
