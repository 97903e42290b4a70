"""Lay parts out: moved to the right, an empty line between them, or on one line however long it is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.segment import Segment
from rich.text import Text


@dataclass(frozen=True)
class Indented:
    """A part moved to the right; unlike padding it writes nothing behind the text. `mark` is a text and its style that
    stand before the first line."""

    part: RenderableType
    by: int
    mark: tuple[str, str] = ("", "")

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        narrower = options.update(width=max(1, options.max_width - self.by))
        mark, style = self.mark
        for line in console.render_lines(self.part, narrower, pad=False):
            yield Segment(mark, console.get_style(style))
            yield Segment(" " * (self.by - cell_len(mark)))
            yield from line
            yield Segment.line()
            mark = ""


@dataclass(frozen=True)
class Unbroken:
    """A line to be copied, moved to the right: what is too long for a terminal is wrapped by the terminal alone."""

    line: Text
    by: int = 2

    def __rich_console__(self, console: Console, _: ConsoleOptions) -> RenderResult:
        yield Segment(" " * self.by)
        yield from self.line.render(console)
        yield Segment.line()


def indented(part: RenderableType, by: int = 2) -> Indented:
    return Indented(part, by)


def apart(parts: Sequence[RenderableType]) -> RenderableType:
    """Put an empty line between parts."""
    return Group(*list(chain.from_iterable((Text(), part) for part in parts))[1:])
