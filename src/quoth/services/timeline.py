"""Timeline: sessions by last activity, or one session in order (QUO-4, ORI-38 to 42)."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from quoth.core.errors import AdapterBroken, Ambiguous, UnknownSession
from quoth.core.ids import SourceId
from quoth.core.model import Json, SessionRow
from quoth.core.pages import page
from quoth.core.ports import Adapter, Index
from quoth.services._filters import Filters
from quoth.services._memory import Memory
from quoth.services._shapes import event_shape, session_shape

_WHOLE = 2**62
_TEXT = 1_000  # characters of an event's text in a session (ORI-40)


@dataclass(frozen=True, slots=True)
class Timeline:
    index: Index
    filters: Filters
    adapters: Mapping[SourceId, Adapter]
    memory: Memory

    def sessions(
        self,
        *,
        since: str | None = "7d",
        until: str | None = None,
        source: str | None = None,
        project: str | None = None,
        limit: int = 50,
        cursor: str | None = None,
    ) -> dict[str, Json]:
        """Return `{sessions, next}`: active since `since`, started before `until`, the last active first."""
        self.memory.catch_up()
        where = self.filters.build(since=since, until=until, source=source, project=project)
        asked: dict[str, Json] = {"since": since, "until": until, "source": source, "project": project}
        part = page(asked, limit=limit, most=500, cursor=cursor)
        found = self.index.sessions(where, limit=part.limit, offset=part.offset)
        return {"sessions": [self._shape(row) for row in found], "next": part.next(len(found))}

    def session(
        self,
        session: str,
        *,
        source: str | None = None,
        include_tools: bool = False,
        limit: int = 50,
        cursor: str | None = None,
        whole: bool = False,
    ) -> dict[str, Json]:
        """Return `{session, events, next}`: the events of one session from the earliest on; `whole` cuts no text.

        Raises:
            UnknownSession: no log holds it.
            Ambiguous: several sources have a session of that id, or several sessions begin like that.
        """
        self.memory.catch_up()
        where = self.filters.build(source=source)
        part = page(
            {"session": session, "source": source, "tools": include_tools}, limit=limit, most=500, cursor=cursor
        )
        row = self._one(session, where.source)
        events = self.index.session_events(
            row.source, row.session, everything=include_tools, limit=part.limit, offset=part.offset
        )
        return {
            "session": self._shape(row),
            "events": [event_shape(event, limit=_WHOLE if whole else _TEXT) for event in events],
            "next": part.next(len(events)),
        }

    def _one(self, session: str, source: SourceId | None) -> SessionRow:
        rows = self.index.session(session, source)
        if not rows:
            raise UnknownSession(session)
        if len(rows) > 1:  # the beginning of a session is meant, not that of its subagents
            ids = {row.session for row in rows}
            rows = [row for row in rows if row.parent not in ids]
        if len(rows) > 1:
            raise Ambiguous("Session", session, [f"{row.session} with source {row.source}" for row in rows])
        return rows[0]

    def _shape(self, row: SessionRow) -> dict[str, Json]:
        argv = None if row.parent else self._resume(row)
        command = shlex.join(argv) if argv else None
        if command and row.cwd:
            command = f"cd {shlex.quote(row.cwd)} && {command}"
        return session_shape(row, command)

    def _resume(self, row: SessionRow) -> Sequence[str] | None:
        """Ask the adapter; what is archived is shown whether or not its adapter is still there and whole."""
        try:
            return self.adapters[row.source].resume(row.session)
        except (AdapterBroken, KeyError):
            return None
