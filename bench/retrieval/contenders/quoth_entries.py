"""Quoth's recall over entries, with every text as one, turns included."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from bench.retrieval.contenders._home import Home
from bench.retrieval.contenders._port import Contender, Found
from bench.retrieval.sets import Doc, Question
from quoth.core.relevance import FLOOR


class Entries:
    def __init__(self, folder: Path) -> None:
        self._home = Home(folder)

    def index(self, docs: Sequence[Doc]) -> None:
        self._home.remember(docs)

    def ask(self, question: Question, *, most: int) -> Sequence[Found]:
        found = self._home.kernel.recall.by_words(question.text, limit=most)
        return [Found(self._home.names[row.id], relevance) for row, relevance in found]

    def close(self) -> None:
        self._home.close()


CONTENDER = Contender(Entries, floor=FLOOR, cuts_itself=True)
