"""Kill a process of the mirror before each line of its code, and look at what a new process finds."""

from __future__ import annotations

import shutil
import signal
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path

import pytest

from mirror.processes import FRAME, NAME, start
from quoth.mirror.files import MirrorFiles

posix = pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="needs a signal that can't be caught")

_AT_ONCE = 8


def held(home: Path, name: str = NAME) -> bytes:
    """Return all bytes as a process sees them that has just been started."""
    mirror = MirrorFiles(home, frame_size=FRAME)
    read = b"".join(mirror.read(name))
    assert mirror.size(name) == len(read)
    assert mirror.check(name) == []
    return read


def killed_before_each_line(work: Callable[..., None], home: Path, folder: Path, *args: object) -> Iterator[Path]:
    """Yield copies of a home in which `work(copy, n, *args)` was killed before its n-th line; in the last, it ended."""
    for first in count(1, _AT_ONCE):
        copies = [folder / f"killed-{step}" for step in range(first, first + _AT_ONCE)]
        for copy in copies:
            shutil.copytree(home, copy)
        processes = [start(work, copy, step, *args) for step, copy in enumerate(copies, first)]
        for process in processes:
            process.join()
        codes = [process.exitcode for process in processes]
        assert set(codes) <= {0, -signal.SIGKILL}
        for copy in copies:
            yield copy
            shutil.rmtree(copy)
        if 0 in codes:
            return
