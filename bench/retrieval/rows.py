"""PER-7 to PER-10: the figures beside the bars, and those that no bar judges."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from bench.bars import Row
from bench.retrieval import own
from bench.retrieval.figures import ANSWERED, Cut, Figures
from bench.retrieval.public import POOLED
from bench.retrieval.trial import contender

FALL = 0.02  # of the recall of answerable questions, at most


@dataclass(frozen=True, slots=True)
class Bar:
    """Recall at 10 that Quoth must reach on the reporting half of a set."""

    id: str
    set: str
    least: float
    has_model: bool


BARS = (
    Bar("PER-7", "locomo", 0.70, has_model=False),
    Bar("PER-7", "locomo", 0.73, has_model=True),
    Bar("PER-8", "beam-100k", 0.56, has_model=False),
    Bar("PER-8", "beam-100k", 0.62, has_model=True),
    Bar("PER-9", "xquad-r-zh", 0.92, has_model=False),
    Bar("PER-9", "xquad-r-ru", 0.92, has_model=False),
    Bar("PER-9", POOLED, 0.60, has_model=True),
)
_IDS = {"locomo": "PER-7", "beam-100k": "PER-8", own.NAME: "PER-10"}


def rows(reported: Sequence[Figures], cuts: Sequence[Cut]) -> Iterator[Row]:
    """Yield what was measured on the reporting halves, and then the bars."""
    yield from map(_figure, reported)
    yield from map(_cut, cuts)
    for bar in BARS:
        yield from _judged(bar, [each for each in reported if each.set == bar.set])
    yield from (_nothing(cut) for cut in cuts if cut.is_own and _is_judged(cut.contender) and cut.set == own.NAME)


def _figure(each: Figures) -> Row:
    low, high = each.sure
    figure = f"R@10 {each.recall[10]:.3f} [{low:.3f}, {high:.3f}], hit@10 {each.hit[10]:.3f}, NDCG@10 {each.ndcg:.3f}"
    newer = f", newer first {each.newer_first:.2f}" if each.newer_first is not None else ""
    cost = f"p50 {each.p50_ms:.2f} ms, p95 {each.p95_ms:.2f} ms, {each.peak_mb} MB"
    return Row(_id(each.set), f"{each.set}: {each.contender}, {each.questions} questions", figure + newer, cost)


def _cut(cut: Cut) -> Row:
    line = "its own cut-off" if cut.is_own else "a cut-off chosen for it"
    return Row(_id(cut.set), f"{cut.set}: {cut.contender}, {line} ({cut.floor:.2f})", _spell(cut))


def _spell(cut: Cut) -> str:
    fall = (
        f"recall falls {cut.fall:.1%} from {cut.recall:.3f}" if cut.fall is not None else "its cost is not to be seen"
    )
    return f"answered {cut.answered:.1%} of {cut.questions} about nothing, {fall}"


def _judged(bar: Bar, reported: Sequence[Figures]) -> Iterable[Row]:
    """Judge each contender that the bar is about; where there is none although the set was asked, it is missed."""
    if not reported:
        return
    work = f"{bar.set}, recall at 10 {'with' if bar.has_model else 'without'} a model"
    ours = [
        each for each in reported if _is_judged(each.contender) and contender(each.contender).has_model == bar.has_model
    ]
    beside = max((each for each in reported if each not in ours), key=lambda each: each.recall[10], default=None)
    baseline = f"{beside.contender} {beside.recall[10]:.3f}" if beside else ""
    if not ours:
        yield Row(bar.id, work, "nothing of ours took part", baseline, bar=f">= {bar.least:.2f}", ok=False)
    for each in ours:
        found = each.recall[10]
        ratio = f"{found / beside.recall[10]:.2f}x" if beside and beside.recall[10] else ""
        figure = f"{each.contender} {found:.3f} of {each.questions}"
        yield Row(bar.id, work, figure, baseline, ratio, f">= {bar.least:.2f}", found >= bar.least)


def _nothing(cut: Cut) -> Row:
    met = cut.answered <= ANSWERED and cut.fall is not None and cut.fall <= FALL
    bar = f"<= {ANSWERED:.0%}, falls <= {FALL:.0%}"
    return Row("PER-10", f"{cut.contender}, questions about nothing", _spell(cut), bar=bar, ok=met)


def _is_judged(name: str) -> bool:
    return contender(name).is_judged


def _id(name: str) -> str:
    return "PER-9" if name.startswith("xquad") else _IDS.get(name, "-")
