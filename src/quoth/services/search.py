"""Search: show the entries and the places where all the words were said (QUO-2, ORI-31 to 37)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from quoth.core.errors import InvalidArgument
from quoth.core.ledger.values import GLOBAL, EntryKind
from quoth.core.memory import EntryFilter, EntryRow
from quoth.core.model import EventRow, Filter, Json
from quoth.core.pages import Page, page
from quoth.core.ports import Index
from quoth.core.query import Query
from quoth.core.relevance import asked as asked_for
from quoth.core.relevance import relevances, tally
from quoth.core.snippet import snippet
from quoth.readers.stems import stem
from quoth.services._entry_shapes import doubt_shape, entry_shape
from quoth.services._filters import Filters
from quoth.services._memory import Memory
from quoth.services._shapes import event_shape

_TEXT = 400  # characters of an event's text in a result (ORI-37)
_TARGETS = ("all", "entries", "events")


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
        target: str = "all",
        kind: str | None = None,
        type: str | None = None,  # noqa: A002 - the contract's word
        agent: str | None = None,
    ) -> dict[str, Json]:
        """Return `{entries, events, next}`: what contains every word, best first; without words the most recent.

        Entries are current, in force and not ended; their relevance is told by the words they share with the query,
        among those of the page. `source` is about events only, `kind`, `type` and `agent` about entries only; `limit`
        counts for each of the two, and `next` goes on with both.

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
            "target": target,
            "kind": kind,
            "type": type,
            "agent": agent,
        }
        if target not in _TARGETS:
            raise InvalidArgument("target", f"one of {', '.join(_TARGETS)}")
        where = self.filters.build(
            since=since, until=until, source=source, project=project, include_tools=include_tools
        )
        which = self._which(where, kind=kind, type_=type, agent=agent)
        part = page(asked, limit=limit, most=100, cursor=cursor)
        words = Query.parse(query or "")
        self.memory.catch_up()
        entries = self._entries(words, which, part) if target != "events" else ()
        events = self._events(words, where, part) if target != "entries" else ()
        return {
            "entries": list(map(self._shape, entries, _relevances(query or "", entries))),
            "events": [_shape(event, words) for event in events],
            "next": part.next(max(len(entries), len(events))),
        }

    def _shape(self, row: EntryRow, relevance: float | None) -> dict[str, Json]:
        return {**entry_shape(row), "relevance": relevance, **doubt_shape(row, self.memory.entries)}

    def _which(self, where: Filter, *, kind: str | None, type_: str | None, agent: str | None) -> EntryFilter:
        if kind and kind not in list(EntryKind):
            raise InvalidArgument("kind", f"one of {', '.join(EntryKind)}")
        return EntryFilter(
            now=self.memory.clock.now(),
            since=where.since,
            until=where.until,
            kind=EntryKind(kind) if kind else None,
            type=type_ or None,
            projects=where.projects,
            agent=_owner(agent) if agent else None,
        )

    def _entries(self, words: Query, which: EntryFilter, part: Page) -> Sequence[EntryRow]:
        entries = self.memory.entries
        if words.terms:
            return entries.search(words, which, limit=part.limit, offset=part.offset)
        return entries.recent(which, limit=part.limit, offset=part.offset)

    def _events(self, words: Query, where: Filter, part: Page) -> Sequence[EventRow]:
        if words.terms:
            return self.index.search(words, where, limit=part.limit, offset=part.offset)
        return self.index.recent(where, limit=part.limit, offset=part.offset)


def _relevances(query: str, rows: Sequence[EntryRow]) -> Sequence[float | None]:
    """Return how relevant entries of one page are; None where no word of the query tells anything."""
    wanted = asked_for(query, stem) if rows else ()
    if not wanted:
        return [None] * len(rows)
    return relevances(wanted, [tally(wanted, _words(row), stem) for row in rows])


def _words(row: EntryRow) -> str:
    """Return the words of an entry that the search looks at."""
    said = row.version.statement
    return "\n".join((said.text, said.name or "", *said.tags)) if said else ""


def _owner(agent: str) -> str:
    """Return the owner that a name means: `codex` is `agent:codex`."""
    return agent if agent == GLOBAL or agent.startswith("agent:") else f"agent:{agent}"


def _shape(event: EventRow, words: Query) -> dict[str, Json]:
    return {
        **event_shape(event, limit=_TEXT),
        "snippet": snippet(event.text, words) if words.terms else None,
    }
