"""Quoth as its recall answers, by words alone: turns in ingested logs, statements as entries."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from bench.retrieval.contenders._home import Home
from bench.retrieval.contenders._port import Contender, Found
from bench.retrieval.sets import Doc, Question
from quoth.core.ranking import line
from quoth.core.relevance import FLOOR
from quoth.services.recall import Where


class Quoth:
    def __init__(self, folder: Path) -> None:
        self.home = Home(folder)

    def index(self, docs: Sequence[Doc]) -> None:
        self.home.ingest([doc for doc in docs if doc.is_turn])
        self.home.remember([doc for doc in docs if not doc.is_turn])

    def ask(self, question: Question, *, most: int) -> Sequence[Found]:
        """Ask without the cut-off; what recall would hold back scores less than its line."""
        where = Where(spot=self.home.spot(question.place))
        found = self.home.recall.ranked(question.text, where, limit=most, floor=0.0)
        return [Found(self.home.names[each.row.id], _shown(each.relevance, found.best)) for each in found.items]

    def close(self) -> None:
        self.home.close()


def _shown(relevance: float, best: float) -> float:
    """Return a score that reaches the floor exactly where recall answers."""
    return max(relevance, FLOOR) if relevance >= line(best) else min(relevance, FLOOR - 1e-9)


CONTENDER = Contender(Quoth, floor=FLOOR, is_judged=True)
