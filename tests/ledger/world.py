"""Operations for tests: written by hand, or by three devices that know only a part of what the others wrote."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from ledger import rules
from quoth.core.ids import DeviceId, EntryId, EventId, OperationId, entry_id, operation_id
from quoth.core.ledger.clock import AHEAD, START, Hybrid, hear, tick
from quoth.core.ledger.operations import (
    Assert,
    Body,
    Destroy,
    Forget,
    Header,
    Judge,
    Move,
    Operation,
    Promote,
    Relate,
    Verdict,
    asserting,
    citing,
    restoring,
)
from quoth.core.ledger.values import Citation, EntryKind, Epistemic, Scope, Statement, Tier

EVENTS = tuple(EventId(f"codex:e{number}") for number in range(5))
SCOPES = (Scope("me"), Scope("me", "org", "app"), Scope("me", "org", "app", "topic"))
NAMES = (None, "port", "порт")


def entry(number: int) -> EntryId:
    return entry_id(hashlib.sha256(b"entry%d" % number).digest()[:16])


def statement(text: str = "The port is 8737.", **more: object) -> Statement:
    said = {"kind": EntryKind.KNOWLEDGE, "type": "fact", "created_at": 1_000, "author": "codex@desk", **more}
    return Statement(text=text, **said)  # type: ignore[arg-type]  # any field by name


def operation(
    body: Body, number: int, *, device: str = "a", time: Hybrid | None = None, reason: str = "r"
) -> Operation:
    """Make an operation without a chain: merging looks at ids, devices and times alone."""
    digest = hashlib.sha256(b"operation%d" % number).digest()
    header = Header(
        id=operation_id(digest[:16]),
        device=DeviceId(device),
        sequence=number,
        time=time or Hybrid(number, 0),
        actor=f"agent@{device}",
        reason="r",
        commitment=digest,
        previous=b"",
        hash=digest,
    )
    return Operation(header, body)


def cited(*events: EventId) -> list[Citation]:
    return [Citation(event, f"quote of {event}") for event in events]


@dataclass
class Device:
    """Someone who writes from what they know. `skew` is how wrong their clock is."""

    name: str
    skew: int
    knows: list[Operation] = field(default_factory=list)
    time: Hybrid = START


@dataclass
class World:
    """Three devices and everything they wrote. A step is a few numbers that say who does what to which thing."""

    devices: Sequence[Device]
    written: list[Operation] = field(default_factory=list)
    entries: int = 0

    def step(self, who: int, what: int, one: int, two: int) -> None:
        device = self.devices[who]
        if what >= ACTIONS:
            self._hear(device, self.devices[one % len(self.devices)], two)
        elif body := _ACTIONS[what](self, device, one, two):
            self._write(device, body)

    def _hear(self, device: Device, other: Device, bits: int) -> None:
        for place, sent in enumerate(other.knows):
            if bits >> place % 10 & 1 and sent not in device.knows:
                device.knows.append(sent)
                device.time = hear(self._now(device), device.time, sent.header.time).time

    def _write(self, device: Device, body: Body) -> None:
        device.time = tick(self._now(device), device.time)
        made = operation(body, len(self.written) + 1, device=device.name, time=device.time)
        device.knows.append(made)
        self.written.append(made)

    def _now(self, device: Device) -> int:
        return 100 + len(self.written) // 3 + device.skew

    def _fresh(self) -> EntryId:
        self.entries += 1
        return entry(self.entries)

    def _statement(self, one: int, two: int) -> Statement:
        return statement(
            f"text {self.entries}",
            name=NAMES[one % len(NAMES)],
            scope=SCOPES[two % len(SCOPES)],
            tier=(Tier.DURABLE, Tier.WORKING)[two % 2],
        )

    # --- what a device can do; None when it knows nothing to do it to ---

    def begin(self, device: Device, one: int, two: int) -> Body:
        fresh = self._fresh()
        return asserting(fresh, self._statement(one, two), cited(*_events(one)))

    def correct(self, device: Device, one: int, two: int) -> Body | None:
        if not (version := _version(device, one)):
            return None
        known = rules.heads(device.knows, version.root)
        base = version.entry if two % 4 == 0 else rules.current(device.knows, version.root)
        saw = known if two % 5 else {base}
        return asserting(
            self._fresh(),
            self._statement(one, two),
            cited(*_events(two)),
            root=version.root,
            supersedes=base,
            saw=saw,
            inherits=two % 7 != 0,
        )

    def repeat(self, device: Device, one: int, two: int) -> Body | None:
        return _version(device, one)

    def cite(self, device: Device, one: int, two: int) -> Body | None:
        version = _version(device, one)
        return citing(version.entry, version.root, cited(*_events(two))) if version else None

    def judge(self, device: Device, one: int, two: int) -> Body | None:
        if not (version := _version(device, one)):
            return None
        verdict = tuple(Verdict)[two % len(Verdict)]
        earlier = {each.id for each in device.knows if _is_answered(each.body, verdict, version)}
        if two % 11 == 0:  # someone who saw only a part
            earlier = set(sorted(earlier)[:1])
        epistemic = {Verdict.CONFIRM: (Epistemic.ACTUAL, Epistemic.NECESSARY)[one % 2]}.get(verdict)
        return Judge(verdict, version.entry, version.root, epistemic, tuple(sorted(earlier)))

    def forget(self, device: Device, one: int, two: int) -> Body | None:
        version = _version(device, one)
        entries = (version.root,) if version and two % 3 else ()
        events = _events(two)[:1] if two % 3 != 1 else ()
        return Forget(entries, events, cited=two % 2 == 0) if entries or events else None

    def restore(self, device: Device, one: int, two: int) -> Body | None:
        forgets = [each for each in device.knows if isinstance(each.body, Forget)]
        if not forgets:
            return None
        chosen = forgets[one % len(forgets)]
        assert isinstance(chosen.body, Forget)
        return restoring(chosen.id, chosen.body)

    def destroy(self, device: Device, one: int, two: int) -> Body | None:
        if two % 3 == 0 and device.knows:
            return Destroy(operations=(device.knows[one % len(device.knows)].id,))
        if two % 3 == 1:
            return Destroy(events=_events(one)[:1])
        version = _version(device, one)
        return Destroy(entries=(version.root,)) if version else None

    def move(self, device: Device, one: int, two: int) -> Body | None:
        if not (version := _version(device, one)):
            return None
        earlier = [each.id for each in device.knows if isinstance(each.body, Move) and each.body.root == version.root]
        return Move(version.root, SCOPES[two % len(SCOPES)], tuple(sorted(earlier)) if two % 5 else ())

    def promote(self, device: Device, one: int, two: int) -> Body | None:
        version = _version(device, one)
        return Promote(version.root, tuple(Tier)[two % 2]) if version else None

    def relate(self, device: Device, one: int, two: int) -> Body | None:
        version, other = _version(device, one), _version(device, two)
        return Relate(version.entry, version.root, other.entry, other.root, "uses") if version and other else None


_ACTIONS: Sequence[Callable[[World, Device, int, int], Body | None]] = (
    World.begin,
    World.correct,
    World.correct,
    World.correct,
    World.cite,
    World.judge,
    World.judge,
    World.forget,
    World.restore,
    World.destroy,
    World.move,
    World.promote,
    World.relate,
    World.repeat,
)
ACTIONS = len(_ACTIONS)


def world(*, wrong_clock: bool = False) -> World:
    return World([Device("a", 0), Device("b", 2), Device("c", 3 * AHEAD if wrong_clock else -4)])


def _version(device: Device, number: int) -> Assert | None:
    asserts = [each.body for each in device.knows if isinstance(each.body, Assert)]
    return asserts[number % len(asserts)] if asserts else None


def _events(number: int) -> tuple[EventId, ...]:
    return tuple(event for place, event in enumerate(EVENTS) if number >> place & 1)


def _is_answered(body: Body, verdict: Verdict, version: Assert) -> bool:
    if not isinstance(body, Judge):
        return False
    if verdict is Verdict.RELEASE:
        return body.verdict is Verdict.QUARANTINE and body.root == version.root
    both = {Verdict.CONFIRM, Verdict.DEMOTE}
    return verdict in both and body.verdict in both and body.entry == version.entry


def ids(operations: Sequence[Operation]) -> list[OperationId]:
    return [each.id for each in operations]
