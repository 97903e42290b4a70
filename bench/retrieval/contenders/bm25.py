"""BM25 by the book (k1 1.2, b .75) over the tokens that Quoth indexes, without the commonest words of a question."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Sequence
from itertools import chain
from pathlib import Path

from bench.retrieval.contenders._port import Contender, Found
from bench.retrieval.sets import Doc, Question
from quoth.core.candidates import Word
from quoth.core.relevance import asked
from quoth.core.text import tokens

_K1, _B = 1.2, 0.75


class Bm25:
    """Everything in memory: for each token the texts that hold it, and how often."""

    def __init__(self, _: Path) -> None:
        self._ids: list[str] = []
        self._lengths: list[int] = []
        self._held: dict[str, dict[int, int]] = defaultdict(dict)

    def index(self, docs: Sequence[Doc]) -> None:
        for place, doc in enumerate(docs):
            counts = Counter(chain(*tokens(doc.shown)))
            self._ids.append(doc.id)
            self._lengths.append(counts.total())
            for token, count in counts.items():
                self._held[token][place] = count

    def ask(self, question: Question, *, most: int) -> Sequence[Found]:
        scores = self.scores(asked(question.text, str))
        best = sorted(scores.items(), key=lambda each: (-each[1], each[0]))[:most]
        return [Found(self._ids[place], score) for place, score in best]

    def scores(self, wanted: Sequence[Word]) -> dict[int, float]:
        """Return the score of every text that holds any of the words, by its place."""
        usual = sum(self._lengths) / len(self._lengths)
        scores: dict[int, float] = defaultdict(float)
        for word in wanted:
            held = self._holding(word)
            rarity = math.log(1 + (len(self._ids) - len(held) + 0.5) / (len(held) + 0.5))
            for place, count in held.items():
                bend = _K1 * (1 - _B + _B * self._lengths[place] / usual)
                scores[place] += rarity * count * (_K1 + 1) / (count + bend)
        return scores

    def _holding(self, word: Word) -> dict[int, int]:
        if not word.is_open:
            return self._held.get(word.form, {})
        held: dict[int, int] = Counter()
        for token, counts in self._held.items():
            if token.startswith(word.form):
                held.update(counts)
        return held

    def close(self) -> None: ...


CONTENDER = Contender(Bm25)
