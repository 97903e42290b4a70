"""Know which spoken messages stand beside each other in a session, as far as the caller looked."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from quoth.core.candidates import Beside, EventHit
from quoth.core.ids import EventId


class Sessions:
    """Chains of messages, put together from the neighbours that are known of some."""

    def __init__(self, beside: Mapping[EventId, Beside]) -> None:
        self._beside = beside
        self._before: dict[EventId, EventId] = {}
        self._after: dict[EventId, EventId] = {}
        for event, (before, after) in beside.items():
            if before:
                self._join(before.id, event)
            if after:
                self._join(event, after.id)

    def neighbours(self) -> Iterator[EventHit]:
        """Yield the neighbours, each as often as it was met."""
        return (hit for pair in self._beside.values() for hit in pair if hit)

    def events(self) -> list[EventId]:
        """Return the events that have a neighbour, in an order that says nothing."""
        return sorted(self._before.keys() | self._after.keys())

    def around(self, event: EventId) -> tuple[list[EventId], list[EventId]]:
        """Return the messages one place away, and those two places away."""
        before, after = self._before.get(event), self._after.get(event)
        first = [other for other in (before, after) if other]
        further = (before and self._before.get(before), after and self._after.get(after))
        return first, [other for other in further if other]

    def _join(self, before: EventId, after: EventId) -> None:
        self._after[before] = after
        self._before[after] = before
