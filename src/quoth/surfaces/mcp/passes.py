"""Start passes over the logs, each in a process of its own, and know how far the last one is."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from quoth.core.model import Json

# -P: never import anything from the folder that an agent works in.
_COMMAND = (sys.executable, "-P", "-m", "quoth.surfaces.mcp.reading")


class Pass:
    """One pass that is under way or over."""

    def __init__(self, *, unless_ms: int = 0, command: Sequence[str] = _COMMAND) -> None:
        """Start it; it is left out when any process began one within `unless_ms`.

        Raises:
            OSError: the machine starts no more processes.
        """
        self._said: dict[str, Json] = {}
        self._is_over = threading.Event()
        self._process = subprocess.Popen(
            [*command, "--unless", str(unless_ms)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,  # Ctrl-C is for the server, which ends this pass in its own way
        )
        threading.Thread(target=self._follow, name="pass", daemon=True).start()

    def wait(self, seconds: float) -> bool:
        """Return whether it is over, at the latest after that time."""
        return self._is_over.wait(seconds)

    def stop(self) -> None:
        """End it at once; what it read so far is kept."""
        if not self.wait(0):
            self._process.kill()
            self.wait(1)

    @property
    def note(self) -> str | None:
        """Say why an answer given now may lack something."""
        said, is_over = dict(self._said), self.wait(0)
        done, read, total = said.get("done"), said.get("read"), said.get("total")
        if done == "read":
            return None
        if done == "paused":
            return "reading is paused; this answer has what was read before"
        if done == "failed":
            return f"new log lines could not be read. {said.get('sentence')} This answer has what is stored so far"
        if is_over and done is None:
            return "new log lines could not be read; `quoth doctor` says why. This answer has what is stored so far"
        if isinstance(read, int) and isinstance(total, int) and total:
            return f"new log lines are still being read ({read * 100 // total}% of {_size(total)}, the newest first)"
        return "new log lines are still being read; this answer has what is stored so far"

    def _follow(self) -> None:
        try:
            with self._process as process:
                assert process.stdout is not None
                for line in process.stdout:
                    with suppress(ValueError):  # it was killed in the middle of a word
                        self._said.update(json.loads(line))
        finally:
            self._is_over.set()


class NotBegun:
    """A pass that could not even be started, which is no reason to withhold an answer."""

    note = "new log lines can't be read now, because no process can be started; this answer has what is stored so far"

    def wait(self, seconds: float) -> bool:
        return True

    def stop(self) -> None: ...


def begin(unless_ms: int, *, command: Sequence[str] = _COMMAND) -> Pass | NotBegun:
    """Start a pass; when that fails, the answer tells."""
    try:
        return Pass(unless_ms=unless_ms, command=command)
    except OSError:
        return NotBegun()


def _size(size: int) -> str:
    return f"{size / 1_000_000:.0f} MB" if size >= 1_000_000 else f"{max(1, size // 1000)} kB"
