"""Before a write, read what agents just wrote, so that it can be cited at once (ORI-51, ORI-65, ORI-72)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from quoth.core.errors import Busy, QuothError
from quoth.core.ports import Clock
from quoth.services._recent import Recent, Touched
from quoth.services._report import SourceReport
from quoth.services.ingest import Ingest

_RECENT = 3_600_000  # milliseconds: files that were written since are read
_PATIENCE = 5_000  # milliseconds that a write waits for it

_PAUSED = "reading is paused, so what was written since is not known"
_BUSY = "another process is reading new log lines; try again in a moment"
_RUNNING = "new log lines are still being read; try again in a moment"
_FAILED = "some log files could not be read; `quoth doctor` says which"


@dataclass(frozen=True, slots=True)
class Fresh:
    """`ingest.lock` waits a second or so at a time: the process that holds it may read what this one needs."""

    ingest: Ingest
    clock: Clock

    def run(self) -> str | None:
        """Read the new lines of what was written in the last hour, and say why something may be missing."""
        now = self.clock.now()
        paused = self.ingest.state.paused_until()
        if paused is not None and paused > now:
            return _PAUSED
        try:
            return self._read(since=now - _RECENT, ends=now + _PATIENCE)
        except QuothError as error:
            return f"new log lines could not be read: {error}"

    def _read(self, *, since: int, ends: int) -> str | None:
        recent = self.ingest.recent()
        touched = recent.touched(since)
        while not recent.is_read(touched):
            try:
                with self.ingest.lock():
                    return self._read_all(recent, touched, ends)
            except Busy:
                if self.clock.now() >= ends:
                    return _BUSY
        return None

    def _read_all(self, recent: Recent, touched: Touched, ends: int) -> str | None:
        unread = recent.unread(touched)  # again: whoever held the lock may have read it
        reports = recent.read(unread, is_over=lambda: self.clock.now() >= ends)
        self.ingest.after()
        if any(report.events for report in reports):
            self.ingest.found()
        if self.clock.now() >= ends:
            return _RUNNING
        return _FAILED if _failed(reports) else None


def _failed(reports: Sequence[SourceReport]) -> int:
    return sum(report.failed for report in reports)
