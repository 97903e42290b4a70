"""Ingest: mirror what agents wrote, then index it. Idempotent, incremental, newest sessions first (DESIGN §5).

Bytes are mirrored before anything is made of them, and only the mirror is parsed; so an event never exists without its
line. One file that can't be read never stops the others: it is reported, kept in the index as skipped, and tried again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass

from quoth.core.ids import SourceId
from quoth.core.model import Root
from quoth.core.ports import Adapter, Clock, Index, Journal, Meter, Mirror, State
from quoth.services._pass import Pass
from quoth.services._recent import Recent
from quoth.services._report import SourceReport
from quoth.services._wiping import Wiping
from quoth.services.project import Projects

__all__ = ["Ingest", "Look", "Report", "SourceReport"]


@dataclass(frozen=True, slots=True)
class Report:
    """What a pass did. `paused_until` is set when nothing was read because the person paused reading."""

    sources: Sequence[SourceReport]
    paused_until: int | None = None

    @property
    def failed(self) -> int:
        return sum(source.failed for source in self.sources)

    @property
    def events(self) -> int:
        return sum(source.events for source in self.sources)


@dataclass(frozen=True, slots=True)
class Look:
    """What a pass would read below one root (QUO-11)."""

    source: SourceId
    root: str
    files: int
    changed: int
    bytes: int
    excluded: int


@dataclass(frozen=True, slots=True)
class Ingest:
    """Brings the archive up to date. `lock` is held for a pass: only its holder reads logs.

    `wiping` keeps out what was purged, `after` brings memory up to date with what a pass read, `found` hears that it
    read something new.
    """

    adapters: Mapping[SourceId, Adapter]
    roots: Sequence[Root]
    mirror: Mirror
    journal: Journal
    index: Index
    state: State
    projects: Projects
    clock: Clock
    lock: Callable[[], AbstractContextManager[object]]
    wiping: Wiping
    after: Callable[[], None]
    found: Callable[[], None] = lambda: None

    def run(self, meter: Meter, *, only: Sequence[SourceId] = ()) -> Report:
        """Read everything new, in one pass over all roots, and return what was done.

        Raises:
            Busy: another process ingests and went on longer than this one waits.
            StoreFailed: the home can't be written; nothing acknowledged is lost.
        """
        if (paused := self.state.paused_until()) is not None and paused > self.clock.now():
            return Report([], paused)
        with self.lock():
            begun = self.clock.now()
            sources = self._pass(only).run(meter)
            self.after()
            self.index.passed(begun, self.clock.now(), only=only)
        report = Report(sources)
        if report.events:
            self.found()
        return report

    def look(self, only: Sequence[SourceId] = ()) -> Sequence[Look]:
        """Say what a pass would read, without reading or writing anything."""
        surveyed = self._pass(only).survey()
        return [
            Look(s.root.source, str(s.root.path), s.plan.files, len(s.plan.changed), s.plan.total, s.report.excluded)
            for s in surveyed
        ]

    def recent(self) -> Recent:
        """Return what reads the files that were written a short while ago; whoever reads holds the lock."""
        return Recent(self._pass(()))

    def _pass(self, only: Sequence[SourceId]) -> Pass:
        return Pass(
            adapters=self.adapters,
            roots=[root for root in self.roots if not only or root.source in only],
            mirror=self.mirror,
            journal=self.journal,
            index=self.index,
            exclusions=self.state.exclusions(),
            projects=self.projects,
            clock=self.clock,
            purged=self.wiping.purged,
        )
