"""Read what counts of a statement: what it names, in stems; its numbers; what it denies; who does what.

Inflection, spelling, width, and words that add nothing are gone then (`_duplicates_words`).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, NamedTuple

from quoth.core import _duplicates_words as known
from quoth.core.text import CJK, fold
from quoth.core.trigrams import trigrams

Stem = Callable[[str], str]
"""Returns the stem of a folded word."""

NOT: Final = "not"
_UNIT: Final = re.compile(rf"\d+(?:[.,:]\d+)*|[{CJK}]|[^\W\d_{CJK}]+|[，。；、！？]|[,;.!?](?=\s|$)")
_GLUED: Final = re.compile(r"[\w./:@+-]{0,3}")  # what may stand between the parts of a name
_CJK: Final = re.compile(f"[{CJK}]")
_ENDS: Final = frozenset("。；！？;.!?")
_STOPS: Final = _ENDS | frozenset("，、,")


class Unit(NamedTuple):
    """A stem, a number, a CJK character, or "" where a clause ends.

    `place` is the preposition or denial before it; one that `continues` belongs to what stands before it: `acme-web`.
    """

    form: str
    place: str = ""
    continues: bool = False


@dataclass(frozen=True, slots=True)
class Said:
    """What counts of a statement, in its order, and how often something is denied."""

    units: tuple[Unit, ...]
    denials: int

    @classmethod
    def of(cls, text: str, stem: Stem) -> Said:
        said = fold(text)
        for pattern, plain in known.PHRASES:
            said = pattern.sub(plain, said)
        for phrase, plain in known.PHRASES_CJK:
            said = said.replace(phrase, plain)
        denials = len(known.DENIALS.findall(said))
        said = known.FILLING_CJK.sub(_gap, known.DENIALS.sub(f" {NOT} ", said))
        said = known.NUMBER_CJK.sub(_in_digits_cjk, known.NUMBER_WORD.sub(_in_digits, said))
        return cls(tuple(_units(said, stem)), denials)

    @property
    def numbers(self) -> frozenset[str]:
        return frozenset(form for form in self.words if form[0].isdigit())

    @property
    def named(self) -> Sequence[Unit]:
        """Return the units without the ends of clauses."""
        return [unit for unit in self.units if unit.form]

    @property
    def counted(self) -> Counter[str]:
        return Counter(unit.form for unit in self.named)

    @property
    def words(self) -> frozenset[str]:
        return frozenset(self.counted)

    def denied(self, reach: int) -> frozenset[str]:
        """Return so many units behind each denial."""
        heads = [at for at, unit in enumerate(self.units) if unit.place.startswith(NOT)]
        return frozenset(unit.form for at in heads for unit in self.units[at : at + reach])

    def groups(self) -> frozenset[str]:
        return trigrams(_runs([unit.form for unit in self.units]))


def _units(said: str, stem: Stem) -> Iterator[Unit]:
    """Yield what counts, each with what stands before it."""
    known_stems, place, before = _stems(stem), "", None
    for found in _UNIT.finditer(said):
        form, is_glued = found[0], before is not None and _is_glued(before, found)
        continues, before = is_glued or (before is not None and before[0][0].isdigit()), found
        if form == NOT or (form in known.PLACES and not is_glued):
            place = f"{NOT} {form}" if place == NOT else form
            continue
        if form in _STOPS:
            place = form if form in _ENDS else place
            yield Unit("")
            continue
        stemmed = known.DERIVED.sub("", stem(form))
        if counted := stemmed if is_glued or _is_part(found) else known_stems.get(stemmed, stemmed):
            yield Unit(counted, place, continues)
            place = ""


def _is_glued(before: re.Match[str], found: re.Match[str]) -> bool:
    """Tell whether something belongs to what stands before it, as `web` in `acme-web`."""
    is_near = _GLUED.fullmatch(found.string, before.end(), found.start()) is not None
    return is_near and is_cjk(before[0]) == is_cjk(found[0])


def _is_part(found: re.Match[str]) -> bool:
    """Tell whether a letter is one of a name, as in `a100`."""
    return found[0].isascii() and found.string[found.end() : found.end() + 1].isdigit()


@lru_cache(maxsize=4)
def _stems(stem: Stem) -> dict[str, str]:
    """Return the stem that stands for each of several that say the same, and "" for those that add nothing."""
    same = {stem(word): stem(group[0]) for group in known.SAME for word in group}
    return {**dict.fromkeys(map(stem, known.FILLING), ""), "1": "", **same}


def _gap(found: re.Match[str]) -> str:
    """Leave nothing between CJK characters, and a space where words would grow together."""
    around = found.string[found.start() - 1 : found.start()] + found.string[found.end() : found.end() + 1]
    return " " if any(side.isalnum() and not is_cjk(side) for side in around) else ""


def _in_digits(found: re.Match[str]) -> str:
    return str(sum(known.NUMBER_WORDS[word] for word in re.split("[ -]", found[0])))


def _in_digits_cjk(found: re.Match[str]) -> str:
    """Write a number below a thousand in digits; one by itself says little, as in the words for `unite` and `once`."""
    hundreds, _, below = found[0].rpartition("百")
    tens, ten, ones = below.rpartition("十")
    value = 100 * _digits(hundreds) + 10 * (_digits(tens) or int(bool(ten))) + _digits(ones)
    return f" {value} " if value != 1 else ""


def _digits(said: str) -> int:
    return int("".join(str(known.DIGITS_CJK[digit]) for digit in said if digit in known.DIGITS_CJK) or 0)


def _runs(units: Sequence[str]) -> Iterator[str]:
    """Yield words as they are, and CJK characters that follow each other as one."""
    run = ""
    for unit in (*units, ""):
        if is_cjk(unit):
            run += unit
            continue
        if run:
            yield run
        run = ""
        if unit:
            yield unit


def is_cjk(form: str) -> bool:
    return _CJK.match(form) is not None
