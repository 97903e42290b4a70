"""Read the lines of one file of Copilot CLI; `copilot_cli` states the rule by which ids are made."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass, field, replace
from itertools import count
from typing import Any, cast

from quoth.core.ids import EventId, SessionId, SourceId, digest16, event_id
from quoth.core.model import Event, Fact, Json, Line, Opened, Titled, Unread
from quoth.sources import _copilot_pieces as pieces
from quoth.sources._copilot_lines import Joined, Rubble, Whole
from quoth.sources._text import compact
from quoth.sources._values import Record, inner, instant, name, one_line, text

SOURCE = SourceId("copilot-cli")
TITLE_WEIGHT = 1  # of a title in the log; the name in `workspace.yaml` is the last word

_MOST_TOLD = 200
_LABEL_LENGTH = 80
_TITLE_LENGTH = 1_000
_PLACED = frozenset({"session.start", "session.resume", "session.context_changed"})


@dataclass(slots=True)
class Memory:
    """What is remembered between two lines: where the session is now, and what was told of it."""

    session: str
    cwd: str = ""
    branch: str = ""
    version: str = ""
    told: list[str] = field(default_factory=list)


class EventsParser:
    """Yields the facts of a log's lines."""

    def __init__(self, session: str, state: Json = None) -> None:
        self._memory = Memory(**{"session": session, **_part(state, "memory")})
        self._calls = pieces.Calls(**_part(state, "calls"))
        self._lines = Joined(**_part(state, "lines"))

    def state(self) -> Json:
        parts = {"memory": asdict(self._memory), "calls": asdict(self._calls), "lines": asdict(self._lines)}
        return cast(Json, parts)

    def feed(self, line: Line) -> Iterator[Fact]:
        parts, silent = count(), True
        for found in self._lines.feed(line):
            silent = False
            if isinstance(found, Rubble):
                yield Unread(found.line, "unparsable", found.reason, self._memory.version)
            else:
                yield from self._facts(found, line.number, parts)
        if silent and self._lines.held:
            yield Opened(SessionId(self._memory.session))  # the line belongs to a record that is not complete

    def _facts(self, found: Whole, number: int, parts: Iterator[int]) -> Iterator[Fact]:
        record, kind, memory = found.record, text(found.record, "type"), self._memory
        if kind in _PLACED:
            yield from self._placed(record, kind)
        if not pieces.is_known(kind):
            yield Unread(number, "unknown", kind[:_LABEL_LENGTH] or "untyped", memory.version)
        if kind == "session.title_changed" and (title := one_line(inner(record, "data"), "title")[:_TITLE_LENGTH]):
            yield Titled(SessionId(memory.session), title, TITLE_WEIGHT, number)
        child = self._child(record)
        if child and child not in memory.told:
            memory.told = [*memory.told, child][-_MOST_TOLD:]
            yield Opened(SessionId(child), cwd=memory.cwd or None, parent=SessionId(memory.session))
        base = name(record, "id") or f"{memory.session}:{digest16(compact(record).encode())}"
        for piece in pieces.of(record, self._calls, is_child=bool(child)):
            event = self._event(piece, base, record, SessionId(child or memory.session))
            first_line = found.first_line if found.first_line < number else None
            yield replace(event, line=number, part=next(parts), first_line=first_line)

    def _placed(self, record: Record, kind: str) -> Iterator[Fact]:
        """Learn where the session is; the log may begin anew in another folder or on another branch."""
        memory, data = self._memory, inner(record, "data")
        context = data if kind == "session.context_changed" else inner(data, "context")
        if kind == "session.start":
            memory.session = name(data, "sessionId") or memory.session
        memory.version = (text(data, "copilotVersion") or memory.version)[:_LABEL_LENGTH]
        if not text(context, "cwd"):
            return
        memory.cwd, memory.branch = text(context, "cwd"), text(context, "branch")
        yield Opened(SessionId(memory.session), cwd=memory.cwd, remote=_remote(context))

    def _child(self, record: Record) -> str:
        """Return the session of a subagent, whose records stand among those of the session it works for."""
        agent = name(record, "agentId") or name(inner(record, "data"), "parentToolCallId")
        return f"{self._memory.session}/{agent}" if agent else ""

    def _event(self, piece: pieces.Piece, base: str, record: Record, session: SessionId) -> Event:
        memory = self._memory
        return Event(
            _id(piece, base, memory.session),
            session,
            piece.role,
            piece.kind,
            piece.text,
            line=0,
            time=instant(record, "timestamp"),
            cwd=memory.cwd or None,
            git_branch=memory.branch or None,
            agent_version=memory.version or None,
            own=piece.own,
        )


def _part(state: object, key: str) -> dict[str, Any]:
    part = state.get(key) if isinstance(state, dict) else None
    return part if isinstance(part, dict) else {}


def _id(piece: pieces.Piece, base: str, session: str) -> EventId:
    return event_id(SOURCE, session, piece.call) if piece.call else event_id(SOURCE, f"{base}{piece.suffix}")


def _remote(context: Record) -> str | None:
    """Return the address of the repository that a session is in, as a git remote."""
    repository = text(context, "repository")
    host = text(context, "repositoryHost") or ("github.com" if text(context, "hostType") == "github" else "")
    return f"https://{host}/{repository}" if host and repository.count("/") == 1 else None
