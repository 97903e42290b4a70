"""What many systems ship: the ranks of BM25 and of vectors added up, with equal weight (k = 60)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

from bench.retrieval.contenders import bm25, vectors
from bench.retrieval.contenders._port import Contender, Found
from bench.retrieval.sets import Doc, Question

_K = 60
_DEEP = 100  # ranks that count


class RankFusion:
    def __init__(self, folder: Path) -> None:
        self._both = (bm25.Bm25(folder), vectors.Near(folder))

    def index(self, docs: Sequence[Doc]) -> None:
        for one in self._both:
            one.index(docs)

    def ask(self, question: Question, *, most: int) -> Sequence[Found]:
        scores: dict[str, float] = defaultdict(float)
        for one in self._both:
            for rank, found in enumerate(one.ask(question, most=_DEEP), 1):
                scores[found.id] += 1 / (_K + rank)
        best = sorted(scores.items(), key=lambda each: (-each[1], each[0]))
        return [Found(id_, score) for id_, score in best[:most]]

    def close(self) -> None:
        for one in self._both:
            one.close()


CONTENDER = Contender(RankFusion, has_model=True, is_here=vectors.CONTENDER.is_here)
