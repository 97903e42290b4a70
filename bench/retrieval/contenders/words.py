"""The relevance by words that Quoth reports, alone: the 500 best by BM25, ranked by `core.relevance`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from bench.retrieval.contenders._port import Contender, Found
from bench.retrieval.contenders.bm25 import Bm25
from bench.retrieval.sets import Doc, Question
from quoth.core.relevance import FLOOR, asked, relevances, tally
from quoth.readers.stems import stem

_CANDIDATES = 500


@dataclass
class Words:
    folder: Path
    _texts: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._proposing = Bm25(self.folder)

    def index(self, docs: Sequence[Doc]) -> None:
        self._proposing.index(docs)
        self._texts = {doc.id: doc.shown for doc in docs}

    def ask(self, question: Question, *, most: int) -> Sequence[Found]:
        proposed = [found.id for found in self._proposing.ask(question, most=_CANDIDATES)]
        wanted = asked(question.text, stem)
        scores = relevances(wanted, [tally(wanted, self._texts[id_], stem) for id_ in proposed])
        found = map(Found, proposed, scores)
        return sorted(found, key=lambda each: -each.score)[:most]

    def close(self) -> None: ...


CONTENDER = Contender(Words, floor=FLOOR)
