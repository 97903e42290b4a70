"""What the services ask of the parts: log adapters, the mirror, the journal, the index, the local state."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, TypeAlias, runtime_checkable

from quoth.core.ids import DeviceId, EventId, OperationId, ProjectId, SessionId, SourceId
from quoth.core.links import Level, Link, Refusal, Server, Target
from quoth.core.model import (
    Anchor,
    Answered,
    Batch,
    Coverage,
    EventRow,
    Exclusion,
    Fact,
    Filter,
    Found,
    Json,
    Knowledge,
    Line,
    MemoryFile,
    Named,
    Place,
    Project,
    Root,
    SessionRow,
    Skipped,
    Stream,
    StreamState,
)
from quoth.core.query import Query

if TYPE_CHECKING:  # a door that only reads the archive starts without them
    from quoth.core.candidates import Beside, EventHit, Word
    from quoth.core.ledger.arrivals import Numbered, Received
    from quoth.core.ledger.chain import Finding, Payload, Record
    from quoth.core.ledger.operations import Draft, Operation, Subjects
    from quoth.core.memory import MemoryIndex
    from quoth.core.vectors import TextKey


Allows: TypeAlias = Callable[[str | None], bool]
"""Tells whether sessions that were in a directory may be read; None stands for a directory that is not known."""


def everywhere(directory: str | None) -> bool:
    """Allow every directory."""
    return True


class Clock(Protocol):
    def now(self) -> int:
        """Return the present instant in milliseconds since 1970 UTC."""


class Parser(Protocol):
    """Reads the complete lines of one stream in order. Foreign input: it yields facts and never raises for a line."""

    def feed(self, line: Line) -> Iterable[Fact]: ...

    def state(self) -> Json:
        """Return what a new parser needs to go on after the last line fed, as JSON."""


@runtime_checkable
class EndingParser(Parser, Protocol):
    """A parser of whole files that needs to be told where one ends."""

    def end(self) -> Iterable[Fact]:
        """Yield what the lines fed since the last end say together; it counts to the last of them."""


class Adapter(Protocol):
    """Knows where one agent keeps its logs and how to read them. The file's name is its id (`claude_code.py`)."""

    knowledge: Knowledge

    def roots(self, env: Mapping[str, str], home: Path) -> Sequence[Path]:
        """Return the folders to look in, existing or not, most specific first; blank variables count as unset."""

    def find(self, root: Path) -> Iterator[Found | Skipped]:
        """List the files to read below a root, from directory entries alone."""

    def age(self, found: Found) -> tuple[int | str, ...]:
        """Return what tells which of several files was written first, by its name or its first lines.

        The lower owns what both hold: the original of a fork, the first file of a session that has several.
        """

    def parser(self, stream: Stream, state: Json = None) -> Parser: ...

    def rows(self, found: Found, state: Json, allows: Allows = everywhere) -> Iterator[bytes]:
        """Yield, as JSON lines, the rows of a database that differ from what `state` (of the parser) knows.

        Nothing is yielded of a session whose directory is not allowed. Once it is, all is read again from no state.
        """

    def resume(self, session: SessionId) -> Sequence[str] | None:
        """Return the agent's own command line that resumes a session."""


@runtime_checkable
class KeepsMemory(Protocol):
    """An adapter of an agent that keeps memory in files of its own."""

    def memory_file(self, key: str) -> MemoryFile | None:
        """Return what is known of a memory file by its key; None for any other file."""


class Mirror(Protocol):
    """The exact bytes of every stream. A name is made by `core.names.mirror_name`."""

    def size(self, name: str) -> int:
        """Return how many raw bytes of a stream are held; 0 when there are none."""

    def append(self, name: str, chunks: Iterable[bytes], *, seal_from: int | None = None) -> int:
        """Append raw bytes and return the new size. They survive a killed process when it returns.

        With `seal_from`, a new stream leaves nothing to seal, if it is that long.
        """

    def seal(self, names: Iterable[str], *, at_least: int = 1) -> Mapping[str, int]:
        """Compress the newest bytes of streams where they still lie raw and are that many; more may follow them later.

        Return the size of each stream that has nothing left to seal; what could not be sealed is missing, and reads as
        before.
        """

    def sync(self) -> None:
        """Force everything appended since the last call onto the disk."""

    def forcing(self) -> Callable[[], None]:
        """Return the work of forcing what was appended since the last call; another thread may do it."""

    def read(self, name: str, start: int = 0, stop: int | None = None) -> Iterator[bytes]:
        """Yield raw bytes from `start` on, in chunks of at most a few MiB."""

    def lines(self, name: str, *, offset: int = 0, number: int = 0) -> Iterator[tuple[Line, int]]:
        """Yield each complete line after `offset`, where `number` lines end, with the offset behind it."""

    def line(self, name: str, first: int, last: int | None = None) -> bytes:
        """Return lines `first` to `last` joined by LF. Raises `MirrorDamaged` when they are not there."""

    def names(self) -> Iterator[str]: ...

    def blank(self, name: str, blanked: Callable[[Line], bytes | None]) -> int:
        """Overwrite lines in place: with what the function returns, as long as the line was; None keeps a line.

        The old bytes are in no file of the mirror then. Line numbers, offsets and sizes stay. Return how many lines
        changed. The caller holds the ingest lock.
        """

    def blanks(self, name: str) -> Sequence[tuple[int, int]]:
        """Return the ranges of raw bytes that were overwritten, in order; mirror and log may differ there."""

    def is_blanked(self, name: str, first: int, last: int) -> bool:
        """Tell whether something was overwritten in lines `first` to `last`."""

    def expect_blanks(self, name: str, ranges: Sequence[tuple[int, int]]) -> None:
        """Say that ranges of raw bytes, which are not there yet, will be blank."""

    def check(self, name: str) -> Sequence[str]:
        """Read a whole stream and return what is wrong with it, in words; nothing when it is sound."""


class Journal(Protocol):
    """Observations that no log holds; append-only, durable when `write` returns."""

    def device(self) -> tuple[str, str]:
        """Return the id and the name of this device."""

    def devices(self) -> Sequence[str]:
        """Return every id that this home has had, the present one last."""

    def streams(self) -> Sequence[Stream]: ...

    def places(self) -> Mapping[str, Place]: ...

    def begin_all(self, begun: Sequence[tuple[Root, Found, int]]) -> Sequence[Stream]:
        """Record new generations (root, file, generation), give each its rank in this order; durable together.

        The path of a stream is `core.names.log_path(found.path, compressed=found.compressed)`.
        """

    def moved(self, stream: Stream, path: str) -> Stream: ...

    def saw(self, place: Place) -> None: ...

    def named(self) -> Mapping[ProjectId, Named]:
        """Return what projects are called of which another home told."""

    def heard(self, told: Iterable[Named]) -> None:
        """Record what projects are called elsewhere, where it differs from what is known."""

    def renew(self) -> None:
        """Give this device a new id: a restored store goes on under a series of its own. Older records keep theirs."""


class Index(Protocol):
    """Everything that can be made again from mirror, journal and ledger. One write connection per process.

    Forgotten events, and what derives from them, are in no answer of it.
    """

    @property
    def memory(self) -> MemoryIndex: ...

    def streams(self) -> Sequence[StreamState]: ...

    def progress(self, source: SourceId) -> Sequence[StreamState]: ...

    def some(self, ranks: Sequence[int]) -> Sequence[StreamState]:
        """Return the streams of some ranks, by rank; one that was not begun is missing."""

    def whole_files(self, suffix: str) -> Sequence[StreamState]:
        """Return the streams of files that are replaced as a whole and whose key ends like this, by rank."""

    def noted(self, name: str) -> Json:
        """Return what was noted under a name; None when nothing was since the index was made."""

    def note(self, name: str, value: Json) -> None:
        """Note how far something is that follows from what was read."""

    def put(self, batches: Sequence[Batch]) -> Sequence[int]:
        """Store batches in one transaction and return how many events of each are new. Twice is once."""

    def skipped(self, source: SourceId, skipped: Sequence[Skipped]) -> None:
        """Replace what was skipped at the last pass over a source."""

    def skips(self) -> Sequence[tuple[SourceId, Skipped]]:
        """Return what was skipped at the last pass over each source."""

    def gone(self, ranks: Sequence[int], *, among: Sequence[SourceId]) -> None:
        """Say which streams (by rank) are no longer on disk; the others of these sources are."""

    def sealed(self, sizes: Mapping[int, int]) -> None:
        """Say up to which byte streams (by rank) are sealed in the mirror."""

    def passed(self, started_at: int, ended_at: int, *, only: Sequence[SourceId] = ()) -> None:
        """Record that a pass began and ended: over all logs, the mark that other processes wait for, or over some."""

    def last_pass(self) -> tuple[int, int] | None:
        """Return when the last finished pass over all logs began and ended."""

    def place(self, places: Iterable[Place]) -> None: ...

    def merge_projects(self, merged: Mapping[ProjectId, ProjectId], names: Mapping[ProjectId, str]) -> None: ...

    def unplaced(self) -> Sequence[tuple[str, str | None]]:
        """Return the directories of events that have no place yet, with the git remote their log names."""

    def settle(self) -> None:
        """Bring titles, prompts, counts and projects of the touched sessions up to date."""

    def answered(self) -> Iterator[Answered]:
        """Yield every id that answers or once did, older ones included."""

    def keep(self, answered: Iterable[Answered]) -> int:
        """Make ids that an older index answered go on answering, and return how many no event has any more: each
        becomes another name of the event that is read in its place. Where a destroyed one was, there is another now."""

    def resolve(self, event: str) -> EventId | None: ...

    def event(self, event: EventId) -> EventRow | None: ...

    def anchors(self, event: EventId) -> Sequence[Anchor]:
        """Return all places where an event was read, the owning one first."""

    def search(self, query: Query, where: Filter, *, limit: int, offset: int) -> Sequence[EventRow]: ...

    def recent(self, where: Filter, *, limit: int, offset: int) -> Sequence[EventRow]: ...

    def sessions(self, where: Filter, *, limit: int, offset: int) -> Sequence[SessionRow]: ...

    def session(self, session: str, source: SourceId | None) -> Sequence[SessionRow]: ...

    def session_events(
        self, source: SourceId, session: SessionId, *, everything: bool, limit: int, offset: int
    ) -> Sequence[EventRow]: ...

    # --- what may answer a question, and what to embed ---

    def sharing(self, words: Sequence[Word], where: Filter, *, limit: int) -> Sequence[EventHit]:
        """Return spoken messages that hold any of some words (`core.relevance.asked`), those that the engine takes for
        the best first. What the pieces of a long one share counts twice.

        Where many messages hold a word, those alone that hold a rarer one are looked at. No text is read.
        """

    def of_keys(self, keys: Collection[TextKey], where: Filter, *, words: int = 0) -> Sequence[EventHit]:
        """Return spoken messages by what they say: of each text the newest few. `words` is how many counts a hit has;
        it holds none of them."""

    def beside(self, events: Collection[EventId], where: Filter, *, words: int = 0) -> Mapping[EventId, Beside]:
        """Return the spoken messages directly before and after spoken messages in their sessions, without counts; None
        where that one does not pass the filter."""

    def keys_within(self, where: Filter, *, most: int) -> Collection[TextKey] | None:
        """Return the texts of spoken messages; None when they are more than `most`."""

    def rows(self, ids: Collection[EventId]) -> Mapping[EventId, EventRow]:
        """Return visible events by their present ids; one that is not known is missing."""

    def texts(self) -> Iterator[TextKey]:
        """Yield what should have a vector, the most important first: what entries say, what the person said, what
        models said; each the newest first. A text that is said again comes again."""

    def text_of(self, keys: Collection[TextKey]) -> Mapping[TextKey, str]:
        """Return texts by their keys, of those that something visible says."""

    def unsaid(self) -> Sequence[TextKey]:
        """Return the texts whose vectors must go because what said them was forgotten."""

    def wiped(self, keys: Collection[TextKey]) -> None:
        """Say that the vectors of texts are gone."""

    def projects(self) -> Sequence[Project]: ...

    def coverage(self) -> Sequence[Coverage]: ...

    def check(self) -> Sequence[str]:
        """Return what is wrong with the index file, in words; nothing when it is sound."""

    def close(self) -> None: ...


class State(Protocol):
    """Local state: what the person decided on this device. Backed up, never synchronised."""

    def exclusions(self) -> Sequence[Exclusion]: ...

    def exclude(self, exclusion: Exclusion) -> bool:
        """Add an exclusion; False when it was there."""

    def include(self, exclusion: Exclusion) -> bool:
        """Drop an exclusion; False when it was not there."""

    def paused_until(self) -> int | None:
        """Return when reading goes on; None when it is not paused, the largest instant when no end was said."""

    def pause(self, until: int | None) -> None: ...

    def resume(self) -> None: ...

    def project_merges(self) -> Mapping[ProjectId, ProjectId]: ...

    def project_names(self) -> Mapping[ProjectId, str]: ...

    def merge_project(self, merged: ProjectId, into: ProjectId) -> None: ...

    def rename_project(self, project: ProjectId, name: str) -> None: ...

    def links(self) -> Sequence[Link]:
        """Return what was linked, for each file in the order in which it was written."""

    def set_links(self, path: Path, links: Sequence[Link]) -> None:
        """Replace what is remembered of one file."""

    def check(self) -> Sequence[str]:
        """Return what is wrong with the state file, in words; nothing when it is sound."""

    def copy(self, target: Path) -> None:
        """Write a consistent copy of the state to a new file, while others write."""

    def close(self) -> None: ...


class LedgerStore(Protocol):
    """The operations on memory; append-only, on the disk when a call returns (inside `writing`: when that ends)."""

    def writing(self) -> AbstractContextManager[None]:
        """Let nobody else write until the block ends: what is read inside is still true when it is appended to.

        What the block appends is there as a whole, or not at all when it raises.
        """

    def append(self, drafts: Sequence[Draft], *, device: DeviceId, now: int) -> Sequence[Operation]:
        """Add operations to the series of this device, all or none. A `Destroy` wipes payloads in the same step."""

    def receive(self, sent: Iterable[tuple[Record, Payload | None]], *, now: int) -> Received:
        """Take in what other devices wrote, in any order, repeated or not; a payload may come later than its record."""

    def since(self, cursor: int, *, limit: int = ...) -> Sequence[Numbered]:
        """Return the operations that arrived after a cursor (0: all), in the order of arrival."""

    def cursor(self) -> int:
        """Return the cursor behind the newest operation."""

    def operation(self, operation: OperationId) -> Operation | None: ...

    def of_kinds(self, *kinds: str) -> Sequence[Operation]:
        """Return all operations of some kinds (`core.ledger.codec.kind_of`), in the order of arrival."""

    def recent(self, kind: str, *, actor: str, since: int) -> int:
        """Return how many of the newest few thousand operations are of a kind, by an actor, since an instant."""

    def acts(self) -> int:
        """Return how often somebody did something with memory. What follows from an act by itself (a citation found
        later, a mark, a quarantine, the end of what a lesson was learned from) is none of its own."""

    def series(self) -> Sequence[tuple[DeviceId, int]]:
        """Return the devices that have written, each with the number of its newest operation."""

    def records(self, device: DeviceId, *, after: int, limit: int = ...) -> Sequence[tuple[Record, Payload | None]]:
        """Return one series as it is sent, from behind a number."""

    def reach(self, changed: Subjects, *, same: Callable[[EventId], Iterable[EventId]] = ...) -> Subjects:
        """Return the roots and events whose state may have changed; as `core.ledger.merge.reach`.

        `same` gives the other ids of an event whose id rule has changed.
        """

    def about(self, asked: Subjects, *, same: Callable[[EventId], Iterable[EventId]] = ...) -> Sequence[Operation]:
        """Return the operations that decide the state of roots and events; as `core.ledger.merge.neighbourhood`."""

    def is_unscrubbed(self) -> bool:
        """Tell whether bytes of destroyed payloads may still be in the file."""

    def scrub(self, *, patience_ms: int = ...) -> bool:
        """Leave no byte of a destroyed payload in any file; False when other processes read on for too long."""

    def check(self) -> Sequence[str]:
        """Return what is wrong with the file, in words; nothing when it is sound."""

    def verify(self) -> Iterator[Finding]:
        """Prove every chain and every payload; nothing is found in a sound ledger. Raises `NewerFormat`."""

    def copy(self, target: Path) -> None:
        """Write a consistent copy to a new file, while others write."""

    def close(self) -> None: ...


class Meter(Protocol):
    """Shows how far long work is. Bytes are raw bytes of logs."""

    def begin(self, *, files: int, total: int) -> None: ...

    def advance(self, *, read: int, events: int) -> None: ...

    def end(self) -> None: ...


class Linker(Protocol):
    """Knows how one agent's installation is told of a server. The file's name is its id (`claude_code.py`).

    A text is a whole file as it is, byte order mark and line ends included; "" stands for a missing file. Every method
    that takes one raises `ValueError`, in words, for a text that it can't read or change.
    """

    agent: str
    program: str
    source: SourceId
    """The adapter that reads this host's sessions."""

    def folder(self, env: Mapping[str, str], home: Path) -> Path:
        """Return the folder where the host keeps its settings."""

    def target(self, level: Level, *, workspace: Path, env: Mapping[str, str], home: Path) -> Target | Refusal:
        """Return the file that names servers at a level."""

    def servers(self, text: str) -> Mapping[str, Server]:
        """Return the local servers that a text names."""

    def linked(self, text: str, server: Server) -> str:
        """Return a text that names the server; what the person added to an entry of that name stays."""

    def unlinked(self, text: str, name: str) -> str:
        """Return a text without one server."""

    def rest(self, text: str, name: str | None) -> object:
        """Return what a text says, without one server, to compare; a place for servers without any counts as none."""

    def is_bare(self, text: str) -> bool:
        """Tell whether a text says nothing at all."""

    def commands(self, server: Server) -> tuple[Sequence[str], Sequence[str]]:
        """Return the host's own command lines that add and remove a server, for a target that is changed by hand."""

    def confirm(self, level: Level) -> str:
        """Say what the person must confirm in the host."""

    def environment(self, env: Mapping[str, str]) -> Mapping[str, str]:
        """Return what of the person's environment reaches a server."""
