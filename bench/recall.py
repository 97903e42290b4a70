"""PER-5: how long recall takes in a running process, over many entries beside as many events.

By words alone, by its parts, and with vectors: then a real worker embeds the questions and compares them, over its
socket. The vectors of the texts are made up, around those of real sentences: embedding so many takes a quarter of an
hour, and comparing takes as long whatever they say.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from random import Random
from statistics import median, quantiles
from typing import cast

from bench.bars import Row
from bench.generate import generate
from bench.ingest import fresh, ingest
from bench.measure import Took, timed
from bench.prose import LANGUAGES, Prose
from bench.remember import BY
from bench.subject import Store
from quoth.core.candidates import Compared
from quoth.core.ledger.operations import Draft, asserting
from quoth.core.memory import EntryFilter
from quoth.core.model import Filter, Json
from quoth.core.relevance import asked
from quoth.readers.stems import stem
from quoth.services._deciding import fresh_id
from quoth.wiring import Kernel

_TOGETHER = 2_000  # entries in one transaction
_QUESTIONS = 200
_WORDS = 8  # of a question
_CANDIDATES = 500
_BAR = 30.0  # milliseconds


class Nobody:
    """Compares nothing: words decide alone."""

    def compare(self, text: str, **_: object) -> Compared | None:
        return None


def measure(work: Path, *, entries: int, events: int, seed: int) -> Iterator[Row]:
    generate(work / "logs", events=events, files=max(1, events // 100), seed=seed)
    store = Store(work / "logs", fresh(work / "home"), events)
    ingest(store)
    prose = Prose(seed + 1)
    with store.open() as kernel:
        said = _remember(kernel, prose, entries)
        questions = [_question(prose.random, text) for text in prose.random.choices(said, k=_QUESTIONS)]
        words = [asked(question, stem) for question in questions]
        held, index = kernel.memory.entries, kernel.index
        ranked = replace(kernel.recall, meaning=Nobody()).ranked
        size = f"{entries:,} entries and {events:,} events"
        yield _row(
            f"entries that share words, {size}",
            [partial(held.sharing, each, EntryFilter(now=None), limit=_CANDIDATES) for each in words],
        )
        yield _row(
            f"messages that share words, {size}",
            [partial(index.sharing, each, Filter(), limit=_CANDIDATES) for each in words],
        )
        yield _row(f"recall by words alone, {size}", [partial(ranked, each, limit=10) for each in questions], _BAR)
    if store.awake().embedder_name == "local":
        yield from _with_worker(store, questions, size)


def _with_worker(store: Store, questions: Sequence[str], size: str) -> Iterator[Row]:
    kernel = store.awake()
    try:
        texts = _fill(kernel)
        kernel.worker.wake()
        _wait_for_worker(kernel, texts)
        asking = _Asking(kernel)
        work = f"… of it comparing, over {texts:,} texts with made-up vectors"
        yield _row(work, [partial(asking.compare, each) for each in questions])
        asking.asked = asking.answered = 0
        row = _row(f"recall with vectors, {size}", [partial(asking.recall, each) for each in questions], _BAR)
        yield replace(row, work=f"{row.work}; {asking.answered / asking.asked:.0%} answered in time")
    finally:
        kernel.worker.stop()
        kernel.close()


@dataclass
class _Asking:
    """Counts how often the worker answers in time; no question is asked twice, for the worker remembers them."""

    kernel: Kernel
    asked: int = 0
    answered: int = 0

    def compare(self, question: str) -> None:
        self.asked += 1
        self.kernel.meaning.compare(f"{question} {self.asked}", nearest=200)

    def recall(self, question: str) -> None:
        self.asked += 1
        found = self.kernel.recall.ranked(f"{question} {self.asked}", limit=10)
        self.answered += found.model is not None


def _fill(kernel: Kernel) -> int:
    """Give every text a vector, and return how many there are."""
    from bench.vectors import around, sentences

    assert kernel.embedder
    rows = around(sentences(kernel.embedder), len(keys := [*dict.fromkeys(kernel.index.texts())]))
    cache = kernel.vectors_of(kernel.embedder)
    for start in range(0, len(keys), _TOGETHER):
        cache.put(zip(keys[start:][:_TOGETHER], rows[start:], strict=False))
    cache.close()
    return len(keys)


def _wait_for_worker(kernel: Kernel, texts: int) -> None:
    for _ in range(1_200):
        said = kernel.worker.ping() or {}
        if said.get("is_ready") and said.get("embedded") == texts:
            return
        time.sleep(0.1)
    raise RuntimeError("the worker does not become ready")


def _remember(kernel: Kernel, prose: Prose, entries: int) -> Sequence[str]:
    """Write entries as a deployment of years has them, in few transactions."""
    service = replace(kernel.remember, read_recent=lambda: None)
    begun = cast("dict[str, Json]", service.run("The first of them.", by=BY, uncited="bench")["entry"])
    first = kernel.memory.any_entry(str(begun["id"])).version.statement
    assert first
    said = [prose.text(prose.random.choice(LANGUAGES), prose.random.randint(10, 30)) for _ in range(entries)]
    statements = [replace(first, text=text, created_at=first.created_at + n) for n, text in enumerate(said)]
    for start in range(0, entries, _TOGETHER):
        some = statements[start : start + _TOGETHER]
        with kernel.memory.deciding():
            kernel.memory.append([Draft(asserting(fresh_id(each.created_at), each, ()), each.author) for each in some])
    return said


def _question(random: Random, text: str) -> str:
    """Ask with some of what an entry says."""
    parts = text.split()
    if len(parts) < _WORDS:  # a script without spaces
        start = random.randrange(max(1, len(text) - _WORDS))
        return text[start : start + _WORDS]
    return " ".join(random.sample(parts, _WORDS))


def _row(work: str, calls: Sequence[Callable[[], object]], bar: float | None = None) -> Row:
    for call in calls[: len(calls) // 4]:
        call()
    taken = [timed(call)[0] for call in calls]
    wall, cpu = (_spread(taken, of) for of in (lambda took: took.wall, lambda took: took.cpu))
    figure = f"p50 {wall[0]:.1f} ms, p95 {wall[1]:.1f} ms"
    processor = f"{cpu[0]:.1f} ms cpu, p95 {cpu[1]:.1f} ms"
    if bar is None:
        return Row("PER-5", work, figure, processor)
    return Row("PER-5", work, figure, processor, f"{wall[0] / bar:.0%}", f"<= {bar:.0f} ms", wall[0] <= bar)


def _spread(taken: Sequence[Took], of: Callable[[Took], float]) -> tuple[float, float]:
    values = [1_000 * of(took) for took in taken]
    return median(values), quantiles(values, n=20)[-1]
