"""Where a command writes: data to standard output, everything else to standard error.

rich is imported when the first thing is printed, so that `--json` never pays for it.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import IO, TYPE_CHECKING

import click

from quoth.surfaces.cli.harmless import harmless, harmless_json

if TYPE_CHECKING:
    from rich.console import Console, RenderableType


@dataclass(frozen=True)
class Terminal:
    """The two streams of one command. With `as_json`, an answer is the service's JSON and nothing else."""

    as_json: bool = False

    @cached_property
    def out(self) -> Console:
        from quoth.surfaces.cli.consoles import console

        return console(sys.stdout)

    @cached_property
    def err(self) -> Console:
        from quoth.surfaces.cli.consoles import console

        return console(sys.stderr)

    @property
    def is_interactive(self) -> bool:
        """Say whether a person reads the answer as it appears."""
        return not self.as_json and is_tty(sys.stdout)

    def show(self, *parts: RenderableType) -> None:
        for part in parts:
            self.out.print(part, crop=False)  # a line to be copied stays one line

    def say(self, sentence: str) -> None:
        """Print plain sentences as the answer, one a line; with `--json` the answer is elsewhere."""
        if not self.as_json:
            self._write(sentence, sys.stdout)

    def block(self, text: str) -> None:
        """Print lines as they are laid out."""
        print(harmless(text))

    def page(self, *parts: RenderableType) -> None:
        """Show what may be longer than the screen: through the pager when a person reads it."""
        if not self.is_interactive or not is_tty(sys.stdin):
            self.show(*parts)
            return
        with self.out.capture() as captured:
            self.show(*parts)
        text = captured.get()
        if text.count("\n") < self.out.height:
            sys.stdout.write(text)
        else:
            click.echo_via_pager(text)

    def raw(self, lines: Sequence[str]) -> None:
        """Print original lines: into a pipe as they are, on a terminal harmless."""
        for line in lines:
            print(harmless(line) if is_tty(sys.stdout) else line)

    def answer(self, value: object) -> None:
        """Print a service's answer as JSON, indented for a person."""
        print(to_json(value, indent=is_tty(sys.stdout), stream=sys.stdout), flush=True)  # a watch goes on after it

    def note(self, sentence: str) -> None:
        """Say something that is no data."""
        self._write(sentence, sys.stderr)

    def hint(self, *sentences: str) -> None:
        """Say the next steps to a person; a pipe does not need them."""
        if self.is_interactive and is_tty(sys.stderr):
            from rich.text import Text

            self.err.print(Text("\n".join(("", *sentences)), style="dim"), soft_wrap=True)

    def _write(self, sentences: str, stream: IO[str]) -> None:
        """Break lines between words where a person reads them; a pipe gets them whole, and does not need rich."""
        if not is_tty(stream):
            print(harmless(sentences), file=stream)
            return
        from rich.text import Text

        from quoth.surfaces.cli.shown.layout import indented

        console = self.out if stream is sys.stdout else self.err
        for line in harmless(sentences).split("\n"):
            said = line.lstrip(" ")
            console.print(indented(Text(said), len(line) - len(said)))


def to_json(value: object, *, indent: bool, stream: IO[str]) -> str:
    """Return JSON that a terminal can't act on, in characters that the stream can write."""
    is_unicode = (getattr(stream, "encoding", None) or "utf-8").lower().replace("-", "") == "utf8"
    separators = None if indent else (",", ":")
    text = json.dumps(value, ensure_ascii=not is_unicode, indent=2 if indent else None, separators=separators)
    return harmless_json(text)


def is_tty(stream: IO[str] | None) -> bool:
    return stream is not None and not stream.closed and stream.isatty()


def prepare_streams() -> None:
    """Let a stream that is not Unicode show what it can't write as an escape, and a closed one take everything."""
    sys.stdout = sys.stdout or open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115 - it lives as long as we do
    sys.stderr = sys.stderr or open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure:
            reconfigure(errors="backslashreplace")
