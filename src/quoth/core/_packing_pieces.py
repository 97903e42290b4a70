"""What is packed: pieces and the ways to show them, and what stands around them."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum


class Mode(StrEnum):
    """How much of a piece is shown, the most first."""

    FULL = "full"
    SUMMARY = "summary"
    REFERENCE = "reference"


@dataclass(frozen=True, slots=True)
class Shape:
    """One way to show a piece, which is made only when it may fit.

    `words` are what it shows as they are stored: they tell about how much room it takes. `make` returns its lines,
    joined by LF and harmless.
    """

    words: str
    make: Callable[[], str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """Something that may be shown.

    - `group`: what has a quota and a share.
    - `headings`: those that it stands under, the widest first.
    - `same`: equal for what says the same.
    - `shapes`: in which modes it can be shown.
    - `needs`: keys of pieces that must stand before it.
    - `extra`: what it takes of the budget besides, where it stands in other parts of the answer too.
    """

    key: str
    group: str
    same: Hashable
    shapes: Mapping[Mode, Shape]
    headings: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()
    extra: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """What stands around the pieces: lines before and behind them, the order of their headings, and whether each
    begins with its number in the block."""

    opening: Sequence[str] = ()
    closing: Sequence[str] = ()
    sections: Sequence[tuple[str, ...]] = ()
    is_numbered: bool = False
    extra: int = 0


@dataclass(frozen=True, slots=True)
class Placed:
    """A piece in the block. `text` is what it says there, without its number, `headings` what it stands under there."""

    piece: Piece
    mode: Mode
    text: str
    headings: tuple[str, ...] = ()
