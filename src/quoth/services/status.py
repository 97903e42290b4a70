"""Status: what the archive holds, per source, what it could not read, and what to do next (QUO-9)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from quoth.core.ids import SourceId
from quoth.core.ledger.operations import Restore as RestoreOperation
from quoth.core.model import Coverage, Json, Root, Skipped
from quoth.core.names import printable_path
from quoth.core.ports import Index, State
from quoth.core.times import LATEST, local_iso
from quoth.services._embedding_state import EmbeddingState
from quoth.services._memory import Memory
from quoth.services.exclude import named
from quoth.services.pause import Pause

_STORES = {
    "mirror": "raw",
    "journal": "observations.jsonl",
    "ledger": "ledger.db*",
    "state": "state.db*",
    "index": "index-*.db*",
    "vectors": "vectors-*.bin",
}


@dataclass(frozen=True, slots=True)
class Status:
    """`roots` are where agents keep their logs, existing or not: folders mostly, or a database that is named itself."""

    home: Path
    index: Index
    state: State
    pause: Pause
    roots: Sequence[Root]
    memory: Memory
    embedding: EmbeddingState

    def run(self) -> dict[str, Json]:
        """Return everything as JSON; `next` is a sentence."""
        covered = {coverage.source: coverage for coverage in self.index.coverage()}
        skipped = _by_source(self.index.skips())
        until, last = self.pause.until(), self._last(covered)
        return {
            "home": printable_path(str(self.home)),
            "sources": [self._source(source, covered, skipped) for source in self._sources(covered, skipped)],
            "last_sync": None if last is None else local_iso(last),
            "ledger": self._ledger(),
            **self.embedding.shape(),
            "sizes": sizes(self.home),
            "paused": until is not None,
            "paused_until": _end(until),
            "excluded": self._excluded(),
            "next": self._next(until, covered, skipped, is_synced=last is not None),
        }

    def _ledger(self) -> dict[str, Json]:
        """Return the head of the ledger and how much it shows."""
        self.memory.catch_up()
        if not self.memory.is_begun():
            return {"operations": 0, "newest": None, "entries": 0, "tombstones": 0}
        store = self.memory.ledger()
        series = store.series()
        newest = [record for device, last in series for record, _ in store.records(device, after=last - 1, limit=1)]
        forgotten = {each.id for each in store.of_kinds("forget")}
        restored = {
            each.body.tombstone for each in store.of_kinds("restore") if isinstance(each.body, RestoreOperation)
        }
        return {
            "operations": sum(last for _, last in series),
            "newest": local_iso(max(record.time.ms for record in newest)) if newest else None,
            "entries": self.memory.entries.count(),
            "tombstones": len(forgotten - restored),
        }

    def _excluded(self) -> list[Json]:
        excluded = self.state.exclusions()
        known = self.index.projects() if excluded else ()
        return [{"kind": e.kind, "value": e.value, "name": named(e, known)} for e in excluded]

    def _last(self, covered: Mapping[SourceId, Coverage]) -> int | None:
        """Return when the last pass ended, over all sources or some of them."""
        ended = [found[1]] if (found := self.index.last_pass()) else []
        return max((*ended, *(c.last_ingest for c in covered.values() if c.last_ingest)), default=None)

    def _sources(self, *more: Mapping[SourceId, object]) -> Sequence[SourceId]:
        return sorted({root.source for root in self.roots}.union(*more))

    def _source(
        self, source: SourceId, covered: Mapping[SourceId, Coverage], skipped: Mapping[SourceId, Sequence[Skipped]]
    ) -> dict[str, Json]:
        coverage = covered.get(source, Coverage(source))
        return {
            "source": source,
            "roots": [_root(root) for root in self.roots if root.source == source],
            "files": coverage.files,
            "bytes": coverage.bytes,
            "sessions": coverage.sessions,
            "events": coverage.events,
            "lines": coverage.lines,
            "gone_files": coverage.gone,
            "unknown_records": dict(coverage.unknown),
            "unparsable_lines": coverage.unparsable,
            "unparsable_at": [{"path": path, "line": line} for path, line in coverage.unparsable_at],
            "silent_files": coverage.silent_files,
            "skipped": [{"path": thing.path, "reason": thing.reason} for thing in skipped.get(source, ())],
            "last_ingest": None if coverage.last_ingest is None else local_iso(coverage.last_ingest),
        }

    def _next(
        self,
        until: int | None,
        covered: Mapping[SourceId, Coverage],
        skipped: Mapping[SourceId, Sequence[Skipped]],
        *,
        is_synced: bool,
    ) -> str:
        if until is not None:
            return "Reading is paused; `quoth sync --resume` goes on."
        if not any(coverage.events for coverage in covered.values()):
            return self._first_step(is_synced=is_synced)
        if any(skipped.values()) or any(c.unparsable or c.silent_files or c.unknown for c in covered.values()):
            return "Some things could not be read; `quoth doctor` says which and what to do."
        return "Search with `quoth search WORDS`, or browse with `quoth timeline`."

    def _first_step(self, *, is_synced: bool) -> str:
        if not any(root.path.exists() for root in self.roots):
            return "No agent keeps logs here yet. Work with one, then run `quoth sync`; `quoth demo` shows examples."
        return "The logs hold nothing to read yet." if is_synced else "Run `quoth sync` to read your agents' sessions."


def sizes(home: Path) -> dict[str, Json]:
    """Return how many bytes each store takes on the disk, and all of them together."""
    each = {name: sum(map(_size, _files(home, pattern))) for name, pattern in _STORES.items()}
    return {**each, "total": sum(each.values())}


def _files(home: Path, pattern: str) -> Iterator[Path]:
    for found in home.glob(pattern):
        yield from (path for path in found.rglob("*") if path.is_file()) if found.is_dir() else (found,)


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:  # It went away meanwhile, as a write-ahead log does.
        return 0


def _root(root: Root) -> dict[str, Json]:
    return {"path": printable_path(str(root.path)), "exists": root.path.exists()}


def _by_source(skips: Sequence[tuple[SourceId, Skipped]]) -> Mapping[SourceId, Sequence[Skipped]]:
    grouped: dict[SourceId, list[Skipped]] = {}
    for source, thing in skips:
        grouped.setdefault(source, []).append(thing)
    return grouped


def _end(until: int | None) -> str | None:
    return None if until is None or until == LATEST else local_iso(until)
