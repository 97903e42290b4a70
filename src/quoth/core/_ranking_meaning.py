"""Turn cosines into numbers that words can be added to; each model has a scale of its own."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from quoth.core.candidates import Compared
from quoth.core.vectors import TextKey

Scale = Sequence[tuple[float, float]]

_FAINT, _PLAIN = 0.23, 0.86  # relevances of the scale between which strength rises from nothing to its measure
_WEIGHT = 0.5  # of a plain meaning; to hold every word is 1
_MOST = 1.5  # times the measure
_HINT = 0.1  # of what is faint, so that it is in order too; neighbours inherit nothing of it


class Nearness(NamedTuple):
    """What a text's meaning counts beside the words that it holds, the little that also a faint likeness counts, and
    the relevance that the scale says; None where the text was not compared."""

    strength: float
    hint: float
    relevance: float | None


_FAR = Nearness(0.0, 0.0, None)


@dataclass(frozen=True, slots=True)
class Meanings:
    """How near texts are in meaning; those that nothing was said of are not near at all."""

    cosines: Mapping[TextKey, float]
    scale: Scale
    faint: float
    stretch: float

    @classmethod
    def of(cls, compared: Compared | None) -> Meanings:
        if compared is None or not compared.scale:
            return cls({}, (), 0.0, 1.0)
        faint, plain = _cosine_at(compared.scale, _FAINT), _cosine_at(compared.scale, _PLAIN)
        cosines = {near.key: near.cosine for near in compared.near if math.isfinite(near.cosine)}  # a disk may rot
        return cls(cosines, compared.scale, faint, max(plain - faint, 0.01))

    def strength(self, key: TextKey) -> float:
        cosine = self.cosines.get(key)
        if cosine is None or cosine <= self.faint:
            return 0.0
        return _WEIGHT * min(_MOST, (cosine - self.faint) / self.stretch)

    def near(self, key: TextKey) -> Nearness:
        cosine = self.cosines.get(key)
        if cosine is None:
            return _FAR
        hint = _HINT * min(2.0, max(0.0, (cosine - self.faint) / self.stretch + 1))
        return Nearness(self.strength(key), hint, _interpolated(self.scale, cosine))


def _interpolated(points: Scale, at: float) -> float:
    left, low = points[0]
    if at <= left:
        return low
    for right, high in points[1:]:
        if at <= right:
            return low + (high - low) * (at - left) / (right - left)
        left, low = right, high
    return low


def _cosine_at(scale: Scale, relevance: float) -> float:
    return _interpolated([(high, cosine) for cosine, high in scale], relevance)
