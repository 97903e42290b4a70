"""Recognise text that addresses an agent's instructions: overrides, reveals, impersonates, or hides from the person.

It is a pure function of the text, by rules and words that can be read (docs/decisions/0017-judgement-by-rules.md). What
tells an agent how to work is no such text: "Never deploy on Fridays" is a rule. Time grows with the length of the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from typing import Final

from quoth.core._recognise_fold import Folded, compact, folded, letters
from quoth.core._recognise_orders import orders
from quoth.core._recognise_phrases import IN_RUN_TOGETHER, PHRASES, RUN_TOGETHER, WHOLE_WORDS
from quoth.core._recognise_words import scripts_in

_WHOLE: Final = 131_072  # characters; of a longer text its beginning and its end are read
_TAIL: Final = 32_768
_UNSEEN: Final = re.compile("[\U000e0020-\U000e007e]{8}")


@dataclass(frozen=True, slots=True)
class Found:
    """A part of a text that addresses an agent's instructions, and the rule that says so."""

    rule: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Recognised:
    found: tuple[Found, ...] = ()

    @property
    def is_hostile(self) -> bool:
        return bool(self.found)


def recognise(text: str) -> Recognised:
    """Return what in a text addresses an agent's instructions, in the order of the text.

    What is remembered or imported is read whole. Of a text of more than 131,072 characters the first three quarters of
    as many are read, and the last quarter from its end.
    """
    found = {
        Found(each.rule, start + each.start, start + each.end) for start, part in _read(text) for each in _found(part)
    }
    return Recognised(tuple(sorted(found, key=lambda each: (each.start, each.end, each.rule))))


def _read(text: str) -> Iterator[tuple[int, str]]:
    if len(text) <= _WHOLE:
        yield 0, text
        return
    yield 0, text[: _WHOLE - _TAIL]
    yield len(text) - _TAIL, text[-_TAIL:]


def _found(text: str) -> Iterator[Found]:
    for unseen in _UNSEEN.finditer(text):
        yield Found("unseen letters", unseen.start(), unseen.end())
    seen = folded(text)
    scripts = scripts_in(seen.text)
    for rule, start, end in orders(seen.text, scripts):
        yield _at(seen, rule, start, end)
    for rule, phrases in PHRASES.items():
        patterns = chain.from_iterable(phrase.patterns() for phrase in phrases if phrase.script in scripts)
        for said in chain.from_iterable(pattern.finditer(seen.text) for pattern in patterns):
            yield _at(seen, rule, *said.span())
    if IN_RUN_TOGETHER.search(letters(seen.text)):
        yield from _run_together(text, compact(seen))


def _run_together(text: str, seen: Folded) -> Iterator[Found]:
    for said in RUN_TOGETHER.finditer(seen.text):
        found = _at(seen, "override", *said.span())
        if not WHOLE_WORDS.fullmatch(folded(text[found.start : found.end]).text):
            yield found


def _at(seen: Folded, rule: str, start: int, end: int) -> Found:
    return Found(rule, *seen.place(start, end))
