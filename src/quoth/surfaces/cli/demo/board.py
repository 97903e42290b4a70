"""What the demo writes on: numbered steps, each with the command that a person would type."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rich.console import Console, Group, RenderableType
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from quoth.surfaces.cli.meters import Bar

if TYPE_CHECKING:
    from quoth.core.ports import Meter

_WIDEST = 100


@dataclass
class Board:
    """`is_live` tells whether a person watches: long work then shows how far it is."""

    console: Console
    is_live: bool
    _steps: int = 0

    def step(self, heading: str, command: str = "", shows: str = "") -> None:
        """Begin the next step; one without a command is only talked about."""
        self._steps += 1
        self.show(Text(), self.rule(f"{self._steps}  {heading}"))
        if command:
            self.typed(command, shows)

    def typed(self, command: str, shows: str = "") -> None:
        """Show a command as it is typed, and what to look at in its answer."""
        note = [Text(f"({shows})", style="dim")] if shows else []
        self.show(Text.assemble(("$ ", "bold green"), (command, "bold"), overflow="fold"), *note, Text())

    def rule(self, heading: str) -> Text:
        width = min(self.console.width, _WIDEST)
        line = Text.assemble(("── ", "green"), (heading, "bold"), " ")
        return line.append("─" * max(0, width - line.cell_len), style="green")

    def show(self, *parts: RenderableType) -> None:
        width = min(self.console.width, _WIDEST)
        self.console.print(Group(*parts), width=width, crop=False)

    @contextmanager
    def meter(self, what: str, *, counts: bool = False) -> Iterator[Meter]:
        """Give a meter for one piece of work; its bar goes away with it."""
        bar = Bar(self.console, what, is_passing=True, counts=counts, least=0 if self.is_live else 1 << 60)
        try:
            yield bar
        finally:
            bar.stop()

    def finished(self, what: str, facts: str) -> None:
        """Show the bar of work that is done."""
        line = Table.grid(padding=(0, 2, 0, 0))
        line.add_row(Text(what), ProgressBar(total=1, completed=1, width=30, finished_style="green"), Text(facts))
        self.show(line)
