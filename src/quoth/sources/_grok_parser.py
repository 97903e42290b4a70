"""Read the lines of one `updates.jsonl` of Grok Build; `grok` states the rule by which ids are made."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass, field, replace
from itertools import count

from quoth.core.ids import SessionId, SourceId, event_id
from quoth.core.model import Event, Fact, Json, Kind, Line, Opened, Role, Titled, Unread
from quoth.readers.jsonl import Broken, records
from quoth.sources import _grok_pieces as pieces
from quoth.sources._grok_files import LogFile
from quoth.sources._grok_ids import Ids
from quoth.sources._grok_runs import CHUNKS, Run, begin, goes_on, pieces_of, remembered
from quoth.sources._grok_tools import ENDED, Calls, Said
from quoth.sources._grok_updates import Update, update
from quoth.sources._values import Record, inner, minted_at, name, number, one_line, text, texts

SOURCE = SourceId("grok")

# A message does not go on behind these; what else happens in between does not end it.
_BOUNDARIES = frozenset(
    {
        "compaction_checkpoint",
        "plan",
        "response_completed",
        "response_started",
        "rewind_marker",
        "tool_call",
        "turn_completed",
    }
)
_MOST_TOLD = 16
_LABEL_LENGTH = 80
_TITLE_LENGTH = 1_000
_TITLE_WEIGHT = 2  # between what `summary.json` makes of the prompt and the title it says


@dataclass(frozen=True, slots=True)
class _Spot:
    """Where a record stands: its session, its line, and the parts that are left there."""

    session: SessionId
    line: int
    parts: Iterator[int]


@dataclass(slots=True)
class GrokParser:
    """Remembers between lines: the last stamp, the message that chunks may go on, tool calls, what was told."""

    file: LogFile
    ids: Ids = field(default_factory=Ids)
    calls: Calls = field(default_factory=Calls)
    run: Run | None = None
    is_timed: bool = False
    told: list[str] = field(default_factory=list)

    def state(self) -> Json:
        run = None if self.run is None else asdict(self.run)
        hashes = dict(self.ids.hashes)
        return {
            "stamp": self.ids.stamp,
            "hashes": hashes,
            "calls": self.calls.state(),
            "run": run,
            "timed": self.is_timed,
            "told": [*self.told],
        }

    def feed(self, line: Line) -> Iterator[Fact]:
        """Yield what a line says, its events numbered from 0."""
        parts = count()
        for record in records(line.data):
            if isinstance(record, Broken):
                yield Unread(line.number, "unparsable")
                continue
            said = self._timed(update(record))
            session = SessionId(said.session or self.file.session)
            yield from self._opened(session)
            self.ids.saw(said.stamp or ("" if self.ids.stamp else session))
            yield from self._facts(said, _Spot(session, line.number, parts))

    def _timed(self, said: Update) -> Update:
        """Date the first records of the oldest logs, which have no time, by when their session was named."""
        if said.time is None and not self.is_timed:
            said = replace(said, time=minted_at(said.session or self.file.session))
        self.is_timed = self.is_timed or said.time is not None
        return said

    def _opened(self, session: SessionId) -> Iterator[Opened]:
        if session not in self.told and self.file.cwd:
            self.told = [*self.told, session][-_MOST_TOLD:]
            yield Opened(session, cwd=self.file.cwd)

    def _facts(self, said: Update, spot: _Spot) -> Iterator[Fact]:
        if said.kind in CHUNKS:
            yield from self._chunk(said, spot)
            return
        if said.kind in _BOUNDARIES or (said.kind == "tool_call_update" and text(said.body, "status") in ENDED):
            self.run = None
        match said.kind:
            case "tool_call":
                found = self.calls.called(said, self.ids)
            case "tool_call_update":
                found = self.calls.updated(said, self.ids)
            case kind if kind in pieces.BOOKKEEPING:
                yield from _about(said, spot)
                found = self._bookkeeping(said)
            case kind:
                yield Unread(spot.line, "unknown", kind[:_LABEL_LENGTH] or "untyped")
                return
        for one in found:
            yield _event(one, spot, said.time)

    def _bookkeeping(self, said: Update) -> Iterator[Said]:
        role = Role.ASSISTANT if said.kind == "plan" else Role.SYSTEM
        yield (self.ids.of(said.kind), role, Kind.META, pieces.bookkeeping(said.kind, said.body), False)

    def _chunk(self, said: Update, spot: _Spot) -> Iterator[Fact]:
        run = goes_on(self.run, said, spot.session) if self.run else None
        run = run or begin(said, spot.session, spot.line, self.ids, is_child=self.file.is_child)
        self.run = None if run.is_full else run
        for suffix, words in pieces_of(run):
            one = (f"{run.id}{suffix}", words.role, words.kind, words.text, False)
            yield _event(one, spot, run.time, run.first_line)


def _about(said: Update, spot: _Spot) -> Iterator[Fact]:
    """Yield what bookkeeping tells of sessions: titles and children."""
    if said.kind == "session_summary_generated":
        yield from _titled(spot.session, said.body, "session_summary", spot.line)
    child = name(said.body, "child_session_id")
    if said.kind == "subagent_spawned" and child:
        parent = name(said.body, "parent_session_id") or spot.session
        yield Opened(SessionId(child), parent=SessionId(parent))
        yield from _titled(SessionId(child), said.body, "description", spot.line)


def _titled(session: SessionId, body: Record, key: str, line: int) -> Iterator[Titled]:
    if title := one_line(body, key)[:_TITLE_LENGTH]:
        yield Titled(session, title, _TITLE_WEIGHT, line)


def _event(said: Said, spot: _Spot, time: int | None, first_line: int | None = None) -> Event:
    hashed, role, kind, words, own = said
    return Event(
        event_id(SOURCE, hashed),
        spot.session,
        role,
        kind,
        words,
        spot.line,
        next(spot.parts),
        time=time,
        own=own,
        first_line=None if first_line == spot.line else first_line,
    )


def parser(file: LogFile, state: Json) -> GrokParser:
    """Go on where a parser with this state stopped."""
    memory: Record = state if isinstance(state, dict) else {}
    hashes = inner(memory, "hashes")
    ids = Ids(text(memory, "stamp"), {hashed: number(hashes, hashed) or 1 for hashed in hashes})
    run = remembered(inner(memory, "run"))
    calls = Calls.remembered(inner(memory, "calls"))
    return GrokParser(file, ids, calls, run, memory.get("timed") is True, texts(memory, "told"))
