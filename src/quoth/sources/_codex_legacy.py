"""Read the whole-object logs of 2025 (`sessions/rollout-*.json`), printed over many lines or on one."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

from quoth.core.model import Fact, Json, Line, Stream, Unread
from quoth.readers.jsonl import Broken, records
from quoth.sources._codex_rollout import RolloutParser
from quoth.sources._codex_values import Entry, entry, instant
from quoth.sources._values import Record, inner, items, text


class LegacyParser:
    """Collects the lines of the one object and yields its facts with the line that completes it."""

    def __init__(self, stream: Stream, state: Json = None) -> None:
        self._stream = stream
        known = state if isinstance(state, dict) else {}
        written = known.get("written")
        self._written = [written.encode("latin-1")] if isinstance(written, str) else []
        self._is_complete = known.get("is_complete") is True

    def state(self) -> Json:
        return {"written": b"".join(self._written).decode("latin-1"), "is_complete": self._is_complete}

    def feed(self, line: Line) -> Iterator[Fact]:
        if self._is_complete:
            if line.data.strip():
                yield Unread(line.number, "unparsable", "after the end")
            return
        self._written.append(line.data + b"\n")
        if not line.data.rstrip().endswith(b"}") or line.data[:1] in b" \t":
            return
        found = records(b"".join(self._written))
        if len(found) == 1 and not isinstance(found[0], Broken):
            self._written, self._is_complete = [], True
            yield from self._object(found[0], line.number)

    def _object(self, whole: Record, number: int) -> Iterator[Fact]:
        session, parts, reader = inner(whole, "session"), count(), RolloutParser(self._stream)
        written = text(session, "timestamp")
        header = Entry("session_meta", session, "", written, instant(written))
        for found in (header, *(_item(item, header) for item in items(whole, "items"))):
            yield from reader.facts(found, number, parts, first_line=1)


def _item(item: Record, header: Entry) -> Entry:
    found = entry(item)
    return Entry(found.kind, found.payload, found.type, time=header.time)
