"""Get: one event in full, or an entry with what it cites and its history (QUO-4, ORI-43 to 45)."""

from __future__ import annotations

from dataclasses import dataclass

from quoth.core.errors import Forgotten
from quoth.core.ids import EventId
from quoth.core.memory import EntryRow
from quoth.core.model import EventRow, Json
from quoth.services._entry_shapes import HELD, cited_shape, detailed_shape, doubt_shape, version_shape
from quoth.services._memory import Memory, is_entry_id
from quoth.services._shapes import event_shape

_TEXT = 20_000  # characters of an event's text (ORI-45)


@dataclass(frozen=True, slots=True)
class Get:
    memory: Memory

    def run(self, given: str, *, limit: int = _TEXT) -> dict[str, Json]:
        """Return an event with its directory, branch and the agent's version, or `{entry, sources, history}`.

        Any spelling of an entry's id will do, and an id that became an alias of an event.

        Raises:
            UnknownId, Ambiguous: nothing has that id, or several entries do.
            Forgotten: it is forgotten, or held back.
        """
        return self._entry(given) if is_entry_id(given) else self._event(given, limit)

    def _event(self, given: str, limit: int) -> dict[str, Json]:
        event = self.memory.event(given)
        return {
            **event_shape(event, limit=limit),
            "cwd": event.cwd,
            "git_branch": event.git_branch,
            "agent_version": event.agent_version,
        }

    def _entry(self, given: str) -> dict[str, Json]:
        row = self.memory.entry(given)
        if row.state in HELD:
            raise Forgotten(given)
        return {
            "entry": {**detailed_shape(row), **doubt_shape(row, self.memory.entries)},
            "sources": [cited_shape(each, self._cited(each.event), key=self.memory.key) for each in row.cites],
            "history": [version_shape(each) for each in self._versions(row)],
        }

    def _cited(self, event: EventId) -> EventRow | None:
        known = self.memory.index.resolve(event)
        return self.memory.index.event(known) if known else None

    def _versions(self, row: EntryRow) -> list[EntryRow]:
        return list(self.memory.entries.history(row.root))
