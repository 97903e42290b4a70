"""Cut text into the tokens of a Unigram vocabulary: the cut whose pieces are likeliest together, found by Viterbi."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

_START = "▁"  # stands before every word, in place of the space
BEGIN, END, UNKNOWN = 0, 2, 3
_CONTROL = frozenset(("<s>", "<pad>", "</s>", "<unk>", "<mask>"))  # no text may spell these
_SHORT = 24  # characters of words that are remembered: longer ones hardly come again
_UNLIKELY = 10.0  # how much likelier the least likely piece is than an unknown character


class Unigram:
    """A vocabulary. What it is given is tidy: NFKC, and single spaces between words."""

    def __init__(self, pieces: Sequence[bytes], scores: Sequence[float]) -> None:
        texts = (piece.decode("utf-8", "replace") for piece in pieces)
        known = {text: token for token, text in enumerate(texts) if text not in _CONTROL}
        self._known = {text: (token, scores[token]) for text, token in known.items()}
        self._longest = max(map(len, known))
        self._unlikely = min(scores) - _UNLIKELY
        self._word = lru_cache(maxsize=8192)(self._cut)

    def tokens(self, text: str, *, most: int) -> list[int]:
        """Return the tokens of a text, at most that many; the rest of it is not looked at."""
        found: list[int] = []
        for word in _words(text, longest=4 * most):
            found.extend(self._word(word) if len(word) <= _SHORT else self._cut(word))
            if len(found) >= most:
                break
        return found[:most]

    def _cut(self, word: str) -> tuple[int, ...]:
        """Return the likeliest pieces of a word; unknown characters side by side are one token."""
        size = len(word)
        best = [0.0] + [-1e30] * size
        step = [(0, UNKNOWN)] * (size + 1)
        known, longest = self._known, self._longest
        for start in range(size):
            likely = best[start]
            for end in range(start + 1, min(size, start + longest) + 1):
                piece = known.get(word[start:end])
                if piece is not None and likely + piece[1] > best[end]:
                    best[end] = likely + piece[1]
                    step[end] = (start, piece[0])
            if likely + self._unlikely > best[start + 1]:
                best[start + 1] = likely + self._unlikely
                step[start + 1] = (start, UNKNOWN)
        return tuple(_joined(_back(step)))


def _words(text: str, *, longest: int) -> Iterator[str]:
    """Yield words with their mark; one without end is cut, so that no text costs more than its tokens."""
    for word in text.split(" "):
        marked = _START + word.replace(_START, "")
        yield from (marked[at : at + longest] for at in range(0, len(marked), longest))


def _back(step: Sequence[tuple[int, int]]) -> list[int]:
    tokens, at = [], len(step) - 1
    while at:
        at, token = step[at]
        tokens.append(token)
    return tokens[::-1]


def _joined(tokens: Iterable[int]) -> Iterator[int]:
    last = None
    for token in tokens:
        if token != UNKNOWN or last != UNKNOWN:
            yield token
        last = token
