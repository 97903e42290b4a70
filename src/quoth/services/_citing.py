"""Resolve what a writer cites to events, exact words and anchors (ORI-49 … ORI-51)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from quoth.core.errors import Forgotten, InvalidArgument, QuoteNotFound, Uncitable
from quoth.core.ids import DeviceId
from quoth.core.ledger import quotes
from quoth.core.ledger.marks import quote_mark
from quoth.core.ledger.values import Citation, StoredAnchor
from quoth.core.memory import Fate, Quoted
from quoth.core.model import EventRow, Kind
from quoth.core.redact import redact_part
from quoth.services._memory import Memory

_KINDS = (Kind.MESSAGE, Kind.TOOL_RESULT)  # what a quote alone may mean, the better first; never a tool call
# Full text can't find words that white space breaks, or a quote of one word: the newest events are looked through
# then. More would take longer than a writer waits.
_SCANNED = 50_000


@dataclass(frozen=True, slots=True)
class Citing:
    memory: Memory

    def resolve(self, sources: Sequence[Quoted], *, note: str | None = None) -> Sequence[Citation]:
        """Return the citations that sources mean, each once. `note` says why a quote may not be known yet.

        Raises:
            InvalidArgument: a source names nothing, or its quote is empty or too long.
            UnknownId, Uncitable: no visible event has that id, or it is traffic of our own tools.
            QuoteNotFound: the event, or any event, does not hold the quote.
        """
        self.memory.catch_up()
        found = {_key(citation): citation for citation in [self._citation(source, note) for source in sources]}
        return list(found.values())

    def demand_visible(self, citations: Iterable[Citation]) -> None:
        """Demand that nobody forgot what is cited since it was looked for; inside of `Memory.deciding` it stays true.

        Raises:
            Uncitable: somebody did.
        """
        for citation in citations:
            if self.memory.entries.fate(citation.event) is not Fate.VISIBLE:
                raise Uncitable(citation.event)

    def _citation(self, source: Quoted, note: str | None) -> Citation:
        quote = None if source.quote is None else _checked(source.quote)
        if source.event_id is not None:
            event = self._named(source.event_id)
            if quote is not None and quotes.find(event.text, quote) is None:
                raise QuoteNotFound(quote, source.event_id, note)
        elif quote is not None:
            event = self._holding(quote, note)
        else:
            raise InvalidArgument("sources", "event ids, quotes, or both")
        return self._cited(event, quote)

    def _named(self, given: str) -> EventRow:
        try:
            event = self.memory.event(given)
        except Forgotten as error:
            raise Uncitable(given) from error
        if event.own:
            raise Uncitable(given, "is traffic of Quoth's own tools and")
        return event

    def _holding(self, quote: str, note: str | None) -> EventRow:
        held = (event for event in self._candidates(quote) if not event.own and quotes.find(event.text, quote))
        event = next(held, None)
        if event is None:
            raise QuoteNotFound(quote, note=note)
        return event

    def _candidates(self, quote: str) -> Iterator[EventRow]:
        entries, folded = self.memory.entries, quotes.fold(quote)
        if query := quotes.query_for(quote):
            for kind in _KINDS:
                yield from entries.holding(query, kind, folded=folded)
        for kind in _KINDS:
            yield from entries.newest(kind, folded=folded, most=_SCANNED)

    def _cited(self, event: EventRow, quote: str | None) -> Citation:
        place = next(iter(self.memory.index.anchors(event.id)), None)
        anchor = StoredAnchor.of(place, DeviceId(self.memory.journal.device()[0])) if place else None
        span = quotes.find(event.text, quote) if quote is not None else None
        if span is None:
            return Citation(event.id, anchor=anchor)
        mark = quote_mark(self.memory.key(), event.text[slice(*span)])
        return Citation(event.id, redact_part(event.text, *span).text, span, mark, anchor)


def _checked(quote: str) -> str:
    if not quotes.fold(quote):
        raise InvalidArgument("quote", "words of an event, and not empty")
    if len(quote) > quotes.LONGEST:
        raise InvalidArgument("quote", f"at most {quotes.LONGEST:,} characters long")
    return quote


def _key(citation: Citation) -> tuple[object, ...]:
    return citation.event, citation.span
