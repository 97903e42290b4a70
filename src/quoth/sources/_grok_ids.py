"""Make the ids of Grok Build's records; `grok` states the rule."""

from __future__ import annotations

from dataclasses import dataclass, field

from quoth.core.ids import digest16

_MOST = 1_000  # hashes remembered of one stamp; only logs without any stamp have more


@dataclass(slots=True)
class Ids:
    """Remembers the last stamp and counts the hashes under it."""

    stamp: str = ""
    hashes: dict[str, int] = field(default_factory=dict)

    def saw(self, stamp: str) -> None:
        """Take note of a record's stamp; one that has none belongs to the record before it."""
        if stamp and stamp != self.stamp:
            self.stamp, self.hashes = stamp, {}

    def of(self, label: str, words: str = "") -> str:
        hashed = digest16(self.stamp.encode(), label.encode(), words.encode())
        count = self.hashes[hashed] = self.hashes.pop(hashed, 0) + 1
        if len(self.hashes) > _MOST:
            del self.hashes[next(iter(self.hashes))]
        return hashed if count == 1 else f"{hashed}#{count}"
