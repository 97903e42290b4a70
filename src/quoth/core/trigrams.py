"""Measure how much of their letters two texts share: characters in threes, whatever the order of the words.

Each word is taken by itself with a border on both sides, so that words may change places. Where words have no space
between them, characters and their pairs stand for threes: a word has two characters there.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from quoth.core.text import CJK, bigrams

_CJK = re.compile(f"[{CJK}]")


def trigrams(words: Iterable[str]) -> frozenset[str]:
    """Return the groups of characters of folded words and CJK runs."""
    return frozenset(group for word in words for group in _groups(word))


def overlap(one: frozenset[str], other: frozenset[str]) -> float:
    """Return the share of groups that two texts have in common of all that either has (Jaccard), from 0 to 1."""
    return len(one & other) / len(one | other) if one or other else 0.0


def _groups(word: str) -> Iterator[str]:
    if _CJK.match(word):
        yield from (*word, *bigrams(word))
        return
    bordered = f" {word} "
    yield from (bordered[at : at + 3] for at in range(len(bordered) - 2))
