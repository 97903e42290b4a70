"""Count what is remembered, and how far each way to find it reaches (HMG-27)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from quoth.core.model import Json
from quoth.services._embedding import Progress
from quoth.services._memory import Memory


@dataclass(frozen=True, slots=True)
class Counting:
    """`progress` is how far embedding is; None where no embedder is used."""

    memory: Memory
    progress: Callable[[], Progress | None]

    def run(self) -> dict[str, Json]:
        """Return `{versions, edges, indexed, acts}`: how much is there, how many versions can be found by meaning,
        words, time and type, and how often somebody did something with memory."""
        self.memory.catch_up()
        found = self.memory.entries.counted()
        return {
            "versions": found.versions,
            "edges": found.edges,
            "indexed": {
                "meaning": self._embedded(found.searchable),
                "words": found.searchable,
                "time": found.versions,
                "type": found.typed,
            },
            "acts": self.memory.ledger().acts() if self.memory.is_begun() else 0,
        }

    def _embedded(self, searchable: int) -> int:
        """Return how many of the versions have a vector, rather too few than too many.

        Only the worker can look; it notes how many texts have one. What is remembered is embedded before what was
        said, so that what is missing is remembered only where it is new.
        """
        progress = self.progress() if searchable else None
        if progress is None:
            return 0
        missing = progress.total - progress.embedded
        return searchable - missing if missing < searchable else min(searchable, progress.embedded)
