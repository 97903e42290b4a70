"""Put events onto the full-text tables and take them off.

A short event is one row under its own number. A long one has a row for each of its pieces, under numbers that no event
reaches: `PIECES + (number << 16 | piece)`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from quoth.core import text as words
from quoth.core.model import Kind, Role
from quoth.storage._database import Database
from quoth.storage._match import SHARED

PIECES = 1 << 40
_BITS = 16
_MOST = 8_000  # tokens of a piece; PostgreSQL takes no more positions

SPOKEN, TOOLS = "spoken", "tools"
_SPEAKERS = {Role.USER, Role.ASSISTANT}
_TRAFFIC = {Kind.TOOL_USE, Kind.TOOL_RESULT}


@dataclass(slots=True)
class Shelved:
    """An event's place in full text: which table holds it and in how many rows."""

    number: int
    shelf: str | None
    pieces: int = 0


def shelf_of(role: str, kind: str, text: str, *, own: bool) -> str | None:
    """Return the table for an event: traffic of our own tools, injected context and empty texts have none."""
    if own or not text or text.isspace():
        return None
    if kind == Kind.MESSAGE:
        return SPOKEN if role in _SPEAKERS else None
    return TOOLS if kind in _TRAFFIC else None


def put(db: Database, texts: Sequence[tuple[Shelved, str]]) -> None:
    """Index texts, each on its shelf, and note how many rows each takes."""
    for shelf in (SPOKEN, TOOLS):
        db.many("shelve", _rows((s, text) for s, text in texts if s.shelf == shelf), shelf=shelf)


def take(db: Database, shelved: Sequence[Shelved]) -> None:
    """Take events off their shelves."""
    for shelf in (SPOKEN, TOOLS):
        db.many("unshelve", ((row,) for s in shelved if s.shelf == shelf for row in _row_numbers(s)), shelf=shelf)


def event_of(row: int) -> int:
    """Return the number of the event that a row of a full-text table belongs to."""
    return row if row < PIECES else (row - PIECES) >> _BITS


def _rows(texts: Iterable[tuple[Shelved, str]]) -> Iterator[tuple[int, str, str]]:
    for shelved, text in texts:
        marked = words.mark(text)
        if len(marked) <= _MOST:
            shelved.pieces = 1
            yield shelved.number, *words.spell(marked)
        else:
            yield from _pieces(shelved, marked)


def _pieces(shelved: Shelved, marked: str) -> Iterator[tuple[int, str, str]]:
    pieces = list(words.pieces(marked, most=_MOST, overlap=SHARED))
    shelved.pieces = len(pieces)
    for number, piece in zip(_row_numbers(shelved), pieces, strict=True):
        yield number, *words.spell(piece)


def _row_numbers(shelved: Shelved) -> Iterable[int]:
    if shelved.pieces == 1:
        return (shelved.number,)
    first = PIECES + (shelved.number << _BITS)
    return range(first, first + shelved.pieces)
