"""Show how far long work is: a bar on a terminal, silence elsewhere."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from quoth.surfaces.cli.terminal import is_tty

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import Progress, TaskID

    from quoth.core.ports import Meter
    from quoth.surfaces.cli.terminal import Terminal

_WORTH_A_RATE = 0.2  # seconds
_WORTH_SHOWING = 4_000_000  # bytes; less is read before a bar would be understood


class Silence:
    """Shows nothing."""

    def begin(self, *, files: int, total: int) -> None: ...

    def advance(self, *, read: int, events: int) -> None: ...

    def end(self) -> None: ...


class Bar:
    """Shows bytes, rate, events and time left, once there is enough to read; a passing one leaves no trace.

    With `counts` it shows how many things are done instead.
    """

    def __init__(
        self, console: Console, what: str, *, least: int = 0, is_passing: bool = False, counts: bool = False
    ) -> None:
        self._console, self._what, self._least, self._is_passing = console, what, least, is_passing
        self._counts = counts
        self._shown: tuple[Progress, TaskID] | None = None
        self._events = self._read = 0
        self._begun = 0.0

    def begin(self, *, files: int, total: int) -> None:
        self._events, self._read, self._begun = 0, 0, time.monotonic()
        if total > self._least:
            progress = _progress(self._console, is_passing=self._is_passing, counts=self._counts)
            self._shown = progress, progress.add_task(self._what, total=total, events="", rate="")
            progress.start()

    def advance(self, *, read: int, events: int) -> None:
        self._events += events
        if self._shown:
            progress, task = self._shown
            said, rate = ("", "") if self._counts else (f"{self._events:,} events", self._rate(read))
            progress.update(task, advance=read, events=said, rate=rate)

    def _rate(self, read: int) -> str:
        """Return the mean rate, once enough time has passed for one."""
        self._read += read
        passed = time.monotonic() - self._begun
        return f"{self._read / passed / 1_000_000:.1f} MB/s" if passed > _WORTH_A_RATE else ""

    def end(self) -> None:
        if self._shown:
            progress, task = self._shown
            progress.update(task, total=progress.tasks[0].completed or 1, completed=progress.tasks[0].completed or 1)
            self.stop()

    def stop(self) -> None:
        if self._shown:
            self._shown[0].stop()
            self._shown = None


def _progress(console: Console, *, is_passing: bool, counts: bool) -> Progress:
    from rich import progress

    return progress.Progress(
        progress.TextColumn("{task.description}", markup=False),
        progress.BarColumn(
            bar_width=max(8, min(30, console.width - 70)), complete_style="cyan", finished_style="green"
        ),
        progress.MofNCompleteColumn() if counts else progress.DownloadColumn(),
        progress.TextColumn("{task.fields[rate]}", markup=False),
        progress.TextColumn("{task.fields[events]}", markup=False),
        progress.TimeRemainingColumn(compact=True, elapsed_when_finished=True),
        console=console,
        transient=is_passing,
    )


@contextmanager
def meter(terminal: Terminal, what: str, *, always: bool = False, counts: bool = False) -> Iterator[Meter]:
    """Give a meter for one piece of work; whatever happens, the terminal is left as it was."""
    if not is_tty(sys.stderr):
        yield Silence()
        return
    bar = Bar(terminal.err, what, least=0 if always else _WORTH_SHOWING, counts=counts)
    try:
        yield bar
    finally:
        bar.stop()
