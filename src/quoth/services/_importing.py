"""What an import is going to do: operations to append, and what to tell of it."""

from __future__ import annotations

from dataclasses import dataclass, field

from quoth.core.ids import EntryId
from quoth.core.ledger.operations import Draft
from quoth.core.ledger.values import Statement
from quoth.core.model import Json, Named
from quoth.services._incoming import Left

_SHOWN = 200  # entries that a preview names


@dataclass(frozen=True, slots=True)
class Coming:
    """A version that will be there."""

    entry: EntryId
    name: str | None
    type: str | None
    is_first: bool

    def shape(self) -> dict[str, Json]:
        return {"id": self.entry, "name": self.name, "type": self.type, "corrects": not self.is_first}


@dataclass(slots=True)
class Plan:
    drafts: list[Draft] = field(default_factory=list)
    coming: list[Coming] = field(default_factory=list)
    duplicates: int = 0
    relations: int = 0
    left: list[Left] = field(default_factory=list)
    projects: list[Named] = field(default_factory=list)

    def take(self, entry: EntryId, said: Statement | None, *, is_first: bool) -> None:
        self.coming.append(Coming(entry, said.name if said else None, said.type if said else None, is_first))

    def shape(self) -> dict[str, Json]:
        added = sum(coming.is_first for coming in self.coming)
        return {
            "added": added,
            "corrected": len(self.coming) - added,
            "duplicates": self.duplicates,
            "relations": self.relations,
            "skipped": [left.shape() for left in self.left],
            "entries": [coming.shape() for coming in self.coming[:_SHOWN]],
        }
