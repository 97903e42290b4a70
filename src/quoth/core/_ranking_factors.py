"""Weigh who said something, where and when; every factor is mild but the one for another project."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import chain

from quoth.core._ranking_dates import Span, named_times
from quoth.core.candidates import AnyHit, EntryHit, EventHit
from quoth.core.text import fold, tokens

_DAY_MS = 86_400_000
_SPEAKER = 1.8  # the question names who speaks
_PERSON_SAID = 1.1  # a message of the person: agents say much that nobody asks about
_OF_THEMSELVES = 1.5  # the same, where the person asks about themselves
_PERSON_HAD_KEPT = 1.05  # an entry (HMG-33)
_ELSEWHERE = 0.4  # it belongs to another project than the one where it is asked
_SAME_BRANCH = 1.03  # it was said on the branch that is checked out (DESIGN §4)
_WHEN = 1.5  # it was said at a time that the question names
_BEFORE_MS, _AFTER_MS = 1 * _DAY_MS, 3 * _DAY_MS  # that far outside of it still counts: most is told later
_IMPORTANCE = 0.1  # between the least and the most important
_NEW = 0.05  # of what is said right now; half of it a month later
_HALF_MS = 30 * _DAY_MS

# What an agent said is asked for: then the person's words are no better than those.
_OF_AGENT = re.compile(
    r"\b(?:did|have|had|do) you (?:\w+ )?(?:advise|describe|explain|give|help|mention|outline|propose|recommend|say"
    r"|suggest|tell)"
    r"|\byou(?:['’]ve)? (?:advised|described|explained|gave|outlined|proposed|recommended|said|suggested|told)"
    r"|\byour (?:advice|recommendation|suggestion)"
    r"|\b[тв]ы (?:мне |нам )?(?:говорил|объясн|посоветовал|предложил|предлагал|рекомендовал|сказал)"
    r"|你(?:之前|当时|上次)?(?:建议|推荐|解释|说)"
)

_SELF = re.compile(r"\b(?:i|me|my|mine|myself|я|меня|мне|мной|мо[еийюя]|моего|моей|моему?|моими?|моих)\b|我")


@dataclass(frozen=True, kw_only=True)
class Asker:
    """A question, where it is asked (a project's id and a branch) and when, in milliseconds since 1970 UTC."""

    question: str
    now: int
    project: str | None = None
    branch: str | None = None

    @cached_property
    def said(self) -> frozenset[str]:
        """The tokens of the question, stop words too."""
        return frozenset(chain(*tokens(self.question)))

    @cached_property
    def person_factor(self) -> float:
        """How much more the person's messages count; no more than an agent's where an agent's words are asked for."""
        said = fold(self.question)
        if _OF_AGENT.search(said):
            return 1.0
        return _OF_THEMSELVES if _SELF.search(said) else _PERSON_SAID

    @cached_property
    def times(self) -> tuple[Span, ...]:
        return named_times(self.question, now=self.now)

    def is_elsewhere(self, hit: AnyHit) -> bool:
        """Tell whether a candidate belongs to another project; what belongs to none is at home everywhere."""
        return self.project is not None and hit.project is not None and hit.project != self.project


class Factors:
    """The factors of one question."""

    def __init__(self, asker: Asker) -> None:
        self._asker = asker
        self._named: dict[str, bool] = {}
        self._times = [Span(start - _BEFORE_MS, end + _AFTER_MS) for start, end in asker.times]

    def of(self, hit: AnyHit) -> dict[str, float]:
        """Return what a candidate's score is multiplied by, by name, where it changes anything."""
        return dict(chain(self._who(hit), self._where(hit), self._when(hit)))

    def _who(self, hit: AnyHit) -> Iterator[tuple[str, float]]:
        if isinstance(hit, EntryHit):
            if hit.by_person:
                yield "person", _PERSON_HAD_KEPT
            if hit.importance is not None:
                yield "importance", 1 + _IMPORTANCE * (min(1.0, max(0.0, hit.importance)) - 0.5)
            return
        if hit.by_person and self._asker.person_factor > 1:
            yield "person", self._asker.person_factor
        if self._is_named(hit):
            yield "speaker", _SPEAKER

    def _where(self, hit: AnyHit) -> Iterator[tuple[str, float]]:
        if self._asker.is_elsewhere(hit):
            yield "elsewhere", _ELSEWHERE
        elif hit.branch and hit.branch == self._asker.branch and hit.project == self._asker.project:
            yield "branch", _SAME_BRANCH

    def _when(self, hit: AnyHit) -> Iterator[tuple[str, float]]:
        if any(start <= hit.at < end for start, end in self._times):
            yield "time", _WHEN
        age = max(0, self._asker.now - hit.at)
        if age < 10 * _HALF_MS:
            yield "new", 1 + _NEW * 0.5 ** (age / _HALF_MS)

    def _is_named(self, hit: EventHit) -> bool:
        if not hit.speaker:
            return False
        if hit.speaker not in self._named:
            self._named[hit.speaker] = not self._asker.said.isdisjoint(chain(*tokens(hit.speaker)))
        return self._named[hit.speaker]
