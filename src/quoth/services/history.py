"""History: every version of an entry, forks included, and why each was written."""

from __future__ import annotations

from dataclasses import dataclass

from quoth.core.errors import Forgotten
from quoth.core.model import Json
from quoth.services._entry_shapes import entry_shape
from quoth.services._memory import GONE, Memory


@dataclass(frozen=True, slots=True)
class History:
    memory: Memory

    def run(self, given: str) -> dict[str, Json]:
        """Return `{root, versions}`, the oldest version first; words that are held back or gone are not shown.

        Raises:
            UnknownId, Ambiguous: the id names no entry, or several.
            Forgotten: the entry is forgotten or destroyed.
        """
        root = self.memory.any_entry(given).root
        versions = self.memory.entries.history(root)
        if all(row.state in GONE for row in versions):
            raise Forgotten(given)
        return {"root": root, "versions": [{**entry_shape(row), "reason": row.version.reason} for row in versions]}
