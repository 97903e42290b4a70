"""Make the consoles of rich as we need them: literal text, and no styles in a pipe or with NO_COLOR."""

from __future__ import annotations

from typing import IO, Literal

from rich.console import Console

from quoth.surfaces.cli.terminal import is_tty


class LiteralConsole(Console):
    """A console that reads no markup and leaves a closed pipe to the caller."""

    def on_broken_pipe(self) -> None:
        raise BrokenPipeError


def console(stream: IO[str]) -> Console:
    """Return a console on a stream; FORCE_COLOR and the like do not make a pipe a terminal."""
    made = _make(stream, "auto")
    return _make(stream, None) if made.no_color else made


def _make(stream: IO[str], colors: Literal["auto"] | None) -> Console:
    return LiteralConsole(
        file=stream, force_terminal=is_tty(stream), color_system=colors, highlight=False, markup=False, emoji=False
    )
