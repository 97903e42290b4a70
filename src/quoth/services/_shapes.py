"""Say events and sessions in the words of the published contract (ORI-13, ORI-29, ORI-30)."""

from __future__ import annotations

from quoth.core.model import EventRow, Json, SessionRow
from quoth.core.snippet import cut
from quoth.core.times import local_iso


def event_shape(event: EventRow, *, limit: int) -> dict[str, Json]:
    return {
        "id": event.id,
        "time": local_iso(event.time),
        "source": event.source,
        "project": event.project,
        "session": event.session,
        "role": event.role.value,
        "kind": event.kind.value,
        "text": cut(event.text, limit),
    }


def session_shape(session: SessionRow, resume: str | None) -> dict[str, Json]:
    return {
        "session": session.session,
        "source": session.source,
        "project": session.project,
        "title": session.title,
        "prompt": None if session.title else session.prompt,
        "started": local_iso(session.started),
        "ended": local_iso(session.ended),
        "events": session.events,
        "parent": session.parent,
        "forked_from": session.forked_from,
        "resume": resume,
    }
