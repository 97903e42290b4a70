"""Rebuild: make the index again from the mirror and the journal alone (INV-1), without looking at the agents' disks."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, closing, suppress
from dataclasses import dataclass

from quoth.core.errors import StoreFailed
from quoth.core.ids import SourceId
from quoth.core.model import Answered, Signature, Stream
from quoth.core.names import mirror_name
from quoth.core.ports import Adapter, Index, Journal, Meter, Mirror
from quoth.services import _plan
from quoth.services._derive import Derivation
from quoth.services._report import SourceReport, count_into, failures_of
from quoth.services._wiping import Wiping
from quoth.services._writer import Writer
from quoth.services.project import Projects

# A rebuilt stream is compared with its file at the next pass: no signature of a real file equals this one.
_READ = Signature(0, 0, -1, 0, 0)


@dataclass(frozen=True, slots=True)
class Rebuilt:
    """How many events the new index has, and how many streams could not be read into it."""

    events: int
    failed: int


@dataclass(frozen=True, slots=True)
class Rebuild:
    """`present` gives the index there is, if any, `fresh` opens an empty one beside it, `swap` puts that in its place
    in one step. `remember` shows the ledger in an index."""

    adapters: Mapping[SourceId, Adapter]
    mirror: Mirror
    journal: Journal
    projects: Callable[[Index], Projects]
    lock: Callable[[], AbstractContextManager[object]]
    present: Callable[[], Index | None]
    fresh: Callable[[], Index]
    swap: Callable[[], None]
    remember: Callable[[Index], None]
    wiping: Wiping

    def run(self, meter: Meter) -> Rebuilt:
        """Read every line of the mirror again; a stream that its adapter can't read is left out and reported.

        Raises:
            Busy: another process ingests.
            StoreFailed: the new index can't be written; the present one is untouched.
        """
        with self.lock():
            self.wiping.finish()
            self._leave()
            with closing(self.fresh()) as index:
                self.remember(index)  # what is destroyed must not be written, not even for a moment
                rebuilt = self._fill(index, meter)
                index.keep(self._older())  # also where an adapter makes other ids now
                self.remember(index)
                if passed := self._last_pass():
                    index.passed(*passed)
            self.swap()
            self.wiping.settled()
        return rebuilt

    def _leave(self) -> None:
        """Have the present index forget what it still shows: it alone knows which vectors go with that."""
        memory = self.wiping.memory
        with suppress(Exception):  # damage is a reason to rebuild, whatever it does here
            if memory.entries.cursor():
                memory.catch_up()

    def _older(self) -> Iterator[Answered]:
        """Yield the ids that the present index answers, as far as it can be read: damage is a reason to rebuild."""
        with suppress(StoreFailed):
            if present := self.present():
                yield from present.answered()

    def _last_pass(self) -> tuple[int, int] | None:
        """Return when the logs were last read; a new index does not make them unread."""
        with suppress(StoreFailed):
            if present := self.present():
                return present.last_pass()
        return None

    def _fill(self, index: Index, meter: Meter) -> Rebuilt:
        streams = self.journal.streams()
        meter.begin(files=len(streams), total=sum(self.mirror.size(_name(stream)) for stream in streams))
        index.place(self.journal.places().values())
        reports = {stream.source: SourceReport(stream.source) for stream in streams}
        writer = Writer(index, meter, lambda: _nothing, count_into(reports))
        for stream in streams:
            with failures_of(reports[stream.source], stream.path):
                self._stream(writer, stream)
        writer.flush()
        self.projects(index).place_unseen()
        index.settle()
        for report in reports.values():
            index.skipped(report.source, report.skipped)
        meter.end()
        return Rebuilt(sum(r.events for r in reports.values()), sum(r.failed for r in reports.values()))

    def _stream(self, writer: Writer, stream: Stream) -> None:
        offset = 0
        for batch in Derivation(self.adapters[stream.source], self.mirror, _plan.unread(stream), _READ).batches():
            writer.add(batch, read=batch.progress.offset - offset)
            offset = batch.progress.offset


def _nothing() -> None:
    """Force nothing: what is in the mirror of a rebuild was on the disk before."""


def _name(stream: Stream) -> str:
    return mirror_name(stream.source, stream.root, stream.key, stream.generation)
