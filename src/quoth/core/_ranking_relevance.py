"""Say how relevant a candidate is, from 0 to 1, so that figures of different questions can be compared.

The numbers are those of docs/decisions/0023-relevance.md.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass

from quoth.core.candidates import Hit, Word

_WORDS, _ELSEWHERE, _UNKNOWN, _STRANGE = 1.5, 1.0, 2.5, 1.75
_USUALLY_UNKNOWN = 0.74
_ROOT, _ALONE, _ALONE_ELSEWHERE = 4.3, 2.65, 0.5  # where words are all there is
_SUREST = 0.998
_DATE = re.compile(
    r"\d{1,2}|(?:19|20)\d\d|january|february|march|april|may|june|july|august|september|october|november|december"
    r"|(?:mon|tues|wednes|thurs|fri|satur|sun)day"
)


@dataclass(frozen=True, slots=True)
class Judging:
    """What the candidates together say of a question: the share of what its words tell that no candidate holds, and
    whether that is so of a name. Dates don't count: texts are found by their time."""

    unknown: float
    is_strange: bool

    @classmethod
    def of(cls, words: Sequence[Word], rarity: Sequence[float], hits: Sequence[Hit]) -> Judging:
        held = [any(column) for column in zip(*(hit.counts for hit in hits if hit.counts), strict=True)]
        held = held or [False] * len(words)
        telling = [
            (word, rare, there)
            for word, rare, there in zip(words, rarity, held, strict=True)
            if not _DATE.fullmatch(word.form)
        ]
        total = math.fsum(rare for _, rare, _ in telling)
        missing = math.fsum(rare for _, rare, there in telling if not there)
        return cls(missing / total if total else 1.0, any(word.is_name and not there for word, _, there in telling))

    def relevance(self, *, words: float, meaning: float | None, is_elsewhere: bool) -> float:
        """Return the relevance of what holds the words so strongly (0 to 1), and is so near where that is known."""
        strange = _STRANGE * self.is_strange
        if meaning is not None:
            unknown = _UNKNOWN * (self.unknown - _USUALLY_UNKNOWN)
            return _sigma(_logit(meaning) + _WORDS * words - _ELSEWHERE * is_elsewhere - unknown - strange)
        if not words:
            return 0.0
        return _sigma(_ROOT * math.sqrt(words) - _ALONE - _ALONE_ELSEWHERE * is_elsewhere - strange)


def _sigma(value: float) -> float:
    return 1 / (1 + math.exp(-value))


def _logit(share: float) -> float:
    bounded = min(_SUREST, max(1 - _SUREST, share))
    return math.log(bounded / (1 - bounded))
