"""Pack what was found into a budget that is never exceeded (INV-7, OV-12).

Pieces come ranked, the best first, each in a group that has a quota. Every group that has something gets its share
before any takes the rest, which goes to the best; a piece is shown in full, else in short, else named, else dropped.
What a piece needs stands before it, or it is dropped. What says the same is there once. The counters add up:
`returned + dropped` is, over all groups, what passed within the quotas.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from quoth.core._packing_fill import Filling
from quoth.core._packing_pieces import Layout, Mode, Piece, Placed, Shape
from quoth.core._packing_text import rendered
from quoth.core.counting import CHARACTERS, Unit

__all__ = ["Layout", "Mode", "Packed", "Piece", "Placed", "Shape", "packed"]


@dataclass(frozen=True, slots=True)
class Packed:
    """A block. `searched` and `returned` are by group, `duplicates` said the same as something better; `placed` are in
    the order of the block."""

    text: str
    placed: Sequence[Placed] = ()
    searched: Mapping[str, int] = field(default_factory=dict)
    returned: Mapping[str, int] = field(default_factory=dict)
    dropped: int = 0
    duplicates: int = 0


def packed(
    pieces: Sequence[Piece],
    budget: int,
    *,
    layout: Layout,
    quotas: Mapping[str, int] | None = None,
    unit: Unit = CHARACTERS,
) -> Packed:
    """Return the pieces, which come ranked, as a block of at most `budget`; "" when none of them fits.

    A group that `quotas` does not name has none.
    """
    distinct = _distinct(pieces)
    chosen = [*_within(distinct, quotas or {})]
    placed = Filling(chosen, budget, layout, unit).run()
    return Packed(
        rendered(placed, layout) if placed else "",
        placed,
        searched=Counter(piece.group for piece in pieces),
        returned=Counter(each.piece.group for each in placed),
        dropped=len(chosen) - len(placed),
        duplicates=len(pieces) - len(distinct),
    )


def _distinct(pieces: Sequence[Piece]) -> Sequence[Piece]:
    """Leave out what says the same as something better, and let who needs it need that one."""
    first: dict[Hashable, str] = {}
    stands_for: dict[str, str] = {}
    kept: list[Piece] = []
    for piece in pieces:
        key = first.setdefault(piece.same, piece.key)
        if piece.key not in stands_for and key == piece.key:
            kept.append(piece)
        stands_for.setdefault(piece.key, key)
    return [_needing(piece, stands_for) for piece in kept]


def _needing(piece: Piece, stands_for: Mapping[str, str]) -> Piece:
    if not piece.needs:
        return piece
    needs = dict.fromkeys(stands_for.get(key, key) for key in piece.needs)
    return replace(piece, needs=tuple(key for key in needs if key != piece.key))


def _within(pieces: Sequence[Piece], quotas: Mapping[str, int]) -> Iterator[Piece]:
    """Yield the best of each group, as many as its quota says."""
    taken: Counter[str] = Counter()
    for piece in pieces:
        taken[piece.group] += 1
        if taken[piece.group] <= quotas.get(piece.group, len(pieces)):
            yield piece
