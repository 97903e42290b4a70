"""Keep the archive as fresh as the contract of Origin says (ORI-63, 64, 66, 67) without ever delaying an answer."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Protocol

_AGAIN_MS = 10_000  # between two passes that questions ask for
_PATIENCE = 1.0  # seconds that a question waits for a pass
_FIRST = 2.0  # seconds until the first pass when the client asks for no tools


class Pass(Protocol):
    """A pass over the logs that is under way or over; see `passes.Pass`."""

    def wait(self, seconds: float) -> bool: ...

    def stop(self) -> None: ...

    @property
    def note(self) -> str | None: ...


class Freshness:
    """`start(unless_ms)` begins a pass unless any process began one within that time; `now` is in seconds."""

    def __init__(self, start: Callable[[int], Pass], *, now: Callable[[], float] = time.monotonic) -> None:
        self._start = start
        self._now = now
        self._lock = threading.Lock()
        self._last: Pass | None = None
        self._begun = float("-inf")
        self._is_ended = threading.Event()

    def before_answer(self) -> str | None:
        """Read new lines unless that was done just now; return a note when the answer may lack some."""
        current = self._begin(_AGAIN_MS)
        if current is None:
            return None
        current.wait(_PATIENCE)
        return current.note

    def watch(self, may_begin: threading.Event, interval_ms: Callable[[], int]) -> None:
        """Read when the client has its first answer, then every `interval_ms`; 0 means only once."""
        may_begin.wait(_FIRST)
        self._begin(_AGAIN_MS)
        interval = interval_ms()
        while interval and not self._is_ended.wait(interval / 1000):
            self._begin(interval // 2)

    def end(self, seconds: float) -> None:
        """Read once more, for at most that long."""
        self._is_ended.set()
        end = self._now() + seconds
        with self._lock:
            last = self._last
        if last is None or last.wait(seconds):
            last = self._start(0)
            last.wait(max(0.0, end - self._now()))
        last.stop()

    def _begin(self, unless_ms: int) -> Pass | None:
        """Begin a pass unless one is under way or began within that time; return the last one."""
        with self._lock:
            is_due = self._now() - self._begun >= unless_ms / 1000
            if not self._is_ended.is_set() and is_due and (self._last is None or self._last.wait(0)):
                self._begun = self._now()
                self._last = self._start(unless_ms)
            return self._last
