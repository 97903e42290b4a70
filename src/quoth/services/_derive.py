"""Turn the lines of a mirrored stream into batches for the index; ingestion and rebuild share this one way."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection, Iterable, Iterator
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
from quoth.core.ports import Adapter, EndingParser, Mirror
from quoth.core.times import LATEST
from quoth.services import _left_out
from quoth.services._repeated import without_ours

_EVENTS = 2_000  # of one batch: keeps a transaction short and memory flat
_CHARACTERS = 4_000_000
_LINES_BETWEEN = 64  # that may stand inside a message which comes in chunks


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
        left_out = _left_out.of(memory)
        pending, number, offset = _Pending(), self.state.progress.lines, self.state.progress.offset
        feed, joined = parser.feed, _Joined(lambda first, last: self.mirror.line(self.name, first, last))
        for line, offset in self._lines():
            number = line.number
            joined.add(line)
            if self.state.stream.form is Form.ROWS and _left_out.is_note(line.data):
                left_out = _left_out.after(line.data, left_out)
                if line.data == _left_out.AGAIN:
                    parser = self.adapter.parser(self.state.stream)
                    feed = parser.feed
                continue
            self._add(pending, line, feed(line), clock, joined)
            if pending.is_full:
                yield self._batch(pending, Progress(number, offset, _memory(parser.state(), clock, left_out), None))
                pending = _Pending()
        if self.state.stream.form is Form.FILE and isinstance(parser, EndingParser):
            self._add(pending, joined.last, parser.end(), clock, joined)
        yield self._batch(pending, Progress(number, offset, _memory(parser.state(), clock, left_out), self.signature))

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

    def _add(self, pending: _Pending, line: Line, facts: Iterable[Fact], clock: _Clock, joined: _Joined) -> None:
        digest = b""
        for fact in facts:
            match fact:
                case Event():
                    digest = digest or hashlib.sha256(line.data).digest()
                    pending.events.append(_located(without_ours(fact), joined.digest(fact) or digest, clock))
                    pending.characters += len(fact.text)
                case Reclassified():
                    pending.reclassified.append(fact)
                case Titled():
                    pending.titles.append(fact)
                case Opened():
                    pending.opened.append(fact)
                case Unread():
                    pending.unread.append(fact)

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


def _located(event: Event, digest: bytes, clock: _Clock) -> Located:
    time, time_from = clock.read(event.time)
    return Located(event, digest, time, time_from)


class _Joined:
    """Hashes the lines of events that have several, line by line: a message may come in a thousand chunks.

    `read(first, last)` gives lines that went by before, joined by LF.
    """

    def __init__(self, read: Callable[[int, int], bytes]) -> None:
        self._read = read
        self._first = self._asked = 0
        self._two = (Line(0, b""), Line(0, b""))
        self._hashed = hashlib.sha256()

    def add(self, line: Line) -> None:
        """Take the next line; long after the last question nothing is hashed any more."""
        self._two = (self._two[1], line)
        if self._first and line.number > self._asked + _LINES_BETWEEN:
            self._first = 0
        if self._first:
            self._hashed.update(b"\n")
            self._hashed.update(line.data)

    @property
    def last(self) -> Line:
        return self._two[1]

    def digest(self, event: Event) -> bytes:
        """Return the hash of the lines of an event, of which the last was just added; nothing when it has only that."""
        if event.first_line is None or event.first_line >= event.line:
            return b""
        if event.first_line != self._first:
            self._first, self._hashed = event.first_line, hashlib.sha256(self._lines(event))
        self._asked = event.line
        return self._hashed.copy().digest()

    def _lines(self, event: Event) -> bytes:
        before, last = self._two
        is_pair = before.number == event.first_line and before.number + 1 == last.number == event.line
        return b"\n".join((before.data, last.data)) if is_pair else self._read(event.first_line or 0, event.line)


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


def _memory(parser: Json, clock: _Clock, left_out: Collection[str]) -> Json:
    return {"time": clock.last, "parser": parser, **_left_out.remembered(left_out)}
