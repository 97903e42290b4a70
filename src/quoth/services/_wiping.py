"""Keep out of the mirror what was purged."""

from __future__ import annotations

from dataclasses import dataclass

from quoth.core.ports import Mirror
from quoth.services._memory import Memory


@dataclass(frozen=True, slots=True)
class Wiping:
    memory: Memory
    mirror: Mirror

    def again(self) -> None:
        """Wipe what was read once more although it was purged."""
