"""Put what was placed in the order of the block: under its headings, behind what it needs, numbered if so wished."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from quoth.core._packing_pieces import Layout, Placed


def rendered(placed: Sequence[Placed], layout: Layout) -> str:
    """Return the block; what was placed is in the order of the block already."""
    return "\n".join([*layout.opening, *_body(placed, layout), *layout.closing])


def ordered(placed: Sequence[Placed], layout: Layout) -> list[Placed]:
    """Return what was placed, section by section and ranked inside them.

    What a piece needs comes right before it, wherever else it would stand: then it stands in that section.
    """
    places: dict[tuple[str, ...], int] = {}
    for headings in (*layout.sections, *(each.piece.headings for each in placed)):
        for level in levels(headings):
            places.setdefault(level, len(places))
    by_section = sorted(placed, key=lambda each: [places[level] for level in levels(each.piece.headings)])
    waiting = {each.piece.key: each for each in by_section}
    done: list[Placed] = []
    for each in by_section:
        done.extend(Placed(found.piece, found.mode, found.text, each.piece.headings) for found in _taken(each, waiting))
    return done


def levels(headings: tuple[str, ...]) -> Sequence[tuple[str, ...]]:
    """Return the sections that a piece is in, the widest first."""
    return [headings[:depth] for depth in range(1, len(headings) + 1)]


def _taken(begun: Placed, waiting: dict[str, Placed]) -> Iterator[Placed]:
    """Yield a piece behind everything that it needs and that is not there yet; whoever needs one another follow one
    another in any order."""
    path = [begun] if waiting.pop(begun.piece.key, None) else []
    while path:
        needs = (waiting.pop(key, None) for key in path[-1].piece.needs)
        found = next((each for each in needs if each), None)
        if found:
            path.append(found)
        else:
            yield path.pop()


def _body(placed: Sequence[Placed], layout: Layout) -> Iterator[str]:
    open_: tuple[str, ...] = ()
    for number, each in enumerate(placed, 1):
        shared = _shared(open_, each.headings)
        yield from each.headings[shared:]
        open_ = each.headings
        yield f"[{number}] {each.text}" if layout.is_numbered else each.text


def _shared(one: tuple[str, ...], other: tuple[str, ...]) -> int:
    """Return how many headings two sections begin with together."""
    same = 0
    while same < min(len(one), len(other)) and one[same] == other[same]:
        same += 1
    return same
