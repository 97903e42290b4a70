"""The four tools of Origin that read: exact fields, nothing more (ORI-21 to ORI-47)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from quoth.core.query import Query
from quoth.surfaces.mcp.archive import Archive
from quoth.surfaces.mcp.dialect import Answer, Call, json_answer
from quoth.surfaces.mcp.dialects._archive import kept, kept_each
from quoth.surfaces.mcp.protocol import JsonObject
from quoth.surfaces.mcp.schema import Arguments

if TYPE_CHECKING:
    from quoth.core.model import Json

_ENTRY = (
    "id",
    "kind",
    "text",
    "confidence",
    "status",
    "concurrent",
    "project",
    "author",
    "created",
    "valid_from",
    "valid_to",
    "supersedes",
    "superseded_by",
    "root",
    "imported",
)
_VERSION = ("id", "supersedes", "author", "created", "status")
_EVENT = ("id", "time", "source", "project", "session", "role", "kind", "text")
_SESSION = ("session", "source", "project", "title", "prompt", "started", "ended", "events")
_LINE = ("event_id", "time", "quote", "original_file", "mirror_file", "line", "raw")


def entry(shape: Json) -> JsonObject:
    return kept(shape, _ENTRY)


def search(call: Call[Archive], given: Arguments) -> Answer:
    query, scope, notes = given.text("query") or "", given.text("scope") or "all", call.services.notes()
    if scope == "all" and not Query.parse(query).terms:
        scope = "entries"  # ORI-33: recent events only where they are asked for
    with call.services.open() as kernel:
        found = kernel.search.run(
            query,
            target=scope,
            kind=given.text("kind"),
            since=given.text("since"),
            until=given.text("until"),
            source=given.text("source"),
            project=given.text("project"),
            include_tools=given.flag("include_tools"),
            limit=given.number("limit"),
        )
    entries, events = kept_each(found["entries"], _ENTRY), kept_each(found["events"], (*_EVENT, "snippet"))
    return json_answer({"entries": entries, "events": events}, *notes)


def timeline(call: Call[Archive], given: Arguments) -> Answer:
    notes, session = call.services.notes(), given.text("session")
    return json_answer(_session(call, session, given) if session else _sessions(call, given), *notes)


def _sessions(call: Call[Archive], given: Arguments) -> JsonObject:
    with call.services.open() as kernel:
        answer = kernel.timeline.sessions(
            since=given.text("since"),
            until=given.text("until"),
            source=given.text("source"),
            project=given.text("project"),
            limit=given.number("limit"),
        )
    return {"sessions": kept_each(answer["sessions"], _SESSION)}


def _session(call: Call[Archive], session: str, given: Arguments) -> JsonObject:
    with call.services.open() as kernel:
        answer = kernel.timeline.session(
            session,
            source=given.text("source"),
            include_tools=given.flag("include_tools"),
            limit=given.number("limit"),
        )
    return {"session": kept(answer["session"], _SESSION), "events": kept_each(answer["events"], _EVENT)}


def get(call: Call[Archive], given: Arguments) -> Answer:
    with call.services.open() as kernel:
        found = kernel.get.run(given.text("id") or "")
    if "entry" not in found:
        return json_answer(kept(found, (*_EVENT, "cwd", "git_branch", "agent_version")))
    sources, history = kept_each(found["sources"], (*_EVENT, "quote")), kept_each(found["history"], _VERSION)
    return json_answer({"entry": entry(found["entry"]), "sources": sources, "history": history})


def sources(call: Call[Archive], given: Arguments) -> Answer:
    """Answer the place that owns each event; that other logs repeat it is no other source."""
    with call.services.open() as kernel:
        places = kernel.sources.run(given.text("id") or "")
    owning = {place["event_id"]: place for place in reversed(places)}
    return json_answer(kept_each([place for place in places if place is owning[place["event_id"]]], _LINE))
