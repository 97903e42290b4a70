"""The reading services of a home as an agent may see them: every text, quote and raw line without its secrets.

Texts are redacted before they are cut, because half a secret looks like none. What the person reads on a terminal, and
the answers of Origin's contract, do not pass here. Statements were redacted when they were stored, by the rules of that
day; here they are once more, by those of today.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, cast

from quoth.core.redact import Redactor
from quoth.core.snippet import cut

if TYPE_CHECKING:
    from quoth.core.ids import EntryId, EventId, SessionId, SourceId
    from quoth.core.ledger.values import Citation, Statement
    from quoth.core.memory import EntryFilter, EntryRow, MemoryIndex
    from quoth.core.model import EventRow, Filter, Json, SessionRow
    from quoth.core.ports import Index
    from quoth.core.query import Query
    from quoth.services._memory import Memory
    from quoth.services.get import Get
    from quoth.services.search import Search
    from quoth.services.timeline import Timeline
    from quoth.wiring import Kernel

_RAW = 4_000  # characters of a raw line (ORI-46)
_HEAD = 100_000  # characters of it that are looked at, unless so many secrets are in them that little is left
_MARKER = "[REDACTED:"
_SAID = ("text", "name")


class Redacted:
    """The services for one call, and what it took out."""

    def __init__(self, kernel: Kernel) -> None:
        self.kernel = kernel
        self._words = Redactor()

    @property
    def search(self) -> Search:
        return replace(self.kernel.search, index=self._index, memory=self._memory)

    @property
    def timeline(self) -> Timeline:
        return replace(self.kernel.timeline, index=self._index)

    @property
    def get(self) -> Get:
        return replace(self.kernel.get, memory=self._memory)

    def sources(self, given: str) -> list[dict[str, Json]]:
        """Return the places of what an id names, their raw lines cut after redaction, never before."""
        places = replace(self.kernel.sources, memory=self._memory).run(given, limit=None)
        return [{**place, "raw": self._line(str(place["raw"]))} for place in places]

    def said(self, answer: Json) -> Json:
        """Return the answer, every item that lost a secret, now or when it was stored, saying how many: `redacted`."""
        return _counted(answer)

    def wrote(self, answer: Mapping[str, Json]) -> Json:
        """Return what a service answered to a write; it shows an entry and those that are alike."""
        return self.said({name: self._shown(each) for name, each in answer.items()})

    @property
    def _memory(self) -> Memory:
        return replace(self.kernel.memory, index=self._index)

    @cached_property
    def _index(self) -> Index:
        # The view passes on whatever it does not change, which a protocol can't see.
        return cast("Index", _View(self.kernel.index, self._words))

    def _shown(self, value: Json) -> Json:
        """Return a part of such an answer; everything that somebody said in it is called `text` or `name`."""
        match value:
            case str():
                return value
            case Mapping():
                said = {name: self._words(each) for name in _SAID if isinstance(each := value.get(name), str)}
                return {**value, **said}
            case Sequence():
                return [self._shown(each) for each in value]
            case _:
                return value

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

    @property
    def memory(self) -> MemoryIndex:
        return cast("MemoryIndex", _Entries(self._all.memory, self._words))

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
        return [
            replace(row, title=_maybe(self._words, row.title), prompt=_maybe(self._words, row.prompt)) for row in found
        ]


class _Entries:
    """What an index holds of memory, without secrets in the words of entries."""

    def __init__(self, index: MemoryIndex, words: Redactor) -> None:
        self._all = index
        self._words = words

    def __getattr__(self, name: str) -> object:
        return getattr(self._all, name)

    def version(self, entry: EntryId) -> EntryRow | None:
        found = self._all.version(entry)
        return found and self._entry(found)

    def history(self, root: EntryId) -> Sequence[EntryRow]:
        return [self._entry(row) for row in self._all.history(root)]

    def search(self, query: Query, where: EntryFilter, *, limit: int, offset: int) -> Sequence[EntryRow]:
        return [self._entry(row) for row in self._all.search(query, where, limit=limit, offset=offset)]

    def recent(self, where: EntryFilter, *, limit: int, offset: int) -> Sequence[EntryRow]:
        return [self._entry(row) for row in self._all.recent(where, limit=limit, offset=offset)]

    def _entry(self, row: EntryRow) -> EntryRow:
        version, cites = row.version, tuple(self._citation(each) for each in row.cites)
        said = version.statement and self._statement(version.statement)
        shown = replace(version, statement=said, reason=_maybe(self._words, version.reason))
        return replace(row, version=shown, cites=cites, name=_maybe(self._words, row.name))

    def _statement(self, said: Statement) -> Statement:
        return replace(
            said,
            text=self._words(said.text),
            tags=tuple(map(self._words, said.tags)),
            fields=cast("Mapping[str, Json]", self._value(said.fields)),
            uncited=_maybe(self._words, said.uncited),
        )

    def _citation(self, cited: Citation) -> Citation:
        return replace(cited, quote=_maybe(self._words, cited.quote))

    def _value(self, value: Json) -> Json:
        match value:
            case str():
                return self._words(value)
            case Mapping():
                return {name: self._value(each) for name, each in value.items()}
            case Sequence():
                return [self._value(each) for each in value]
            case _:
                return value


def _maybe(words: Redactor, text: str | None) -> str | None:
    return text and words(text)


def _counted(value: Json) -> Json:
    if isinstance(value, str) or not isinstance(value, Mapping | Sequence):
        return value
    if isinstance(value, Sequence):
        return [_counted(item) for item in value]
    shown = {name: _counted(item) for name, item in value.items()}
    markers = max((item.count(_MARKER) for item in shown.values() if isinstance(item, str)), default=0)
    return {**shown, "redacted": markers} if markers else shown
