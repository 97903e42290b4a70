"""The reading services of a home as an agent may see them: every text and raw line without its secrets.

Texts are redacted before they are cut, because half a secret looks like none. What the person reads on a terminal, and
the answers of Origin's contract, do not pass here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, cast

from quoth.core.redact import Redactor
from quoth.core.snippet import cut

if TYPE_CHECKING:
    from quoth.core.ids import EventId, SessionId, SourceId
    from quoth.core.model import EventRow, Filter, Json, SessionRow
    from quoth.core.ports import Index
    from quoth.core.query import Query
    from quoth.services.get import Get
    from quoth.services.search import Search
    from quoth.services.timeline import Timeline
    from quoth.wiring import Kernel

_RAW = 4_000  # characters of a raw line (ORI-46)
_HEAD = 100_000  # characters of it that are looked at, unless so many secrets are in them that little is left
_MARKER = "[REDACTED:"


class Redacted:
    """The services for one call, and what it took out."""

    def __init__(self, kernel: Kernel) -> None:
        self._kernel = kernel
        self._words = Redactor()

    @property
    def search(self) -> Search:
        return replace(self._kernel.search, index=self._index)

    @property
    def timeline(self) -> Timeline:
        return replace(self._kernel.timeline, index=self._index)

    @property
    def get(self) -> Get:
        return replace(self._kernel.get, memory=replace(self._kernel.memory, index=self._index))

    def sources(self, given: str) -> list[dict[str, Json]]:
        """Return the places of an event, their raw lines cut after redaction, never before."""
        places = self._kernel.sources.run(given, limit=None)
        return [{**place, "raw": self._line(str(place["raw"]))} for place in places]

    def said(self, answer: Json) -> Json:
        """Return the answer, every item that lost a secret saying how many markers it shows: `redacted`."""
        return _counted(answer) if self._words.taken else answer

    @cached_property
    def _index(self) -> Index:
        # The view passes on whatever it does not change, which a protocol can't see.
        return cast("Index", _View(self._kernel.index, self._words))

    def _line(self, raw: str) -> str:
        head = self._words(raw[:_HEAD])
        return cut(head + raw[_HEAD:] if len(head) > _RAW else self._words(raw), _RAW)


class _View:
    """An index whose rows have no secrets in their words."""

    def __init__(self, index: Index, words: Redactor) -> None:
        self._all = index
        self._words = words

    def __getattr__(self, name: str) -> object:
        return getattr(self._all, name)

    def event(self, event: EventId) -> EventRow | None:
        found = self._all.event(event)
        return found and self._event(found)

    def search(self, query: Query, where: Filter, *, limit: int, offset: int) -> Sequence[EventRow]:
        return self._events(self._all.search(query, where, limit=limit, offset=offset))

    def recent(self, where: Filter, *, limit: int, offset: int) -> Sequence[EventRow]:
        return self._events(self._all.recent(where, limit=limit, offset=offset))

    def sessions(self, where: Filter, *, limit: int, offset: int) -> Sequence[SessionRow]:
        return self._sessions(self._all.sessions(where, limit=limit, offset=offset))

    def session(self, session: str, source: SourceId | None) -> Sequence[SessionRow]:
        return self._sessions(self._all.session(session, source))

    def session_events(
        self, source: SourceId, session: SessionId, *, everything: bool, limit: int, offset: int
    ) -> Sequence[EventRow]:
        found = self._all.session_events(source, session, everything=everything, limit=limit, offset=offset)
        return self._events(found)

    def _events(self, found: Iterable[EventRow]) -> Sequence[EventRow]:
        return [self._event(row) for row in found]

    def _event(self, row: EventRow) -> EventRow:
        return replace(row, text=self._words(row.text))

    def _sessions(self, found: Iterable[SessionRow]) -> Sequence[SessionRow]:
        return [replace(row, title=self._maybe(row.title), prompt=self._maybe(row.prompt)) for row in found]

    def _maybe(self, text: str | None) -> str | None:
        return text and self._words(text)


def _counted(value: Json) -> Json:
    if isinstance(value, str) or not isinstance(value, Mapping | Sequence):
        return value
    if isinstance(value, Sequence):
        return [_counted(item) for item in value]
    shown = {name: _counted(item) for name, item in value.items()}
    markers = max((item.count(_MARKER) for item in shown.values() if isinstance(item, str)), default=0)
    return {**shown, "redacted": markers} if markers else shown
