"""Follow one citation to the words it was made from: event, raw lines, quote (INV-3)."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum

from quoth.core.errors import MirrorDamaged, StoreFailed
from quoth.core.ids import EntryId, EventId, OperationId
from quoth.core.ledger.marks import quote_mark
from quoth.core.ledger.operations import Assert, Cite, Destroy, Operation
from quoth.core.ledger.quotes import fold
from quoth.core.ledger.values import Citation, StoredAnchor
from quoth.core.literals import stands_in
from quoth.core.memory import Fate
from quoth.core.model import Anchor, EventRow, Json, Kind, Stream
from quoth.core.names import mirror_name
from quoth.core.ports import Mirror
from quoth.services._memory import Memory

_REDACTED = "[REDACTED:"
_TOLD = frozenset({Kind.META, Kind.SYSTEM})  # adapters tell of these in words of their own


@dataclass(frozen=True, slots=True)
class Flaw:
    """Something that can't be proved. The message holds ids, numbers and names of files, never words."""

    code: str
    message: str
    operation: str | None = None
    entry: str | None = None
    event: str | None = None

    def shape(self) -> dict[str, Json]:
        ids = {"operation": self.operation, "entry": self.entry, "event": self.event}
        return {"code": self.code, "message": self.message, **{name: given for name, given in ids.items() if given}}


class Outcome(Enum):
    """What became of a citation."""

    FLAWED = "flawed"
    PROVED = "proved"
    DESTROYED = "destroyed"
    ELSEWHERE = "elsewhere"


@dataclass(frozen=True, slots=True)
class Cited:
    """A citation with the operation that made it."""

    operation: OperationId
    entry: EntryId
    citation: Citation

    @property
    def event(self) -> EventId:
        return self.citation.event

    @property
    def place(self) -> tuple[object, ...]:
        """Sort citations so that each mirrored log is read once."""
        anchor = self.citation.anchor
        return (anchor.stream, anchor.generation, anchor.first_line) if anchor else ("", 0, 0)


def citations(operations: Iterable[Operation]) -> Iterator[Cited]:
    """Yield every citation that was made and not destroyed, once."""
    for operation in operations:
        match operation.body:
            case Assert() | Cite() as body:
                yield from (Cited(operation.id, body.entry, citation) for citation in body.citations)


def destroyed_lines(operations: Iterable[Operation]) -> Mapping[_Place, Collection[tuple[int, int]]]:
    """Return the ranges of lines in which the ledger says that something was destroyed."""
    found: dict[_Place, set[tuple[int, int]]] = {}
    for operation in operations:
        if isinstance(operation.body, Destroy):
            for _, anchor in operation.body.anchors:
                found.setdefault(_place(anchor), set()).add((anchor.first_line, anchor.last_line))
    return found


_Place = tuple[str, str, int]


def _place(anchor: StoredAnchor) -> _Place:
    return anchor.source, anchor.stream, anchor.generation


@dataclass(frozen=True, slots=True)
class Proof:
    """Proves citations one by one. `devices` are the ids this home has had, `key` gives None where it is lost."""

    memory: Memory
    mirror: Mirror
    key: Callable[[], bytes | None]
    devices: Collection[str]
    streams: Mapping[_Place, Stream]
    destroyed: Mapping[_Place, Collection[tuple[int, int]]]
    keyless: list[Cited] = field(default_factory=list)
    """Citations whose words could not be proved for want of the key."""

    def of(self, cited: Cited) -> Outcome | Flaw:
        fate = self.memory.entries.fate(cited.event)
        if fate is Fate.DESTROYED:
            return Outcome.DESTROYED
        found = self._lines(cited, fate)
        if not isinstance(found, bytes):
            return found
        return self._words(cited, found, self.memory.entries.said(cited.event))

    # --- the lines ---

    def _lines(self, cited: Cited, fate: Fate) -> bytes | Outcome | Flaw:
        """Return the raw lines, proved to be those that were cited."""
        anchor = cited.citation.anchor
        if anchor is not None and anchor.device in self.devices:
            return self._anchored(cited, anchor, fate)
        if fate is not Fate.VISIBLE:
            return Outcome.ELSEWHERE
        return self._indexed(cited)

    def _anchored(self, cited: Cited, anchor: StoredAnchor, fate: Fate) -> bytes | Outcome | Flaw:
        if not anchor.sha256:
            return Outcome.DESTROYED
        stream = self.streams.get(_place(anchor))
        if stream is None:
            return _flaw("line_missing", cited, "was read in a log that is not kept here; restore it from a backup")
        place = Anchor(cited.event, stream, anchor.first_line, anchor.last_line, anchor.sha256, anchor.part)
        return self._raw(cited, place, is_known=fate is not Fate.UNKNOWN)

    def _indexed(self, cited: Cited) -> bytes | Outcome | Flaw:
        """Return the lines of an event that was read here too: a citation from elsewhere names no place here."""
        resolved = self.memory.index.resolve(cited.event)
        places = self.memory.index.anchors(resolved) if resolved else ()
        return self._raw(cited, places[0], is_known=True) if places else Outcome.ELSEWHERE

    def _raw(self, cited: Cited, place: Anchor, *, is_known: bool) -> bytes | Outcome | Flaw:
        name = _name(place.stream)
        try:
            raw = self.mirror.line(name, place.first_line, place.line)
        except (MirrorDamaged, StoreFailed):
            return _flaw("line_missing", cited, f"stood on line {place.line} of {name}, which can't be read")
        if hashlib.sha256(raw).digest() != place.sha256:
            if self._is_destroyed(place):
                return Outcome.DESTROYED
            return _flaw("line_changed", cited, f"stood on line {place.line} of {name}, which is not what was read")
        if not is_known and not self.memory.entries.on_lines(place):
            return _flaw("event_unresolved", cited, "is answered under no id; run `quoth rebuild`")
        return raw

    def _is_destroyed(self, place: Anchor) -> bool:
        ranges = self.destroyed.get(
            (place.stream.source, f"{place.stream.root}/{place.stream.key}", place.stream.generation), ()
        )
        if any(first <= place.line and last >= place.first_line for first, last in ranges):
            return True
        if any(fate is Fate.DESTROYED for _, fate in self.memory.entries.on_lines(place)):
            return True
        return self.mirror.is_blanked(_name(place.stream), place.first_line, place.line)

    # --- the words ---

    def _words(self, cited: Cited, raw: bytes, event: EventRow | None) -> Outcome | Flaw:
        words = self._exact(cited, event.text if event else None)
        if isinstance(words, Flaw):
            return words
        is_copied = event is None or event.kind not in _TOLD
        if words is not None and is_copied and not stands_in(words, raw):
            return _flaw("quote_not_in_line", cited, "does not hold the quoted words on its raw lines")
        return Outcome.PROVED

    def _exact(self, cited: Cited, text: str | None) -> str | Flaw | None:
        """Return the words that were quoted; None when there are none or nobody can tell them any more."""
        quote, mark = cited.citation.quote, cited.citation.mark
        if mark is None:
            return self._unmarked(cited, quote, text)
        if (key := self.key()) is None:
            self.keyless.append(cited)
            return None
        spanned = text[slice(*cited.citation.span)] if text is not None and cited.citation.span else None
        if spanned is not None and quote_mark(key, spanned) == mark:
            return spanned
        if quote is not None and quote_mark(key, quote) == mark and (text is None or _holds(text, quote)):
            return quote
        return None if text is None else _flaw("quote_changed", cited, "does not hold the words that were quoted")

    def _unmarked(self, cited: Cited, quote: str | None, text: str | None) -> str | Flaw | None:
        """Look for a quote whose mark was made under another key, and so was left out when it was imported."""
        if quote is None or _REDACTED in quote:
            return None
        if text is not None and not _holds(text, quote):
            return _flaw("quote_changed", cited, "does not hold the words that were quoted")
        return None


def _holds(text: str, quote: str) -> bool:
    return fold(quote) in fold(text)


def _name(stream: Stream) -> str:
    return mirror_name(stream.source, stream.root, stream.key, stream.generation)


def _flaw(code: str, cited: Cited, what: str) -> Flaw:
    message = f"Event {cited.event}, cited by entry {cited.entry}, {what}."
    return Flaw(code, message, cited.operation, cited.entry, cited.event)
