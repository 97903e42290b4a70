"""A picture of recall: for each set a line for each contender, with its interval and the bars. Plain SVG."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape

from bench.retrieval.figures import Figures
from bench.retrieval.rows import BARS
from bench.retrieval.trial import contender

_LEFT, _WIDTH, _RIGHT = 150, 560, 60
_LINE, _HEAD, _TOP, _FOOT = 18, 30, 16, 34
_STYLE = """
text { font: 12px system-ui, sans-serif; fill: #444 }
.set { font-weight: 600; fill: #111 }
.grid { stroke: #ddd }
.sure { stroke: #8aa; stroke-width: 2 }
.other { fill: #688 }
.ours { fill: #c2410c }
.bar { stroke: #111; stroke-dasharray: 3 3 }
@media (prefers-color-scheme: dark) {
text { fill: #bbb } .set { fill: #eee } .grid { stroke: #333 } .bar { stroke: #eee }
}
""".strip()


def plot(reported: Sequence[Figures]) -> str:
    """Return the picture of what was reported, set by set."""
    sets = list(dict.fromkeys(each.set for each in reported))
    parts: list[str] = []
    y = _TOP
    for name in sets:
        group = [each for each in reported if each.set == name]
        parts += _group(name, group, y)
        y += _HEAD + _LINE * len(group)
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_LEFT + _WIDTH + _RIGHT} {y + _FOOT}" role="img">',
            "<title>Recall at 10 by set and contender, with 95 % intervals</title>",
            f"<style>{_STYLE}</style>",
            *_scale(y),
            *parts,
            "</svg>\n",
        ]
    )


def _scale(height: int) -> Iterator[str]:
    for tenth in range(0, 11, 2):
        x = _x(tenth / 10)
        yield f'<line class="grid" x1="{x}" x2="{x}" y1="{_TOP}" y2="{height}"/>'
        yield f'<text x="{x}" y="{height + 16}" text-anchor="middle">{tenth / 10:.1f}</text>'


def _group(name: str, group: Sequence[Figures], top: int) -> Iterator[str]:
    yield f'<text class="set" x="8" y="{top + 18}">{escape(name)}</text>'
    bottom = top + _HEAD + _LINE * len(group) - 4
    for bar in BARS:
        if bar.set == name:
            x = _x(bar.least)
            yield f'<line class="bar" x1="{x}" x2="{x}" y1="{top + 22}" y2="{bottom}"/>'
    for place, each in enumerate(group):
        yield from _one(each, top + _HEAD + _LINE * place + 4)


def _one(each: Figures, y: int) -> Iterator[str]:
    low, high = map(_x, each.sure)
    found = each.recall[10]
    kind = "ours" if contender(each.contender).is_judged else "other"
    yield f'<text x="{_LEFT - 10}" y="{y + 4}" text-anchor="end">{escape(each.contender)}</text>'
    yield f'<line class="sure" x1="{low}" x2="{high}" y1="{y}" y2="{y}"/>'
    yield f'<circle class="{kind}" cx="{_x(found)}" cy="{y}" r="4"/>'
    yield f'<text x="{_LEFT + _WIDTH + 10}" y="{y + 4}">{found:.3f}</text>'


def _x(share: float) -> float:
    return round(_LEFT + share * _WIDTH, 1)
