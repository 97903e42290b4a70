"""Tell how relevant texts are to a question, from 0 to 1, by the words they share with it.

The measure is BM25 over the best that a text of ordinary length could reach, which is to hold every word once. It is
computed from the candidates alone, never from an engine's own statistics: the same candidates score the same on every
engine, in whatever order they were stored.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import chain
from typing import NamedTuple, Protocol

from quoth.core import text as words
from quoth.core._relevance_names import names_in
from quoth.core._relevance_words import FILLING, STOP
from quoth.core.candidates import Word

FLOOR = 0.25
"""Where nothing is as relevant as this, nothing answers the question (docs/decisions/0023-relevance.md)."""

_MOST = 64  # words of a question; the rest of a longer one adds little
_SATURATION = 1.2
_LENGTH = 0.9  # how much a long text is held against itself
_ORDINARY = 60  # tokens of a text of ordinary length
_OTHERS = 300  # texts without any of the words, beside the candidates: few candidates say little about rarity
_CJK = re.compile(f"[{words.CJK}]")

Stem = Callable[[str], str]


class Counted(Protocol):
    """How often a text holds each word of a question, in their order, and how many tokens it has."""

    @property
    def counts(self) -> tuple[int, ...]: ...

    @property
    def length(self) -> int: ...


class Tally(NamedTuple):
    """What is counted of a text that is at hand."""

    counts: tuple[int, ...]
    length: int


def asked(question: str, stem: Stem) -> tuple[Word, ...]:
    """Return the words to look for, each once: pairs of neighbours in CJK runs, camelCase words by parts and whole.

    A CJK character that stands alone is the beginning of a pair. Of words with the same stem the first is taken.
    """
    marked = FILLING.sub(" ", words.mark(question))
    parts = words.parts(marked.replace(words.JOINT, " "))
    found = [*(token for part in parts for token in _tokens(part)), *words.identifiers(marked)]
    named = names_in(question)
    kept: dict[str, Word] = {}
    for form in found:
        if form not in STOP:
            stemmed = stem(form)
            kept.setdefault(stemmed, Word(form, stemmed, is_open(form), form in named))
    return tuple(kept.values())[:_MOST]


def is_open(form: str) -> bool:
    """Tell whether a word stands for every token that begins with it."""
    return len(form) == 1 and _CJK.match(form) is not None


def tally(wanted: Sequence[Word], text: str, stem: Stem) -> Tally:
    """Count in a text what an engine counts in what it holds: tokens that are a word's stem or inflected from it."""
    tokens = list(chain(*words.tokens(text)))
    there = Counter(tokens)
    for token in tokens:
        if (stemmed := stem(token)) != token:
            there[stemmed] += 1
    return Tally(
        tuple(_open_count(word.form, tokens) if word.is_open else there[word.stem] for word in wanted), len(tokens)
    )


def relevances(wanted: Sequence[Word], hits: Sequence[Counted]) -> list[float]:
    """Return the relevance of each candidate to the words of a question."""
    return [min(1.0, strength) for strength in strengths(hits, rarities(wanted, hits))]


def strengths(hits: Sequence[Counted], rarity: Sequence[float]) -> list[float]:
    """Return how strongly each candidate holds the words of a question; what is short and says it often exceeds 1."""
    best = math.fsum(rarity) / (_SATURATION + 1)
    return [_weight(hit, rarity) / best if best and any(hit.counts) else 0.0 for hit in hits]


def rarities(wanted: Sequence[Word], hits: Sequence[Counted]) -> list[float]:
    """Return how much each word of a question tells, by how few of the candidates hold it."""
    held = [hit.counts for hit in hits if any(hit.counts)]
    if not held:
        return [_rarity(0, 0)] * len(wanted)
    return [_rarity(len(held) - column.count(0), len(held)) for column in zip(*held, strict=True)]


def _tokens(part: str) -> Sequence[str]:
    return words.bigrams(part) if len(part) > 1 and _CJK.match(part) else (part,)


def _open_count(form: str, tokens: Sequence[str]) -> int:
    return sum(token.startswith(form) for token in tokens)


def _rarity(holding: int, candidates: int) -> float:
    return math.log(1 + (candidates + _OTHERS - holding + 0.5) / (holding + 0.5))


def _weight(hit: Counted, rarity: Sequence[float]) -> float:
    bend = _SATURATION * (1 - _LENGTH + _LENGTH / _ORDINARY * hit.length)
    weight = 0.0
    for rare, count in zip(rarity, hit.counts, strict=True):  # a loop: this runs for every candidate
        if count:
            weight += rare * count / (count + bend)
    return weight
