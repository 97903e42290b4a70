"""Turn the lines of a mirrored stream into batches for the index; ingestion and rebuild share this one way."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from quoth.core.model import (
    Batch,
    Event,
    Fact,
    Form,
    Json,
    Line,
    Located,
    Opened,
    Progress,
    Reclassified,
    Signature,
    StreamState,
    Titled,
    Unread,
)
from quoth.core.names import mirror_name
from quoth.core.ports import Adapter, Mirror
from quoth.core.times import LATEST

_EVENTS = 2_000  # of one batch: keeps a transaction short and memory flat
_CHARACTERS = 4_000_000


@dataclass(slots=True)
class _Pending:
    events: list[Located] = field(default_factory=list)
    reclassified: list[Reclassified] = field(default_factory=list)
    titles: list[Titled] = field(default_factory=list)
    opened: list[Opened] = field(default_factory=list)
    unread: list[Unread] = field(default_factory=list)
    characters: int = 0

    @property
    def is_full(self) -> bool:
        return len(self.events) >= _EVENTS or len(self.unread) >= _EVENTS or self.characters >= _CHARACTERS


@dataclass(frozen=True, slots=True)
class Derivation:
    """Reads one stream from where the index stopped. `signature` is what the file was like before it was mirrored."""

    adapter: Adapter
    mirror: Mirror
    state: StreamState
    signature: Signature | None

    def batches(self) -> Iterator[Batch]:
        """Yield what the unread lines say; the last batch alone carries the signature, so a killed pass goes on."""
        remembered = self.state.progress.parser
        memory = remembered if isinstance(remembered, dict) else {}
        parser = self.adapter.parser(self.state.stream, memory.get("parser"))
        clock = _Clock(self.state.stream.mtime, memory.get("time"))
        pending, number, offset = _Pending(), self.state.progress.lines, self.state.progress.offset
        feed = parser.feed
        for line, offset in self._lines():
            number = line.number
            self._add(pending, line, feed(line), clock)
            if pending.is_full:
                yield self._batch(pending, Progress(number, offset, _memory(parser.state(), clock), None))
                pending = _Pending()
        yield self._batch(pending, Progress(number, offset, _memory(parser.state(), clock), self.signature))

    def _lines(self) -> Iterator[tuple[Line, int]]:
        """Yield the complete lines; a file that is replaced as a whole needs no LF at its end."""
        begun = self.state.progress
        number, offset = begun.lines, begun.offset
        for line, end in self.mirror.lines(self.name, offset=begun.offset, number=begun.lines):
            number, offset = line.number, end
            yield line, end
        if self.state.stream.form is Form.FILE and self.mirror.size(self.name) > offset:
            rest = b"".join(self.mirror.read(self.name, offset))
            yield Line(number + 1, rest), offset + len(rest)

    @property
    def name(self) -> str:
        stream = self.state.stream
        return mirror_name(stream.source, stream.root, stream.key, stream.generation)

    def _add(self, pending: _Pending, line: Line, facts: Iterable[Fact], clock: _Clock) -> None:
        digest = b""
        for fact in facts:
            match fact:
                case Event():
                    digest = digest or hashlib.sha256(line.data).digest()
                    pending.events.append(self._located(fact, digest, clock))
                    pending.characters += len(fact.text)
                case Reclassified():
                    pending.reclassified.append(fact)
                case Titled():
                    pending.titles.append(fact)
                case Opened():
                    pending.opened.append(fact)
                case Unread():
                    pending.unread.append(fact)

    def _located(self, event: Event, digest: bytes, clock: _Clock) -> Located:
        if event.first_line is not None and event.first_line < event.line:
            digest = hashlib.sha256(self.mirror.line(self.name, event.first_line, event.line)).digest()
        time, time_from = clock.read(event.time)
        return Located(event, digest, time, time_from)

    def _batch(self, pending: _Pending, progress: Progress) -> Batch:
        return Batch(
            self.state.stream,
            progress,
            pending.events,
            pending.reclassified,
            pending.titles,
            pending.opened,
            pending.unread,
        )


class _Clock:
    """Gives every event an instant: its own, else that of the record before it, else when the file was written."""

    def __init__(self, mtime: int, last: Json) -> None:
        self._mtime = mtime
        self.last = last if isinstance(last, int) else None

    def read(self, said: int | None) -> tuple[int, str]:
        if said is not None and 0 < said <= LATEST:
            self.last = said
            return said, "record"
        return (self._mtime, "file") if self.last is None else (self.last, "inherited")


def _memory(parser: Json, clock: _Clock) -> Json:
    return {"time": clock.last, "parser": parser}
