"""Take the elements of a long JSON array one by one, so that a file of any size is read in bounded memory."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

_OPEN, _CLOSE, _QUOTE = b"[{", b"]}", b'"'
_TO_STRUCTURE = re.compile(rb'[^"\[\]{}]*+')
_IN_TEXT = re.compile(rb'(?:[^"\\]++|\\.)*+', re.DOTALL)


@dataclass(frozen=True, slots=True)
class TooLarge:
    """An element that was passed over, and how many bytes it has."""

    size: int


def elements(pieces: Iterable[bytes], *, largest: int) -> Iterator[bytes | TooLarge]:
    """Yield each object or list of the array at the top as it is written; an object at the top is the only element.

    What a torn file ends with is yielded too. Nothing is checked: that is the business of who parses an element.
    """
    cutter = _Cutter(largest)
    for piece in pieces:
        yield from cutter.cut(piece)
    yield from cutter.rest()


@dataclass(slots=True)
class _Cutter:
    """Remembers between pieces: how deep it is, from which depth on an element counts, and what of one was seen."""

    largest: int
    depth: int = 0
    outside: int | None = None  # the depth around an element, known since the first bracket
    is_text: bool = False
    is_escaped: bool = False  # a piece ended with a backslash
    size: int = 0
    seen: list[bytes] = field(default_factory=list)

    def cut(self, piece: bytes) -> Iterator[bytes | TooLarge]:
        begun, position = 0, 0
        while position < len(piece):
            if self.is_text:
                position = self._through_text(piece, position)
                continue
            position = _end(_TO_STRUCTURE, piece, position)
            found = piece[position : position + 1]
            if found == _QUOTE:
                self.is_text = True
            elif found and found in _OPEN:
                begun = self._open(found, position, begun)
            elif found and self._closes():
                self._keep(piece[begun : position + 1])
                yield from self.rest()
            position += 1
        if self._is_inside:
            self._keep(piece[begun:])

    def rest(self) -> Iterator[bytes | TooLarge]:
        """Yield the element that was seen, whole or torn."""
        if self.size:
            yield TooLarge(self.size) if self.size > self.largest else b"".join(self.seen)
        self.seen, self.size = [], 0

    @property
    def _is_inside(self) -> bool:
        return self.outside is not None and self.depth > self.outside

    def _through_text(self, piece: bytes, position: int) -> int:
        """Return where the text ends or the piece does."""
        if self.is_escaped:
            self.is_escaped = False
            return position + 1
        end = _end(_IN_TEXT, piece, position)
        self.is_text = piece[end : end + 1] != _QUOTE
        self.is_escaped = self.is_text and end < len(piece)
        return end + 1

    def _open(self, found: bytes, position: int, begun: int) -> int:
        """Go one deeper; return where the element at hand begins in this piece."""
        if self.outside is None:
            self.outside = 1 if found == b"[" else 0
        is_first = self.depth == self.outside
        self.depth += 1
        return position if is_first else begun

    def _closes(self) -> bool:
        """Go one up; tell whether that ends an element."""
        was_inside = self._is_inside
        self.depth = max(0, self.depth - 1)
        return was_inside and not self._is_inside

    def _keep(self, part: bytes) -> None:
        """Add to the element at hand; of one that is too large nothing is kept."""
        self.size += len(part)
        if self.size > self.largest:
            self.seen = []
        else:
            self.seen.append(part)


def _end(pattern: re.Pattern[bytes], piece: bytes, position: int) -> int:
    match = pattern.match(piece, position)
    return match.end() if match else position
