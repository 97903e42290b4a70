"""List what is remembered by who owns it and how it is tagged, exactly (MMC-7)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from quoth.core.ids import SHORTEST_TAIL, EntryId, tail
from quoth.core.memory import EntryFilter, EntryRow, MemoryIndex
from quoth.services._memory import Memory

_ALL = 2**31 - 1  # the contract knows no limit


@dataclass(frozen=True, slots=True)
class Facts:
    memory: Memory

    def run(self, *, agent: str | None = None, tag: str | None = None) -> Sequence[EntryRow]:
        """Return the entries that are so now and have an owner (`core.owners`) and a tag, the newest first."""
        self.memory.catch_up()
        where = EntryFilter(now=self.memory.clock.now(), agent=agent)
        rows = self.memory.entries.recent(where, limit=_ALL, offset=0)
        return rows if tag is None else [row for row in rows if tag in _tags(row)]


def short_id(entries: MemoryIndex, entry: EntryId) -> str:
    """Return the shortest ending of an id, of at least eight digits, that no other version has (DESIGN §3)."""
    return tail(entry, entries.find(entry[-SHORTEST_TAIL:]))


def _tags(row: EntryRow) -> Sequence[str]:
    return row.version.statement.tags if row.version.statement else ()
