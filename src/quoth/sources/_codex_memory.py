"""What is remembered from line to line of a rollout, and what its header says."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, cast
from urllib.parse import quote

from quoth.core.ids import SessionId
from quoth.core.model import Json, Opened
from quoth.core.places import remote_of
from quoth.sources._codex_ids import Ids
from quoth.sources._codex_replay import Replay
from quoth.sources._codex_speech import Said, Turn
from quoth.sources._codex_values import Entry
from quoth.sources._values import Record, inner, name, one_line, text

_THREAD = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
# Threads of the program's own: never a session of the person.
_HOUSEKEEPING = frozenset({"compact", "guardian", "guardian_review", "memory_consolidation"})


@dataclass(slots=True)
class Memory:
    """The state of a parser. `is_instructed`: another agent speaks to this thread, not the person."""

    thread: str
    is_named: bool
    is_begun: bool = False
    is_opened: bool = False
    is_placed: bool = False
    is_instructed: bool = False
    cwd: str | None = None
    branch: str | None = None
    version: str | None = None
    own_calls: list[str] = field(default_factory=list)
    ids: Ids = field(default_factory=Ids)
    replay: Replay = field(default_factory=Replay)
    turn: Turn = field(default_factory=Turn)

    def is_header(self, found: Entry) -> bool:
        """Tell whether this is the file's own header: its first record, or the first one that names its thread."""
        if found.kind != "session_meta" or self.is_opened:
            return False
        return not (self.is_begun and self.is_named) or name(found.payload, "id") == self.thread

    def open(self, header: Entry) -> Opened:
        """Take note of the header and return what it says of the session."""
        payload = header.payload
        origin = inner(payload, "source").get("subagent")
        parent, forked_from = _parent(payload, origin), name(payload, "forked_from_id")
        is_subagent = bool(parent or origin or text(payload, "thread_source") == "subagent")
        hidden = not _HOUSEKEEPING.isdisjoint(_sorts(payload, origin))
        self.thread = name(payload, "id") or self.thread
        self.is_opened, self.is_instructed = True, is_subagent or hidden
        self.replay.opened(header, self.thread, forked=bool(is_subagent or forked_from))
        self.settle(payload)
        self.cwd = text(payload, "cwd") or None
        self.is_placed = self.cwd is not None
        return Opened(
            SessionId(self.thread),
            cwd=self.cwd,
            remote=_remote(text(inner(payload, "git"), "repository_url")),
            parent=SessionId(parent) if parent and parent != self.thread else None,
            forked_from=SessionId(forked_from) if forked_from and not is_subagent else None,
            hidden=hidden,
        )

    def settle(self, header: Record) -> None:
        """Take over what a header says of the program and the branch; a resumed file may have a later one."""
        self.version = one_line(header, "cli_version")[:40] or self.version
        self.branch = one_line(inner(header, "git"), "branch")[:1_000] or self.branch

    def moved_to(self, cwd: str) -> Iterator[Opened]:
        """Go on in another folder; the first one ever told is that of the session."""
        self.cwd = cwd or self.cwd
        if self.cwd and not self.is_placed:
            self.is_placed = True
            yield Opened(SessionId(self.thread), cwd=self.cwd)


def begun(identity: str) -> Memory:
    """Begin a file. Its name holds the id of its thread, and that of the revision behind it."""
    match = _THREAD.search(identity)
    return Memory(match.group() if match else identity.removeprefix("rollout-"), match is not None)


def remembered(state: Json) -> Memory:
    known = dict(cast(dict[str, Any], state))
    turn = dict(known.pop("turn"))
    person, model = ([Said(**said) for said in turn.pop(key)] for key in ("person", "model"))
    known["turn"] = Turn(**turn, person=person, model=model)
    known["ids"], known["replay"] = Ids(**known["ids"]), Replay(**known["replay"])
    return Memory(**known)


def _parent(payload: Record, origin: object) -> str:
    spawn = inner(origin, "thread_spawn") if isinstance(origin, dict) else {}
    if parent := name(payload, "parent_thread_id") or name(spawn, "parent_thread_id"):
        return parent
    return name(payload, "forked_from_id") or name(payload, "session_id") if origin else ""


def _sorts(payload: Record, origin: object) -> set[str]:
    """Return every word a header has for the sort of its thread."""
    said = {text(payload, "thread_source")}
    if isinstance(origin, dict):
        said |= {text(origin, "other"), *origin}
    return said | ({origin} if isinstance(origin, str) else set())


def _remote(url: str) -> str | None:
    """Return the address of a repository without credentials, which must never be stored."""
    remote = remote_of(url) if url else None
    if remote is None or remote.host == "file":
        return None
    return f"https://{remote.host}/{quote('/'.join(filter(None, (remote.owner, remote.name))))}"
