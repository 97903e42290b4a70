"""How good a ranking is, and how sure a mean of such figures is."""

from __future__ import annotations

import math
from collections.abc import Sequence, Set
from random import Random

_ROUNDS = 1_000


def recall_at(ranked: Sequence[str], gold: Set[str], k: int) -> float:
    """Return the share of the gold that is among the first k."""
    return len(gold & set(ranked[:k])) / len(gold)


def hit_at(ranked: Sequence[str], gold: Set[str], k: int) -> float:
    """Return 1 when any of the gold is among the first k."""
    return float(not gold.isdisjoint(ranked[:k]))


def ndcg_at(ranked: Sequence[str], gold: Set[str], k: int) -> float:
    """Return what the places of the gold gain over what the best places would: all gold is worth the same."""
    gained = math.fsum(_gain(place) for place, id_ in enumerate(ranked[:k]) if id_ in gold)
    return gained / math.fsum(_gain(place) for place in range(min(k, len(gold))))


def is_newer_first(ranked: Sequence[str], gold: Set[str], older: Set[str]) -> bool:
    """Tell whether something that is true stands before everything that was true once."""
    places = {id_: place for place, id_ in enumerate(ranked)}
    new = min((places[id_] for id_ in gold if id_ in places), default=None)
    old = min((places[id_] for id_ in older if id_ in places), default=len(places))
    return new is not None and new < old


def mean(values: Sequence[float]) -> float:
    return math.fsum(values) / len(values) if values else math.nan


def interval(values: Sequence[float], *, seed: int = 0) -> tuple[float, float]:
    """Return where the mean is with a probability of 95 %, by drawing the values again and again."""
    if not values:
        return math.nan, math.nan
    random = Random(seed)
    means = sorted(mean(random.choices(values, k=len(values))) for _ in range(_ROUNDS))
    return means[int(0.025 * _ROUNDS)], means[int(0.975 * _ROUNDS) - 1]


def _gain(place: int) -> float:
    return 1 / math.log2(place + 2)
