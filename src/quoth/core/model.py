"""The values that parts and services exchange: what adapters find and read, what the index stores and answers.

Every instant is an integer of milliseconds since 1970 UTC. Line numbers count LF only, from 1, inside one generation.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import TypeAlias

from quoth.core.ids import EventId, ProjectId, SessionId, SourceId

Json: TypeAlias = bool | int | float | str | Sequence["Json"] | Mapping[str, "Json"] | None


class Role(StrEnum):
    USER = "user"
    ASSISTANT = "assistant"
    SYSTEM = "system"


class Kind(StrEnum):
    MESSAGE = "message"
    TOOL_USE = "tool_use"
    TOOL_RESULT = "tool_result"
    META = "meta"
    SYSTEM = "system"
    MEMORY = "memory"


class Form(StrEnum):
    """How a file changes: appended to, replaced as a whole, or a database whose rows we read."""

    LOG = "log"
    FILE = "file"
    ROWS = "rows"


# --- what adapters find ---------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Signature:
    """What the file system says of a file without reading it; equal signatures mean an unchanged file."""

    device: int
    inode: int
    size: int
    mtime_ns: int
    ctime_ns: int


@dataclass(frozen=True, slots=True)
class Found:
    """One file that an adapter would read.

    `key` is its path below the root with `/`, without a compression suffix, valid Unicode: its name in the mirror.
    `identity` survives a move inside the root (mostly the file's own name). `cwd` is the directory that the session
    was in, where that stands around the file and not in it; `beside` is a log that names it,
    `digest` the beginning of its SHA-256.
    """

    key: str
    path: Path
    form: Form
    identity: str
    signature: Signature
    compressed: bool = False
    cwd: str | None = None
    beside: Path | None = None
    digest: str = ""


@dataclass(frozen=True, slots=True)
class Skipped:
    """Something an adapter met and did not read. `reason` is a short code, `path` printable."""

    path: str
    reason: str


@dataclass(frozen=True, slots=True)
class MemoryFile:
    """What an adapter knows, from its key, of a file that holds memory.

    `type` is the type of its entry where the file names none, `types` what the words of its front matter mean.
    `is_instruction` marks what the person wrote for the agent. The file is about the project of the sessions whose
    logs have a key that begins with `sessions`, or whose directory has a SHA-256 that begins with `digest`; about all
    projects where both are empty.
    """

    type: str
    types: Mapping[str, str] = field(default_factory=dict)
    is_instruction: bool = False
    sessions: str = ""
    digest: str = ""


@dataclass(frozen=True, slots=True)
class Knowledge:
    """What we know of a format, dated: shown by `sources` and in the documentation.

    `paths` and `never_read` are patterns below the root; `versions` are the agent's versions that were observed.
    `systems` are pairs of system and folder where the root is not the same on all. `unreadable` are pairs of what
    nobody but the agent can read and why.
    """

    agent: str
    root: str
    environment: tuple[str, ...]
    paths: tuple[str, ...]
    versions: tuple[str, ...]
    observed: str
    kept: str
    never_read: tuple[str, ...]
    gaps: tuple[str, ...] = ()
    systems: tuple[tuple[str, str], ...] = ()
    unreadable: tuple[tuple[str, str], ...] = ()


# --- where something was read ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Root:
    """A folder where an agent keeps its logs. `name` is its folder in the mirror."""

    source: SourceId
    path: Path
    name: str


@dataclass(frozen=True, slots=True)
class Stream:
    """One life of one file between rewrites (a generation), as the journal of observations recorded it.

    `rank` is the place of that record in the journal: lower ranks own what several files hold.
    `path` is where the file was last seen, `mtime` when it had been written when first seen.
    """

    rank: int
    source: SourceId
    root: str
    key: str
    generation: int
    form: Form
    identity: str
    path: str
    mtime: int


@dataclass(frozen=True, slots=True)
class Line:
    """One complete line of a stream: its number from 1 and its bytes without the LF (a CR stays)."""

    number: int
    data: bytes


# --- what parsers say of a line -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Event:
    """One thing said or done. `part` counts the events of one line from 0; `first_line` differs from `line` for events
    that several lines make. `own` marks traffic of our own tools: kept, never searched, never quoted. An agent may keep
    one session in several stores: of what they repeat, the store of the highest `weight` is shown."""

    id: EventId
    session: SessionId
    role: Role
    kind: Kind
    text: str
    line: int
    part: int = 0
    time: int | None = None
    cwd: str | None = None
    git_branch: str | None = None
    agent_version: str | None = None
    own: bool = False
    first_line: int | None = None
    weight: int = 0


@dataclass(frozen=True, slots=True)
class Reclassified:
    """An event read earlier in this stream turned out to be something else (a repeat of what the person said)."""

    id: EventId
    kind: Kind


@dataclass(frozen=True, slots=True)
class Titled:
    """A title for a session. The highest `weight` wins, then the latest. With `leaf`, the session that holds the event
    of that id is meant, and `session` only while no such event is known."""

    session: SessionId
    title: str
    weight: int
    line: int
    leaf: EventId | None = None


@dataclass(frozen=True, slots=True)
class Opened:
    """What a log says of a session as a whole. Absent facts are None; the first said wins.

    `remote` is the git remote the log names, `parent` the session a subagent works for, `hidden` hides housekeeping.
    """

    session: SessionId
    cwd: str | None = None
    remote: str | None = None
    parent: SessionId | None = None
    forked_from: SessionId | None = None
    hidden: bool = False


@dataclass(frozen=True, slots=True)
class Unread:
    """A record that gave no event of its own: counted and shown, never an error that stops a file.

    `reason`: `unparsable` (no JSON), `unknown` (a record type we do not know), `replayed` (a copy of older history).
    `label` names the record type, `version` the agent's version that wrote it.
    """

    line: int
    reason: str
    label: str = ""
    version: str = ""


Fact: TypeAlias = Event | Reclassified | Titled | Opened | Unread


# --- what the index stores and answers ------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Located:
    """An event with the SHA-256 of the raw lines it was read from (joined by LF) and an instant.

    `time_from` says where `time` comes from: `record`, `inherited` (the record before it) or `file` (when written).
    """

    event: Event
    sha256: bytes
    time: int
    time_from: str


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a stream was consumed: complete lines and the bytes they take, and what its parser remembers."""

    lines: int
    offset: int
    parser: Json
    signature: Signature | None


@dataclass(frozen=True, slots=True)
class Batch:
    """What one transaction of ingestion adds to the index, all from one stream."""

    stream: Stream
    progress: Progress
    events: Sequence[Located] = ()
    reclassified: Sequence[Reclassified] = ()
    titles: Sequence[Titled] = ()
    opened: Sequence[Opened] = ()
    unread: Sequence[Unread] = ()


@dataclass(frozen=True, slots=True)
class StreamState:
    """A stream with how far the index has read it, and up to which byte the mirror sealed it."""

    stream: Stream
    progress: Progress
    gone: bool = False
    sealed: int = 0


@dataclass(frozen=True, slots=True)
class Place:
    """What was seen of a directory: the identity of the project it belongs to, or of the log's own word for it.

    `key` is `git:<host>/<owner>/<name>`, `commit:<root commit>` or `dir:<sha256 of the path>`.
    """

    cwd: str
    project: ProjectId
    name: str
    owner: str | None = None
    root: str | None = None
    branch: str | None = None


@dataclass(frozen=True, slots=True)
class Exclusion:
    """What the person does not want read. `kind` is project, folder, source or pattern (a glob over log paths)."""

    kind: str
    value: str


@dataclass(frozen=True, slots=True)
class Project:
    id: ProjectId
    name: str
    owner: str | None
    display: str
    paths: tuple[str, ...]
    sessions: int
    events: int


@dataclass(frozen=True, slots=True)
class Named:
    """What a project is called. The id of a published one is its remote, without credentials."""

    project: ProjectId
    name: str
    owner: str | None = None


@dataclass(frozen=True, slots=True)
class EventRow:
    """An event as it is answered. `text` is whole; doors cut it. `project` is the name shown. `own`: see `Event`."""

    id: EventId
    time: int
    time_from: str
    source: SourceId
    project: str | None
    session: SessionId
    role: Role
    kind: Kind
    text: str
    cwd: str | None = None
    git_branch: str | None = None
    agent_version: str | None = None
    relevance: float | None = None
    own: bool = False


@dataclass(frozen=True, slots=True)
class SessionRow:
    session: SessionId
    source: SourceId
    project: str | None
    title: str | None
    prompt: str | None
    started: int
    ended: int
    events: int
    parent: SessionId | None = None
    forked_from: SessionId | None = None
    cwd: str | None = None


@dataclass(frozen=True, slots=True)
class Anchor:
    """Where in the mirror an event was read: generation and lines of a stream, and the hash of the raw lines. `part`
    counts the events of one line."""

    event: EventId
    stream: Stream
    first_line: int
    line: int
    sha256: bytes
    part: int = 0


@dataclass(frozen=True, slots=True)
class Answered:
    """An id that an index answers to, and the place that owns its event: rank of the stream, line, part."""

    id: EventId
    stream: int
    line: int
    part: int


@dataclass(frozen=True, slots=True)
class Filter:
    """What to look at. Instants are inclusive from `since`, exclusive at `until`; `projects` are project ids."""

    since: int | None = None
    until: int | None = None
    source: SourceId | None = None
    projects: tuple[ProjectId, ...] | None = None
    include_tools: bool = False


@dataclass(frozen=True, slots=True)
class Coverage:
    """The ledger of one source: what is on disk, what became of it. `unparsable_at` has the path and the number of the
    first unparsable line of each file that has one."""

    source: SourceId
    files: int = 0
    bytes: int = 0
    sessions: int = 0
    events: int = 0
    lines: int = 0
    gone: int = 0
    unparsable: int = 0
    unparsable_at: Sequence[tuple[str, int]] = ()
    unknown: Mapping[str, int] = field(default_factory=dict)
    silent_files: int = 0
    last_ingest: int | None = None
