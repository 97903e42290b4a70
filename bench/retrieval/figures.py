"""What trials come to: means with intervals for each set and contender, and cut-offs that were chosen on one half."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from bench.retrieval.metrics import interval, mean
from bench.retrieval.sets import Half
from bench.retrieval.trial import DEEP, Answer, Trial

ANSWERED = 0.10  # of the questions about nothing, at most
_KS = (1, 5, 10, DEEP)
_ENOUGH = 10  # questions about nothing, in each half


@dataclass(frozen=True, slots=True)
class Figures:
    """One contender on one half of a set, or on all of it."""

    set: str
    contender: str
    half: str
    questions: int
    recall: dict[int, float]
    hit: dict[int, float]
    ndcg: float
    sure: tuple[float, float]
    """Where recall at 10 is with 95 %."""
    sure_ndcg: tuple[float, float]
    newer_first: float | None
    about_nothing: int
    p50_ms: float
    p95_ms: float
    indexed_s: float
    peak_mb: int
    categories: dict[str, float]


def figures(trial: Trial, half: Half | None) -> Figures | None:
    """Return None where no question of that half can be answered."""
    part = trial.of(half)
    answers = part.answerable
    if not answers:
        return None
    tens = [answer.recall(10) for answer in answers]
    gains = [answer.ndcg() for answer in answers]
    dated = [float(answer.is_newer_first) for answer in answers if answer.question.older]
    p50, p95 = trial.latency()
    return Figures(
        set=trial.set,
        contender=trial.contender,
        half=half.value if half else "all",
        questions=len(answers),
        recall={k: mean([answer.recall(k) for answer in answers]) for k in _KS},
        hit={k: mean([answer.hit(k) for answer in answers]) for k in _KS},
        ndcg=mean(gains),
        sure=interval(tens),
        sure_ndcg=interval(gains),
        newer_first=mean(dated) if dated else None,
        about_nothing=len(part.about_nothing),
        p50_ms=p50,
        p95_ms=p95,
        indexed_s=trial.indexed_s,
        peak_mb=trial.peak >> 20,
        categories=dict(_by_category(answers)),
    )


def _by_category(answers: Sequence[Answer]) -> Iterable[tuple[str, float]]:
    for name in sorted({answer.question.category for answer in answers}):
        yield name, mean([answer.recall(10) for answer in answers if answer.question.category == name])


@dataclass(frozen=True, slots=True)
class Cut:
    """What holding back costs. `recall` is at 10 and without the cut; `fall` its share that is lost with it, None where
    the contender can't be asked without."""

    set: str
    contender: str
    floor: float
    is_own: bool
    """The contender's own line, else one chosen on the other half."""
    questions: int
    answered: float
    recall: float
    fall: float | None


def own_cut(trial: Trial, floor: float, *, hides: bool) -> Cut:
    """Judge the line that a contender has by itself; `hides` where it never shows what is below."""
    return _cut(trial.of(Half.REPORTING), floor, is_own=True, hides=hides)


def chosen_cut(trial: Trial, *, most: float = ANSWERED) -> Cut:
    """Choose the lowest line on one half that lets at most a share of the questions about nothing through, and judge it
    on the other."""
    best = sorted(max(answer.scores, default=-math.inf) for answer in trial.of(Half.CHOOSING).about_nothing)
    allowed = int(most * len(best))
    last = best[-1 - allowed]  # the best of what must be held back
    floor = last if math.isinf(last) else math.nextafter(last, math.inf)
    return _cut(trial.of(Half.REPORTING), floor, is_own=False, hides=False)


def _cut(trial: Trial, floor: float, *, is_own: bool, hides: bool) -> Cut:
    about_nothing, answerable = trial.about_nothing, trial.answerable
    whole = mean([answer.recall() for answer in answerable])
    kept = mean([answer.recall(floor=floor) for answer in answerable])
    return Cut(
        set=trial.set,
        contender=trial.contender,
        floor=floor,
        is_own=is_own,
        questions=len(about_nothing),
        answered=mean([float(answer.is_given(floor)) for answer in about_nothing]),
        recall=whole,
        fall=None if hides else 1 - kept / whole if whole else 0.0,
    )


def cuts(trial: Trial, *, floor: float | None, hides: bool) -> Iterable[Cut]:
    """Yield the contender's own line where it has one, and one chosen for it unless it hides what is below."""
    if any(len(trial.of(half).about_nothing) < _ENOUGH for half in Half):
        return
    if floor is not None:
        yield own_cut(trial, floor, hides=hides)
    if not hides:
        yield chosen_cut(trial)
