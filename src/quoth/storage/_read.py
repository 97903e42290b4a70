"""Answer with events, anchors and sessions."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache

from quoth.core.ids import EventId, SessionId, SourceId
from quoth.core.model import Anchor, EventRow, Filter, Form, Kind, Role, SessionRow, Stream
from quoth.storage._database import Database, Row
from quoth.storage._projects import Places, as_json

_FIRST, _LAST = -(1 << 62), 1 << 62


class Reader:
    def __init__(self, db: Database, places: Places) -> None:
        self._db = db
        self._places = places

    def number(self, event: str) -> int | None:
        """Return the number of an event, or of the event it repeats."""
        row = self._db.one("event_of_id", id=event)
        return row[0] if row else None

    def resolve(self, event: str) -> EventId | None:
        with self._db.reading():
            number = self.number(event)
            return None if number is None else EventId(self._db.all("id_of_event", number=number)[0][0])

    def events(self, numbers: Sequence[int], *, worst: int = 0) -> Sequence[EventRow]:
        """Return the visible events of these numbers, in their order; `worst` 1 gives forgotten ones too."""
        rows = {row[0]: row for row in self._db.all("event_rows", numbers=json.dumps(numbers), worst=worst)}
        display = cache(self._places.display)  # each asks the index whether projects changed
        return [_event(rows[number], display(rows[number][6])) for number in numbers if number in rows]

    def event(self, event: EventId) -> EventRow | None:
        with self._db.reading():
            number = self.number(event)
            return None if number is None else next(iter(self.events([number])), None)

    def anchors(self, event: EventId) -> Sequence[Anchor]:
        with self._db.reading():
            number = self.number(event)
            rows = [] if number is None else self._db.all("anchors_of", number=number)
        return [anchor(event, row) for row in rows]

    def sessions(self, where: Filter, *, limit: int, offset: int) -> Sequence[SessionRow]:
        with self._db.reading():
            directories = None if where.projects is None else self._places.directories(where.projects)
            rows = self._db.all(
                "sessions",
                since=_FIRST if where.since is None else where.since,
                until=_LAST if where.until is None else where.until,
                source=where.source,
                directories=as_json(directories),
                limit=limit,
                offset=offset,
            )
            return self._sessions(rows)

    def session(self, session: str, source: SourceId | None) -> Sequence[SessionRow]:
        with self._db.reading():
            rows = self._db.all("sessions_of_id", id=session, source=source)
            if not rows and session:
                rows = self._db.all("sessions_that_begin", id=session, source=source)
            return self._sessions(rows)

    def session_events(
        self, source: SourceId, session: SessionId, *, everything: bool, limit: int, offset: int
    ) -> Sequence[EventRow]:
        with self._db.reading():
            rows = self._db.all(
                "events_in_session", source=source, session=session, everything=everything, limit=limit, offset=offset
            )
            return self.events([number for (number,) in rows])

    def _sessions(self, rows: Sequence[Row]) -> Sequence[SessionRow]:
        numbers = json.dumps(sorted({row[2] for row in rows if row[2] is not None}))
        cwds: dict[int, str] = dict(self._db.all("cwds", numbers=numbers))
        return [self._session(row, cwds.get(row[2])) for row in rows]

    def _session(self, row: Row, cwd: str | None) -> SessionRow:
        source, session, directory, title, prompt, started, ended, events, parent, forked_from = row
        project = self._places.display(directory)
        shown = (title, None if title else prompt)
        return SessionRow(session, source, project, *shown, started, ended, events, parent, forked_from, cwd)


def _event(row: Row, project: str | None) -> EventRow:
    _, id_, time, time_from, source, session, _, role, kind, text, cwd, *rest = row
    said = (Role(role), Kind(kind), text)
    git_branch, agent_version, own = rest
    seen = (cwd, git_branch, agent_version)
    return EventRow(id_, time, time_from, source, project, session, *said, *seen, own=bool(own))


def anchor(event: EventId, row: Row) -> Anchor:
    """Read the columns of an anchor and its stream."""
    first_line, line, sha256, part, *of = row
    return Anchor(event, stream(tuple(of)), first_line, line, sha256, part)


def stream(row: Row) -> Stream:
    """Read the columns of a stream, in the order of its fields."""
    rank, source, root, key, generation, form, identity, path, mtime = row
    return Stream(rank, source, root, key, generation, Form(form), identity, path, mtime)
