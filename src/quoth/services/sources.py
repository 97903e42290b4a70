"""Sources: the raw lines behind an event or an entry, with the files they came from (QUO-4, ORI-46, ORI-47)."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from quoth.core.errors import Forgotten, MirrorDamaged
from quoth.core.ids import EventId
from quoth.core.ledger.values import Citation
from quoth.core.memory import Fate
from quoth.core.model import Anchor, EventRow, Json
from quoth.core.names import mirror_name
from quoth.core.ports import Mirror
from quoth.core.snippet import cut
from quoth.core.times import local_iso
from quoth.services._entry_shapes import HELD, exact_words
from quoth.services._memory import Memory, is_entry_id

_RAW = 4_000  # characters of a raw line (ORI-46)
_WITHHELD = "[withheld: a forgotten event is on this line]"
_ELSEWHERE = "[the log of this event is not on this device]"
_HIDDEN = frozenset({Fate.FORGOTTEN, Fate.DESTROYED})


@dataclass(frozen=True, slots=True)
class Sources:
    memory: Memory
    mirror: Mirror
    home: Path

    def run(self, given: str, *, limit: int | None = _RAW) -> list[dict[str, Json]]:
        """Return where an event was read, one item per place, the owning one first; or what an entry cites, one item
        per event. `limit=None` gives whole lines.

        Raises:
            UnknownId, Ambiguous: nothing has that id, or several entries do.
            Forgotten: it is forgotten, or held back.
            MirrorDamaged: the mirror does not hold the bytes that the index read there.
        """
        if is_entry_id(given):
            return self._entry(given, limit)
        event = self.memory.event(given)
        return [self._item(event, anchor, limit, None) for anchor in self.memory.index.anchors(event.id)]

    def _entry(self, given: str, limit: int | None) -> list[dict[str, Json]]:
        row = self.memory.entry(given)
        if row.state in HELD:
            raise Forgotten(given)
        return [self._cited(citation, limit) for citation in _by_event(row.cites).values()]

    def _cited(self, citation: Citation, limit: int | None) -> dict[str, Json]:
        index = self.memory.index
        known = index.resolve(citation.event)
        event = index.event(known) if known else None
        places = index.anchors(event.id) if event else ()
        if event is None or not places:
            return _elsewhere(citation)
        return self._item(event, places[0], limit, exact_words(citation, event, key=self.memory.key))

    def _item(self, event: EventRow, anchor: Anchor, limit: int | None, quote: str | None) -> dict[str, Json]:
        name = stream_file(anchor)
        is_withheld = any(fate in _HIDDEN for _, fate in self.memory.entries.on_lines(anchor))
        raw = _WITHHELD if is_withheld else self._raw(name, anchor)
        return {
            "event_id": event.id,
            "time": local_iso(event.time),
            "quote": quote,
            "original_file": anchor.stream.path,
            "mirror_file": str(self.home / name),
            "line": anchor.first_line,
            "raw": raw if limit is None else cut(raw, limit),
            "generation": anchor.stream.generation,
            "lines": anchor.line - anchor.first_line + 1,
            # A hash would let somebody try what a line said that is withheld.
            **({"sha256": None, "withheld": True} if is_withheld else {"sha256": anchor.sha256.hex()}),
        }

    def _raw(self, name: str, anchor: Anchor) -> str:
        raw = self.mirror.line(name, anchor.first_line, anchor.line)
        if hashlib.sha256(raw).digest() != anchor.sha256 and not self._is_blanked(name, anchor):
            raise MirrorDamaged(name, f"line {anchor.line} is not what was read")
        return raw.decode("utf-8", "replace")

    def _is_blanked(self, name: str, anchor: Anchor) -> bool:
        """Tell whether something else on these lines was purged after the index had read them."""
        return self.mirror.is_blanked(name, anchor.first_line, anchor.line)


def stream_file(anchor: Anchor) -> str:
    """Return the mirror name of the stream an anchor points into."""
    stream = anchor.stream
    return mirror_name(stream.source, stream.root, stream.key, stream.generation)


def _by_event(citations: tuple[Citation, ...]) -> Mapping[EventId, Citation]:
    """Return one citation of each event, in order; the first that quotes it."""
    chosen: dict[EventId, Citation] = {}
    for citation in citations:
        if citation.event not in chosen or (chosen[citation.event].quote is None and citation.quote is not None):
            chosen[citation.event] = citation
    return chosen


def _elsewhere(citation: Citation) -> dict[str, Json]:
    """Describe a cited event whose log is on another device by what the citation says of it."""
    anchor = citation.anchor
    root, _, key = anchor.stream.partition("/") if anchor else ("", "", "")
    return {
        "event_id": citation.event,
        "time": None,
        "quote": citation.quote,
        "original_file": key,
        "mirror_file": mirror_name(anchor.source, root, key, anchor.generation) if anchor else "",
        "line": anchor.first_line if anchor else 0,
        "raw": _ELSEWHERE,
        "generation": anchor.generation if anchor else 1,
        "lines": anchor.last_line - anchor.first_line + 1 if anchor else 1,
        "sha256": anchor.sha256.hex() if anchor else None,
    }
