"""Run a worker in the background (`python -m quoth.surfaces.worker`), started by whoever found work for it."""

from __future__ import annotations

import os
import signal
from contextlib import suppress
from pathlib import Path
from threading import Event, Thread

from quoth.core.errors import QuothError
from quoth.services.work import Signals, Way
from quoth.wiring import Kernel

_NICENESS = 10
_HANDLES = 1024
_GRACE = 5  # seconds for the texts that are read just now


def main() -> None:
    """Work until nothing is left to do. Nobody hears what it would say; `quoth status` tells what it wrote down."""
    with suppress(OSError):  # it has a session of its own already
        os.setsid()
    os.closerange(3, _HANDLES)  # somebody may wait for the end of a pipe that was handed down
    kernel = Kernel.from_environment()
    if not kernel.home.is_dir():
        return
    with suppress(OSError):
        _step_out(kernel)
    with suppress(QuothError):  # another worker is there, or the settings can't be read
        work = kernel.work
        signal.signal(signal.SIGTERM, lambda *_: work.leave())
        is_over = Event()
        Thread(target=_end_in_time, args=(kernel, work.signals, is_over), daemon=True).start()
        try:
            work.run(Way(told=lambda _: None, niceness=_NICENESS))
        finally:
            is_over.set()


def _end_in_time(kernel: Kernel, signals: Signals, is_over: Event) -> None:
    """End also where a service never answers. It loses no more than being killed does, which is nothing."""
    signals.wait_for_leaving()
    if is_over.wait(_GRACE):
        return
    with suppress(OSError):
        kernel.forsake_line()
    os._exit(0)


def _step_out(kernel: Kernel) -> None:
    """Leave the folder that an agent works in, for it may go; unless a variable names logs by a path from there."""
    here, logs = Path.cwd(), kernel.roots
    os.chdir(kernel.user_home)
    if Kernel(kernel.env).roots != logs:
        os.chdir(here)


if __name__ == "__main__":
    main()
