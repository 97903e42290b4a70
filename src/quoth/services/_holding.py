"""Find what holds the same words as something else: white space and case do not count."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from quoth.core.ids import EntryId, EventId
from quoth.core.ledger.quotes import fold, query_for
from quoth.core.ledger.values import Citation
from quoth.core.memory import EntryRow
from quoth.core.model import EventRow, Kind
from quoth.core.query import Query
from quoth.services._memory import GONE, Memory

_SHORTEST = 3  # characters of a text that can be looked for
_TERMS, _LOOKED_AT = 24, 4_000  # words, and characters of a long text, that select what is then compared as a whole


_SURE = re.compile(r"[A-Za-z0-9]+(?![^\x00-\x7f])")  # a mark after a letter may be composed with it
_SEARCHED = (Kind.MESSAGE, Kind.TOOL_USE, Kind.TOOL_RESULT)


@dataclass(frozen=True, slots=True)
class Holding:
    memory: Memory

    def words_of(self, roots: Iterable[EntryId], events: Iterable[EventId]) -> Sequence[str]:
        """Return what entries say in any version and quote, and what events say, as far as it is still known."""
        said = [text for root in roots for row in self.memory.entries.history(root) for text in self._statement(row)]
        found = (self.memory.entries.said(event) for event in events)
        return list(dict.fromkeys([*said, *(event.text for event in found if event)]))

    def events(self, words: Iterable[str]) -> Iterator[EventRow]:
        """Yield the visible events that hold one of some texts; one may come several times."""
        wanted = {text: fold(text) for text in words}
        for text, folded in wanted.items():
            for kind in _SEARCHED:
                yield from self.memory.entries.holding(selecting(text), kind, folded=folded)
        if wanted:
            rows = self.memory.entries.unsearched(list(map(_part, wanted)))
            yield from (row for row in rows if _holds_any(fold(row.text), wanted.values()))

    def roots(self, words: Iterable[str]) -> Iterator[EntryId]:
        """Yield the roots that are not hidden and say or quote one of some texts in any version."""
        wanted = [fold(text) for text in words]
        for row in self.memory.entries.all():
            if row.state not in GONE and _holds_any(fold(said_by(row)), wanted):
                yield row.root

    def _statement(self, row: EntryRow) -> Iterator[str]:
        if row.version.statement:
            yield row.version.statement.text
        yield from (exact for cited in row.version.cites if (exact := self._exact(cited)))

    def _exact(self, cited: Citation) -> str | None:
        """Return the words of a quote as they were said; what is stored of them has no secrets."""
        event = self.memory.entries.said(cited.event) if cited.span else None
        return event.text[slice(*cited.span)] if event and cited.span else cited.quote


def _holds_any(said: str, wanted: Iterable[str]) -> bool:
    return any(text in said for text in wanted)


def can_be_found(text: str) -> bool:
    """Tell whether a text is long enough and has a word to look for."""
    return len(fold(text)) >= _SHORTEST and bool(selecting(text).terms)


def selecting(text: str) -> Query:
    """Return a query that finds whatever holds a text; the first and the last word may be parts of longer ones, unless
    there is nothing between them."""
    begin = text.strip()[:_LOOKED_AT]
    query = query_for(begin) or Query.parse(begin)
    return Query(query.text, query.terms[:_TERMS])


def _part(text: str) -> str:
    """Return the longest part of a text that everything that holds it has too, in lower case; "" where none is sure."""
    return max(_SURE.findall(text), key=len, default="").lower()


def said_by(row: EntryRow) -> str:
    """Return everything that a version says, in whatever part of it, and what it quotes."""
    said = row.version.statement
    return "\n".join([*(said.words() if said else ()), *(cited.quote or "" for cited in row.version.cites)])
