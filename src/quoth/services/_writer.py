"""Write batches into the index in transactions of a good size, after the bytes they came from are on the disk."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import TypeAlias

from quoth.core.model import Batch
from quoth.core.ports import Index, Meter

_EVENTS = 2_000  # of one transaction: short enough for others to write in between
_CHARACTERS = 4_000_000

_Group: TypeAlias = Sequence[tuple[Batch, int]]  # each with how many bytes it was made of


@dataclass(slots=True)
class Writer:
    """Collects the batches of many small logs. `forcing` makes the work that has to be done ahead of a transaction with
    what was added until then, `counted(batch, new)` runs after it.

    A disk takes its time: one group is forced onto it while the group before is written and the next one is made.
    """

    index: Index
    meter: Meter
    forcing: Callable[[], Callable[[], None]]
    counted: Callable[[Batch, int], None]
    _forcer: ThreadPoolExecutor = field(default_factory=lambda: ThreadPoolExecutor(1))
    _waiting: list[tuple[Batch, int]] = field(default_factory=list)
    _events: int = 0
    _characters: int = 0
    _forced: tuple[_Group, Future[None]] | None = None

    def add(self, batch: Batch, *, read: int) -> None:
        """Take a batch made of `read` bytes; what waits is written once it is enough."""
        self._waiting.append((batch, read))
        self._events += len(batch.events) + len(batch.unread)
        self._characters += sum(len(located.event.text) for located in batch.events)
        if self._events >= _EVENTS or self._characters >= _CHARACTERS:
            self._close()

    def flush(self) -> None:
        """Write everything that waits."""
        if self._waiting:
            self._close()
        before, self._forced = self._forced, None
        self._write(before)

    def _close(self) -> None:
        """Begin to force the group that is complete, and write the one before."""
        group, self._waiting = self._waiting, []
        self._events = self._characters = 0
        before, self._forced = self._forced, None  # when writing fails, neither is written: the next pass reads both
        forced = self._forcer.submit(self.forcing())
        self._write(before)
        self._forced = group, forced

    def _write(self, forced: tuple[_Group, Future[None]] | None) -> None:
        if forced is None:
            return
        group, on_disk = forced
        on_disk.result()
        new = self.index.put([batch for batch, _ in group])
        for (batch, read), count in zip(group, new, strict=True):
            self.counted(batch, count)
            self.meter.advance(read=read, events=count)
