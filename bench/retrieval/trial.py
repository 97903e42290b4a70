"""Let one contender answer one set, in a process of its own so that its memory can be told."""

from __future__ import annotations

import math
import multiprocessing
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from statistics import quantiles
from typing import cast

from bench.measure import peak_memory, timed
from bench.retrieval.contenders._port import Contender, Found
from bench.retrieval.metrics import hit_at, is_newer_first, ndcg_at, recall_at
from bench.retrieval.sets import Group, Half, Question, Set
from quoth import _plugins

DEEP = 20  # places of a ranking that are looked at
_PACKAGE = "bench.retrieval.contenders"
Ask = Callable[..., Sequence[Found]]


@dataclass(frozen=True, slots=True)
class Answer:
    """What came for one question: the ranking without any cut-off, and the score of its first."""

    question: Question
    half: Half
    ranked: tuple[str, ...]
    scores: tuple[float, ...]
    ms: float

    def recall(self, k: int = 10, *, floor: float = -math.inf) -> float:
        kept = [id_ for id_, score in zip(self.ranked, self.scores, strict=True) if score >= floor]
        return recall_at(kept, self.question.gold, k)

    def hit(self, k: int = 10) -> float:
        return hit_at(self.ranked, self.question.gold, k)

    def ndcg(self, k: int = 10) -> float:
        return ndcg_at(self.ranked, self.question.gold, k)

    def is_given(self, floor: float) -> bool:
        """Tell whether anything is answered when what scores less is held back."""
        return any(score >= floor for score in self.scores)

    @property
    def is_newer_first(self) -> bool:
        return is_newer_first(self.ranked, self.question.gold, self.question.older)


@dataclass(frozen=True, slots=True)
class Trial:
    """One contender on one set. `peak` is the most bytes that its process held, texts and interpreter included."""

    set: str
    contender: str
    answers: Sequence[Answer]
    indexed_s: float
    peak: int

    def of(self, half: Half | None) -> Trial:
        """Return what is of one half; None is both."""
        kept = [answer for answer in self.answers if half in {None, answer.half}]
        return Trial(self.set, self.contender, kept, self.indexed_s, self.peak)

    @property
    def answerable(self) -> Sequence[Answer]:
        return [answer for answer in self.answers if answer.question.gold]

    @property
    def about_nothing(self) -> Sequence[Answer]:
        return [answer for answer in self.answers if not answer.question.gold]

    def latency(self) -> tuple[float, float]:
        """Return the middle and the 95th percentile in milliseconds."""
        taken = sorted(answer.ms for answer in self.answers)
        if len(taken) < 2:
            return taken[0], taken[0]
        cuts = quantiles(taken, n=20)
        return cuts[9], cuts[18]


def contenders(*, models: bool) -> Sequence[str]:
    """Return the contenders that can take part here; those that have a model only with `models`, for they take long."""
    here = [name for name in _plugins.names(_PACKAGE) if contender(name).is_here()]
    return [name for name in here if models or not contender(name).has_model]


def contender(name: str) -> Contender:
    return cast("Contender", _plugins.load(_PACKAGE, name, "CONTENDER"))


def run(asked: Set, name: str) -> Trial:
    """Run it here."""
    opened = contender(name)
    answers: list[Answer] = []
    indexed = 0.0
    half = asked.halves()
    for group in asked.groups:
        with tempfile.TemporaryDirectory(prefix="quoth-bench-") as folder:
            took, got = _group(opened, Path(folder), group, half)
        answers += got
        indexed += took
    return Trial(asked.name, name, answers, indexed, peak_memory())


def run_apart(read: Callable[[], Set], name: str) -> Trial:
    """Run it in a new process, which reads the set itself."""
    apart = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(1, mp_context=apart) as pool:
        return pool.submit(_run_read, read, name).result()


def _run_read(read: Callable[[], Set], name: str) -> Trial:
    return run(read(), name)


def _group(opened: Contender, folder: Path, group: Group, half: Mapping[str, Half]) -> tuple[float, list[Answer]]:
    store = opened.open(folder)
    try:
        took, _ = timed(lambda: store.index(group.docs))
        return took.wall, list(_answers(store.ask, group.questions, half))
    finally:
        store.close()


def _answers(ask: Ask, questions: Sequence[Question], half: Mapping[str, Half]) -> Iterator[Answer]:
    for question in questions:
        took, found = timed(partial(ask, question, most=DEEP))
        best = dict(reversed(found))  # a text that is there twice counts where it stands first
        ranked = tuple(dict.fromkeys(id_ for id_, _ in found))
        yield Answer(question, half[question.id], ranked, tuple(best[id_] for id_ in ranked), took.wall * 1000)
