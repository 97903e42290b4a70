"""Find the operations whose payload says what is purged, beside those of the entries that go."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from quoth.core.blanking import Wanted
from quoth.core.ids import EntryId, EventId, OperationId
from quoth.core.ledger.chain import Payload, Record
from quoth.core.ledger.operations import Assert, Cite, Destroy, Forget
from quoth.services._memory import Memory


def holding_operations(
    memory: Memory, wanted: Wanted, roots: Collection[EntryId], events: Collection[EventId], everything: bool
) -> Iterator[OperationId]:
    """Yield operations to wipe: reasons and names that hold the words, and tombstones on nothing but what goes.

    With `everything`, also what other entries say, for which nothing but the ledger has the words.
    """
    if not memory.is_begun():
        return
    for record, payload in _records(memory):
        if payload is None:
            continue
        holds = wanted.may_be_in(payload.data) and wanted.is_in(payload.data.decode("utf-8", "replace"))
        if not holds and record.kind != "forget":
            continue
        operation = memory.ledger().operation(record.id)
        body = operation.body if operation else None
        match body:
            case Assert() | Cite():
                if everything and body.root not in roots:
                    yield record.id
            case Forget():
                if holds or _is_of(body, roots, events):
                    yield record.id
            case Destroy() | None:
                continue
            case _:
                yield record.id


def _is_of(body: Forget, roots: Collection[EntryId], events: Collection[EventId]) -> bool:
    targets = bool(body.events or body.entries)
    return targets and set(body.events) <= set(events) and set(body.entries) <= set(roots)


def _records(memory: Memory) -> Iterator[tuple[Record, Payload | None]]:
    store = memory.ledger()
    for device, _ in store.series():
        after = 0
        while page := store.records(device, after=after):
            yield from page
            after = page[-1][0].sequence
