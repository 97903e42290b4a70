"""Entries of the agents' own memory files."""

from __future__ import annotations

from dataclasses import dataclass

from quoth.services._memory import Memory
from quoth.services._placing import Placing


@dataclass(frozen=True, slots=True)
class NativeMemory:
    memory: Memory
    placing: Placing

    def run(self) -> None:
        """Bring the entries up to date with the memory files that were read."""
