"""Lay out what was recalled as a block for a prompt, within its budget (QUO-3, INV-7, INV-8).

The block is fenced. Every item begins with its id and says its date and where it comes from before it says anything
else; words are harmless (`core.neutral`) and can't begin a line of their own.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from quoth.core import _block_items as items
from quoth.core.counting import CHARACTERS, TOKENS, Quoted, Unit, compact
from quoth.core.fence import INTRODUCTION, RECALL
from quoth.core.ids import EntryId
from quoth.core.ledger.values import Statement
from quoth.core.memory import EntryRow, same_text
from quoth.core.model import EventRow, Json
from quoth.core.packing import Layout, Mode, Packed, Piece, packed
from quoth.core.verdicts import GOVERNED

UNITS: Mapping[str, Unit] = {"chars": CHARACTERS, "tokens": TOKENS}
SAID = "said"
"""The group of what was said in sessions; entries are grouped by type."""

NEEDS = frozenset({"requires", "needs", "depends_on", "prerequisite"})
"""Edges from an entry to what must be known before it (ENG-37)."""

_ENTRIES, _TURNS = ("\n# Remembered",), ("\n# Said in sessions",)
_LAYOUT = Layout(opening=(RECALL.opening, INTRODUCTION), closing=(RECALL.closing,), sections=(_ENTRIES, _TURNS))
_DIGITS = 9_999_999  # the highest numbers that an answer is counted with


class Answered(Protocol):
    """What recall found, as a block needs it."""

    @property
    def row(self) -> EntryRow | EventRow: ...

    @property
    def relevance(self) -> float: ...

    @property
    def because(self) -> Mapping[str, float]: ...

    @property
    def is_outdated(self) -> bool: ...


@dataclass(frozen=True, slots=True)
class Item:
    """Something in the block. `because` are the parts of its rank, where they were asked for."""

    id: str
    name: str | None
    type: str
    relevance: float
    mode: Mode
    because: Mapping[str, float] | None = None

    def shape(self) -> dict[str, Json]:
        because: dict[str, Json] = {name: round(each, 4) for name, each in (self.because or {}).items()}
        return {
            "id": self.id,
            "name": self.name,
            "type": self.type,
            "relevance": round(self.relevance, 4),
            "mode": self.mode.value,
            **({} if self.because is None else {"because": because}),
        }


@dataclass(frozen=True, slots=True)
class Block:
    """A block; `items` are in its order, `dropped` had no room, `duplicates` said the same as something better."""

    text: str
    items: Sequence[Item] = ()
    dropped: int = 0
    duplicates: int = 0

    @property
    def tokens(self) -> int:
        return TOKENS.count(self.text)

    def answer(self) -> dict[str, Json]:
        """Return it as `recall` answers."""
        entries = [each.shape() for each in self.items]
        return {"text": self.text, "entries": entries, "dropped": self.dropped, "tokens": self.tokens}


def block(
    found: Sequence[Answered],
    *,
    budget: int,
    unit: Unit = CHARACTERS,
    quotas: Mapping[str, int] | None = None,
    is_explained: bool = False,
    is_aside: bool = False,
) -> Block:
    """Return what was found, which comes ranked, as a block; its text is "" where nothing fits.

    `quotas` are by type of entry, `said` for what was said; a group without one has none. Explained, the whole answer
    as compact JSON stays within the budget; without anything in it that takes some 50 characters. `is_aside`: what
    explains it is shown apart, takes no room, and the block is the same as without.
    """
    shown: dict[str, Answered] = {each.row.id: each for each in reversed(found) if _may_be_shown(each.row)}
    pieces = [*_pieces([each for each in found if each.row.id in shown])]
    if is_aside or not is_explained:
        done = packed(pieces, budget, layout=_LAYOUT, quotas=quotas, unit=unit)
        return _block(done, shown, is_explained=is_explained)
    layout = replace(_LAYOUT, extra=unit.count(compact(_EMPTY)))
    pieces = [replace(each, extra=_beside(shown[each.key], unit)) for each in pieces]
    done = packed(pieces, budget, layout=layout, quotas=quotas, unit=Quoted(unit))
    return _block(done, shown, is_explained=True)


def nothing_found(
    *,
    entries: int | None,
    sessions: int | None,
    budget: int,
    unit: Unit = CHARACTERS,
    is_part: bool = False,
    is_explained: bool = False,
) -> Block:
    """Return a short note of what was searched in vain, as far as the budget allows one.

    None was not looked at; `is_part`: the question was about a part of that alone. Explained, the whole answer stays
    within the budget.
    """
    said, searched = "Nothing relevant is remembered.", f"Searched: {_searched(entries, sessions, is_part=is_part)}."
    room = budget - unit.count(compact(_EMPTY)) if is_explained else budget
    counted = Quoted(unit) if is_explained else unit
    return Block(next((note for note in (f"{said} {searched}", said) if counted.count(note) <= room), ""))


def _searched(entries: int | None, sessions: int | None, *, is_part: bool) -> str:
    counted = (entries, "entry", "entries"), (sessions, "session", "sessions")
    looked_at = [_number(count, one, more) for count, one, more in counted if count is not None]
    return f"the part of {' and '.join(looked_at)} that was asked for" if is_part else ", ".join(looked_at)


def prerequisites(row: EntryRow) -> Sequence[EntryId]:
    """Return the roots of what must stand before an entry; where one is missing, the entry is dropped."""
    needed = (each for each in row.relations if each.root == row.root and _is_need(each.relation))
    return [*dict.fromkeys(each.other_root for each in needed if each.other_root != row.root)]


_EMPTY: Json = {"text": "", "entries": [], "dropped": _DIGITS, "tokens": _DIGITS}


def _is_need(relation: str) -> bool:
    return relation.strip().casefold().replace("-", "_").replace(" ", "_") in NEEDS


def _may_be_shown(row: EntryRow | EventRow) -> bool:
    """Keep what is governed out, whoever found it."""
    return isinstance(row, EventRow) or (row.version.statement is not None and row.state not in GOVERNED)


def _beside(found: Answered, unit: Unit) -> int:
    """Return what an item takes of an answer beside its words; no mode has a longer name than a reference."""
    return unit.count(compact(_item(found, Mode.REFERENCE, is_explained=True).shape()) + ",")


def _item(found: Answered, mode: Mode, *, is_explained: bool) -> Item:
    row = found.row
    because = found.because if is_explained else None
    if isinstance(row, EventRow):
        return Item(row.id, None, SAID, found.relevance, mode, because)
    name = items.label(row.name) if row.name else None
    return Item(row.id, name, _said(row).type, found.relevance, mode, because)


def _said(row: EntryRow) -> Statement:
    assert row.version.statement is not None, "what has no words was left out"
    return row.version.statement


def _pieces(found: Sequence[Answered]) -> Iterator[Piece]:
    versions: dict[str, str] = {}
    for row in (each.row for each in found):
        if not isinstance(row, EventRow):
            versions.setdefault(row.root, row.id)
    for each in found:
        yield _piece(each, versions)


def _piece(found: Answered, versions: Mapping[str, str]) -> Piece:
    row = found.row
    if isinstance(row, EventRow):
        shapes, same = items.shapes_of_event(row), same_text(row.text)
        return Piece(key=row.id, group=SAID, same=same, shapes=shapes, headings=_TURNS)
    said = _said(row)
    return Piece(
        key=row.id,
        group=said.type,
        same=same_text(said.text),
        shapes=items.shapes_of_entry(row, said, is_outdated=found.is_outdated),
        headings=_ENTRIES,
        needs=tuple(versions.get(root, root) for root in prerequisites(row)),
    )


def _block(done: Packed, found: Mapping[str, Answered], *, is_explained: bool = False) -> Block:
    shown = [_item(found[each.piece.key], each.mode, is_explained=is_explained) for each in done.placed]
    return Block(done.text, shown, done.dropped, done.duplicates)


def _number(number: int, one: str, several: str) -> str:
    return f"{number:,} {one if number == 1 else several}"
