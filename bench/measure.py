"""Take time and memory: wall clock beside processor time, because machines are shared and only the second is steady."""

from __future__ import annotations

import json
import os
import re
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any, TypeVar

T = TypeVar("T")


@dataclass(frozen=True)
class Took:
    """Seconds of wall clock and of this process's processor time."""

    wall: float
    cpu: float

    def __add__(self, other: Took) -> Took:
        return Took(self.wall + other.wall, self.cpu + other.cpu)

    def scaled(self, factor: float) -> Took:
        return Took(factor * self.wall, factor * self.cpu)


NOTHING = Took(0.0, 0.0)


def timed(work: Callable[[], T]) -> tuple[Took, T]:
    wall, cpu = time.perf_counter(), time.process_time()
    result = work()
    return Took(time.perf_counter() - wall, time.process_time() - cpu), result


def middle(taken: list[Took]) -> Took:
    return Took(median(took.wall for took in taken), median(took.cpu for took in taken))


def interleaved(works: Mapping[str, Callable[[], Took]], *, rounds: int) -> dict[str, Took]:
    """Run each work in turn, `rounds` times, so that noise hits all of them alike; return the medians."""
    taken: dict[str, list[Took]] = {name: [] for name in works}
    for _ in range(rounds):
        for name, work in works.items():
            taken[name].append(work())
    return {name: middle(each) for name, each in taken.items()}


def peak_memory() -> int:
    """Return the most bytes this process ever held in memory."""
    try:
        # A child that was forked inherits its parent's ru_maxrss; VmHWM begins anew with the program.
        status = Path("/proc/self/status").read_text()
    except OSError:
        most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return most if sys.platform == "darwin" else most * 1024
    found = re.search(r"VmHWM:\s+(\d+) kB", status)
    return int(found[1]) * 1024 if found else 0


def in_child(*arguments: str) -> dict[str, Any]:
    """Run `python -m bench.child` and return the object that it prints."""
    command = [sys.executable, "-m", "bench.child", *arguments]
    # An installed program has its bytecode; without it, compiling our modules is most of a pass that finds nothing.
    env = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, cwd=Path(__file__).parents[1], env=env)
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer
