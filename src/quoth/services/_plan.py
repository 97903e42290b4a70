"""Decide what ingestion has to do, from directory entries and what is known; nothing here reads a log.

Cases (DESIGN §5): an unchanged file, one that grew or was rewritten (told apart when its bytes are compared), a new
file, a file that moved inside its root (same identity, the old place empty), and a file that is gone.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from quoth.core.model import Form, Found, Progress, Root, Signature, Stream, StreamState
from quoth.core.names import log_path
from quoth.services._left_out import is_outdated


@dataclass(frozen=True, slots=True)
class Changed:
    """A file to read: `known` is the stream it may continue, None for a new file. `moved`: it was elsewhere before."""

    root: Root
    found: Found
    known: StreamState | None
    moved: bool = False


@dataclass(frozen=True, slots=True)
class Plan:
    """`unchanged` are the files that are as they were, by the ranks of their streams."""

    changed: Sequence[Changed]
    gone: Sequence[int]
    files: int
    unchanged: Mapping[int, Found] = field(default_factory=dict)

    @property
    def total(self) -> int:
        """Bytes that may have to be read."""
        return sum(max(0, work.found.signature.size - held(work.known)) for work in self.changed)


def held(known: StreamState | None) -> int:
    """Return how many bytes of a file were consumed at the last pass."""
    return known.progress.offset if known else 0


def place_of(found: Found) -> str:
    """Return the path a file's stream is known by."""
    return log_path(found.path, compressed=found.compressed)


def unread(stream: Stream) -> StreamState:
    """Return the state of a stream that the index has not begun."""
    return StreamState(stream, Progress(0, 0, None, None))


class Registry:
    """The streams known of all roots, and how far the index read each."""

    def __init__(self, states: Iterable[StreamState]) -> None:
        self._states: dict[int, StreamState] = {}
        self._at: dict[tuple[str, str, str], int] = {}
        self._generation: dict[tuple[str, str, str], int] = {}
        for state in sorted(states, key=lambda state: state.stream.rank):
            self.add(state)

    def add(self, state: StreamState) -> StreamState:
        stream = state.stream
        self._states[stream.rank] = state
        self._at[stream.source, stream.root, stream.path] = stream.rank
        name = (stream.source, stream.root, stream.key)
        self._generation[name] = max(stream.generation, self._generation.get(name, 0))
        return state

    def at(self, root: Root, found: Found) -> StreamState:
        """Return the latest stream of a file."""
        return self._states[self._at[root.source, root.name, place_of(found)]]

    def next_generation(self, root: Root, found: Found) -> int:
        """Return the generation a new life of a file gets: one more than any that its name had in the mirror."""
        return self._generation.get((root.source, root.name, found.key), 0) + 1

    def is_current(self, state: StreamState) -> bool:
        """Tell whether no later generation took the place of a stream."""
        stream = state.stream
        return self._at[stream.source, stream.root, stream.path] == stream.rank

    def all(self) -> Iterable[StreamState]:
        return self._states.values()

    def behind(self) -> Sequence[StreamState]:
        """Return the streams that the index has not read to their end, whatever became of their files."""
        return [state for state in self._states.values() if state.progress.signature is None]

    def newly_gone(self, ranks: Iterable[int]) -> Sequence[StreamState]:
        """Return the streams of which the last finished pass still found the files."""
        return [state for rank in ranks if not (state := self._states[rank]).gone]

    def below(self, root: Root) -> Sequence[StreamState]:
        place = (root.source, root.name)
        return [state for state in self._states.values() if (state.stream.source, state.stream.root) == place]


def make(
    root: Root, files: Iterable[Found], registry: Registry, excluded: Collection[str], left_out: Iterable[Found] = ()
) -> Plan:
    """Compare the files below a root with the streams known of it.

    `excluded` is what databases are read without, `left_out` are files that are there and not to be read.
    """
    states = registry.below(root)
    newest = {state.stream.path: state for state in states}  # in the order of ranks: the last generation stays
    for place in map(place_of, left_out):
        newest.pop(place, None)
    listed = {place_of(found): found for found in files}
    lost = {state.stream.identity: state for path, state in newest.items() if path not in listed}
    changed: list[Changed] = []
    unchanged: dict[int, Found] = {}
    current: set[int] = set()
    for path, found in listed.items():
        known = newest.get(path)
        moved = known is None and found.identity in lost
        known = lost.pop(found.identity) if moved else known
        if known is not None:
            current.add(known.stream.rank)
        is_read = known is not None and known.progress.signature == found.signature
        if known is None or moved or not is_read or is_outdated(known, excluded):
            changed.append(Changed(root, found, known, moved))
        else:
            unchanged[known.stream.rank] = found
    gone = [state.stream.rank for state in newest.values() if state.stream.rank not in current]
    return Plan(changed, gone, len(listed), unchanged)


def with_log(found: Found, log: Signature | None) -> Found:
    """Count a database's write-ahead log as part of it: rows appear there long before the file itself changes."""
    if log is None or found.form is not Form.ROWS:
        return found
    own = found.signature
    both = replace(
        own,
        size=own.size + log.size,
        mtime_ns=max(own.mtime_ns, log.mtime_ns),
        ctime_ns=max(own.ctime_ns, log.ctime_ns),
    )
    return replace(found, signature=both)
