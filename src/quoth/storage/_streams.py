"""Tell how far the logs are read, what was skipped, and what became of every file."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace

from quoth.core.ids import SourceId
from quoth.core.model import Coverage, Json, Progress, Signature, Skipped, StreamState
from quoth.storage._database import Database, Row
from quoth.storage._read import stream

_PASS = "last_pass"


class Ledger:
    def __init__(self, db: Database) -> None:
        self._db = db

    def streams(self, source: SourceId | None = None) -> Sequence[StreamState]:
        return [_state(row) for row in self._db.all("streams", source=source)]

    def whole_files(self, suffix: str) -> Sequence[StreamState]:
        return [_state(row) for row in self._db.all("whole_files", suffix=suffix)]

    def noted(self, name: str) -> Json:
        row = self._db.one("metadata", key=_note(name))
        value: Json = json.loads(row[0]) if row else None
        return value

    def note(self, name: str, value: Json) -> None:
        with self._db.writing():
            self._db.all("set_metadata", key=_note(name), value=json.dumps(value))

    def some(self, ranks: Sequence[int]) -> Sequence[StreamState]:
        return [_state(row) for row in self._db.all("some_streams", ranks=json.dumps(list(ranks)))]

    def skipped(self, source: SourceId, skipped: Sequence[Skipped]) -> None:
        with self._db.writing():
            self._db.all("forget_skipped", source=source)
            self._db.many("add_skipped", ((source, thing.path, thing.reason) for thing in skipped))

    def skips(self) -> Sequence[tuple[SourceId, Skipped]]:
        return [(source, Skipped(path, reason)) for source, path, reason in self._db.all("skipped")]

    def gone(self, ranks: Sequence[int], *, among: Sequence[SourceId]) -> None:
        with self._db.writing():
            self._db.all("set_gone", ranks=json.dumps(list(ranks)), sources=json.dumps(list(among)))

    def sealed(self, sizes: Mapping[int, int]) -> None:
        with self._db.writing():
            self._db.many("set_sealed", ((size, rank) for rank, size in sizes.items()))

    def passed(self, started_at: int, ended_at: int, *, only: Sequence[SourceId] = ()) -> None:
        value = json.dumps([started_at, ended_at])
        with self._db.writing():
            for key in map(_pass_over, only) if only else (_PASS,):
                self._db.all("set_metadata", key=key, value=value)

    def last_pass(self) -> tuple[int, int] | None:
        return self._pass(_PASS)

    def _pass(self, key: str) -> tuple[int, int] | None:
        row = self._db.one("metadata", key=key)
        if row is None:
            return None
        started_at, ended_at = json.loads(row[0])
        return started_at, ended_at

    def _last_ingest(self, source: SourceId) -> int | None:
        """Return when the last pass over a source ended, whether it was over all sources or not."""
        return max((found[1] for key in (_PASS, _pass_over(source)) if (found := self._pass(key))), default=None)

    def coverage(self) -> Sequence[Coverage]:
        with self._db.reading():
            files = {source: rest for source, *rest in self._db.all("coverage")}
            sessions = {source: rest for source, *rest in self._db.all("sessions_by_source")}
            unread = _unread(self._db.all("unread_by_source"))
            torn: dict[SourceId, list[tuple[str, int]]] = defaultdict(list)
            for source, path, line in self._db.all("unparsable_lines"):
                torn[source].append((path, line))
            last = {source: self._last_ingest(source) for source in files}
        return [
            replace(
                _coverage(source, files[source], sessions.get(source, (0, 0)), unread[source]),
                unparsable_at=torn[source],
                last_ingest=last[source],
            )
            for source in sorted(files)
        ]


def _note(name: str) -> str:
    return f"note:{name}"


def _pass_over(source: SourceId) -> str:
    return f"{_PASS}:{source}"


def _state(row: Row) -> StreamState:
    lines, offset, parser, signature, gone, sealed = row[9:]
    read = Progress(lines, offset, json.loads(parser), Signature(*json.loads(signature)) if signature else None)
    return StreamState(stream(row[:9]), read, bool(gone), sealed)


def _unread(rows: Sequence[Row]) -> Mapping[SourceId, dict[str, dict[str, int]]]:
    """Group counts by source, reason and label."""
    grouped: dict[SourceId, dict[str, dict[str, int]]] = defaultdict(lambda: defaultdict(dict))
    for source, reason, label, count in rows:
        grouped[source][reason][label] = count
    return grouped


def _coverage(
    source: SourceId,
    files: Sequence[int],
    sessions: Sequence[int],
    unread: Mapping[str, Mapping[str, int]],
) -> Coverage:
    count, size, lines, gone, silent = files
    return Coverage(
        source,
        files=count,
        bytes=size,
        sessions=sessions[0],
        events=sessions[1],
        lines=lines,
        gone=gone,
        unparsable=sum(unread.get("unparsable", {}).values()),
        unknown=dict(unread.get("unknown", {})),
        silent_files=silent,
    )
