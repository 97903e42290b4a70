"""Pause: stop reading logs for a while, or until the person resumes (QUO-11). What is archived stays searchable."""

from __future__ import annotations

from dataclasses import dataclass

from quoth.core import times
from quoth.core.ports import Clock, State


@dataclass(frozen=True, slots=True)
class Pause:
    state: State
    clock: Clock

    def pause(self, length: str | None = None) -> int:
        """Pause for a length like `2h`, or without end, and return when reading goes on.

        Raises:
            InvalidArgument: the length can't be understood.
        """
        if length is None:
            self.state.pause(None)
            return times.LATEST
        until = min(self.clock.now() + times.duration(length, argument="duration"), times.LATEST)
        self.state.pause(until)
        return until

    def resume(self) -> bool:
        """Read again; False when nothing was paused."""
        was_paused = self.until() is not None
        self.state.resume()
        return was_paused

    def until(self) -> int | None:
        """Return when reading goes on; None when it is not paused, `LATEST` when no end was said."""
        until = self.state.paused_until()
        return until if until is not None and until > self.clock.now() else None
