"""Get: one event in full (QUO-4, ORI-45)."""

from __future__ import annotations

from dataclasses import dataclass

from quoth.core.errors import UnknownId
from quoth.core.model import EventRow, Json
from quoth.core.ports import Index
from quoth.services._memory import Memory
from quoth.services._shapes import event_shape

_TEXT = 20_000  # characters of an event's text (ORI-45)


@dataclass(frozen=True, slots=True)
class Get:
    memory: Memory

    def run(self, given: str, *, limit: int = _TEXT) -> dict[str, Json]:
        """Return the event with its directory, branch and the agent's version; an id that became an alias works too.

        Raises:
            UnknownId: no event has or had that id.
        """
        event = known_event(self.memory.index, given)
        return {
            **event_shape(event, limit=limit),
            "cwd": event.cwd,
            "git_branch": event.git_branch,
            "agent_version": event.agent_version,
        }


def known_event(index: Index, given: str) -> EventRow:
    """Return the event an id or alias names, or raise `UnknownId`."""
    known = index.resolve(given)
    event = index.event(known) if known else None
    if event is None:
        raise UnknownId(given)
    return event
