"""Put events onto the full-text tables and take them off.

A short event is one row under its own number. A long one has a row for each of its pieces, under numbers that no event
reaches: `PIECES + (number << 16 | piece)`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from operator import itemgetter
from typing import TypeAlias

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


Indexed: TypeAlias = tuple[int, str, str]  # a row: its number, its tokens by parts and joined


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


class Shelves:
    """Collects what a transaction does to full text and does it last, in one go.

    FTS5 writes what it holds to the file at every savepoint, and SQLite makes one for many a statement on other tables.
    """

    def __init__(self, db: Database) -> None:
        self._db = db
        self._taken: list[Shelved] = []
        self._put: dict[int, tuple[str, list[Indexed]]] = {}

    def put(self, shelved: Shelved, text: str) -> None:
        """Index a text on its shelf, if it has one, and note how many rows it takes."""
        if shelved.shelf is not None:
            rows = _rows(shelved.number, text)
            shelved.pieces = len(rows)
            self._put[shelved.number] = shelved.shelf, rows

    def take(self, shelved: Shelved) -> None:
        """Take an event off its shelf."""
        if self._put.pop(shelved.number, None) is None and shelved.shelf is not None:
            self._taken.append(shelved)

    def close(self) -> None:
        """Do what was collected; nothing else is written in this transaction after it."""
        for shelf in (SPOKEN, TOOLS):
            taken = [row for shelved in self._taken if shelved.shelf == shelf for row in _row_numbers(shelved)]
            self._db.many("unshelve", ((row,) for row in taken), shelf=shelf)
            rows = [row for on, rows in self._put.values() if on == shelf for row in rows]
            self._db.many("shelve", sorted(rows, key=itemgetter(0)), shelf=shelf)
        self.forget()

    def forget(self) -> None:
        """Drop what was collected, because its transaction is undone."""
        self._taken.clear()
        self._put.clear()


def _rows(number: int, text: str) -> list[Indexed]:
    marked = words.mark(text)
    if len(marked) <= _MOST:
        return [(number, *words.spell(marked))]
    pieces = list(words.pieces(marked, most=_MOST, overlap=SHARED))
    numbers = _row_numbers(Shelved(number, None, len(pieces)))
    return [(row, *words.spell(piece)) for row, piece in zip(numbers, pieces, strict=True)]


def _row_numbers(shelved: Shelved) -> Iterable[int]:
    if shelved.pieces == 1:
        return (shelved.number,)
    first = PIECES + (shelved.number << _BITS)
    return range(first, first + shelved.pieces)
