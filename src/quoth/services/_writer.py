"""Write batches into the index in transactions of a good size, after the bytes they came from are on the disk."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from quoth.core.model import Batch
from quoth.core.ports import Index, Meter

_EVENTS = 2_000  # of one transaction: short enough for others to write in between
_CHARACTERS = 4_000_000


@dataclass(slots=True)
class Writer:
    """Collects the batches of many small logs. `before` runs ahead of each transaction, `counted(batch, new)` after."""

    index: Index
    meter: Meter
    before: Callable[[], None]
    counted: Callable[[Batch, int], None]
    _waiting: list[tuple[Batch, int]] = field(default_factory=list)
    _events: int = 0
    _characters: int = 0

    def add(self, batch: Batch, *, read: int) -> None:
        """Take a batch made of `read` bytes; what waits is written once it is enough."""
        self._waiting.append((batch, read))
        self._events += len(batch.events) + len(batch.unread)
        self._characters += sum(len(located.event.text) for located in batch.events)
        if self._events >= _EVENTS or self._characters >= _CHARACTERS:
            self.flush()

    def flush(self) -> None:
        """Write everything that waits, in one transaction."""
        waiting, self._waiting = self._waiting, []
        self._events = self._characters = 0
        if not waiting:
            return
        self.before()
        new = self.index.put([batch for batch, _ in waiting])
        for (batch, read), count in zip(waiting, new, strict=True):
            self.counted(batch, count)
            self.meter.advance(read=read, events=count)
