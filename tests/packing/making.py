"""Entries, turns and pieces as packing meets them, without a store."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from quoth.core.ids import DeviceId, EntryId, EventId, OperationId, SessionId, SourceId
from quoth.core.ledger.clock import Hybrid
from quoth.core.ledger.entries import EntryVersion, Relation, State
from quoth.core.ledger.values import EntryKind, Scope, Statement, Tier
from quoth.core.memory import EntryRow
from quoth.core.model import EventRow, Json, Kind, Role
from quoth.core.packing import Mode, Piece, Shape

DAY = 86_400_000
NOON = 1_793_016_000_000  # 2026-10-26T12:00:00Z: the same day in every zone that tests run in
KINDS = {"preference": EntryKind.COGNITION, "rule": EntryKind.COGNITION, "fact": EntryKind.KNOWLEDGE}


def entry_id(number: int) -> EntryId:
    return EntryId(f"ent_{number:032x}")


def entry(
    number: int,
    text: str,
    *,
    type_: str = "fact",
    name: str | None = None,
    fields: Mapping[str, Json] | None = None,
    event_time: int | None = None,
    author: str = "claude-code@desk",
    project: str | None = None,
    scope: Scope | None = None,
    state: State = State.CURRENT,
    current: int | None = None,
    requires: Sequence[int] = (),
    relation: str = "requires",
) -> EntryRow:
    entry = entry_id(number)
    said = Statement(
        text=text,
        kind=KINDS.get(type_, EntryKind.MEMORY),
        type=type_,
        created_at=NOON,
        author=author,
        name=name,
        fields=fields or {},
        scope=scope or Scope(),
        event_time=event_time,
    )
    version = EntryVersion(
        id=entry,
        root=entry,
        supersedes=None,
        depth=0,
        operation=OperationId(f"op_{number:032x}"),
        time=Hybrid(NOON, 0),
        device=DeviceId("dev_1"),
        actor=author,
        reason=None,
        statement=said,
        cites=(),
        negated=state is State.NEGATED,
        epistemic=None,
        judgements=frozenset(),
    )
    return EntryRow(
        version=version,
        state=state,
        current=entry_id(number if current is None else current),
        is_concurrent=False,
        scope=said.scope,
        tier=Tier.DURABLE,
        name=name,
        project=project,
        relations=tuple(Relation(relation, entry, entry, entry_id(other), entry_id(other)) for other in requires),
    )


def turn(
    number: int, text: str, *, role: Role = Role.USER, session: str = "s-1", project: str | None = "kiln"
) -> EventRow:
    return EventRow(
        id=EventId(f"codex:e{number}"),
        time=NOON,
        time_from="record",
        source=SourceId("codex"),
        project=project,
        session=SessionId(session),
        role=role,
        kind=Kind.MESSAGE,
        text=text,
    )


@dataclass(frozen=True)
class Found:
    """What recall found, as packing sees it."""

    row: EntryRow | EventRow
    relevance: float = 0.5
    because: Mapping[str, float] = field(default_factory=lambda: {"words": 0.5, "meaning": 0.25})
    is_outdated: bool = False
    score: float = 0.5


def piece(
    key: str, group: str = "a", *, full: str, summary: str | None = None, needs: Sequence[str] = (), same: object = None
) -> Piece:
    """Return a piece that shows what it is told to, and its key where it is only named."""
    shapes = {Mode.FULL: _shape(full), Mode.REFERENCE: _shape(f"- {key}")}
    if summary is not None:
        shapes[Mode.SUMMARY] = _shape(summary)
    return Piece(
        key=key,
        group=group,
        same=full if same is None else str(same),
        shapes=shapes,
        headings=(f"# {group}",),
        needs=tuple(needs),
    )


def _shape(text: str) -> Shape:
    return Shape(text, lambda: text)
