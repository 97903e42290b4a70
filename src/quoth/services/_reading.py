"""Read one file after the other: find the stream it continues, mirror what is new, index it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import takewhile

from quoth.core.ids import SourceId
from quoth.core.model import Form, Found, Root, Signature, Stream, StreamState
from quoth.core.names import mirror_name
from quoth.core.ports import Adapter, Journal, Mirror
from quoth.readers import compressed
from quoth.services import _left_out, _plan, _sealing
from quoth.services._derive import Derivation
from quoth.services._plan import Changed, Registry
from quoth.services._report import SourceReport, failures_of
from quoth.services._same import continues
from quoth.services._wiping import Purged
from quoth.services._writer import Writer
from quoth.services.exclude import Gate

_NO_FILE = Signature(0, 0, 0, 0, 0)  # of a stream that has no file any more: read to its end


@dataclass(frozen=True, slots=True)
class Reading:
    """Whatever a log or an adapter does wrong stays with that file; it is tried again at the next pass."""

    adapters: Mapping[SourceId, Adapter]
    mirror: Mirror
    journal: Journal
    registry: Registry
    writer: Writer
    gates: Mapping[SourceId, Gate]
    now: int
    is_over: Callable[[], bool]
    """Tells when to stop in the middle of a file; the next pass goes on there."""
    purged: Purged | None = None
    """Keeps out what was purged; None when nothing was."""
    sealed: dict[int, int] = field(default_factory=dict)
    """Up to which byte streams (by rank) were sealed while they were read."""
    _done: set[int] = field(default_factory=set)

    def read(self, root: Root, changed: Changed, report: SourceReport) -> None:
        """Mirror what is new of a file and index it."""
        report.changed += 1
        with failures_of(report, _plan.place_of(changed.found)):
            state = self._continued(root, changed)
            before = self.mirror.size(_name(state.stream))
            if changed.found.form is Form.ROWS and before > state.progress.offset:
                self._derive(state, None)  # what is new among the rows shows when the mirrored ones are read
                return
            seal_from = _sealing.at_once(changed.found, held=before, now=self.now)
            new = takewhile(lambda _: not self.is_over(), self._new(changed.found, state, before))
            after = self.mirror.append(_name(state.stream), new, seal_from=seal_from)
            if self.purged and before > state.progress.offset:
                self._clear_begun(self.purged, state, before)
            if seal_from is not None:
                self.sealed[state.stream.rank] = after
            report.read += after - before
            self._derive(state, None if self.is_over() else changed.found.signature)

    def catch_up(self, state: StreamState, report: SourceReport) -> None:
        """Index what the mirror holds of a stream that was not read to its end."""
        if state.stream.rank not in self._done:
            with failures_of(report, state.stream.path):
                self._derive(state, _NO_FILE)

    def _continued(self, root: Root, changed: Changed) -> StreamState:
        """Return the stream that a file goes on with: its own when it was appended to, else a new generation."""
        state, found = changed.known or self.registry.at(root, changed.found), changed.found
        self._done.add(state.stream.rank)
        if changed.moved:
            state = replace(state, stream=self.journal.moved(state.stream, _plan.place_of(found)))
        if found.form is Form.ROWS or continues(self.mirror, _name(state.stream), found, state.progress.signature):
            return state
        self._derive(state, _NO_FILE)
        self.writer.flush()  # behind a new generation nobody looks at this one again
        (stream,) = self.journal.begin_all([(root, found, self.registry.next_generation(root, found))])
        self._done.add(stream.rank)
        return self.registry.add(_plan.unread(stream))

    def _new(self, found: Found, state: StreamState, held: int) -> Iterator[bytes]:
        purged = self.purged
        if found.form is not Form.ROWS:
            chunks = compressed.chunks(found.path, compressed=found.compressed, start=held)
            return purged.cleared(_name(state.stream), chunks, held=held) if purged else chunks
        if purged and not purged.has_new(_name(state.stream), self._rows(found, state)):
            return iter(())
        return (row + b"\n" for row in self._rows(found, state) if not (purged and purged.holds(row)))

    def _clear_begun(self, purged: Purged, state: StreamState, held: int) -> None:
        """Look at a line that was mirrored in part before."""
        begun = state.progress
        purged.clear_begun(_name(state.stream), begun.lines + 1, begun.offset, held)

    def _rows(self, found: Found, state: StreamState) -> Iterator[bytes]:
        """Yield what is new in a database; all of it once something is no longer excluded that was left out of it."""
        memory, gate = state.progress.parser, self.gates[state.stream.source]
        known = memory.get("parser") if isinstance(memory, dict) else None
        told = _left_out.of(memory)
        if _left_out.is_outdated(state, gate.present()):
            yield _left_out.AGAIN
            known, told = None, set()
        watch = _left_out.Watch(gate, told)
        yield from watch.noted(self.adapters[state.stream.source].rows(found, known, watch.allows))

    def _derive(self, state: StreamState, signature: Signature | None) -> None:
        offset = state.progress.offset
        for batch in Derivation(self.adapters[state.stream.source], self.mirror, state, signature).batches():
            self.writer.add(batch, read=batch.progress.offset - offset)
            offset = batch.progress.offset
            if self.is_over():
                return


def _name(stream: Stream) -> str:
    return mirror_name(stream.source, stream.root, stream.key, stream.generation)
