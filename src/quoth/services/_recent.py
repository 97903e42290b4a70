"""Read what was written a short while ago, without looking at every log: what a write has to wait for (ORI-65).

A log that is known and was only written to is compared with what the index says of it, and nothing else is. Whatever
else was touched below a root (a new file, a moved one, one whose directory may be excluded) has the root surveyed as a
pass does it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from quoth.core.errors import AdapterBroken
from quoth.core.ids import SourceId
from quoth.core.model import Form, Found, Root, Signature, Stream, StreamState
from quoth.core.names import log_path, printable_path
from quoth.core.ports import KeepsMemory
from quoth.readers import tree
from quoth.readers.database import is_database
from quoth.services import _plan
from quoth.services._pass import Pass, Survey, joined, log_of
from quoth.services._plan import Changed, Plan, Registry
from quoth.services._report import SourceReport, count_into
from quoth.services._writer import Writer
from quoth.services.exclude import allows

_NOTHING = Signature(0, 0, 0, 0, 0)


class _Unseen:
    """A meter that nobody looks at."""

    def begin(self, *, files: int, total: int) -> None: ...

    def advance(self, *, read: int, events: int) -> None: ...

    def end(self) -> None: ...


@dataclass(frozen=True, slots=True)
class Touched:
    """The files that were written since an instant, by root."""

    since: int
    files: Mapping[Root, Sequence[Path]]


@dataclass(frozen=True, slots=True)
class Unread:
    """Files that were written and are not read to their end, and what is known of their streams."""

    surveys: Sequence[Survey]
    registry: Registry

    @property
    def newest_first(self) -> Sequence[tuple[Survey, Changed]]:
        work = [(survey, changed) for survey in self.surveys for changed in survey.plan.changed]
        return sorted(work, key=lambda pair: -pair[1].found.signature.mtime_ns)


@dataclass(frozen=True, slots=True)
class Recent:
    """`whole` is the pass that would read everything."""

    whole: Pass

    def touched(self, since: int) -> Touched:
        """Return the files that the person lets us read and that were written since an instant, by root."""
        found = {root: self._touched_below(root, since) for root in self.whole.roots}
        return Touched(since, {root: paths for root, paths in found.items() if paths})

    def is_read(self, touched: Touched) -> bool:
        """Tell whether all that was written is read; where only a survey can tell, it may not be."""
        known = _Known.of(self.whole, touched.files)
        changed = (self._changed(root, paths, known) for root, paths in touched.files.items())
        return all(each is not None and not each for each in changed)

    def unread(self, touched: Touched) -> Unread:
        """Return what of it is not read to its end."""
        known = _Known.of(self.whole, touched.files)
        changed = {root: self._changed(root, paths, known) for root, paths in touched.files.items()}
        plain = [each.found for found in changed.values() for each in found or ()]
        registry = known.registry(plain, [root for root, found in changed.items() if found is None])
        surveys = [self._survey(root, found, registry, touched.since) for root, found in changed.items()]
        return Unread(surveys, registry)

    def read(self, unread: Unread, *, is_over: Callable[[], bool]) -> Sequence[SourceReport]:
        """Read it, the newest first, until the time is over; what is left, a later pass goes on with."""
        whole = self.whole
        whole.begin(unread.surveys, unread.registry)
        reports = {survey.root.source: survey.report for survey in unread.surveys}
        writer = Writer(whole.index, _Unseen(), whole.mirror.forcing, count_into(reports))
        reading = whole.reading(unread.registry, writer, is_over)
        for survey, changed in unread.newest_first:
            if not is_over():
                reading.read(survey.root, changed, survey.report)
        writer.flush()
        whole.projects.observe()
        whole.index.settle()
        return [survey.report for survey in unread.surveys]

    def _touched_below(self, root: Root, since: int) -> Sequence[Path]:
        with suppress(AdapterBroken):  # a pass tells
            paths = self.whole.adapters[root.source].knowledge.paths
            touched = tree.recent(root.path, paths, since_ns=since * 1_000_000)
            return [path for path in dict.fromkeys(touched) if self._may_read(root, path)]
        return ()

    def _may_read(self, root: Root, path: Path) -> bool:
        """Tell whether no exclusion of a source or of paths hides a file."""
        key = printable_path(path.relative_to(root.path).as_posix())
        bare = [each for each in self.whole.exclusions if each.kind in {"source", "pattern"}]
        return not bare or allows(bare, source=root.source, found=Found(key, path, Form.LOG, key, _NOTHING))

    def _changed(self, root: Root, paths: Sequence[Path], known: _Known) -> Sequence[Changed] | None:
        """Return the known files of a root that changed; None when it takes a survey to tell."""
        states = known.at(root, paths)
        seen = [_seen(states[path], path) if path in states else None for path in paths]
        changed = [
            Changed(root, found, states[found.path])
            for found in seen
            if found and found.signature != states[found.path].progress.signature
        ]
        is_told = None not in seen and all(self._is_plain(root, each.found) for each in changed)
        return changed if is_told else None

    def _is_plain(self, root: Root, found: Found) -> bool:
        """Tell whether an adapter could say nothing else of a file than what is known of its stream."""
        adapter, gate = self.whole.adapters[root.source], self.whole.gate(root.source)
        is_memory = isinstance(adapter, KeepsMemory) and adapter.memory_file(found.key) is not None
        is_file_itself = found.form is not Form.ROWS or is_database(found.path)
        return not (is_memory or gate.hides_directories) and is_file_itself

    def _survey(self, root: Root, changed: Sequence[Changed] | None, registry: Registry, since: int) -> Survey:
        report = SourceReport(root.source)
        if changed is None:
            listed = self.whole.look(root, report, registry).plan.changed
            changed = [each for each in listed if _is_since(each.found, since)]
        return Survey(root, Plan(changed, (), len(changed)), report)


@dataclass(frozen=True, slots=True)
class _Known:
    """What the journal knows of some roots: all streams, and the latest of each file by its path."""

    whole: Pass
    streams: Sequence[Stream]
    latest: Mapping[tuple[SourceId, str, str], Stream]

    @classmethod
    def of(cls, whole: Pass, roots: Iterable[Root]) -> _Known:
        places = {(root.source, root.name) for root in roots}
        streams = [each for each in whole.journal.streams() if (each.source, each.root) in places]
        return cls(whole, streams, {(each.source, each.root, each.path): each for each in streams})

    def at(self, root: Root, paths: Sequence[Path]) -> Mapping[Path, StreamState]:
        """Return the streams of files; a compressed one may stand beside a plain one, which a survey tells apart."""
        places = {path: (root.source, root.name, log_path(path, compressed=False)) for path in paths}
        known = {path: self.latest[place] for path, place in places.items() if place in self.latest}
        states = dict(zip(known, self._states([*known.values()]), strict=True))
        return {path: state for path, state in states.items() if path.suffix != ".zst"}

    def registry(self, files: Iterable[Found], surveyed: Iterable[Root]) -> Registry:
        """Return the streams below some roots, and those that stand where files are or have the names that files get
        in the mirror."""
        found, places = list(files), {(root.source, root.name) for root in surveyed}
        keys, paths = {each.key for each in found}, {_plan.place_of(each) for each in found}
        wanted = (each.key in keys or each.path in paths or (each.source, each.root) in places for each in self.streams)
        return Registry(self._states([each for each, is_wanted in zip(self.streams, wanted, strict=True) if is_wanted]))

    def _states(self, streams: Sequence[Stream]) -> Sequence[StreamState]:
        read = {state.stream.rank: state for state in self.whole.index.some([each.rank for each in streams])}
        return [joined(stream, read.get(stream.rank)) for stream in streams]


def _seen(state: StreamState, path: Path) -> Found | None:
    """Return what the file system says of the file of a stream; None when it is gone."""
    stream = state.stream
    try:
        status = path.lstat()
    except OSError:
        return None
    found = Found(stream.key, path, stream.form, stream.identity, tree.signature(status))
    return _plan.with_log(found, log_of(found))


def _is_since(found: Found, since: int) -> bool:
    return max(found.signature.mtime_ns, found.signature.ctime_ns) >= since * 1_000_000
