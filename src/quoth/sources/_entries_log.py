"""Read the lines of a session file in Pi's format."""

from __future__ import annotations

from collections.abc import Iterator

from quoth.core.ids import SourceId
from quoth.core.model import Fact, Json, Line, Stream, Unread
from quoth.readers.jsonl import Broken, records
from quoth.sources._entries import Dialect, OwnCalls
from quoth.sources._entries_session import Reading, Spot, named, remembered
from quoth.sources._values import texts


class LogParser:
    """Yields the facts of a file's lines; the file's name tells the session until a header does."""

    def __init__(self, source: SourceId, dialect: Dialect, stream: Stream, state: Json = None) -> None:
        memory = state if isinstance(state, dict) else {}
        session = remembered(memory.get("session"), named(stream.key.rpartition("/")[2])[0])
        self._reading = Reading(source, dialect, session, OwnCalls(texts(memory, "calls")))

    def state(self) -> Json:
        return {"session": self._reading.session.state(), "calls": list(self._reading.calls.ids)}

    def feed(self, line: Line) -> Iterator[Fact]:
        spot = Spot(line.number)
        for record in records(line.data):
            if isinstance(record, Broken):
                yield Unread(line.number, "unparsable", record.reason, self._reading.session.version)
            else:
                yield from self._reading.facts(record, spot)
