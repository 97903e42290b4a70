"""Find the lines of the mirror that hold what is purged, stream by stream."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from quoth.core.blanking import Wanted
from quoth.core.ids import EventId, SourceId
from quoth.core.model import Event, Form, Stream
from quoth.core.ports import Adapter, Meter, Mirror
from quoth.services._erasing import Erased, Erasing, all_lines, name_of
from quoth.services._memory import Memory
from quoth.services._wiping import adapter_of


@dataclass(frozen=True, slots=True)
class Lines:
    memory: Memory
    mirror: Mirror
    adapters: Mapping[SourceId, Adapter]

    def erased(
        self, phrases: Sequence[str], texts: Sequence[str], events: Collection[EventId], meter: Meter | None
    ) -> list[Erased]:
        """Return what to overwrite in each stream so that events, texts and phrases are gone."""
        wanted = Wanted(tuple(phrases), tuple(texts))
        spoken = Wanted(tuple(phrases))
        ranks = {anchor.stream.rank for event in events for anchor in self.memory.index.anchors(event)}

        def is_gone(event: Event) -> bool:
            return event.id in events or (bool(phrases) and spoken.is_in(event.text))

        streams = self.memory.journal.streams()
        if meter:
            meter.begin(files=len(streams), total=sum(self.mirror.size(name_of(stream)) for stream in streams))
        found = []
        for stream in streams:
            if stream.rank in ranks or self._may_hold(stream, wanted):
                adapter = adapter_of(self.adapters, stream)
                found.append(Erasing(self.mirror, adapter, stream, wanted, is_gone).decide())
            if meter:
                meter.advance(read=self.mirror.size(name_of(stream)), events=0)
        if meter:
            meter.end()
        return found

    def _may_hold(self, stream: Stream, wanted: Wanted) -> bool:
        is_packed = stream.form is Form.ROWS
        return any(wanted.may_be_in(line.data, is_packed=is_packed) for line in all_lines(self.mirror, name_of(stream)))
