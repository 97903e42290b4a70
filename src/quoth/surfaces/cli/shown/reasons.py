"""Show why recalled things stand where they do."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from rich.console import Group, RenderableType
from rich.text import Text

from quoth.core.block import Item
from quoth.surfaces.cli.harmless import one_line
from quoth.surfaces.cli.shown.layout import Unbroken, indented

_ADDED = frozenset({"words", "meaning", "neighbours", "linked", "required"})


def listed(items: Sequence[Item]) -> RenderableType:
    """Show the relevance of each item and what its rank is made of: what is added, then what that is multiplied by."""
    return Group(*(part for item in items for part in _lines(item)))


def _lines(item: Item) -> Iterator[RenderableType]:
    yield Unbroken(Text(f"{item.relevance:.2f}  {item.mode.value:<9}  {one_line(item.id)}"), by=0)
    yield indented(Text(", ".join(_parts(item.because or {})), style="dim"), 6)


def _parts(because: Mapping[str, float]) -> Iterator[str]:
    """Yield the parts that make a difference."""
    for name, each in because.items():
        if name in _ADDED and abs(each) >= 0.005:
            yield f"{name} {each:.2f}"
        elif name not in _ADDED and abs(each - 1) >= 0.005:
            yield f"{name} ×{each:.2f}"
