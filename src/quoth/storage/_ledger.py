"""The ledger in `ledger.db`: operations are appended, payloads may be destroyed, nothing else ever changes."""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from pathlib import Path

from quoth.core.ids import ENTROPY, DeviceId, EntryId, EventId, OperationId, operation_id, time_ordered
from quoth.core.ledger import chain, codec
from quoth.core.ledger.arrivals import Numbered, Received
from quoth.core.ledger.chain import Finding, Payload, Record
from quoth.core.ledger.clock import START, Hybrid, hear, tick
from quoth.core.ledger.merge import without_payload
from quoth.core.ledger.operations import Assert, Body, Cite, Destroy, Draft, Operation, Subjects, affected
from quoth.storage import _ledger_rows as _rows
from quoth.storage._ledger_file import Database, Row

_PAGE = 1_000
_NEWEST = 5_000  # operations that are looked at to see what was done lately

Same = Callable[[EventId], Iterable[EventId]]


class LedgerFile:
    """Implements the port `LedgerStore` on one file. Threads and processes may share it."""

    def __init__(self, path: Path) -> None:
        """Open the ledger, making or migrating the file.

        Raises:
            NewerFormat: a newer program wrote the file; it is left as it is.
            StoreFailed: the file is no database or can't be written.
            Busy: another process keeps it locked.
        """
        self._db = Database(path)

    def writing(self) -> AbstractContextManager[None]:
        """Let nobody else write until the block ends: what is read inside is still true when it is appended to."""
        return self._db.writing()

    def append(self, drafts: Sequence[Draft], *, device: DeviceId, now: int) -> Sequence[Operation]:
        with self._db.writing():
            last, time = self._last(device), self._clock()
            appended = []
            for draft in drafts:
                time = tick(now, time)
                last, payload = self._linked(draft, device, last, time, now)
                appended.append(self._add(last, payload, draft.body))
            self._db.all("set_clock", ms=time.ms, step=time.step)
        return appended

    def receive(self, sent: Iterable[tuple[Record, Payload | None]], *, now: int) -> Received:
        added: list[OperationId] = []
        ahead: list[OperationId] = []
        refused: list[Finding] = []
        with self._db.writing():
            for record, payload in sent:
                wrong = list(self._refusals(record, payload))
                refused += wrong
                if not wrong and self._take(record, payload):
                    added.append(record.id)
                    if self._hear(record.time, now):
                        ahead.append(record.id)
        return Received(tuple(added), tuple(ahead), tuple(refused))

    def since(self, cursor: int, *, limit: int = _PAGE) -> Sequence[Numbered]:
        return [Numbered(row[0], _rows.operation(row)) for row in self._db.all("since", cursor=cursor, limit=limit)]

    def cursor(self) -> int:
        return int(self._db.all("cursor")[0][0])

    def operation(self, operation: OperationId) -> Operation | None:
        row = self._db.one("one", id=operation)
        return _rows.operation(row) if row else None

    def of_kinds(self, *kinds: str) -> Sequence[Operation]:
        with self._db.reading():
            numbers = sorted(row[0] for kind in kinds for row in self._db.all("of_kind", kind=kind))
            return [self._by_number(number) for number in numbers]

    def recent(self, kind: str, *, actor: str, since: int) -> int:
        return int(self._db.all("recent", kind=kind, actor=actor, since=since, among=_NEWEST)[0][0])

    def acts(self) -> int:
        return int(self._db.all("acts")[0][0])

    def series(self) -> Sequence[tuple[DeviceId, int]]:
        return [(DeviceId(device), sequence) for device, sequence in self._db.all("series")]

    def records(self, device: DeviceId, *, after: int, limit: int = _PAGE) -> Sequence[tuple[Record, Payload | None]]:
        rows = self._db.all("in_series", device=device, sequence=after, limit=limit)
        return [(_rows.record(row), _rows.payload(row)) for row in rows if row[2] == device]

    # --- what operations are about ---

    def reach(self, changed: Subjects, *, same: Same = lambda event: [event]) -> Subjects:
        with self._db.reading():
            entries = changed.entries | self._roots_of(changed.operations)
            events = self._spelled(changed.events | self._about_numbers(self._numbers("entry", entries)).events, same)
            return Subjects(entries | self._about_numbers(self._numbers("event", events)).entries, events)

    def about(self, asked: Subjects, *, same: Same = lambda event: [event]) -> Sequence[Operation]:
        with self._db.reading():
            asked_events = self._spelled(asked.events, same)
            own = self._numbers("entry", asked.entries) | self._numbers("event", asked_events)
            events = self._spelled(asked_events | self._about_numbers(own).events, same)
            on_events = self._numbers("event", events)
            entries = asked.entries | self._about_numbers(on_events).entries
            found = [self._by_number(number) for number in sorted(on_events | self._numbers("entry", entries))]
            known = {operation.id for operation in found}
            wiping = [self._by_number(number) for number in sorted(self._numbers("operation", known))]
            return found + [operation for operation in wiping if operation.id not in known]

    # --- upkeep ---

    def is_unscrubbed(self) -> bool:
        return bool(self._db.all("is_unscrubbed")[0][0])

    def scrub(self, *, patience_ms: int = 5_000) -> bool:
        if not self.is_unscrubbed():
            return True
        if not self._db.compact(patience_ms=patience_ms):
            return False
        self._db.all("scrubbed")
        return True

    def check(self) -> Sequence[str]:
        found = list(self._db.quick_check())
        if not found and self.is_unscrubbed():
            found.append("bytes of destroyed memory may still be in the file")
        return found

    def verify(self) -> Iterator[Finding]:
        with self._db.reading():
            yield from chain.follow(_rows.record(row) for row in self._walk())
            for row in self._walk():
                yield from self._examined(row)
            given, highest = self._db.all("numbered")[0]
            if given > highest:
                yield Finding("tail", f"The newest {given - highest} operations are missing.")

    def copy(self, target: Path) -> None:
        self._db.copy(target)

    def close(self) -> None:
        self._db.close()

    # --- adding ---

    def _last(self, device: DeviceId) -> Record | None:
        row = self._db.one("last", device=device)
        return _rows.record(row) if row else None

    def _clock(self) -> Hybrid:
        row = self._db.one("clock")
        return Hybrid(*row) if row else START

    def _hear(self, theirs: Hybrid, now: int) -> bool:
        heard = hear(now, self._clock(), theirs)
        self._db.all("set_clock", ms=heard.time.ms, step=heard.time.step)
        return heard.ahead

    def _linked(
        self, draft: Draft, device: DeviceId, last: Record | None, time: Hybrid, now: int
    ) -> tuple[Record, Payload]:
        bound, data = codec.encode(draft)
        payload = Payload(secrets.token_bytes(chain.SALT), data)
        record = chain.link(
            name=operation_id(time_ordered(now, os.urandom(ENTROPY))),
            device=device,
            after=last,
            time=time,
            kind=codec.kind_of(draft.body),
            actor=draft.actor,
            bound=bound,
            payload=payload,
        )
        return record, payload

    def _add(self, record: Record, payload: Payload | None, body: Body) -> Operation:
        number = self._db.all("add", **_rows.columns(record))[0][0]
        for kind, subject in _rows.listed(affected(body)):
            self._db.all("add_subject", kind=kind, subject=subject, number=number)
        if isinstance(body, Destroy):
            self._wipe(body)
        kept = None if self._is_destroyed(record.id, body) else payload
        self._keep(number, kept)
        operation = codec.decode(record, kept)
        return operation if kept else without_payload(operation)

    def _keep(self, number: int, payload: Payload | None) -> None:
        if payload:
            self._db.all("add_payload", number=number, salt=payload.salt, data=payload.data)

    def _wipe(self, body: Destroy) -> None:
        wiped = [self._db.all("wipe_root", root=root) for root in body.entries]
        wiped += [self._db.all("wipe_operation", id=operation) for operation in body.operations]
        if any(wiped):
            self._db.all("must_scrub")

    def _is_destroyed(self, operation: OperationId, body: Body) -> bool:
        root = body.root if isinstance(body, Assert | Cite) else None
        return bool(self._db.all("destroyed", id=operation, root=root)[0][0])

    def _refusals(self, record: Record, payload: Payload | None) -> Iterator[Finding]:
        yield from chain.examine(record, payload)
        yield from _rows.unreadable(record, payload)
        for _, found, digest in self._db.all("place", id=record.id, device=record.device, sequence=record.sequence):
            if (found, digest) != (record.id, record.hash):
                message = f"Operation {record.id} stands where {found} already is."
                yield _rows.finding("forked", message, record)

    def _take(self, record: Record, payload: Payload | None) -> bool:
        """Add a record, or a payload that came later than its record; False when nothing of it is new."""
        body = codec.decode(record, payload).body
        known = self._db.one("one", id=record.id)
        if known is None:
            self._add(record, payload, body)
            return True
        if payload is None or _rows.payload(known) or self._is_destroyed(record.id, body):
            return False
        self._keep(known[0], payload)
        return True

    # --- reading ---

    def _by_number(self, number: int) -> Operation:
        return _rows.operation(self._db.all("by_number", number=number)[0])

    def _numbers(self, kind: str, subjects: Iterable[str]) -> set[int]:
        return {row[0] for subject in subjects for row in self._db.all("about", kind=kind, subject=subject)}

    def _about_numbers(self, numbers: Iterable[int]) -> Subjects:
        return _rows.subjects(row for number in numbers for row in self._db.all("subjects", number=number))

    def _roots_of(self, operations: Iterable[OperationId]) -> frozenset[EntryId]:
        rows = (self._db.one("one", id=operation) for operation in operations)
        return self._about_numbers({row[0] for row in rows if row}).entries

    def _spelled(self, events: Iterable[EventId], same: Same) -> frozenset[EventId]:
        return frozenset(spelling for event in events for spelling in (event, *same(event)))

    def _walk(self) -> Iterator[Row]:
        device, sequence = "", -1
        while rows := self._db.all("in_series", device=device, sequence=sequence, limit=_PAGE):
            yield from rows
            device, sequence = rows[-1][2], rows[-1][3]

    def _examined(self, row: Row) -> Iterator[Finding]:
        record, payload = _rows.record(row), _rows.payload(row)
        yield from chain.examine(record, payload)
        if unreadable := list(_rows.unreadable(record, payload)):
            yield from unreadable
            return
        body = codec.decode(record, payload).body
        if payload is None and not self._is_destroyed(record.id, body):
            yield _rows.finding(
                "missing", f"The payload of operation {record.id} is missing; nothing destroyed it.", record
            )
        if set(self._db.all("subjects", number=row[0])) != set(_rows.listed(affected(body))):
            yield _rows.finding("subjects", f"What operation {record.id} is about is listed wrongly.", record)
