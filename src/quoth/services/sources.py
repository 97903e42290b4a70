"""Sources: the raw lines behind an event, with the file they came from (QUO-4, ORI-46, ORI-47)."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path

from quoth.core.errors import MirrorDamaged
from quoth.core.model import Anchor, EventRow, Json
from quoth.core.names import mirror_name
from quoth.core.ports import Mirror
from quoth.core.snippet import cut
from quoth.core.times import local_iso
from quoth.services._memory import Memory
from quoth.services.get import known_event

_RAW = 4_000  # characters of a raw line (ORI-46)


@dataclass(frozen=True, slots=True)
class Sources:
    memory: Memory
    mirror: Mirror
    home: Path

    def run(self, given: str, *, limit: int | None = _RAW) -> list[dict[str, Json]]:
        """Return one item per place where the event was read, the owning one first; `limit=None` gives whole lines.

        Raises:
            UnknownId: no event has or had that id.
            MirrorDamaged: the mirror does not hold the bytes that the index read there.
        """
        event = known_event(self.memory.index, given)
        return [self._item(event, anchor, limit) for anchor in self.memory.index.anchors(event.id)]

    def _item(self, event: EventRow, anchor: Anchor, limit: int | None) -> dict[str, Json]:
        name = stream_file(anchor)
        raw = self.mirror.line(name, anchor.first_line, anchor.line)
        if hashlib.sha256(raw).digest() != anchor.sha256:
            raise MirrorDamaged(name, f"line {anchor.line} is not what was read")
        text = raw.decode("utf-8", "replace")
        return {
            "event_id": event.id,
            "time": local_iso(event.time),
            "quote": None,
            "original_file": anchor.stream.path,
            "mirror_file": str(self.home / name),
            "line": anchor.first_line,
            "raw": text if limit is None else cut(text, limit),
            "generation": anchor.stream.generation,
            "lines": anchor.line - anchor.first_line + 1,
            "sha256": anchor.sha256.hex(),
        }


def stream_file(anchor: Anchor) -> str:
    """Return the mirror name of the stream an anchor points into."""
    stream = anchor.stream
    return mirror_name(stream.source, stream.root, stream.key, stream.generation)
