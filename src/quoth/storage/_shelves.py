"""Put events onto the full-text tables and take them off.

A short event is one row under its own number. A long one has a row for each of its pieces, under numbers that no event
reaches: `PIECES + (number << 16 | piece)`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import TypeAlias

from quoth.core import text as words
from quoth.core.model import Kind, Role
from quoth.core.speaking import speaker_of
from quoth.core.vectors import TextKey, key_of
from quoth.readers.stems import stems
from quoth.storage._database import Database
from quoth.storage._match import SHARED

PIECES = 1 << 40
_BITS = 16
_MOST = 8_000  # tokens of a piece; PostgreSQL takes no more positions

SPOKEN, TOOLS = "spoken", "tools"
_SPEAKERS = {Role.USER, Role.ASSISTANT}
_TRAFFIC = {Kind.TOOL_USE, Kind.TOOL_RESULT}


# A row: its number, its tokens by parts and joined, the stems of what is inflected; tool traffic has none.
Indexed: TypeAlias = tuple[int, str, str, str] | tuple[int, str, str]


@dataclass(slots=True)
class Shelved:
    """An event's place in full text: which table holds it and in how many rows; and what is kept of a spoken message
    there. An event that is taken off has nothing of that."""

    number: int
    shelf: str | None
    pieces: int = 0
    key: TextKey | None = None
    speaker: str | None = None
    tokens: int = 0

    @property
    def columns(self) -> tuple[object, ...]:
        return self.shelf, self.pieces, self.key, self.speaker, self.tokens


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
        self._put: dict[int, tuple[str, Sequence[Indexed]]] = {}

    def put(self, shelved: Shelved, text: str) -> None:
        """Index a text on its shelf, if it has one, and note how many rows it takes."""
        if shelved.shelf is None:
            return
        marked = words.mark(text)
        rows = _rows(shelved.number, marked)
        shelved.pieces = len(rows)
        if shelved.shelf == SPOKEN:
            shelved.key, shelved.speaker = key_of(text), speaker_of(text)
            shelved.tokens = words.count(rows[0][1] if len(rows) == 1 else words.spell(marked)[0])
            self._put[shelved.number] = SPOKEN, [(*row, " ".join(stems(row[1]))) for row in rows]
        else:
            self._put[shelved.number] = TOOLS, rows

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
            self._db.many(f"shelve_{shelf}", sorted(rows, key=itemgetter(0)))
        self.forget()

    def forget(self) -> None:
        """Drop what was collected, because its transaction is undone."""
        self._taken.clear()
        self._put.clear()


def _rows(number: int, marked: str) -> Sequence[tuple[int, str, str]]:
    if len(marked) <= _MOST:
        return [(number, *words.spell(marked))]
    pieces = list(words.pieces(marked, most=_MOST, overlap=SHARED))
    numbers = _row_numbers(Shelved(number, None, len(pieces)))
    return [(row, *words.spell(piece)) for row, piece in zip(numbers, pieces, strict=True)]


def _row_numbers(shelved: Shelved) -> Iterable[int]:
    if shelved.pieces == 1:
        return (shelved.number,)
    first, _ = pieces_of(shelved.number)
    return range(first, first + shelved.pieces)


def pieces_of(number: int) -> tuple[int, int]:
    """Return the first and the last row that pieces of an event can have."""
    first = PIECES + (number << _BITS)
    return first, first + (1 << _BITS) - 1


def event_of(row: int) -> int:
    """Return the event that a row, or a piece in it, belongs to."""
    return row if row < PIECES else (row - PIECES) >> _BITS
