"""Put the records of Copilot CLI together again that its writer broke over several lines.

Some versions wrote line ends of a tool's output as they are, inside the text of a record. Quotes were still escaped, so
that a line of such a text holds no bare quote; and a line that is a whole record by itself can't be part of a text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from quoth.core.model import Line
from quoth.readers.jsonl import Broken, Record, records

_BARE_QUOTE = re.compile(rb'(?<!\\)(?:\\\\)*"')
_MOST_LINES = 20_000
_MOST_BYTES = 4 << 20  # a longer one stays broken; parsers must remember it
_MOST_ATTEMPTS = 100  # to read the whole of it; each costs its whole length
_NULS = b"\0"


@dataclass(frozen=True, slots=True)
class Whole:
    """A record and the line it begins on."""

    record: Record
    first_line: int


@dataclass(frozen=True, slots=True)
class Rubble:
    """A line that can't be read."""

    line: int
    reason: str


@dataclass(slots=True)
class Joined:
    """Holds the lines of a record that is not complete."""

    first_line: int = 0
    held: list[str] = field(default_factory=list)
    size: int = 0
    attempts: int = 0

    def feed(self, line: Line) -> Iterator[Whole | Rubble]:
        """Yield what a line completes; nothing while it is held."""
        found = records(line.data)
        if self.held and not _has_record(found):
            yield from self._go_on(line)
            return
        yield from self._give_up()
        yield from self._take(found, line.number)

    def _go_on(self, line: Line) -> Iterator[Whole | Rubble]:
        if not line.data.strip(_NULS) and line.data:
            return
        self._hold(line.data)
        if _BARE_QUOTE.search(line.data):
            self.attempts += 1
            found = records("\n".join(self.held).encode())
            if not isinstance(found[0], Broken):
                first = self.first_line
                self._clear()
                yield from self._take(found, line.number, first)
        if self.size > _MOST_BYTES or len(self.held) > _MOST_LINES or self.attempts > _MOST_ATTEMPTS:
            yield from self._give_up()

    def _take(self, found: list[Record | Broken], number: int, first: int | None = None) -> Iterator[Whole | Rubble]:
        *before, last = found or [Broken("blank", b"")]
        for one in before:
            yield Rubble(number, one.reason) if isinstance(one, Broken) else Whole(one, first or number)
        if not isinstance(last, Broken):
            yield Whole(last, first or number)
        elif last.reason == "not JSON" and last.rest.startswith(b'{"') and len(last.rest) <= _MOST_BYTES:
            self.first_line = number
            self._hold(last.rest)
        elif found:
            yield Rubble(number, last.reason)

    def _hold(self, data: bytes) -> None:
        self.held.append(data.decode("utf-8", "replace"))
        self.size += len(data)

    def _give_up(self) -> Iterator[Rubble]:
        """Say that the lines that were held are no record: the writer died, and the next one began anew."""
        for nth in range(len(self.held)):
            yield Rubble(self.first_line + nth, "torn")
        self._clear()

    def _clear(self) -> None:
        self.first_line, self.held, self.size, self.attempts = 0, [], 0, 0


def _has_record(found: list[Record | Broken]) -> bool:
    return any(not isinstance(one, Broken) and isinstance(one.get("type"), str) for one in found)
