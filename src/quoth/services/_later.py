"""Cite later, from the log, the call that wrote an entry which cites nothing.

Not every contract lets an agent say where its words come from. Its log does: the call of our own tool holds the text.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from quoth.core.errors import MirrorDamaged
from quoth.core.ids import DeviceId, EntryId, EventId, SourceId
from quoth.core.ledger import quotes
from quoth.core.ledger.entries import State
from quoth.core.ledger.operations import Assert, Draft, citing
from quoth.core.ledger.values import Citation, Statement, StoredAnchor
from quoth.core.memory import EntryRow, MemoryIndex
from quoth.core.model import EventRow
from quoth.core.names import mirror_name
from quoth.core.ports import Mirror
from quoth.core.redact import redact
from quoth.core.speaker import PERSON
from quoth.services._memory import Memory

_NOTE = "later citations"
_AGE = 7 * 86_400_000  # milliseconds; an entry that is older is not looked for any more
_BEFORE, _AFTER = 600_000, 86_400_000  # around the instant when the entry was written
_REDACTED = "[REDACTED:"
_LEVELS = 3  # JSON inside a string of JSON, once more inside a line of JSON
_ESCAPED = re.compile(r"\\(?:u([0-9a-fA-F]{4})|(.))", re.DOTALL)
_MEANT = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}


@dataclass(frozen=True, slots=True)
class LaterCitations:
    """`sources` are the agents whose logs are read: an entry of one of them was written by a call in its own log."""

    memory: Memory
    mirror: Mirror
    sources: Collection[SourceId]
    _looked_at: dict[EntryId, set[EventId]] = field(default_factory=dict)

    def run(self) -> None:
        """Link entries without citations to the calls that wrote them; a note says when there is nothing new to link.

        Most passes read no call of ours, and reading every entry for them would take longer than the pass.
        """
        entries = self.memory.entries
        call, cursor, oldest = entries.newest_own_call(), entries.cursor(), self.memory.clock.now() - _AGE
        match self.memory.index.noted(_NOTE):
            case [int(known), int(shown)] if (known, shown) == (call, cursor):
                return
            case [int(known), int(shown)] if known == call and shown < cursor:
                self._link(entries, self._written_since(shown, oldest))
            case _:
                rows = entries.uncited(since=oldest)
                for gone in self._looked_at.keys() - {row.id for row in rows}:
                    del self._looked_at[gone]
                self._link(entries, rows)
        self.memory.index.note(_NOTE, [call, cursor])

    def _written_since(self, cursor: int, oldest: int) -> Sequence[EntryRow]:
        """Return what was written behind a cursor and cites nothing: no call is new, so no other entry gets one."""
        store, rows = self.memory.ledger(), list[EntryRow]()
        while new := store.since(cursor):
            bodies = [each.operation.body for each in new]
            written = [self.memory.entries.version(body.entry) for body in bodies if isinstance(body, Assert)]
            rows += [row for row in written if row and row.state is State.CURRENT and not row.version.cites]
            cursor = new[-1].cursor
        return [row for row in rows if row.version.created_at >= oldest]

    def _link(self, entries: MemoryIndex, uncited: Iterable[EntryRow]) -> None:
        rows = [row for row in uncited if self._is_sought(row)]
        if not rows:
            return
        first = min(row.version.created_at for row in rows)
        calls = [_Call(event) for event in entries.own_calls(since=first - _BEFORE)]
        for row in rows:
            if call := self._writer_of(row, _near(calls, row.version.created_at)):
                self._cite(row, call.event)

    def _is_sought(self, row: EntryRow) -> bool:
        """Tell whether an agent wrote an entry on this device."""
        said = row.version.statement
        return (
            said is not None
            and not said.imported
            and _agent(said) != PERSON
            and row.version.device in self.memory.journal.devices()
        )

    def _writer_of(self, row: EntryRow, calls: Iterable[_Call]) -> _Call | None:
        """Return the call that holds an entry's text and is the nearest to the instant when it was written."""
        said, at = row.version.statement, row.version.created_at
        if said is None:
            return None
        looked_at = self._looked_at.setdefault(row.id, set())
        new = [call for call in calls if call.event.id not in looked_at and self._may_be(said, call)]
        looked_at.update(call.event.id for call in new)
        for call in sorted(new, key=lambda call: abs(call.event.time - at)):
            if call.holds(said.text) or _Call(call.event, self._line(call.event)).holds(said.text):
                return call
        return None

    def _may_be(self, said: Statement, call: _Call) -> bool:
        agent = _agent(said)
        return agent not in self.sources or agent == call.event.source

    def _line(self, event: EventRow) -> str:
        """Return the raw lines of a call: its text may leave out what was long."""
        for anchor in self.memory.index.anchors(event.id)[:1]:
            stream = anchor.stream
            name = mirror_name(stream.source, stream.root, stream.key, stream.generation)
            try:
                return self.mirror.line(name, anchor.first_line, anchor.line).decode("utf-8", "replace")
            except MirrorDamaged:  # `quoth doctor` tells
                return ""
        return ""

    def _cite(self, row: EntryRow, event: EventRow) -> None:
        """Append the citation, unless another process was faster."""
        said = row.version.statement
        with self.memory.deciding():
            present = self.memory.entries.version(row.id)
            if said is not None and present is not None and not present.version.cites:
                cite = citing(row.id, row.root, [Citation(event.id, anchor=self._anchor(event))])
                self.memory.append([Draft(cite, said.author)])

    def _anchor(self, event: EventRow) -> StoredAnchor | None:
        place = next(iter(self.memory.index.anchors(event.id)), None)
        return StoredAnchor.of(place, DeviceId(self.memory.journal.device()[0])) if place else None


@dataclass(slots=True)
class _Call:
    """A call of our own tools, with its words as they were meant, however often they were escaped."""

    event: EventRow
    text: str = ""
    _folded: dict[bool, Sequence[str]] = field(default_factory=dict)

    def holds(self, text: str) -> bool:
        """Tell whether the call holds an entry's text; one that was redacted is sought in the redacted call."""
        wanted, is_redacted = quotes.fold(text), _REDACTED in text
        if is_redacted not in self._folded:
            self._folded[is_redacted] = [
                quotes.fold(redact(said).text if is_redacted else said) for said in self._said()
            ]
        return bool(wanted) and any(wanted in folded for folded in self._folded[is_redacted])

    def _said(self) -> Iterator[str]:
        said = self.text or self.event.text
        for _ in range(_LEVELS):
            yield said
            said = _paired(_ESCAPED.sub(_meant, said))


def _near(calls: Sequence[_Call], at: int) -> Sequence[_Call]:
    """Return those of some calls, the oldest first, that may have written what was written at an instant."""
    first = bisect_left(calls, at - _BEFORE, key=lambda call: call.event.time)
    return calls[first : bisect_right(calls, at + _AFTER, key=lambda call: call.event.time)]


def _meant(found: re.Match[str]) -> str:
    return chr(int(found[1], 16)) if found[1] else _MEANT.get(found[2], found[2])


def _paired(said: str) -> str:
    """Join the two halves in which JSON escapes a character beyond the first plane."""
    return said.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _agent(said: Statement) -> str:
    return said.author.rpartition("@")[0]
