"""The model on this machine alone: every text by the nearest of its windows, compared with all of them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from operator import mul
from pathlib import Path

from bench.retrieval.contenders._port import Contender, Found
from bench.retrieval.sets import Doc, Question
from quoth.embedders.local import Local

_BATCH = 64


class Near:
    """Plain loops: the time of a query says nothing about the cache of vectors that Quoth has."""

    def __init__(self, _: Path) -> None:
        self._model = Local()
        self._held: list[tuple[str, tuple[float, ...]]] = []

    def index(self, docs: Sequence[Doc]) -> None:
        for start in range(0, len(docs), _BATCH):
            batch = docs[start : start + _BATCH]
            read = self._model.embed([doc.shown for doc in batch], use="passage")
            self._held += [(doc.id, each) for doc, vectors in zip(batch, read, strict=True) for each in vectors]

    def ask(self, question: Question, *, most: int) -> Sequence[Found]:
        return sorted(self.scores(question), key=lambda found: (-found.score, found.id))[:most]

    def scores(self, question: Question) -> Sequence[Found]:
        """Return the cosine of every text."""
        asked = list(chain(*self._model.embed([question.text], use="query")))
        if not asked:
            return ()
        best: dict[str, float] = {}
        for id_, vector in self._held:
            best[id_] = max(best.get(id_, -1.0), sum(map(mul, asked[0], vector)))
        return [Found(id_, cosine) for id_, cosine in best.items()]

    def close(self) -> None: ...


CONTENDER = Contender(Near, has_model=True, is_here=lambda: Local().is_installed())
