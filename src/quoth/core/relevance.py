"""Tell how relevant texts are to a question, from 0 to 1, by the words they share with it.

The measure is BM25 over the best that a text of ordinary length could reach, which is to hold every word once. It is
computed from the candidates alone, never from an engine's own statistics: the same candidates score the same on every
engine, in whatever order they were stored.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence
from itertools import chain

from quoth.core import text as words
from quoth.core._relevance_words import FILLING, STOP

FLOOR = 0.15
"""What is less relevant than this has one common word with the question, and no more."""

_MOST = 64  # words of a question; the rest of a longer one adds little
_SATURATION = 1.2
_LENGTH = 0.3  # how much a long text is held against itself: statements are short anyway
_OTHERS = 50  # texts without any of the words, beside the candidates: few candidates say little about rarity
_CJK = re.compile(f"[{words.CJK}]")


def asked(question: str) -> tuple[str, ...]:
    """Return the words to look for, each once: pairs of neighbours in CJK runs, camelCase words by parts and whole.

    A CJK character that stands alone is the beginning of a pair.
    """
    marked = FILLING.sub(" ", words.mark(question))
    parts = words.parts(marked.replace(words.JOINT, " "))
    found = [*(token for part in parts for token in _tokens(part)), *words.identifiers(marked)]
    return tuple(dict.fromkeys(token for token in found if token not in STOP))[:_MOST]


def is_open(word: str) -> bool:
    """Tell whether a word stands for every token that begins with it."""
    return len(word) == 1 and _CJK.match(word) is not None


def relevances(wanted: Sequence[str], texts: Sequence[str]) -> list[float]:
    """Return the relevance of each text to the words of a question."""
    held = [_counts(wanted, list(chain(*words.tokens(text)))) for text in texts]
    holding = Counter(word for counts, _ in held for word in counts)
    rarity = {word: _rarity(holding[word], len(texts)) for word in wanted}
    best = sum(rarity.values())
    usual = sum(length for _, length in held) / len(held) if held else 0.0
    return [min(1.0, _weight(counts, rarity, length / usual) / best) if counts else 0.0 for counts, length in held]


def _tokens(part: str) -> Sequence[str]:
    return words.bigrams(part) if len(part) > 1 and _CJK.match(part) else (part,)


def _counts(wanted: Sequence[str], tokens: Sequence[str]) -> tuple[dict[str, int], int]:
    """Return how often a text holds each of the words, and how long it is."""
    there = Counter(tokens)
    counts = {word: _open_count(word, there) if is_open(word) else there[word] for word in wanted}
    return {word: count for word, count in counts.items() if count}, len(tokens)


def _open_count(word: str, there: Counter[str]) -> int:
    return sum(count for token, count in there.items() if token.startswith(word))


def _rarity(holding: int, candidates: int) -> float:
    return math.log(1 + (candidates + _OTHERS - holding + 0.5) / (holding + 0.5))


def _weight(counts: dict[str, int], rarity: dict[str, float], length: float) -> float:
    bend = _SATURATION * (1 - _LENGTH + _LENGTH * length)
    return math.fsum(rarity[word] * count * (_SATURATION + 1) / (count + bend) for word, count in counts.items())
