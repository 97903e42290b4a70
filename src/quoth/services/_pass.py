"""One pass over the logs: survey the roots, mirror and index file by file, newest first, then seal what rests."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from quoth.core.errors import QuothError
from quoth.core.ids import SourceId
from quoth.core.model import Exclusion, Form, Found, Root, Signature, Skipped, Stream, StreamState
from quoth.core.names import mirror_name, printable_path
from quoth.core.ports import Adapter, Clock, Index, Journal, Meter, Mirror
from quoth.services import _plan, _sealing
from quoth.services._plan import Changed, Plan, Registry
from quoth.services._reading import Reading
from quoth.services._report import SourceReport, count_into, failures_of
from quoth.services._same import continues
from quoth.services._wiping import Purged
from quoth.services._writer import Writer
from quoth.services.exclude import Gate
from quoth.services.project import Projects


@dataclass(frozen=True, slots=True)
class Survey:
    """What lies below one root and what is to do about it."""

    root: Root
    plan: Plan
    report: SourceReport


@dataclass(frozen=True, slots=True)
class Pass:
    adapters: Mapping[SourceId, Adapter]
    roots: Sequence[Root]
    mirror: Mirror
    journal: Journal
    index: Index
    exclusions: Sequence[Exclusion]
    projects: Projects
    clock: Clock
    purged: Callable[[], Purged | None] = lambda: None
    _gates: dict[SourceId, Gate] = field(default_factory=dict)

    def survey(self) -> Sequence[Survey]:
        """List the files of every root and plan, from directory entries alone."""
        return self._survey(self.registry())

    def run(self, meter: Meter) -> Sequence[SourceReport]:
        """Do what the survey planned, then index what was missed of streams whose files did not change."""
        registry = self.registry()
        surveys = self._survey(registry)
        reports = {survey.root.source: survey.report for survey in surveys}
        self.index.place(self.journal.places().values())
        meter.begin(files=sum(len(s.plan.changed) for s in surveys), total=sum(s.plan.total for s in surveys))
        self.begin(surveys, registry)
        writer = Writer(self.index, meter, self.mirror.forcing, count_into(reports))
        reading = self.reading(registry, writer)
        for root, changed in sorted(_work(surveys), key=lambda pair: -pair[1].found.signature.mtime_ns):
            reading.read(root, changed, reports[root.source])
        for state in [*registry.behind(), *self._cut_short(surveys, registry)]:
            if state.stream.source in reports:
                reading.catch_up(state, reports[state.stream.source])
        resting = self._resting(surveys, registry, reading)
        writer.flush()
        self._close(surveys)
        self._seal(resting, reading.sealed)
        meter.end()
        return list(reports.values())

    def reading(self, registry: Registry, writer: Writer, is_over: Callable[[], bool] = lambda: False) -> Reading:
        return Reading(
            adapters=self.adapters,
            mirror=self.mirror,
            journal=self.journal,
            registry=registry,
            writer=writer,
            gates=self._gates,
            now=self.clock.now(),
            is_over=is_over,
            purged=self.purged(),
        )

    def registry(self) -> Registry:
        """Join the journal's streams with how far the index read them; an index that was lost has read nothing."""
        read = {state.stream.rank: state for state in self.index.streams()}
        return Registry(joined(stream, read.get(stream.rank)) for stream in self.journal.streams())

    def _survey(self, registry: Registry) -> Sequence[Survey]:
        reports = {root.source: SourceReport(root.source) for root in self.roots}
        return [self.look(root, reports[root.source], registry) for root in self.roots]

    def look(self, root: Root, report: SourceReport, registry: Registry) -> Survey:
        """List the files below a root and plan."""
        gate = self.gate(root.source)
        files: list[Found] = []
        left_out: list[Found] = []
        for found in self._found(root, report):
            (files if gate.allows(found) else left_out).append(found)
        report.excluded += len(left_out)
        plan = _plan.make(root, files, registry, gate.present(), left_out)
        report.files += plan.files
        return Survey(root, plan, report)

    def gate(self, source: SourceId) -> Gate:
        return self._gates.setdefault(source, Gate(self.exclusions, source, self.projects))

    def _found(self, root: Root, report: SourceReport) -> Iterator[Found]:
        with failures_of(report, printable_path(str(root.path))):
            for found in self.adapters[root.source].find(root.path):
                if isinstance(found, Skipped):
                    report.skipped.append(found)
                else:
                    yield _plan.with_log(found, log_of(found))

    def begin(self, surveys: Sequence[Survey], registry: Registry) -> None:
        """Give every new file its rank in the journal, the oldest first: what was there first owns what others copy."""
        new = [(root, changed.found) for root, changed in _work(surveys) if changed.known is None]
        new.sort(key=lambda pair: self._age(*pair))
        begun = [(root, found, registry.next_generation(root, found)) for root, found in new]
        for stream in self.journal.begin_all(begun):
            registry.add(_plan.unread(stream))

    def _age(self, root: Root, found: Found) -> tuple[object, ...]:
        """Order new files; when one can't be looked into, reading it will tell why."""
        try:
            said = self.adapters[root.source].age(found)
        except (QuothError, OSError):
            said = ()
        return (root.source, *said, found.signature.mtime_ns, root.name, found.key)

    def _cut_short(self, surveys: Sequence[Survey], registry: Registry) -> Sequence[StreamState]:
        """Return the streams whose files went away behind a killed pass that had mirrored more than it indexed."""
        lost = registry.newly_gone(rank for survey in surveys for rank in survey.plan.gone)
        return [state for state in lost if self.mirror.size(_name(state.stream)) > state.progress.offset]

    def _close(self, surveys: Sequence[Survey]) -> None:
        self.projects.observe()
        self.index.settle()
        sources = {survey.root.source for survey in surveys}
        self.index.gone([rank for survey in surveys for rank in survey.plan.gone], among=sorted(sources))
        for source, report in {survey.root.source: survey.report for survey in surveys}.items():
            self.index.skipped(source, report.skipped)

    def _resting(self, surveys: Sequence[Survey], registry: Registry, reading: Reading) -> Sequence[StreamState]:
        """Return what is to be sealed, and read again what was changed where nobody looked.

        What this pass changed may go on changing, and is left to a later one.
        """
        changed = {change.known.stream.rank for _, change in _work(surveys) if change.known}
        sources = {survey.root.source for survey in surveys}
        states = _sealing.resting(registry, sources=sources, changed=changed, now=self.clock.now())
        logs = {rank: (survey, found) for survey in surveys for rank, found in survey.plan.unchanged.items()}

        def is_as_held(state: StreamState) -> bool:
            return state.stream.rank not in logs or self._is_as_held(state.stream, logs[state.stream.rank][1])

        resting: list[StreamState] = []
        for state, is_same in _sealing.compared(states, is_as_held, self.clock):
            if is_same:
                resting.append(state)
            else:
                survey, found = logs[state.stream.rank]
                reading.read(survey.root, Changed(survey.root, found, state), survey.report)
        return resting

    def _is_as_held(self, stream: Stream, found: Found) -> bool:
        """Compare a whole log with the mirror; one that can't be read differs in nothing that we could read."""
        if found.form is Form.ROWS:
            return True
        try:
            return continues(self.mirror, _name(stream), found, None)
        except (QuothError, OSError):
            return True

    def _seal(self, resting: Sequence[StreamState], already: Mapping[int, int]) -> None:
        if sealed := {**already, **_sealing.seal(self.mirror, resting, self.clock)}:
            self.index.sealed(sealed)


def joined(stream: Stream, read: StreamState | None) -> StreamState:
    """Return a stream with how far the index read it; one whose move a killed pass told the journal alone is behind."""
    if read is None:
        return _plan.unread(stream)
    if read.stream.path == stream.path:
        return replace(read, stream=stream)
    return replace(read, stream=stream, progress=replace(read.progress, signature=None))


def _name(stream: Stream) -> str:
    return mirror_name(stream.source, stream.root, stream.key, stream.generation)


def _work(surveys: Sequence[Survey]) -> Iterator[tuple[Root, Changed]]:
    return ((survey.root, changed) for survey in surveys for changed in survey.plan.changed)


def log_of(found: Found) -> Signature | None:
    """Return the signature of a database's write-ahead log."""
    if found.form is not Form.ROWS:
        return None
    try:
        seen = found.path.with_name(f"{found.path.name}-wal").stat()
    except OSError:
        return None
    return Signature(seen.st_dev, seen.st_ino, seen.st_size, seen.st_mtime_ns, seen.st_ctime_ns)
