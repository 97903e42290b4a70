"""The hash chain of a device's operations: what is hashed, and how to prove it later. Never change this.

Every device writes one series, numbered from 1. Each operation is a `Record`, which never changes, and a `Payload`,
which may be destroyed. All hashes are SHA-256.

    commitment = SHA-256(salt ‖ data)
        `salt` is 32 random bytes, `data` the payload's bytes as `core.ledger.codec` writes them. Salt and data are
        destroyed together; without the salt nobody can try whether the payload was a certain text.
    hash = SHA-256(field ‖ field ‖ …), each field preceded by its length as 8 bytes, big-endian, in this order:
        1  the text `quoth operation 1`
        2  previous: the hash of the operation before in this series, 32 bytes; nothing for the first
        3  the operation's id as text (`op_…`)
        4  the device's id as text
        5  the number in the series, decimal
        6  the milliseconds of the hybrid time, decimal
        7  the step of the hybrid time, decimal
        8  the kind of operation as text (`assert`)
        9  the actor as text
        10 what the operation binds: the bytes that `core.ledger.codec` writes
        11 the commitment, 32 bytes

Text is UTF-8. So destroying a payload changes no record and breaks no chain; a changed, dropped, inserted or reordered
record does. Records cut off the end of a series are not seen by the chain itself.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from quoth.core.ids import DeviceId, OperationId
from quoth.core.ledger.clock import Hybrid

SALT = 32
FIRST = b""  # the `previous` of a series' first operation

_DOMAIN = b"quoth operation 1"


@dataclass(frozen=True, slots=True)
class Record:
    """One line of the ledger as it is stored and sent."""

    id: OperationId
    device: DeviceId
    sequence: int
    time: Hybrid
    kind: str
    actor: str
    bound: bytes
    commitment: bytes
    previous: bytes
    hash: bytes


@dataclass(frozen=True, slots=True)
class Payload:
    salt: bytes
    data: bytes


@dataclass(frozen=True, slots=True)
class Finding:
    """Something wrong with the ledger. `code` is one of those below; the message holds ids and numbers only.

    `gap` (an operation is missing), `order` (it does not follow the one before), `changed` (its hash is another),
    `payload` (it is not what was committed to), `missing` (a payload that nothing destroyed is not there),
    `unreadable`, `subjects` (the list of what it is about is another), `tail` (the newest operations are missing),
    `forked` (another operation has its place in the series).
    """

    code: str
    message: str
    operation: OperationId | None = None
    device: DeviceId | None = None
    sequence: int | None = None


def commit(payload: Payload) -> bytes:
    if len(payload.salt) != SALT:
        raise ValueError(f"a payload is salted with {SALT} bytes")
    return hashlib.sha256(payload.salt + payload.data).digest()


def link(
    *,
    name: OperationId,
    device: DeviceId,
    after: Record | None,
    time: Hybrid,
    kind: str,
    actor: str,
    bound: bytes,
    payload: Payload,
) -> Record:
    """Make the next record of a series."""
    sequence, previous = (after.sequence + 1, after.hash) if after else (1, FIRST)
    record = Record(name, device, sequence, time, kind, actor, bound, commit(payload), previous, b"")
    return replace(record, hash=digest(record))


def digest(record: Record) -> bytes:
    """Return the hash that a record must have."""
    hashed = hashlib.sha256()
    for part in _fields(record):
        hashed.update(len(part).to_bytes(8, "big"))
        hashed.update(part)
    return hashed.digest()


def examine(record: Record, payload: Payload | None) -> Iterator[Finding]:
    """Look at one record by itself."""
    if digest(record) != record.hash:
        yield _found("changed", "was changed", record)
    if payload and not _is_committed(payload, record):
        yield _found("payload", "has a payload that it did not commit to", record)


def follow(records: Iterable[Record]) -> Iterator[Finding]:
    """Look at records sorted by device and number: each must follow the one before in its series."""
    last: Record | None = None
    for record in records:
        if last and last.device != record.device:
            last = None
        yield from _follows(record, last)
        last = record


def _follows(record: Record, last: Record | None) -> Iterator[Finding]:
    expected = last.sequence + 1 if last else 1
    if record.sequence != expected:
        yield _found("gap", f"stands where operation {expected} of its series should", record)
    elif record.previous != (last.hash if last else FIRST):
        yield _found("order", "does not follow the one before it", record)


def _is_committed(payload: Payload, record: Record) -> bool:
    return len(payload.salt) == SALT and commit(payload) == record.commitment


def _found(code: str, what: str, record: Record) -> Finding:
    message = f"Operation {record.id}, number {record.sequence} of device {record.device}, {what}."
    return Finding(code, message, record.id, record.device, record.sequence)


def _fields(record: Record) -> Iterator[bytes]:
    numbers = (record.sequence, record.time.ms, record.time.step)
    yield from (_DOMAIN, record.previous, record.id.encode(), record.device.encode())
    yield from (str(number).encode() for number in numbers)
    yield from (record.kind.encode(), record.actor.encode(), record.bound, record.commitment)
