"""Wake a loop from any thread, and from a signal."""

from __future__ import annotations

import threading


class Signals:
    """What is said is kept until the loop looks.

    A signal may come in the middle of `wait`: the lock lets its own thread in again, which that of an `Event` does not.
    In the worst case it is heard when the wait is over.
    """

    def __init__(self) -> None:
        self.is_leaving = False
        self.is_poked = False
        self._is_woken = False
        self._changed = threading.Condition(threading.RLock())

    def poke(self) -> None:
        """Say that there may be work."""
        self.is_poked = True
        self._wake()

    def leave(self) -> None:
        """Say that it is over."""
        self.is_leaving = True
        self._wake()

    def wait(self, seconds: float) -> None:
        """Return when something is said, at the latest after that time."""
        with self._changed:
            if not self._is_woken:
                self._changed.wait(max(0.0, seconds))
            self._is_woken = False

    def wait_for_leaving(self) -> None:
        """Return when it is over, in another thread than the loop's."""
        with self._changed:
            self._changed.wait_for(lambda: self.is_leaving)

    def _wake(self) -> None:
        with self._changed:
            self._is_woken = True
            self._changed.notify_all()
