"""Read the lines of one file of Claude Code; `claude_code` states the rule by which ids are made."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import count
from typing import NamedTuple

from quoth.core.ids import EventId, SessionId, SourceId, event_id, line_digest
from quoth.core.model import Event, Fact, Json, Line, Opened, Titled, Unread
from quoth.core.times import from_iso
from quoth.readers.jsonl import Broken, records
from quoth.sources import _claude_pieces as pieces
from quoth.sources._claude_files import LogFile
from quoth.sources._text import compact
from quoth.sources._values import Record, inner, name, one_line, text, texts

SOURCE = SourceId("claude-code")

_BLANKS = b"\0 \t\r\n"
_BOM = b"\xef\xbb\xbf"
_MOST_TOLD = 64
_MOST_HELD = 200  # lines of a side file
_LABEL_LENGTH = 80
_TITLE_LENGTH = 1_000
_LONGEST_TIME = 40

_TITLES = {
    "custom-title": ("customTitle", 3),
    "ai-title": ("aiTitle", 2),
    "summary": ("summary", 1),
    "agent-meta": ("description", 1),
}


class _Belongs(NamedTuple):
    """The session a record belongs to and, of a subagent's, the session that subagent works for."""

    session: SessionId
    parent: SessionId | None = None
    is_child: bool = False


class _Spot(NamedTuple):
    """Where a record stands: its line, the line a side file's object begins on, and the parts that are left there.

    `data` is the line when the record has it for itself.
    """

    line: int
    first_line: int | None
    parts: Iterator[int]
    data: bytes | None


@dataclass(slots=True)
class ClaudeParser:
    """Remembers between lines: session and version said last, calls of our own tools, what was told, an open object."""

    file: LogFile
    session: str = ""
    version: str = ""
    calls: pieces.OwnCalls = field(default_factory=pieces.OwnCalls)
    told: list[str] = field(default_factory=list)
    held: list[str] = field(default_factory=list)

    def state(self) -> Json:
        calls, told, held = list(self.calls.ids), list(self.told), list(self.held)
        return {"session": self.session, "version": self.version, "calls": calls, "told": told, "held": held}

    def feed(self, line: Line) -> list[Fact]:
        """Return what a line says, its events numbered from 0."""
        data, first_line = self._whole(line) if self.file.side else (line.data, None)
        found = records(data)
        spot = _Spot(line.number, first_line, count(), data if len(found) == 1 else None)
        facts: list[Fact] = []
        for record in found:
            if isinstance(record, Broken):
                facts.append(Unread(line.number, "unparsable", version=self.version))
            else:
                facts += self._facts(record, spot)
        return facts

    def _whole(self, line: Line) -> tuple[bytes, int | None]:
        """Hold the lines of a side file that spreads its object over several until the object is complete."""
        if not (self.held or _stripped(line.data) == b"{"):
            return line.data, None
        self.held.append(line.data.decode("utf-8", "replace"))
        whole, lines = "\n".join(self.held).encode(), len(self.held)
        if isinstance(records(whole)[0], Broken) and lines < _MOST_HELD:
            return b"", None
        self.held.clear()
        return whole, line.number - lines + 1

    def _facts(self, record: Record, spot: _Spot) -> Iterator[Fact]:
        kind = self.file.side or text(record, "type")
        said = name(record, "sessionId")
        self.session = said or self.session
        self.version = text(record, "version")[:_LABEL_LENGTH] or self.version
        if not pieces.is_known(kind):
            yield Unread(spot.line, "unknown", kind[:_LABEL_LENGTH] or "untyped", self.version)
            if not name(record, "uuid"):
                return
        belongs = self._belongs(record, said)
        yield from self._opened(record, belongs)
        if kind in _TITLES:
            yield from _titled(record, kind, belongs.session, spot.line)
        base = name(record, "uuid") or self._unnamed(record, said, spot)
        for piece in pieces.of(record, kind, is_child=belongs.is_child, calls=self.calls):
            yield _event(record, piece, event_id(SOURCE, base + piece.suffix), belongs.session, spot)
            if piece.unknown:
                yield Unread(spot.line, "unknown", piece.unknown[:_LABEL_LENGTH], self.version)

    def _belongs(self, record: Record, said: str | None) -> _Belongs:
        agent = name(record, "agentId")
        if self.file.is_agent:
            parent = self.file.parent or said  # as the side file beside it says
            session = f"agent-{agent}" if agent else self.file.session
            return _Belongs(SessionId(session), SessionId(parent) if parent else None, is_child=True)
        main = said or (self.file.session if self.file.is_given else self.session) or self.file.session
        if record.get("isSidechain") is not True:
            return _Belongs(SessionId(main))
        child = f"agent-{agent}" if agent else f"{main}/sidechain"
        return _Belongs(SessionId(child), SessionId(main), is_child=True)

    def _opened(self, record: Record, belongs: _Belongs) -> list[Opened]:
        cwd = text(record, "cwd") or None
        opened: list[Opened] = []
        if (cwd or belongs.parent) and self._is_news(f"{belongs.session} {bool(cwd)}"):
            opened.append(Opened(belongs.session, cwd=cwd, parent=belongs.parent))
        origin = None if belongs.is_child else _forked_from(record)
        if origin and origin != belongs.session and self._is_news(f"{origin}>{belongs.session}"):
            opened.append(Opened(belongs.session, forked_from=origin))
        return opened

    def _is_news(self, what: str) -> bool:
        if what in self.told:
            return False
        self.told = [*self.told, what][-_MOST_TOLD:]
        return True

    def _unnamed(self, record: Record, said: str | None, spot: _Spot) -> str:
        """Return what the ids of a record without a uuid begin with."""
        session = said or (self.file.session if self.file.side else "")
        digest = line_digest(compact(record).encode() if spot.data is None else _stripped(spot.data))
        return f"{session}:{digest}" if session else digest


def parser(file: LogFile, state: Json) -> ClaudeParser:
    """Go on where a parser with this state stopped."""
    memory: Record = state if isinstance(state, dict) else {}
    calls = pieces.OwnCalls(texts(memory, "calls"))
    said = text(memory, "session"), text(memory, "version")
    return ClaudeParser(file, *said, calls, texts(memory, "told"), texts(memory, "held"))


def _event(record: Record, piece: pieces.Piece, event: EventId, session: SessionId, spot: _Spot) -> Event:
    branch = text(record, "gitBranch")
    return Event(
        event,
        session,
        piece.role,
        piece.kind,
        piece.text,
        spot.line,
        next(spot.parts),
        _time(record),
        text(record, "cwd") or None,
        None if branch in {"", "HEAD"} else branch,  # HEAD: no branch, or no repository at all
        text(record, "version") or None,
        piece.own,
        spot.first_line,
    )


def _titled(record: Record, kind: str, session: SessionId, number: int) -> Iterator[Titled]:
    key, weight = _TITLES[kind]
    if title := one_line(record, key)[:_TITLE_LENGTH]:
        leaf = name(record, "leafUuid") if kind == "summary" else ""
        yield Titled(session, title, weight, number, event_id(SOURCE, leaf) if leaf else None)


def _forked_from(record: Record) -> SessionId | None:
    if record.get("type") == "fork-context-ref":
        origin = name(record, "forkedSessionId") or name(record, "parentSessionId")
    else:
        origin = name(inner(record, "forkedFrom"), "sessionId") if "forkedFrom" in record else ""
    return SessionId(origin) if origin else None


def _time(record: Record) -> int | None:
    said = text(record, "timestamp") or text(inner(record, "snapshot"), "timestamp")
    return from_iso(said) if 0 < len(said) <= _LONGEST_TIME else None


def _stripped(data: bytes) -> bytes:
    return data.strip(_BLANKS).removeprefix(_BOM).strip(_BLANKS)
