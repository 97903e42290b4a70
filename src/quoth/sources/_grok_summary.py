"""Read `summary.json`: what Grok Build says of a session as a whole, rewritten whenever that changes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from quoth.core.ids import SessionId, SourceId, event_id
from quoth.core.model import Event, Fact, Json, Kind, Line, Opened, Role, Titled, Unread
from quoth.readers.jsonl import Broken, records
from quoth.sources._grok_files import LogFile
from quoth.sources._values import Record, inner, instant, is_name, name, one_line, text, texts

SOURCE = SourceId("grok")

_MOST_HELD = 1_000  # lines of a file; the agent writes some sixty
_TITLE_LENGTH = 1_000
_TITLES = {"session_summary": 1, "generated_title": 3}
_SHOWN = ("generated_title", "session_summary", "last_turn_summary", "last_recap", "current_model_id")
_OF_ITS_PARENT = frozenset({"subagent", "subagent_fork"})  # a resumed subagent names the subagent it goes on with


@dataclass(slots=True)
class SummaryParser:
    """Holds the lines of the object until it is complete."""

    file: LogFile
    held: list[str] = field(default_factory=list)

    def state(self) -> Json:
        return {"held": list(self.held)}

    def feed(self, line: Line) -> Iterator[Fact]:
        self.held.append(line.data.decode("utf-8", "replace"))
        found = records("\n".join(self.held).encode("utf-8", "replace"))
        if any(isinstance(record, Broken) for record in found) and len(self.held) < _MOST_HELD:
            return
        first_line = line.number - len(self.held) + 1
        self.held.clear()
        for part, record in enumerate(found):
            if isinstance(record, Broken):
                yield Unread(line.number, "unparsable", "summary")
            else:
                yield from self._facts(record, first_line, line.number, part)

    def _facts(self, record: Record, first_line: int, number: int, part: int) -> Iterator[Fact]:
        info = inner(record, "info")
        session = SessionId(name(info, "id") or self.file.session)
        cwd = text(info, "cwd") or None
        yield _opened(record, session, cwd)
        for key, weight in _TITLES.items():
            if title := one_line(record, key)[:_TITLE_LENGTH]:
                yield Titled(session, title, weight, number)
        yield Event(
            event_id(SOURCE, session, "summary"),
            session,
            Role.SYSTEM,
            Kind.META,
            "\n".join(filter(None, ["summary", *(text(record, key) for key in _SHOWN)])),
            number,
            part,
            time=instant(record, "created_at"),
            cwd=cwd,
            git_branch=text(record, "head_branch") or None,
            first_line=first_line if first_line != number else None,
        )


def _opened(record: Record, session: SessionId, cwd: str | None) -> Opened:
    remotes, other = texts(record, "git_remotes"), name(record, "parent_session_id")
    is_child = text(record, "session_kind") in _OF_ITS_PARENT
    related = SessionId(other) if is_name(other) and other != session else None
    return Opened(
        session,
        cwd=cwd,
        remote=remotes[0] if remotes else None,
        parent=related if is_child else None,
        forked_from=None if is_child else related,
    )


def parser(file: LogFile, state: Json) -> SummaryParser:
    """Go on where a parser with this state stopped."""
    memory: Record = state if isinstance(state, dict) else {}
    return SummaryParser(file, texts(memory, "held"))
