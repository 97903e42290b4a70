"""Verify: prove that nothing of memory was changed behind our back (INV-3, INV-5).

The chain of every device and every payload; every citation down to the raw line; and that the index shows what the
ledger says. Each of ledger, mirror and index can be tampered with alone, and each is held against the other two.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from quoth.core.errors import LedgerDamaged
from quoth.core.ids import EntryId
from quoth.core.ledger.chain import Finding
from quoth.core.ledger.entries import EntryVersion
from quoth.core.ledger.merge import fold
from quoth.core.ledger.operations import Operation
from quoth.core.ledger.state import Ledger
from quoth.core.ledger.values import Scope
from quoth.core.memory import EntryRow
from quoth.core.model import Json, Stream
from quoth.core.ports import Journal, LedgerStore, Meter, Mirror
from quoth.services._cited import Flaw, Outcome, Proof, citations, destroyed_lines
from quoth.services._memory import Memory


@dataclass(frozen=True, slots=True)
class Verify:
    """`has_key` tells whether the key of the store is there: asking for a lost one would make another."""

    memory: Memory
    mirror: Mirror
    journal: Journal
    has_key: Callable[[], bool]

    def run(self, meter: Meter | None = None) -> dict[str, Json]:
        """Prove everything; a citation that needs what only another device has is counted as elsewhere.

        Raises:
            NewerFormat: a newer program wrote the ledger.
        """
        if not self.memory.is_begun():
            return _answer(0, Counter(), self._lost())
        store = self.memory.ledger()
        flaws = [*map(_shape, store.verify())] or self._short(store)
        counts: Counter[Outcome] = Counter()
        try:
            self.memory.catch_up()
            operations = list(_all(store))
        except LedgerDamaged as error:  # the rest can't be computed; the chain has said what is wrong
            flaws += [] if flaws else [Flaw("unreadable", str(error)).shape()]
        else:
            flaws += [flaw.shape() for flaw in self._differences(operations)]
            flaws += [flaw.shape() for flaw in self._citations(operations, counts, meter)]
        return _answer(sum(newest for _, newest in store.series()), counts, flaws)

    def _lost(self) -> list[dict[str, Json]]:
        if not self.memory.entries.cursor():
            return []
        message = "The ledger (ledger.db) is missing, though memory was written; restore it from a backup."
        return [Flaw("ledger_missing", message).shape()]

    def _short(self, store: LedgerStore) -> list[dict[str, Json]]:
        """Find a ledger whose end was cut off, or in whose place an older one was put: its chain can't tell that."""
        held, shown = store.cursor(), self.memory.entries.cursor()
        if held >= shown:
            return []
        message = f"The ledger lost its newest {shown - held:,} operations; restore it from a backup."
        return [Flaw("ledger_short", message).shape()]

    # --- citations ---

    def _citations(
        self, operations: Sequence[Operation], counts: Counter[Outcome], meter: Meter | None
    ) -> Iterator[Flaw]:
        cited, proof = sorted(citations(operations), key=lambda each: each.place), self._proof(operations)
        if meter:
            meter.begin(files=len(cited), total=len(cited))
        for each in cited:
            found = proof.of(each)
            if isinstance(found, Flaw):
                yield found
            counts[Outcome.FLAWED if isinstance(found, Flaw) else found] += 1
            if meter:
                meter.advance(read=1, events=0)
        if meter:
            meter.end()
        if proof.keyless:
            message = f"store.key is missing, so {len(proof.keyless)} quotes can't be proved; restore it from a backup."
            yield Flaw("key_missing", message)

    def _proof(self, operations: Sequence[Operation]) -> Proof:
        streams: dict[tuple[str, str, int], Stream] = {
            (stream.source, f"{stream.root}/{stream.key}", stream.generation): stream
            for stream in self.journal.streams()
        }
        return Proof(
            memory=self.memory,
            mirror=self.mirror,
            key=self.memory.key if self.has_key() else lambda: None,
            devices=frozenset(self.journal.devices()),
            streams=streams,
            destroyed=destroyed_lines(operations),
        )

    # --- the index ---

    def _differences(self, operations: Sequence[Operation]) -> Iterator[Flaw]:
        """Hold what the index shows against what the ledger says."""
        ledger = fold(operations, resolve=lambda event: self.memory.entries.spellings(event)[0])
        said = {version.id: version for root in ledger.roots.values() for version in root.versions}
        for row in self.memory.entries.all():
            version = said.pop(row.id, None)
            if version is None:
                yield _entry("entry_unknown", row.id, "is in the index and not in the ledger")
            elif not self._is_same(row, version, ledger):
                yield _entry("entry_changed", row.id, "is not what the ledger says")
        yield from (_entry("entry_missing", entry, "is not in the index") for entry in said)

    def _is_same(self, row: EntryRow, version: EntryVersion, ledger: Ledger) -> bool:
        found = self.memory.entries.version(row.id)
        return found == row and _shown(row) == _said(version, ledger) and self._events(row) == self._events(version)

    def _events(self, of: EntryRow | EntryVersion) -> set[tuple[str, str | None]]:
        version = of.version if isinstance(of, EntryRow) else of
        return {(self.memory.entries.spellings(cited.event)[0], cited.quote) for cited in version.cites}


def _shown(row: EntryRow) -> tuple[object, ...]:
    version = row.version
    place = row.root, version.supersedes, version.operation, row.current, row.is_concurrent
    return (*place, version.statement, row.state, row.scope, row.tier)


def _said(version: EntryVersion, ledger: Ledger) -> tuple[object, ...]:
    root = ledger.root_of(version.id)
    current = root.current.id if root.current else None
    place = version.root, version.supersedes, version.operation, current, root.is_concurrent(version.id)
    return (*place, version.statement, ledger.state(version), root.scope or Scope(), root.tier)


def _all(store: LedgerStore) -> Iterator[Operation]:
    cursor = 0
    while page := store.since(cursor):
        yield from (each.operation for each in page)
        cursor = page[-1].cursor


def _shape(found: Finding) -> dict[str, Json]:
    where = {"device": found.device, "sequence": found.sequence}
    flaw = Flaw(found.code, found.message, operation=found.operation)
    return {**flaw.shape(), **{name: given for name, given in where.items() if given is not None}}


def _entry(code: str, entry: EntryId, what: str) -> Flaw:
    return Flaw(code, f"Entry {entry} {what}; run `quoth rebuild`.", entry=entry)


def _answer(operations: int, counts: Counter[Outcome], findings: Sequence[dict[str, Json]]) -> dict[str, Json]:
    return {
        "ok": not findings,
        "operations": operations,
        "citations": counts.total(),
        "destroyed": counts[Outcome.DESTROYED],
        "elsewhere": counts[Outcome.ELSEWHERE],
        "findings": [*findings],
    }
