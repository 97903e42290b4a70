"""PER-4: how long a search takes in a running process, in sixteen classes of queries equally mixed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from statistics import median, quantiles

from bench import subject
from bench.bars import Row
from bench.baselines import PlainTable
from bench.measure import NOTHING, Took, interleaved, middle, timed
from bench.questions import Corpus
from bench.subject import Store

_EACH = 12  # queries of a class
_ROUNDS = 3


@dataclass(frozen=True)
class Asked:
    """What one query took, ours and on the plain table, in milliseconds, and how many each found (at most 20)."""

    ours: Took
    plain: Took
    found: tuple[int, int]


Questions = Mapping[str, Sequence[str]]
Answers = Mapping[str, Sequence[Asked]]


def measure(store: Store, smaller: Store, work: Path) -> Iterator[Row]:
    """Measure PER-4 over an ingested store, and its rare words against a store of one tenth the size."""
    asked = questions(store)
    for tools in (False, True):
        answers = _ask(store, asked, work / "plain.db", tools=tools)
        yield from mixed(answers, "search with tool traffic" if tools else "search")
    few = {name: queries for name, queries in questions(smaller).items() if name.endswith("rare")}
    many = {name: asked[name] for name in few}
    yield growth(_ask(store, many, work / "plain.db"), _ask(smaller, few, work / "plain.db"))


def alone(store: Store, questions: Questions, *, tools: bool = False) -> Answers:
    """Ask Quoth only: a plain table of everything takes longer to make than the rest."""
    with store.open() as kernel:
        ours = subject.asker(kernel, tools=tools)
        return {name: [_ours(query, ours) for query in queries] for name, queries in questions.items()}


def questions(store: Store) -> Questions:
    """Draw queries of all classes from what was said."""
    with store.open() as kernel:
        return Corpus(subject.texts(kernel, spoken=True), Random(1)).questions(_EACH)


def _ask(store: Store, questions: Questions, path: Path, *, tools: bool = False) -> Answers:
    """Ask Quoth and a plain table of the same texts in turn."""
    table = PlainTable(path)
    with store.open() as kernel:
        table.insert(subject.texts(kernel, spoken=not tools))
        ours = subject.asker(kernel, tools=tools)
        answers = {name: [_one(query, ours, table.search) for query in queries] for name, queries in questions.items()}
    table.close()
    return answers


def _one(query: str, ours: Callable[[str], Sequence[object]], plain: Callable[[str], Sequence[object]]) -> Asked:
    found = len(ours(query)), len(plain(query))  # once before the clock runs: pages are read
    works = {"ours": lambda: timed(lambda: ours(query))[0], "plain": lambda: timed(lambda: plain(query))[0]}
    took = {name: each.scaled(1000) for name, each in interleaved(works, rounds=_ROUNDS).items()}
    return Asked(took["ours"], took["plain"], found)


def _ours(query: str, ask: Callable[[str], Sequence[object]]) -> Asked:
    found = len(ask(query))
    return Asked(middle([timed(lambda: ask(query))[0] for _ in range(_ROUNDS)]).scaled(1000), NOTHING, (found, 0))


def mixed(answers: Answers, work: str) -> Iterator[Row]:
    yield from (_class(f"{work}: {name}", asked) for name, asked in answers.items())
    walls = [one.ours.wall for asked in answers.values() for one in asked]
    cpus = [one.ours.cpu for asked in answers.values() for one in asked]
    worst = max(answers, key=lambda name: _middle(answers[name]).wall)
    yield _bar(f"{work}, p50", Took(median(walls), median(cpus)), most=15)
    yield _bar(f"{work}, p95", Took(_p95(walls), _p95(cpus)), most=60)
    yield _bar(f"{work}, worst class ({worst})", _middle(answers[worst]), most=150)


def _class(work: str, asked: Sequence[Asked]) -> Row:
    ours, plain = _middle(asked), _middle(asked, plain=True)
    found = sum(one.found[0] for one in asked), sum(one.found[1] for one in asked)
    # Where the plain table finds none of the places, its time says nothing.
    ratio = f"{ours.wall / plain.wall:.1f}x ({ours.cpu / plain.cpu:.1f}x cpu)" if found[1] * 2 > found[0] else "-"
    baseline = f"{_spell(plain)}, {found[1]} shown" if plain.wall else ""
    return Row("PER-4", work, f"{_spell(ours)}, {found[0]} shown", baseline, ratio)


def _bar(work: str, took: Took, *, most: float) -> Row:
    return Row("PER-4", work, _spell(took), bar=f"<= {most:.0f} ms", ok=took.wall <= most)


def growth(many: Answers, few: Answers) -> Row:
    large, small = (_middle([one for asked in answers.values() for one in asked]) for answers in (many, few))
    ratio = large.wall / small.wall
    said = f"{ratio:.1f}x ({large.cpu / small.cpu:.1f}x cpu)"
    return Row("PER-4", "rare word, against one tenth", _spell(large), _spell(small), said, "<= 3x", ratio <= 3)


def _middle(asked: Sequence[Asked], *, plain: bool = False) -> Took:
    took = [one.plain if plain else one.ours for one in asked]
    return Took(median(each.wall for each in took), median(each.cpu for each in took))


def _p95(values: Sequence[float]) -> float:
    return quantiles(values, n=20)[-1]


def _spell(took: Took) -> str:
    return f"{took.wall:.2f} ms ({took.cpu:.2f} cpu)"
