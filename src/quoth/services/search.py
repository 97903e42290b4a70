"""Search: show the places where all the words were said (QUO-2)."""

from __future__ import annotations

from dataclasses import dataclass

from quoth.core.model import EventRow, Json
from quoth.core.pages import page
from quoth.core.ports import Index
from quoth.core.query import Query
from quoth.core.snippet import snippet
from quoth.services._filters import Filters
from quoth.services._memory import Memory
from quoth.services._shapes import event_shape

_TEXT = 400  # characters of an event's text in a result (ORI-37)


@dataclass(frozen=True, slots=True)
class Search:
    index: Index
    filters: Filters
    memory: Memory

    def run(
        self,
        query: str | None = None,
        *,
        since: str | None = None,
        until: str | None = None,
        source: str | None = None,
        project: str | None = None,
        include_tools: bool = False,
        limit: int = 20,
        cursor: str | None = None,
    ) -> dict[str, Json]:
        """Return `{entries, events, next}`: events that contain every word, best first; without words the most recent.

        Raises:
            InvalidArgument, UnknownSource, UnknownProject, Ambiguous: an argument can't be used.
        """
        asked: dict[str, Json] = {
            "query": query,
            "since": since,
            "until": until,
            "source": source,
            "project": project,
            "tools": include_tools,
        }
        where = self.filters.build(
            since=since, until=until, source=source, project=project, include_tools=include_tools
        )
        part = page(asked, limit=limit, most=100, cursor=cursor)
        words = Query.parse(query or "")
        if words.terms:
            found = self.index.search(words, where, limit=part.limit, offset=part.offset)
        else:
            found = self.index.recent(where, limit=part.limit, offset=part.offset)
        return {"entries": [], "events": [_shape(event, words) for event in found], "next": part.next(len(found))}


def _shape(event: EventRow, words: Query) -> dict[str, Json]:
    return {
        **event_shape(event, limit=_TEXT),
        "snippet": snippet(event.text, words) if words.terms else None,
    }
