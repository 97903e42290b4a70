"""`quoth work`: be the worker of the home in the foreground, or make it leave."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

from quoth.services.work import Progress, Way, Work
from quoth.surfaces.cli.failures import DONE, FAILED, NOTHING_FOUND
from quoth.surfaces.cli.meters import meter
from quoth.surfaces.cli.verb import Call, verb

if TYPE_CHECKING:
    from quoth.core.ports import Meter

_NONE = "No embedder is used; everything is found by its words. `quoth config get embedder.use` says what is set."


@verb(section="Look after", examples=["quoth work", "quoth work --once", "quoth work --stop"])
@click.option("--once", is_flag=True, help="Embed all that is missing, then end.")
@click.option("--stop", is_flag=True, help="Make the background worker leave.")
def work(call: Call, *, once: bool, stop: bool) -> int:
    """Read new logs, embed texts and answer what is asked by meaning, until Ctrl-C.

    This is the worker that runs in the background by itself while there is work; here you see what it does. One that is
    in the background leaves for it.
    """
    if once and stop:
        raise click.UsageError("Say either --once or --stop.")
    if stop:
        return _stop(call)
    if call.kernel.embedder_name is None:
        return _tell(call, Progress("", 0, 0))
    _ = call.kernel.opened_home
    call.kernel.worker.stop()
    running = call.kernel.work
    with _ending(running), meter(call.terminal, "Embedding", always=True, counts=True) as shown:
        done = running.run(Way(told=_Shown(shown, call.terminal.note).told, is_once=once, stays=True))
    return _tell(call, done or Progress("", 0, 0))


class _Shown:
    """Shows how far it is, as a bar for each stretch of work, and says what keeps it from going on."""

    def __init__(self, meter: Meter, note: Callable[[str], None]) -> None:
        self._meter, self._note = meter, note
        self._last: Progress | None = None

    def told(self, progress: Progress) -> None:
        if progress.failed:
            self._note(progress.failed)
        elif self._last is None or self._last.total != progress.total:
            self._meter.end()
            self._meter.begin(files=progress.total, total=progress.total)
            self._meter.advance(read=progress.embedded, events=0)
        else:
            self._meter.advance(read=progress.embedded - self._last.embedded, events=0)
        self._last = progress


@contextmanager
def _ending(running: Work) -> Iterator[None]:
    """End after the texts that are read just now: Ctrl-C and a request to end lose nothing. The second one is at once:
    a service may never answer."""
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}

    def as_before(*_: object) -> None:
        for number, handler in before.items():
            signal.signal(number, handler)

    def leave(*_: object) -> None:
        as_before()
        running.leave()

    for number in before:
        signal.signal(number, leave)
    try:
        yield
    finally:
        as_before()


def _stop(call: Call) -> int:
    was_there = call.kernel.worker.stop()
    if call.terminal.as_json:
        call.terminal.answer({"stopped": was_there})
    call.terminal.note("The worker has left." if was_there else "No worker runs.")
    return DONE if was_there else NOTHING_FOUND


def _tell(call: Call, done: Progress) -> int:
    if call.terminal.as_json:
        call.terminal.answer({**done.shape(), "embedder": call.kernel.embedder_name})
    if not done.model and not done.failed:
        call.terminal.note(_NONE)
        return DONE
    call.terminal.say(f"{done.embedded:,} of {done.total:,} texts are embedded by {done.model}.")
    if done.refused:
        call.terminal.note(f"{done.refused:,} could not be read by it; they are found by their words.")
    if done.failed:
        call.terminal.note(done.failed)
    return FAILED if done.failed or done.refused else DONE


COMMAND = work
