"""The figures as Markdown, for docs/retrieval.md."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import isfinite

from bench.retrieval.figures import Cut, Figures

Table = Sequence[Sequence[str]]


def table(reported: Sequence[Figures], held_back: Sequence[Cut]) -> str:
    """Return the tables one behind the other: recall by set, all figures of each set, cut-offs, categories."""
    parts = [_overview(reported), *map(_one_set, _by_set(reported)), _cuts(held_back), *_categories(reported)]
    return "\n\n".join(_markdown(part) for part in parts if len(part) > 1) + "\n"


def _overview(reported: Sequence[Figures]) -> Table:
    contenders = _names([each.contender for each in reported])
    return [["recall@10", *contenders], *(_across(part, contenders) for part in _by_set(reported))]


def _across(reported: Sequence[Figures], contenders: Sequence[str]) -> Sequence[str]:
    found = {each.contender: each for each in reported}
    best = max(each.recall[10] for each in reported)
    return [reported[0].set, *(_cell(found.get(name), best) for name in contenders)]


def _cell(each: Figures | None, best: float) -> str:
    if each is None:
        return ""
    shown = f"{each.recall[10]:.3f}"
    return f"**{shown}**" if each.recall[10] == best else shown


def _one_set(reported: Sequence[Figures]) -> Table:
    asked = f"{reported[0].set}, {reported[0].questions} questions"
    head = [asked, "R@5", "R@10", "95 %", "R@20", "hit@1", "hit@5", "hit@10", "NDCG@10", "p50 ms", "p95 ms", "MB"]
    return [head, *(_line(each) for each in reported)]


def _line(each: Figures) -> Sequence[str]:
    shares = [each.recall[20], each.hit[1], each.hit[5], each.hit[10], each.ndcg]
    low, high = each.sure
    return [
        each.contender,
        f"{each.recall[5]:.3f}",
        f"{each.recall[10]:.3f}",
        f"{low:.3f}–{high:.3f}",
        *(f"{share:.3f}" for share in shares),
        f"{each.p50_ms:.2f}",
        f"{each.p95_ms:.2f}",
        str(each.peak_mb),
    ]


def _cuts(held_back: Sequence[Cut]) -> Table:
    head = ["cut-off", "set", "line", "answered about nothing", "recall@10 without", "recall falls"]
    lines = (
        [
            cut.contender,
            cut.set,
            f"{cut.floor:.2f}, {'its own' if cut.is_own else 'chosen'}" if isfinite(cut.floor) else "none needed",
            f"{cut.answered:.1%} of {cut.questions}",
            f"{cut.recall:.3f}" if cut.fall is not None else "",
            f"{cut.fall:.1%}" if cut.fall is not None else "not to be seen",
        ]
        for cut in held_back
    )
    return [head, *lines]


def _categories(reported: Sequence[Figures]) -> Iterator[Table]:
    for part in _by_set(reported):
        names = sorted(part[0].categories)
        if len(names) > 1:
            head = [f"{part[0].set}, recall@10", *names, *(["newer first"] if part[0].newer_first is not None else [])]
            yield [head, *(_shares(each, names) for each in part)]


def _shares(each: Figures, names: Sequence[str]) -> Sequence[str]:
    newer = [f"{each.newer_first:.2f}"] if each.newer_first is not None else []
    return [each.contender, *(f"{each.categories[name]:.3f}" for name in names), *newer]


def _by_set(reported: Sequence[Figures]) -> Sequence[Sequence[Figures]]:
    return [[each for each in reported if each.set == name] for name in _names([each.set for each in reported])]


def _names(names: Sequence[str]) -> Sequence[str]:
    return list(dict.fromkeys(names))


def _markdown(lines: Table) -> str:
    head, *rest = lines
    ruler = ["---", *("---:" for _ in head[1:])]
    return "\n".join(f"| {' | '.join(line)} |" for line in (head, ruler, *rest))
