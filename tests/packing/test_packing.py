"""The laws of packing: the budget, the shares, the counters, the order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from packing.making import piece
from quoth.core.counting import CHARACTERS, TOKENS, Unit
from quoth.core.packing import Layout, Mode, Packed, Piece, Shape, packed

GROUPS = ("a", "b", "c", "d")
LAYOUT = Layout(opening=("<in>",), closing=("</in>",), sections=tuple((f"# {each}",) for each in GROUPS))
NUMBERED = Layout(is_numbered=True, sections=LAYOUT.sections)
_words = st.sampled_from(["x", "数" * 90, "заказы " * 40, "🙂" * 30, "word " * 200, "a\n> b\n> c"]) | st.text(
    max_size=120
)


@st.composite
def _pieces(draw: st.DrawFn) -> list[Piece]:
    """Return ranked pieces; some need others, that may be anywhere or nowhere, and some say the same."""
    count = draw(st.integers(0, 12))
    keys = [f"k{number}" for number in range(count)]
    return [
        piece(
            key,
            draw(st.sampled_from(GROUPS)),
            full=draw(_words),
            summary=draw(st.none() | _words),
            needs=draw(st.lists(st.sampled_from([*keys, "nowhere"]), max_size=2)) if draw(st.booleans()) else (),
        )
        for key in keys
    ]


_quotas = st.dictionaries(st.sampled_from(GROUPS), st.integers(0, 4))
_layouts = st.sampled_from([LAYOUT, NUMBERED, Layout(sections=LAYOUT.sections)])
_units = st.sampled_from([CHARACTERS, TOKENS])


def modes(done: Packed, group: str) -> list[Mode]:
    return [each.mode for each in done.placed if each.piece.group == group]


@pytest.mark.req("INV-7", "OV-12")
@settings(deadline=None)
@given(_pieces(), st.integers(-3, 900), _quotas, _layouts, _units)
@example([piece("k0", full="x")], 0, {}, LAYOUT, CHARACTERS)
def test_a_block_never_exceeds_its_budget(
    pieces: list[Piece], budget: int, quotas: Mapping[str, int], layout: Layout, unit: Unit
) -> None:
    done = packed(pieces, budget, layout=layout, quotas=quotas, unit=unit)
    assert unit.count(done.text) <= max(budget, 0)
    assert bool(done.text) == bool(done.placed)


@pytest.mark.req("OV-12", "OV-19")
@settings(deadline=None)
@given(_pieces(), st.integers(0, 900), _quotas)
def test_the_counters_add_up(pieces: list[Piece], budget: int, quotas: Mapping[str, int]) -> None:
    done = packed(pieces, budget, layout=LAYOUT, quotas=quotas)
    distinct = Counter({each.same: each.group for each in reversed(pieces)}.values())
    assert done.duplicates == len(pieces) - sum(distinct.values())
    allowed = sum(min(quotas.get(group, len(pieces)), count) for group, count in distinct.items())
    assert sum(done.returned.values()) + done.dropped == allowed
    assert done.returned == Counter(each.piece.group for each in done.placed)
    assert done.searched == Counter(each.group for each in pieces)
    assert len({each.piece.key for each in done.placed}) == len(done.placed)


@pytest.mark.req("OV-12")
@settings(deadline=None)
@given(_pieces(), st.integers(0, 900), _layouts, _units)
def test_no_group_is_empty_while_another_has_two_pieces_in_full(
    pieces: list[Piece], budget: int, layout: Layout, unit: Unit
) -> None:
    free = [
        Piece(key=each.key, group=each.group, same=each.same, shapes=each.shapes, headings=each.headings)
        for each in pieces
    ]
    done = packed(free, budget, layout=layout, unit=unit)
    groups = {each.group for each in free}
    if any(not modes(done, group) for group in groups if _is_first(free, group)):
        assert all(modes(done, group).count(Mode.FULL) < 2 for group in groups)


def _is_first(pieces: Sequence[Piece], group: str) -> bool:
    """Tell whether something of a group says what nothing better says."""
    first = {each.same: each.group for each in reversed(pieces)}
    return group in first.values()


@pytest.mark.req("ENG-37")
@settings(deadline=None)
@given(_pieces(), st.integers(0, 900), _quotas)
def test_what_a_piece_needs_stands_before_it(pieces: list[Piece], budget: int, quotas: Mapping[str, int]) -> None:
    done = packed(pieces, budget, layout=LAYOUT, quotas=quotas)
    places = {each.piece.key: place for place, each in enumerate(done.placed)}
    for each in done.placed:
        for key in each.piece.needs:
            assert key in places
            assert places[key] < places[each.piece.key] or _is_needed_by(each.piece.key, key, done)


def _is_needed_by(key: str, by: str, done: Packed) -> bool:
    """Tell whether a piece needs another, however far: whoever need one another come together."""
    needs = {each.piece.key: each.piece.needs for each in done.placed}
    seen, waiting = set[str](), [by]
    while waiting:
        if (one := waiting.pop()) not in seen:
            seen.add(one)
            waiting.extend(needs.get(one, ()))
    return key in seen


@settings(deadline=None)
@given(_pieces(), st.integers(0, 900), _quotas)
def test_the_same_pieces_are_packed_alike(pieces: list[Piece], budget: int, quotas: Mapping[str, int]) -> None:
    one, other = (packed(pieces, budget, layout=LAYOUT, quotas=quotas) for _ in range(2))
    assert one.text == other.text


@settings(deadline=None)
@given(_pieces(), st.integers(0, 900))
def test_every_heading_stands_once_and_over_something(pieces: list[Piece], budget: int) -> None:
    named = [
        Piece(
            key=each.key,
            group=each.group,
            same=each.same,
            shapes={Mode.FULL: Shape("", lambda key=each.key: f"- {key}")},
            headings=("# all" if each.group in "ab" else "# others", *each.headings),
            needs=each.needs,
        )
        for each in pieces
    ]
    lines = packed(named, budget, layout=Layout()).text.split("\n")
    headings = [line for line in lines if line.startswith("#")]
    assert len(headings) == len(set(headings))
    assert not lines[-1].startswith("#")


@pytest.mark.req("OV-12")
@settings(deadline=None)
@given(_pieces(), st.integers(0, 900))
def test_the_best_is_there_where_it_has_room_at_all(pieces: list[Piece], budget: int) -> None:
    free = [replace(each, needs=()) for each in pieces]
    alone = packed(free[:1], budget, layout=LAYOUT).placed
    assert not alone or free[0].key in {each.piece.key for each in packed(free, budget, layout=LAYOUT).placed}


# --- by example ---


@pytest.mark.req("OV-12")
def test_the_best_is_not_left_out_because_its_id_is_too_long_for_a_share() -> None:
    best, short = piece("k" * 90, "a", full="y" * 300), piece("k2", "a", full="z" * 40)
    others = [piece(f"b{number}", group, full=group * 40) for number, group in enumerate("bcd")]
    done = packed([best, short, *others], 260, layout=Layout())
    assert done.placed[0].piece is best


def test_the_best_is_shown_in_full_before_weaker_ones_where_half_of_the_room_is_enough() -> None:
    best = piece("best", "a", full="y" * 120)
    weak = [piece(f"w{number}", "abc"[number % 3], full=f"{number}" * 30) for number in range(9)]
    done = packed([best, *weak], 300, layout=Layout())
    assert (done.placed[0].piece, done.placed[0].mode) == (best, Mode.FULL)


@pytest.mark.req("OV-12")
def test_a_piece_is_shown_in_full_else_in_short_else_named_else_dropped() -> None:
    only = [piece("k", full="full " * 20, summary="summary " * 4)]
    shown = [[each.mode for each in packed(only, budget, layout=Layout()).placed] for budget in (120, 50, 20, 2)]
    assert shown == [[Mode.FULL], [Mode.SUMMARY], [Mode.REFERENCE], []]


@pytest.mark.req("OV-12")
def test_every_group_gets_its_share_before_any_takes_the_rest() -> None:
    long = [
        piece(f"l{number}", "a", full=f"{number} " + "long " * 60, summary=f"{number} short") for number in range(9)
    ]
    last = piece("k", "b", full="the only one " * 8)
    done = packed([*long, last], 1_000, layout=LAYOUT)
    assert modes(done, "b") == [Mode.FULL]
    assert Mode.FULL in modes(done, "a")


@pytest.mark.req("OV-12")
def test_a_group_that_its_share_is_too_small_for_takes_room_from_one_that_has_plenty() -> None:
    large = piece("k" * 113, "b", full="y" * 400)
    small = [piece("k1", full="x" * 40), piece("k2", full="z" * 40)]
    done = packed([small[0], large, small[1]], 170, layout=Layout())
    assert (modes(done, "b"), modes(done, "a")) == ([Mode.REFERENCE], [Mode.FULL, Mode.REFERENCE])


def test_what_is_left_goes_to_the_best() -> None:
    many = [piece(f"k{number}", full=f"{number} " + "long " * 60, summary=f"{number} short") for number in range(6)]
    done = packed(many, 800, layout=LAYOUT)
    assert next(each.mode for each in done.placed) is Mode.FULL
    assert len(done.placed) == 6


@pytest.mark.req("OV-19")
def test_what_says_the_same_is_there_once_and_is_counted() -> None:
    done = packed([piece("k1", full="same"), piece("k2", "b", full="same")], 500, layout=LAYOUT)
    assert [each.piece.key for each in done.placed] == ["k1"]
    assert (done.duplicates, done.dropped, done.searched) == (1, 0, {"a": 1, "b": 1})


@pytest.mark.req("ENG-37")
def test_what_needs_a_duplicate_needs_what_says_the_same() -> None:
    pieces = [piece("k1", full="same"), piece("k2", full="same"), piece("k3", full="more", needs=["k2"])]
    assert [each.piece.key for each in packed(pieces, 500, layout=LAYOUT).placed] == ["k1", "k3"]


@pytest.mark.req("ENG-37")
def test_a_dependent_is_dropped_with_what_it_needs() -> None:
    needed = piece("k2", "b", full="x" * 400)
    only = Piece(key="k2", group="b", same="b", shapes={Mode.FULL: needed.shapes[Mode.FULL]}, headings=needed.headings)
    pieces = [piece("k1", full="dependent", needs=["k2"]), only, piece("k3", full="free", needs=["gone"])]
    assert packed(pieces, 200, layout=LAYOUT).dropped == 3
    assert [each.piece.key for each in packed(pieces, 600, layout=LAYOUT).placed] == ["k2", "k1"]


def test_only_what_may_fit_is_made() -> None:
    made: list[str] = []

    def make(text: str) -> str:
        made.append(text)
        return text

    def shape(text: str) -> Shape:
        return Shape(text, lambda: make(text))

    many = [
        Piece(
            key=f"k{number}",
            group="a",
            same=number,
            shapes={Mode.FULL: shape(f"{number} " + "word " * 400), Mode.REFERENCE: shape(f"- k{number}")},
        )
        for number in range(300)
    ]
    packed(many, 3_000, layout=Layout())
    assert sum(map(len, made)) < 9_000
