"""`quoth sync --watch` beside writers that treat their logs badly, with kills: nothing lost, nothing twice.

Two watchers share the home: one is killed at random moments and started again, one runs to the end, so that whatever a
kill leaves is met by a fresh process and by one that remembers. What must be there is told by the writers' diaries
(`bench.writers`) and by the finished passes that were seen (`bench.promises`).
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import sysconfig
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from statistics import median

from bench import promises
from bench.bars import Row
from bench.generate import generate
from bench.promises import Moment, Tally
from bench.subject import Store
from bench.writers import Diary
from quoth.core.errors import QuothError
from quoth.wiring import Kernel

_WRITERS = 3
_MIB = 1 << 20
_EVERY = "0.1"  # seconds between two looks of a watcher
_LOOK = 0.01  # seconds between two looks of ours at the mark of the last pass
_SAMPLE = 0.2  # seconds between two samples of memory and open files
_ANSWER = 1.0  # seconds between two questions to the store
_PATIENCE = 60.0  # seconds that the last pass may take
_LIVES = (0.15, 2.5)  # seconds between which a watcher is killed
_WARM = 40.0  # seconds of a run in which memory may not grow any more
_BEFORE = 20_000  # events that are there before such a run, so that the caches are full soon
_MOST = 150 * _MIB  # in a shorter one
_SLACK = 8 * _MIB  # what a process may hold more for the logs that came meanwhile


@dataclass
class Watcher:
    """A running `quoth sync --watch`; what it says goes to a file."""

    store: Store
    log: Path
    process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        command = [str(Path(sysconfig.get_path("scripts")) / "quoth"), "sync", "--watch", "--every", _EVERY]
        with self.log.open("ab") as out:
            self.process = subprocess.Popen(
                command,
                env={**os.environ, **self.store.environment()},
                stdout=out,
                stderr=out,
                stdin=subprocess.DEVNULL,
            )

    def end(self, how: signal.Signals) -> int | None:
        """End it; None when it had ended by itself."""
        assert self.process
        if self.process.poll() is not None:
            return None
        self.process.send_signal(how)
        return self.process.wait(_PATIENCE)

    def held(self) -> tuple[int, int]:
        """Return the bytes it holds in memory and the number of its open files."""
        assert self.process
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        found = re.search(r"VmRSS:\s+(\d+) kB", status)
        return int(found[1]) * 1024 if found else 0, len(os.listdir(f"/proc/{self.process.pid}/fd"))


@dataclass
class Seen:
    """What was observed while the watchers ran."""

    passes: list[Moment] = field(default_factory=list)
    samples: list[tuple[int, int]] = field(default_factory=list)
    acknowledged: set[str] = field(default_factory=set)
    kills: int = 0
    trouble: list[str] = field(default_factory=list)


def measure(work: Path, *, seconds: float, seed: int) -> Iterator[Row]:
    """Run everything below a working folder and judge what the store holds in the end."""
    store = Store(work / "logs", work / "home")
    diary = work / "diary"
    for folder in (store.logs, store.home, diary):
        folder.mkdir(parents=True)
    if seconds >= _WARM:
        generate(store.logs, events=_BEFORE, files=_BEFORE // 100, seed=seed)
    seen = _run(store, diary, seconds=seconds, seed=seed)
    diaries = [Diary.load(diary, str(number)) for number in range(_WRITERS)]
    contents = promises.required(diaries, seen.passes)
    yield from promises.judge(store, diaries, contents, seen.acknowledged)
    yield from _steady(seen, sum(len(each.versions) for each in diaries), seconds=seconds)


# --- the run ----------------------------------------------------------------------------------------------------------


def _run(store: Store, diary: Path, *, seconds: float, seed: int) -> Seen:
    seen, over = Seen(), threading.Event()
    steady, mortal = Watcher(store, diary / "steady.log"), Watcher(store, diary / "mortal.log")
    with ExitStack() as ending, store.open() as kernel:
        kernel.index.streams()  # makes the file that the watchers will fill
        steady.start()
        ending.callback(steady.end, signal.SIGKILL)
        threads = [
            _every(_LOOK, lambda: _look(kernel, seen), over),
            _every(_SAMPLE, lambda: seen.samples.append(steady.held()), over),
            _every(_ANSWER, lambda: _ask(store, seen), over),
        ]
        ending.callback(lambda: [over.set(), *(thread.join() for thread in threads)])
        writers = [_writer(store, diary, number, seconds, seed) for number in range(_WRITERS)]
        _kill(mortal, seen, Random(seed), until=lambda: all(writer.poll() is not None for writer in writers))
        seen.trouble += [f"a writer ended with {writer.returncode}" for writer in writers if writer.returncode]
        _last_pass(seen, seen.trouble)
        ended = steady.end(signal.SIGINT)
        seen.trouble += [] if ended is not None else ["the watcher ended by itself"]
    for log in (steady.log, mortal.log):
        seen.trouble += _complaints(log)
    return seen


def _every(pause: float, work: Callable[[], object], over: threading.Event) -> threading.Thread:
    def run() -> None:
        while not over.wait(pause):
            work()

    thread = threading.Thread(target=run)
    thread.start()
    return thread


def _look(kernel: Kernel, seen: Seen) -> None:
    last = kernel.index.last_pass()
    if last and (not seen.passes or seen.passes[-1] != last):
        seen.passes.append(last)


def _ask(store: Store, seen: Seen) -> None:
    """Ask as a new process would; what is answered once is acknowledged."""
    try:
        with store.open() as kernel:
            seen.acknowledged |= {event.id for event in promises.events(kernel)}
    except QuothError as error:
        seen.trouble.append(f"a question failed: {error}")


def _writer(store: Store, diary: Path, number: int, seconds: float, seed: int) -> subprocess.Popen[bytes]:
    said = [str(store.logs), str(diary), str(number), str(seconds), str(seed)]
    return subprocess.Popen([sys.executable, "-m", "bench.writers", *said], cwd=Path(__file__).parents[1])


def _kill(watcher: Watcher, seen: Seen, random: Random, *, until: Callable[[], bool]) -> None:
    while not until():
        watcher.start()
        time.sleep(random.uniform(*_LIVES))
        if watcher.end(signal.SIGKILL) is None:
            seen.trouble.append("the watcher that is killed ended by itself")
        seen.kills += 1


def _last_pass(seen: Seen, trouble: list[str]) -> None:
    """Wait for a pass that began after everything was written."""
    stopped, patience = time.time_ns() // 1_000_000, time.monotonic() + _PATIENCE
    while not (seen.passes and seen.passes[-1][0] > stopped):
        if time.monotonic() > patience:
            trouble.append("no pass ended after the last change")
            return
        time.sleep(_LOOK)


def _complaints(log: Path) -> Sequence[str]:
    """Return what a watcher said that is no ordinary report: a file may vanish between listing and reading."""
    said = log.read_text(encoding="utf-8", errors="replace").splitlines()
    return [line for line in said if re.search(r"adapter failed|damaged|unexpected|Traceback|failed:", line)]


# --- the verdict ------------------------------------------------------------------------------------------------------


def _steady(seen: Seen, versions: int, *, seconds: float) -> Iterator[Row]:
    yield Row("INV-2", "versions written", f"{versions}", f"{len(seen.passes)} passes, {seen.kills} kills")
    yield promises.row("watchers, writers and questions", Tally(seen.kills, seen.trouble))
    quarter = len(seen.samples) // 4
    if not quarter:
        return
    second, last = seen.samples[quarter : 2 * quarter], seen.samples[3 * quarter :]
    (before, files), (after, more) = (
        tuple(median(each) for each in zip(*part, strict=True)) for part in (second, last)
    )
    figure, baseline = f"{after / _MIB:.1f} MiB", f"second quarter {before / _MIB:.1f} MiB"
    bar, most = f"<= 110% + {_SLACK // _MIB} MiB", 1.1 * before + _SLACK
    if seconds < _WARM:
        bar, most = f"<= {_MOST // _MIB} MiB", _MOST
    yield Row("INV-2", "memory, last quarter", figure, baseline, f"{after / before:.0%}", bar, after <= most)
    said = f"second quarter {files:.0f}"
    yield Row("INV-2", "open files, last quarter", f"{more:.0f}", said, "", "<= + 2", more <= files + 2)
