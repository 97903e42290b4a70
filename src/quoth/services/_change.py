"""What a correction changes of a statement: an argument that is not given keeps what is there, None takes it away."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from typing import Final, Literal, TypeAlias

from quoth.core.errors import Forgotten
from quoth.core.inference import infer
from quoth.core.ledger.values import Statement
from quoth.core.memory import EntryRow
from quoth.core.model import Json
from quoth.core.speaker import Speaker
from quoth.core.types import EntryType, Rule
from quoth.services._admission import Admission, attribution, demand_order


class Keep(Enum):
    KEEP = "keep"


KEEP: Final = Keep.KEEP
Kept: TypeAlias = Literal[Keep.KEEP]


@dataclass(frozen=True, slots=True)
class Change:
    """The arguments of a correction as a door gave them. None keeps what a statement can't be without: its text, kind,
    type and strength."""

    text: str | None
    kind: str | Kept | None
    type: str | Kept | None
    name: str | Kept | None
    tags: Sequence[str] | Kept | None
    fields: Mapping[str, Json] | Kept | None
    confidence: float | Kept | None
    importance: float | Kept | None
    valid_from: str | Kept | None
    valid_to: str | Kept | None
    event_time: str | Kept | None

    def applied(self, admit: Admission, row: EntryRow, by: Speaker) -> Statement:
        """Return what a version says after the change.

        Raises:
            InvalidArgument, UnknownType: an argument can't be used.
        """
        old = row.version.statement
        if old is None:
            raise Forgotten(row.id)
        chosen = self._type(admit, old)
        text = old.text if self.text is None else admit.text(self.text)
        inferred = infer(text) if text != old.text else None
        said = replace(
            old,
            text=text,
            epistemic=inferred.epistemic if inferred else row.version.epistemic or old.epistemic,
            polarity=inferred.polarity if inferred else old.polarity,
            kind=chosen.kind if chosen else old.kind,
            type=chosen.name if chosen else old.type,
            name=old.name if self.name is KEEP else admit.name(self.name),
            tags=old.tags if self.tags is KEEP else admit.tags(self.tags or ()),
            fields=self._fields(admit, old, chosen),
            confidence=_strength(admit, self.confidence, "confidence", old.confidence),
            importance=_strength(admit, self.importance, "importance", old.importance),
            valid_from=_instant(admit, self.valid_from, "valid_from", old.valid_from),
            valid_to=_instant(admit, self.valid_to, "valid_to", old.valid_to),
            event_time=_instant(admit, self.event_time, "event_time", old.event_time),
            attribution=attribution(by),
            imported=False,
            approval=None,
        )
        demand_order(said.valid_from, said.valid_to)
        return said

    def _type(self, admit: Admission, old: Statement) -> EntryType | None:
        """Return another type for the statement; None when it keeps its own, which this device need not know."""
        kind = None if self.kind is KEEP else self.kind
        if self.type is not KEEP and self.type is not None:
            return admit.type(self.type, kind)
        chosen = admit.type(None, kind) if kind is not None else None
        return chosen if chosen and chosen.kind is not old.kind else None

    def _fields(self, admit: Admission, old: Statement, chosen: EntryType | None) -> Mapping[str, Json]:
        """Return the fields, without those that another type does not have."""
        there = {name: value for name, value in old.fields.items() if not chosen or name in chosen.fields}
        if self.fields is KEEP:
            return there
        of = chosen or admit.types.get(old.type)
        if self.fields is None:
            return {name: value for name, value in there.items() if _is_fixed(of, name)}
        return admit.fields(self.fields, of, there)


def _is_fixed(of: EntryType, name: str) -> bool:
    return name in of.fields and of.fields[name].rule is Rule.IMMUTABLE


def _strength(admit: Admission, given: float | Kept | None, argument: str, old: float) -> float:
    return old if given is KEEP else admit.strength(given, argument, old)


def _instant(admit: Admission, given: str | Kept | None, argument: str, old: int | None) -> int | None:
    return old if given is KEEP else admit.instant(given, argument)
