"""Count what is remembered, and how far each way to find it reaches (HMG-27)."""

from __future__ import annotations

from dataclasses import dataclass

from quoth.core.model import Json
from quoth.services._memory import Memory


@dataclass(frozen=True, slots=True)
class Counting:
    memory: Memory

    def run(self) -> dict[str, Json]:
        """Return `{versions, edges, indexed, acts}`: how much is there, how many versions can be found by meaning,
        words, time and type, and how often somebody did something with memory."""
        self.memory.catch_up()
        found = self.memory.entries.counted()
        return {
            "versions": found.versions,
            "edges": found.edges,
            "indexed": {
                "meaning": 0,  # there are no vectors yet
                "words": found.searchable,
                "time": found.versions,
                "type": found.typed,
            },
            "acts": self.memory.ledger().acts() if self.memory.is_begun() else 0,
        }
