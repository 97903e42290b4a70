"""INV-2: kill ingestion and rebuilds at random points; nothing acknowledged is lost, nothing is there twice.

Between two attempts a log is appended to, cut, rewritten, moved, compressed or deleted. A child does one pass or one
rebuild until an alarm, whose default action ends the process inside the kernel as SIGKILL does, at a random point.
"""

from __future__ import annotations

import os
import signal
import sys
import time
import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from bench import promises
from bench.bars import Row
from bench.promises import Moment
from bench.subject import Store
from bench.writers import Writer
from quoth.wiring import Kernel, Unseen

_LARGEST = 200_000  # bytes of a log: what counts are many moments, not much work
_REBUILDS = 0.1  # of the attempts
_ASKED = 25  # attempts between two questions
_WHOLE = 0.1  # of the attempts, which nobody kills
_SHORTEST = 0.0005  # seconds until a kill
_LATEST = 1.3  # of the time that the work takes; what ends before is a pass whose promises count


@dataclass
class Attempts:
    """What became of the children: how many were killed, when passes ended, about how long each kind takes."""

    kills: int = 0
    rebuilds: int = 0
    passes: list[Moment] = field(default_factory=list)
    acknowledged: set[str] = field(default_factory=set)
    spans: dict[str, float] = field(default_factory=lambda: {"ingest": 0.05, "rebuild": 0.05})
    trouble: list[str] = field(default_factory=list)


def measure(work: Path, *, kills: int, seed: int) -> Iterator[Row]:
    """Kill so many children below a working folder and judge what the store holds in the end."""
    store, random = Store(work / "logs", work / "home"), Random(seed)
    writer, attempts = Writer(store.logs, 0, seed, largest=_LARGEST), Attempts()
    store.home.mkdir(parents=True)
    asked = _ASKED
    writer.step()
    _pass(store, attempts, None)
    while attempts.kills < kills and not attempts.trouble:
        writer.step()
        _attempt(store, attempts, random)
        if attempts.kills >= asked:
            asked += _ASKED
            _ask(store, attempts)
    _pass(store, attempts, None)
    yield Row(
        "INV-2", "kills", f"{attempts.kills}", f"{attempts.rebuilds} of rebuilds, {len(attempts.passes)} passes ended"
    )
    yield promises.row("children that failed by themselves", promises.Tally(attempts.kills, attempts.trouble))
    contents = promises.required([writer.stop()], attempts.passes)
    yield from promises.judge(store, [writer.diary], contents, attempts.acknowledged)


def _attempt(store: Store, attempts: Attempts, random: Random) -> None:
    if random.random() < _WHOLE:
        _pass(store, attempts, None)
        return
    if random.random() < _REBUILDS:
        killed = _rebuild(store, attempts, random.uniform(_SHORTEST, _LATEST * attempts.spans["rebuild"]))
        attempts.rebuilds += killed
    else:
        killed = _pass(store, attempts, random.uniform(_SHORTEST, _LATEST * attempts.spans["ingest"]))
    attempts.kills += killed


def _pass(store: Store, attempts: Attempts, kill_after: float | None) -> bool:
    begun = time.time_ns() // 1_000_000
    killed = _child(lambda: _with(store, lambda kernel: kernel.ingest.run(Unseen())), "ingest", attempts, kill_after)
    if not killed:
        attempts.passes.append((begun, time.time_ns() // 1_000_000))
    return killed


def _rebuild(store: Store, attempts: Attempts, kill_after: float) -> bool:
    return _child(lambda: _with(store, lambda kernel: kernel.rebuild.run(Unseen())), "rebuild", attempts, kill_after)


def _ask(store: Store, attempts: Attempts) -> None:
    """Take what is answered now for acknowledged."""
    with store.open() as kernel:
        attempts.acknowledged |= {event.id for event in promises.events(kernel)}


def _with(store: Store, work: Callable[[Kernel], object]) -> None:
    with store.open() as kernel:
        work(kernel)


def _child(work: Callable[[], None], kind: str, attempts: Attempts, kill_after: float | None) -> bool:
    """Run `work` in a forked process and tell whether it was killed; learn from the others how long the kind takes."""
    begun = time.monotonic()
    if (pid := os.fork()) == 0:
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
    status = os.waitpid(pid, 0)[1]
    if os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGALRM:
        attempts.spans[kind] *= 1.01  # late moments get their turn when the work has grown
        return True
    attempts.spans[kind] = 0.7 * attempts.spans[kind] + 0.3 * (time.monotonic() - begun)
    if status:
        attempts.trouble.append(f"a child that did {kind} ended with {status}")
    return False
