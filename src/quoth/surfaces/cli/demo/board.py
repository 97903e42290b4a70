"""What the demo writes on: numbered steps, each with the command that a person would type."""

from __future__ import annotations

from dataclasses import dataclass

from rich.console import Console, Group, RenderableType
from rich.text import Text

_WIDEST = 100


@dataclass
class Board:
    console: Console
    _steps: int = 0

    def step(self, heading: str, command: str, shows: str = "") -> None:
        """Begin the next step."""
        self._steps += 1
        self.show(Text(), self.rule(f"{self._steps}  {heading}"))
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
