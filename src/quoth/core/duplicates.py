"""Tell how far two statements say the same, from 0 to 1: by the letters they share, and by what they mean.

Alike is not the same: "port 8080" and "port 1933" share nearly every letter, and nearly their whole meaning. So two
statements that differ in a number, in a denial, in who does what, or by words that each has where the other has others
are at most `DIFFERENT` alike, whatever both measures say. Inflection, typing errors, spelling, width, order and words
that add nothing make no difference.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain, pairwise, takewhile
from operator import eq
from typing import Final

from quoth.core._duplicates_said import NOT, Said, Stem, Unit, is_cjk
from quoth.core.text import fold
from quoth.core.trigrams import overlap

DIFFERENT: Final = 0.8
"""What two statements that differ in something that counts are alike at most."""

_MISTYPED: Final = 6  # letters of a word in which one wrong letter is a typing error, and not another word
_MISTAKES: Final = 20  # words that differ, up to which they are looked at for typing errors
_PARTS: Final = 3  # words that may be written as one
_SWAPPED: Final = 4  # units of one thing that changes places with another


@dataclass(frozen=True)
class Original:
    """A statement that others may say again."""

    text: str
    stem: Stem

    def repeated_by(self, other: str, *, meant: float | None = None) -> float:
        """Return how far another statement says the same; `meant` is how near its meaning is (`likeness`)."""
        if fold(self.text).split() == fold(other).split():
            return 1.0
        one, two = _matched(self._said, Said.of(other, self.stem))
        alike = max(overlap(one.groups(), two.groups()), meant or 0.0)
        return min(alike, DIFFERENT) if _differ(one, two) else alike

    @cached_property
    def _said(self) -> Said:
        return Said.of(self.text, self.stem)


def _matched(one: Said, two: Said) -> tuple[Said, Said]:
    """Spell alike what is one word in two spellings: `front end`, `frontend`, `fornt end`."""
    one, two = _parted(one, two.units), _parted(two, one.units)
    ours, theirs = sorted(one.words - two.words), sorted(two.words - one.words)
    if max(len(ours), len(theirs)) > _MISTAKES:
        return one, two
    mistyped = {word: other for word in ours for other in theirs if _is_mistyped(word, other)}
    spelled = (unit._replace(form=mistyped.get(unit.form, unit.form)) for unit in one.units)
    return replace(one, units=tuple(spelled)), two


def _parted(said: Said, others: Sequence[Unit]) -> Said:
    """Write a word as the several words that the other statement has for it."""
    forms = [other.form for other in others]
    if said.words <= {*forms}:
        return said
    spaced = {
        "".join(forms[at : at + many]): forms[at : at + many]
        for many in range(2, _PARTS + 1)
        for at in range(len(forms) - many + 1)
        if all(form.isalpha() and not is_cjk(form) for form in forms[at : at + many])
    }
    return replace(said, units=tuple(chain(*(_parts(unit, spaced.get(unit.form)) for unit in said.units))))


def _parts(unit: Unit, forms: Sequence[str] | None) -> Iterator[Unit]:
    first, *rest = forms or (unit.form,)
    yield unit._replace(form=first)
    yield from (Unit(form, continues=True) for form in rest)


def _is_mistyped(one: str, other: str) -> bool:
    """Tell whether one letter too many, too few or wrong, or two that changed places, make one word of another."""
    if min(len(one), len(other)) < _MISTYPED or not (one.isalpha() and other.isalpha()):
        return False
    head = _common(one, other)
    ours, theirs = one[head:], other[head:]
    swapped = ours[:2] == theirs[1::-1] and ours[2:] == theirs[2:]
    return swapped or theirs[1:] in {ours, ours[1:]} or ours[1:] == theirs


def _differ(one: Said, two: Said) -> bool:
    """Tell whether something differs that counts."""
    ours, theirs = one.counted, two.counted
    return (
        one.numbers != two.numbers
        or bool(ours - theirs and theirs - ours)
        or _is_denied_elsewhere(one, two)
        or _is_swapped(one, two)
    )


def _is_denied_elsewhere(one: Said, two: Said) -> bool:
    """Tell whether one statement denies more often, or each denies what the other says."""
    if one.denials != two.denials:
        return True
    ours, theirs = one.denied(1) - two.denied(2), two.denied(1) - one.denied(2)
    return bool(ours & two.words and theirs & one.words)


def _is_swapped(one: Said, two: Said) -> bool:
    """Tell whether the statements are the same but for two things that changed places: `from 18 to 20`."""
    ours, theirs = _middle(one.named, two.named)
    if sorted(_forms(ours)) != sorted(_forms(theirs)):
        return False
    sizes = range(1, _SWAPPED + 1)
    return any(_swaps(ours, theirs, first, last) for first in sizes for last in sizes if first + last <= len(ours))


def _middle(ours: Sequence[Unit], theirs: Sequence[Unit]) -> tuple[Sequence[Unit], Sequence[Unit]]:
    """Return what is left of two sequences without their common beginning and end."""
    head = _common(_forms(ours), _forms(theirs))
    ours, theirs = ours[head:], theirs[head:]
    end = _common(_forms(ours)[::-1], _forms(theirs)[::-1])
    return ours[: len(ours) - end], theirs[: len(theirs) - end]


def _swaps(ours: Sequence[Unit], theirs: Sequence[Unit], first: int, last: int) -> bool:
    """Tell whether the first so many units and the last so many changed places, and with them their parts.

    What keeps its own preposition keeps its part: "Anna answers for billing", "for billing answers Anna". What stands
    side by side may change places where no preposition gives it a part: "Loki and Prometheus".
    """
    before, between, after = ours[:first], ours[first:-last], ours[-last:]
    if _forms([*after, *between, *before]) != _forms(theirs) or not (_is_one(before) and _is_one(after)):
        return False
    here, there = (before[0].place, after[0].place), (theirs[-first].place, theirs[0].place)
    if between:
        return here != there or here[0] == here[1]
    return here == there[::-1] != there and (NOT in here or all(here))


def _is_one(units: Sequence[Unit]) -> bool:
    """Tell whether units are one thing: a word, a name of several parts, a few CJK characters."""
    return all(unit.continues for unit in units[1:])


def _forms(units: Sequence[Unit]) -> list[str]:
    return [unit.form for unit in units]


def _common(one: Sequence[str], other: Sequence[str]) -> int:
    """Return how long the common beginning of two sequences is."""
    return sum(1 for _ in takewhile(bool, map(eq, one, other)))


# --- by meaning ---

_LIKENESS: Final = {"e5-small-q4-1": ((0.5, 0.2), (0.75, 0.6), (0.88, 0.9), (0.97, 1.0))}
"""For each model, points of (cosine of two passages, likeness), both rising; what is between them lies on a line."""

_UNFITTED: Final = ((0.5, 0.0), (0.8, 0.6), (0.95, 0.9), (1.0, 1.0))


def likeness(model: str, cosine: float) -> float:
    """Return how near two statements are in meaning, from 0 to 1, by the cosine between their vectors."""
    points = [(-1.0, 0.0), *_LIKENESS.get(model, _UNFITTED), (1.0, 1.0)]
    for (left, low), (right, high) in pairwise(points):
        if cosine <= right and right > left:
            return max(0.0, low + (high - low) * (cosine - left) / (right - left))
    return 1.0
