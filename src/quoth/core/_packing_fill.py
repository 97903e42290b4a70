"""Fill a budget: a share for every group, the rest for the best, and no group empty beside one that has plenty."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from quoth.core._packing_pieces import Layout, Mode, Piece, Placed
from quoth.core._packing_text import levels, ordered
from quoth.core.counting import Unit

_MODES = tuple(Mode)
_HELD_BACK = 2  # a piece takes at most this part of what is left of a share while others of its group wait


@dataclass(slots=True)
class Filling:
    """What is in the block so far. `pieces` are ranked and distinct; `room` is what is left of the budget."""

    pieces: Sequence[Piece]
    budget: int
    layout: Layout
    unit: Unit
    room: int = 0
    _modes: dict[str, Mode] = field(default_factory=dict)
    _under: Counter[tuple[str, ...]] = field(default_factory=Counter)
    _made: dict[tuple[str, Mode], tuple[str, int]] = field(default_factory=dict)
    _rough: dict[tuple[str, Mode], int] = field(default_factory=dict)
    _by_key: dict[str, Piece] = field(default_factory=dict)
    _number: int = 0

    def run(self) -> list[Placed]:
        """Return what fits, in the order of the block."""
        self._begin()
        groups = self._groups()
        self._begin_with_best()
        for place, group in enumerate(groups):
            self._share(group, self.room // (len(groups) - place))
        self._take_rest()
        if self._make_even(groups):
            self._take_rest()
        placed = [Placed(each, mode, self._text(each, mode)) for each in self.pieces if (mode := self._mode(each))]
        return ordered(placed, self.layout)

    def _begin(self) -> None:
        self.room = self.budget - self.layout.extra + self.unit.line_end  # one line end less than lines
        for line in (*self.layout.opening, *self.layout.closing):
            self.room -= self._line(line)
        self._number = self.unit.count(f"[{len(self.pieces)}] ") if self.layout.is_numbered else 0
        self._by_key = {piece.key: piece for piece in self.pieces}

    def _begin_with_best(self) -> None:
        """Show as much of the best of all as half of the room allows, or name it: it is there, whatever else is."""
        any(self._raise(piece, self.room // _HELD_BACK) or self._name(piece, self.room) for piece in self.pieces)

    def _groups(self) -> list[list[Piece]]:
        """Return the pieces that may be placed at all, group by group, the group of the best first."""
        groups: dict[str, list[Piece]] = {}
        for piece in self.pieces:
            if self._needed(piece) is not None:
                groups.setdefault(piece.group, []).append(piece)
        return list(groups.values())

    # --- filling ---

    def _share(self, group: Sequence[Piece], share: int) -> None:
        """Give a group its share, the best first, and none of them so much that the next ones get nothing."""
        end = self.room - share
        for place, piece in enumerate(group):
            left = self.room - end
            if not self._raise(piece, left if place == len(group) - 1 else left // _HELD_BACK):
                self._name(piece, left)

    def _take_rest(self) -> None:
        for piece in self.pieces:
            self._raise(piece, self.room)

    def _make_even(self, groups: Sequence[Sequence[Piece]]) -> bool:
        """Show less of groups that have two pieces in full until no group is empty; tell whether none is.

        It ends: each round shows less of a piece. Only pieces that groups need from one another might bring it back,
        hence the bound.
        """
        for _ in self.pieces:
            empty = [group for group in groups if not any(map(self._mode, group))]
            if not empty:
                return True
            richest = max(([each for each in group if self._mode(each) is Mode.FULL] for group in groups), key=len)
            if len(richest) < 2:
                return False
            self._lower(richest[-1])
            for group in empty:
                any(self._name(piece, self.room) or self._raise(piece, self.room) for piece in group)
        return False

    def _raise(self, piece: Piece, most: int) -> bool:
        """Show as much of a piece as some room allows, and of what it needs; tell whether that is more than before."""
        before = self._mode(piece)
        more = _MODES[: _MODES.index(before)] if before else _MODES
        return any(mode in piece.shapes and self._place(piece, mode, most) for mode in more)

    def _name(self, piece: Piece, most: int) -> bool:
        """Show the least of a piece that is not there yet; tell whether that fits."""
        return not self._mode(piece) and self._place(piece, _nearest(piece, Mode.REFERENCE), most)

    def _place(self, piece: Piece, mode: Mode, most: int) -> bool:
        needed = self._needed(piece)
        if needed is None:
            return False
        modes = {each.key: at for each in needed if not self._mode(each) and (at := _nearest(each, mode))}
        modes[piece.key] = mode
        took = self._taking(modes, most)
        if took is None:
            return False
        for key, at in modes.items():
            self._put(self._by_key[key], at)
        self.room -= took
        return True

    def _taking(self, modes: dict[str, Mode], most: int) -> int | None:
        """Return what it takes to show pieces like that instead of as they are now; None if it is more than `most`."""
        took = 0
        opened: set[tuple[str, ...]] = set()
        for key, mode in modes.items():
            piece = self._by_key[key]
            if now := self._mode(piece):
                took -= self._size(piece, now)
            else:
                new = [each for each in levels(piece.headings) if not self._under[each] and each not in opened]
                opened.update(new)
                took += sum(self._line(each[-1]) for each in new)
            if self._is_too_long(piece, mode, most - took) or (took := took + self._size(piece, mode)) > most:
                return None
        return took

    def _put(self, piece: Piece, mode: Mode) -> None:
        if piece.key not in self._modes:
            self._under.update(levels(piece.headings))
        self._modes[piece.key] = mode

    def _lower(self, piece: Piece) -> None:
        """Show less of a piece, or nothing of it nor of what needs it."""
        size = self._size(piece, Mode.FULL)
        for mode in _MODES[1:]:
            if mode in piece.shapes and self._size(piece, mode) < size:
                self._modes[piece.key] = mode
                self.room += size - self._size(piece, mode)
                return
        for each in self.pieces:
            if each is piece or piece.key in {needed.key for needed in self._needed(each) or ()}:
                self._remove(each)

    def _remove(self, piece: Piece) -> None:
        if not (mode := self._modes.pop(piece.key, None)):
            return
        self.room += self._size(piece, mode)
        for each in levels(piece.headings):
            self._under[each] -= 1
            self.room += 0 if self._under[each] else self._line(each[-1])

    # --- what things take ---

    def _mode(self, piece: Piece) -> Mode | None:
        return self._modes.get(piece.key)

    def _needed(self, piece: Piece) -> Sequence[Piece] | None:
        """Return everything that must stand before a piece; None when something of it is not here."""
        if not piece.needs:
            return ()
        found: dict[str, Piece] = {}
        open_ = list(piece.needs)
        while open_:
            key = open_.pop()
            if key in found or key == piece.key:
                continue
            if key not in self._by_key:
                return None
            found[key] = self._by_key[key]
            open_.extend(found[key].needs)
        return list(found.values())

    def _line(self, line: str) -> int:
        return self.unit.count(line) + self.unit.line_end

    def _is_too_long(self, piece: Piece, mode: Mode, most: int) -> bool:
        """Tell by its words, without making it, whether a piece hardly fits."""
        if (piece.key, mode) in self._made:
            return False
        words = piece.shapes[mode].words
        if len(words) > self.unit.most(most):
            return True
        if (piece.key, mode) not in self._rough:
            self._rough[piece.key, mode] = self.unit.count(words) + piece.extra
        return self._rough[piece.key, mode] > most

    def _size(self, piece: Piece, mode: Mode) -> int:
        """Return exactly how much a piece takes, with the end of its line."""
        self._text(piece, mode)
        return self._made[piece.key, mode][1]

    def _text(self, piece: Piece, mode: Mode) -> str:
        """Make a piece, once."""
        if (piece.key, mode) not in self._made:
            text = piece.shapes[mode].make()
            self._made[piece.key, mode] = text, self._line(text) + self._number + piece.extra
        return self._made[piece.key, mode][0]


def _nearest(piece: Piece, mode: Mode) -> Mode:
    """Return the mode of a piece that shows no more than another, else the one that shows least."""
    less = [each for each in _MODES[_MODES.index(mode) :] if each in piece.shapes]
    return less[0] if less else next(each for each in reversed(_MODES) if each in piece.shapes)
