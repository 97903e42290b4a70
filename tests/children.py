"""Children of the test runner, some of which die by a signal that no code can see."""

from __future__ import annotations

import os
import signal
import sys
import traceback
from collections.abc import Callable
from pathlib import Path

import pytest

needs_fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="children are made by fork")


def begin(work: Callable[[], object], *, kill_after: float | None = None) -> int:
    """Run `work` in a forked process and return its id.

    The alarm's default action ends it inside the kernel, like SIGKILL, at a point no test chooses.
    """
    if pid := os.fork():
        return pid
    status = 1
    try:
        if kill_after is not None:
            signal.signal(signal.SIGALRM, signal.SIG_DFL)
            signal.setitimer(signal.ITIMER_REAL, kill_after)
        work()
        status = 0
    except BaseException:
        traceback.print_exc(file=sys.__stderr__)
    finally:
        os._exit(status)


def ended(pid: int) -> int:
    """Wait for a child and return its wait status."""
    return os.waitpid(pid, 0)[1]


def child(work: Callable[[], object], *, kill_after: float | None = None) -> int:
    return ended(begin(work, kill_after=kill_after))


def killed(status: int) -> bool:
    return os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGALRM


def acknowledge(path: Path, line: str) -> None:
    with path.open("ab", buffering=0) as file:
        file.write(f"{line}\n".encode())
