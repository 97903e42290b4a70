"""Read the mirrored rows of OpenClaw's stores; the events of many sessions stand there one after the other."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

from quoth.core.ids import SessionId
from quoth.core.model import Fact, Json, Line, Opened, Unread
from quoth.readers.jsonl import Broken, records
from quoth.sources import _openclaw_rows as rows
from quoth.sources import _openclaw_sessions as sessions
from quoth.sources._entries import OwnCalls
from quoth.sources._entries_session import Reading, Session, Spot, remembered, session_of
from quoth.sources._openclaw_words import SOURCE, OpenClawWords
from quoth.sources._values import Record, items, milliseconds, number, text, texts

_MOST_SESSIONS = 60  # remembered; of one that was silent for longer, events have no directory of their own


class StoreParser:
    """Yields the facts of rows: events, and what is said of sessions."""

    def __init__(self, state: Json = None) -> None:
        memory: Record = state if isinstance(state, dict) else {}
        self._calls = OwnCalls(texts(memory, "calls"))
        self._ladder = rows.ladder(memory.get("ladder"))
        self._rewritten_at = number(memory, "rewritten_at") or 0
        self._known = sessions.known(memory.get("sessions"))
        self._open = {one.id: one for one in (remembered(said, "") for said in items(memory, "open")) if one.id}

    def state(self) -> Json:
        return {
            "calls": list(self._calls.ids),
            "ladder": self._ladder.state(),
            "rewritten_at": self._rewritten_at,
            "sessions": self._known.state(),
            "open": [session.state() for session in self._open.values()],
        }

    def feed(self, line: Line) -> Iterator[Fact]:
        parts = count()
        for row in records(line.data):
            if isinstance(row, Broken):
                yield Unread(line.number, "unparsable", row.reason)
                continue
            match text(row, "table"):
                case rows.TABLE:
                    yield from self._event(row, Spot(line.number, parts, milliseconds(row, "created_at")))
                case sessions.WINDOWS | sessions.LISTED:
                    yield from self._session(row, line.number)
                case rows.REWRITES:
                    self._rewritten_at = max(self._rewritten_at, milliseconds(row, "updated_at") or 0)
                    yield Opened(SessionId(session_of(text(row, "session_id")) or "unnamed"))
                case other:
                    yield Unread(line.number, "unknown", other[:80] or "untyped")

    def _session(self, row: Record, line: int) -> Iterator[Fact]:
        self._known.saw(row)
        found = list(sessions.facts(row, line))
        yield from found or [Unread(line, "unknown", text(row, "table"))]

    def _event(self, row: Record, spot: Spot) -> Iterator[Fact]:
        self._ladder.climb(row)
        session = self._opened(session_of(text(row, "session_id")))
        for record in records(text(row, "event_json").encode()) or [Broken("empty", b"")]:
            if isinstance(record, Broken):
                yield Unread(spot.line, "unparsable", record.reason, session.version)
            else:
                yield from Reading(SOURCE, OpenClawWords(), session, self._calls).facts(record, spot)

    def _opened(self, session: str) -> Session:
        """Return what is remembered of a session, which the row names, whatever its header says."""
        found = self._open.pop(session, None) or Session(session or "unnamed", is_fixed=bool(session))
        self._open[session] = found
        if len(self._open) > _MOST_SESSIONS:
            del self._open[next(iter(self._open))]
        return found
