"""Brief: what somebody who begins to work somewhere should know first (QUO-8).

The newest hand-over, decisions and constraints in force, open risks, next steps. Only what applies at the place, is
valid and not held back; every text harmless, the whole within its budget.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from quoth.core import neutral
from quoth.core.briefing import Item, Section, laid_out
from quoth.core.errors import InvalidArgument
from quoth.core.ids import tail
from quoth.core.memory import EntryFilter, EntryRow, Spot
from quoth.core.model import Json
from quoth.core.times import local_iso
from quoth.core.verdicts import OUTDATED
from quoth.services._entry_shapes import outdated_by
from quoth.services._memory import Memory
from quoth.services._spots import Spots
from quoth.services.handoff import TYPE as HANDOFF

BUDGET = 4_000  # characters

_LARGEST = 1_000_000
_LISTED = 50  # entries of a type that are looked at, the newest
_SAID = 400  # characters of an entry
_READ = 10 * _SAID  # of which so many are looked at
_OF_HANDOFF = 0.6  # of the budget at most: what is in force needs its room
_HEADINGS = {
    "handoff": "# Hand-over",
    "decisions": "# Decisions in force",
    "constraints": "# Constraints and rules in force",
    "risks": "# Open risks",
    "next": "# Next steps",
}
_BEGIN = (
    "Nothing is remembered yet: `quoth remember` keeps a decision or fact, `quoth handoff` how far a piece of work is."
)
_BEGIN_HERE = "Nothing is remembered for this place yet: `quoth handoff` keeps how far a piece of work is."


@dataclass(frozen=True, slots=True)
class Briefing:
    memory: Memory
    spots: Spots

    def run(self, *, budget: int = BUDGET, project: str | None = None, cwd: str | None = None) -> dict[str, Json]:
        """Return `{text, entries, dropped, hint}`; without anything to say the text is empty and `hint` says how to
        begin. `entries` are the ids of what the text holds, `dropped` counts what had no room.

        Raises:
            InvalidArgument: the budget is no number of characters.
            UnknownProject, Ambiguous: the project can't be told.
        """
        if isinstance(budget, bool) or not isinstance(budget, int) or not 0 <= budget <= _LARGEST:
            raise InvalidArgument("budget", f"a number of characters from 0 to {_LARGEST}")
        spot = self.spots.of(project=project, cwd=cwd)
        sections = list(self._sections(spot, budget))
        brief = laid_out(sections, budget)
        return {
            "text": brief.text,
            "entries": list(dict.fromkeys(brief.keys)),
            "dropped": brief.dropped,
            "hint": None if any(section.items for section in sections) else self._beginning(),
        }

    def _beginning(self) -> str:
        return _BEGIN_HERE if self.memory.entries.count() else _BEGIN

    def _sections(self, spot: Spot, budget: int) -> Iterator[Section]:
        now = self.memory.clock.now()
        handoff = self._entries(HANDOFF, spot, now)[:1]
        decisions = self._entries("decision", spot, now)
        constraints = [*self._entries("constraint", spot, now), *self._entries("rule", spot, now)]
        yield Section(_HEADINGS["handoff"], [_handed_over(row, int(budget * _OF_HANDOFF)) for row in handoff])
        yield Section(_HEADINGS["decisions"], [_item(row) for row in decisions])
        yield Section(_HEADINGS["constraints"], [_item(row) for row in _newest_first(constraints)])
        yield Section(_HEADINGS["risks"], [*_listed([*handoff, *decisions], "risks")])
        yield Section(_HEADINGS["next"], [*_listed(handoff, "next")])

    def _entries(self, type_: str, spot: Spot, now: int) -> Sequence[EntryRow]:
        """Return the entries of a type that are in force here, the newest first, what may be outdated last."""
        where = EntryFilter(now=now, type=type_, spot=spot)
        rows = self.memory.entries.recent(where, limit=_LISTED, offset=0)
        return sorted((self._doubted(row) for row in rows if row.version.statement), key=_is_outdated)

    def _doubted(self, row: EntryRow) -> EntryRow:
        """Leave an entry only those relations by which it may be outdated now."""
        if not row.relations:
            return row
        against = outdated_by(row, self.memory.entries)
        doubts = (each for each in row.relations if each.relation == OUTDATED and each.entry == row.id)
        return replace(row, relations=tuple(each for each in doubts if each.other in against))


def _newest_first(rows: Sequence[EntryRow]) -> Sequence[EntryRow]:
    newest = sorted(rows, key=lambda row: (row.version.created_at, row.id), reverse=True)
    return sorted(newest, key=_is_outdated)


def _is_outdated(row: EntryRow) -> bool:
    return bool(row.relations)


def _text(row: EntryRow) -> str:
    return row.version.statement.text if row.version.statement else ""


def _short(row: EntryRow) -> str:
    """Spell an id as short as every tool takes it: it is said with every item."""
    return f"ent_{tail(row.id, ())}"


def _facts(row: EntryRow) -> str:
    """Say which entry it is, of which day and of whom, in our own words."""
    said = row.version.statement
    author = neutral.one_line(said.author if said else row.version.actor)
    doubt = ", possibly outdated" if _is_outdated(row) else ""
    return f"{_short(row)} ({local_iso(row.version.created_at)[:10]}, {author}{doubt}):"


def _handed_over(row: EntryRow, most: int) -> Item:
    return Item(_facts(row), neutral.lines(_text(row)), most, row.id)


def _item(row: EntryRow) -> Item:
    return Item(f"- {_facts(row)}", [neutral.one_line(_text(row)[:_READ])], _SAID, row.id)


def _listed(rows: Sequence[EntryRow], name: str) -> Iterator[Item]:
    """Yield what a field of entries lists: a text, or several."""
    for row in rows:
        said = row.version.statement.fields.get(name) if row.version.statement else None
        for words in filter(None, (neutral.one_line(text[:_READ]) for text in _texts(said))):
            yield Item(f"- {_short(row)}:", [words], _SAID, row.id)


def _texts(value: Json) -> Iterator[str]:
    match value:
        case str():
            yield value
        case Mapping():
            yield from (f"{name}: {each}" for name, part in value.items() for each in _texts(part))
        case list() | tuple():
            yield from (text for part in value for text in _texts(part))
        case None | bool():
            return
        case _:
            yield str(value)
