"""Where a secret stands in a text, and what to do when several rules found it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Span:
    start: int
    end: int
    type: str


def united(spans: Iterable[Span]) -> Sequence[Span]:
    """Put overlapping spans together, in the order of the text; the type is that of the rule that was asked first."""
    found: list[tuple[int, Span]] = []
    for rank, span in sorted(enumerate(spans), key=lambda each: (each[1].start, each[0])):
        if found and span.start < found[-1][1].end:
            before = found[-1]
            first = min(before, (rank, span), key=lambda each: each[0])
            end = max(before[1].end, span.end)
            found[-1] = (first[0], Span(before[1].start, end, first[1].type))
        else:
            found.append((rank, span))
    return [span for _, span in found]


def places(text: str, words: Iterable[str]) -> Sequence[int]:
    """Return where words are in a text, whatever their case, in the order of the text."""
    folded = text.lower()
    if len(folded) != len(text):  # a few letters of the world grow when folded; then only places of the text count
        folded = "".join(letter.lower()[:1] for letter in text)
    return sorted(start for word in words if word in folded for start in _of(folded, word))


def _of(folded: str, word: str) -> Iterator[int]:
    start = folded.find(word)
    while start >= 0:
        yield start
        start = folded.find(word, start + len(word))
