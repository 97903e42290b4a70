"""What the tools of this door ask: the services of one home, and whether they have read the newest lines."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from quoth.surfaces.mcp.freshness import Freshness

if TYPE_CHECKING:
    from pathlib import Path

    from quoth.wiring import Kernel


class Archive:
    """Opens the home when the first tool needs it, and again when `quoth rebuild` put a new index in its place."""

    def __init__(self, make: Callable[[], Kernel], freshness: Freshness | None = None) -> None:
        self._make = make
        self._freshness = freshness
        self._lock = threading.RLock()
        self._kernel: Kernel | None = None
        self._opened: tuple[int, int] | None = None

    def notes(self) -> list[str]:
        """Read new lines first; say what an answer may lack."""
        note = self._freshness.before_answer() if self._freshness else None
        return [f"Note: {note.rstrip('.')}."] if note else []

    @contextmanager
    def open(self) -> Iterator[Kernel]:
        """Give the services to one caller at a time."""
        with self._lock:
            yield self._current()

    def close(self) -> None:
        with self._lock:
            if self._kernel:
                self._kernel.close()
            self._kernel = None

    def _current(self) -> Kernel:
        if self._kernel and self._opened != _identity(self._kernel.index_path):
            self.close()
        if self._kernel is None:
            self._kernel = self._make()
            self._opened = _identity(_opened(self._kernel))
        return self._kernel


def _opened(kernel: Kernel) -> Path:
    kernel.index.last_pass()
    return kernel.index_path


def _identity(path: Path) -> tuple[int, int] | None:
    try:
        seen = path.stat()
    except FileNotFoundError:
        return None
    return seen.st_dev, seen.st_ino
