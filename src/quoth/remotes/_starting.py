"""Start a worker: a process of its own that outlives whoever started it, and costs them a millisecond or two."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from quoth.remotes._places import TRIED, folder

_AGAIN = 5  # seconds until another one is started: this one may still be loading, or fail at once each time
# -P: never import anything from the folder that an agent works in.
_COMMAND = ("-P", "-m", "quoth.surfaces.worker")
_started: set[int] = set()


def start(home: Path, env: Mapping[str, str]) -> None:
    """Start a worker of a home, unless that was tried just now. Whether it is needed, it finds out by itself."""
    if not hasattr(os, "posix_spawn"):  # nor are there sockets that are files: there is no worker on this system
        return
    _bury()
    with suppress(OSError):  # it is not there: the next one who finds work tries again
        if _is_due(folder(home) / TRIED):
            _started.add(_spawned({**env, "QUOTH_HOME": str(home)}))


def _is_due(mark: Path) -> bool:
    """Tell whether nobody tried just now, and leave a mark that somebody does."""
    now = time.time()  # noqa: TID251 - compared with what the file system says of the mark
    try:
        if 0 <= now - mark.stat().st_mtime < _AGAIN:
            return False
        os.utime(mark)
    except FileNotFoundError:
        mark.parent.mkdir(mode=0o700, exist_ok=True)
        os.close(os.open(mark, os.O_WRONLY | os.O_CREAT, 0o600))
    return True


def _spawned(env: Mapping[str, str]) -> int:
    nothing = [(os.POSIX_SPAWN_OPEN, number, os.devnull, os.O_RDWR, 0) for number in range(3)]
    command = [sys.executable, *_COMMAND]
    try:
        return os.posix_spawn(sys.executable, command, env, file_actions=nothing, setsid=True)
    except NotImplementedError:  # this system can't begin a session here; the worker does it by itself
        return os.posix_spawn(sys.executable, command, env, file_actions=nothing)


def _bury() -> None:
    """Let go of workers that ended, which a process that lives long would keep as dead ones."""
    for process in [*_started]:
        with suppress(ChildProcessError):
            if os.waitpid(process, os.WNOHANG) == (0, 0):
                continue
        _started.discard(process)
