"""Recognise the copy of its parent's history that the file of a fork or subagent begins with.

The copy has the times of the copying, so that times and ids can't tell it. What can:

- `subagent_history_start_ordinal` of the file's own header, when there is one;
- a header of another thread: a copy follows it;
- the id of a turn, a UUID of version 7: turns of the parent were begun before the thread of the file was made. This
  alone tells a copy in a migrated file, which has lost both the ordinal and the other header;
- for want of these, a gap: a copy is written in one go, so that a record over a second (a minute, where turns of the
  parent were seen) after the last copied one is the thread's own. A second too short shows words twice, too long hides
  a thread's first injected records.
"""

from __future__ import annotations

from dataclasses import dataclass

from quoth.sources._codex_values import Entry
from quoth.sources._values import minted_at, name, number, text

_GAP = 1_000
_GAP_BESIDE_OLD_TURNS = 60_000


@dataclass(slots=True)
class Replay:
    """Remembers whether copies are being read. `is_armed`: the file may hold a copy, its own part has not begun."""

    born: int | None = None
    start: int | None = None
    is_armed: bool = False
    is_copying: bool = False
    copied_at: int | None = None
    gap: int = _GAP

    def opened(self, header: Entry, thread: str, *, forked: bool) -> None:
        """Take note of the file's own header."""
        self.born = minted_at(thread)
        self.start = number(header.payload, "subagent_history_start_ordinal")
        self.is_armed = forked

    def is_copy(self, found: Entry, thread: str) -> bool:
        if self.start is not None and found.ordinal is not None:
            return self._is_before_start(found.ordinal)
        if found.kind == "session_meta":
            return self._is_foreign(found, thread)
        if turn := minted_at(text(found.payload, "turn_id")):
            self._met_turn(turn)
        if not self.is_copying or self._is_late(found):
            self.is_copying = False
            return False
        return self._copied(found)

    def _is_before_start(self, ordinal: int) -> bool:
        if self.start is None or ordinal < self.start:
            return True
        self.start, self.is_copying, self.is_armed = None, False, False
        return False

    def _is_foreign(self, found: Entry, thread: str) -> bool:
        self.is_copying = name(found.payload, "id") not in {"", thread}
        self.is_armed = self.is_armed or self.is_copying
        return self.is_copying and self._copied(found)

    def _met_turn(self, turn: int) -> None:
        if self.born is None or not self.is_armed:
            return
        if turn < self.born:
            self.gap = _GAP_BESIDE_OLD_TURNS
            self.is_copying, self.copied_at = True, None
        else:
            self.is_armed = self.is_copying = False

    def _is_late(self, found: Entry) -> bool:
        return None not in (found.time, self.copied_at) and (found.time or 0) - (self.copied_at or 0) > self.gap

    def _copied(self, found: Entry) -> bool:
        if found.time is not None:
            self.copied_at = max(found.time, self.copied_at or 0)
        return True
