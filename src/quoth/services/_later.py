"""Cite later, from the log, the call that wrote an entry which cites nothing."""

from __future__ import annotations

from dataclasses import dataclass

from quoth.services._memory import Memory


@dataclass(frozen=True, slots=True)
class LaterCitations:
    memory: Memory

    def run(self) -> None:
        """Link entries without citations to the calls that wrote them."""
