"""Quoth as its doors answer: turns in ingested logs, statements as entries.

Recall finds entries; behind them stand the places that search shows, which hold every word.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import cast

from bench.retrieval.contenders._home import Home
from bench.retrieval.contenders._port import Contender, Found
from bench.retrieval.sets import Doc, Question
from quoth.core.relevance import FLOOR


class Quoth:
    def __init__(self, folder: Path) -> None:
        self._home = Home(folder)

    def index(self, docs: Sequence[Doc]) -> None:
        self._home.ingest([doc for doc in docs if doc.is_turn])
        self._home.remember([doc for doc in docs if not doc.is_turn])

    def ask(self, question: Question, *, most: int) -> Sequence[Found]:
        return [*self._recalled(question, most), *self._places(question, most)][:most]

    def _recalled(self, question: Question, most: int) -> Iterator[Found]:
        for row, relevance in self._home.kernel.recall.by_words(question.text, limit=most):
            yield Found(self._home.names[row.id], relevance)

    def _places(self, question: Question, most: int) -> Iterator[Found]:
        shown = self._home.kernel.search.run(question.text, target="events", include_tools=True, limit=most)
        for event in cast("Sequence[dict[str, str]]", shown["events"]):
            if event["id"] in self._home.names:
                yield Found(self._home.names[event["id"]], FLOOR)

    def close(self) -> None:
        self._home.close()


CONTENDER = Contender(Quoth, floor=FLOOR, cuts_itself=True, is_judged=True)
