"""Rows of the ledger as values, and back."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from quoth.core.errors import LedgerDamaged
from quoth.core.ids import DeviceId, EntryId, EventId, OperationId
from quoth.core.ledger import codec
from quoth.core.ledger.chain import Finding, Payload, Record
from quoth.core.ledger.clock import Hybrid
from quoth.core.ledger.operations import Operation, Subjects
from quoth.storage._ledger_file import Row


def record(row: Row) -> Record:
    _, name, device, sequence, ms, step, kind, actor, bound, commitment, previous, digest, _, _ = row
    time = Hybrid(ms, step)
    return Record(OperationId(name), DeviceId(device), sequence, time, kind, actor, bound, commitment, previous, digest)


def payload(row: Row) -> Payload | None:
    *_, salt, data = row
    return Payload(salt, data) if data is not None else None


def operation(row: Row) -> Operation:
    return codec.decode(record(row), payload(row))


def columns(record: Record) -> dict[str, object]:
    return {
        "id": record.id,
        "device": record.device,
        "sequence": record.sequence,
        "ms": record.time.ms,
        "step": record.time.step,
        "kind": record.kind,
        "actor": record.actor,
        "bound": record.bound,
        "commitment": record.commitment,
        "previous": record.previous,
        "hash": record.hash,
    }


def listed(subjects: Subjects) -> Iterator[tuple[str, str]]:
    yield from (("entry", entry) for entry in sorted(subjects.entries))
    yield from (("event", event) for event in sorted(subjects.events))
    yield from (("operation", operation) for operation in sorted(subjects.operations))


def subjects(rows: Iterable[Row]) -> Subjects:
    entries, events, operations = set(), set(), set()
    for kind, subject in rows:
        match kind:
            case "entry":
                entries.add(EntryId(subject))
            case "event":
                events.add(EventId(subject))
            case "operation":
                operations.add(OperationId(subject))
    return Subjects(frozenset(entries), frozenset(events), frozenset(operations))


def unreadable(record: Record, payload: Payload | None) -> Iterator[Finding]:
    try:
        codec.decode(record, payload)
    except LedgerDamaged as error:
        yield finding("unreadable", str(error), record)


def finding(code: str, message: str, record: Record) -> Finding:
    return Finding(code, message, record.id, record.device, record.sequence)
