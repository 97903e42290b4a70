"""What services ask of events: words, kinds, lines, and what became of each."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from indexing import NOON
from quoth.core.ledger.operations import Destroy, Forget
from quoth.core.memory import Fate
from quoth.core.model import Kind, Role
from quoth.core.query import Query
from storage.remembering import Home, ident, said


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Home]:
    home = Home(tmp_path)
    yield home
    home.close()


def test_words_are_held_by_visible_events_of_a_kind_the_newest_first(home: Home) -> None:
    home.put(
        *(said(f"m{n}", "striped zebra", line=n) for n in range(1, 500)),
        said("context", "zebra", line=600, role=Role.SYSTEM),
        said("use", "zebra", line=601, kind=Kind.TOOL_USE),
        said("result", "zebra", line=602, kind=Kind.TOOL_RESULT),
        said("own", "zebra", line=603, kind=Kind.TOOL_RESULT, own=True),
    )
    held = home.held.holding
    assert [row.id for row in held(Query.parse("zebra"), Kind.MESSAGE)] == [ident(f"m{n}") for n in range(499, 0, -1)]
    assert [row.id for row in held(Query.parse("zebra"), Kind.TOOL_RESULT)] == [ident("result")]
    assert list(held(Query.parse("zebra lion"), Kind.MESSAGE)) == list(held(Query.parse("!"), Kind.MESSAGE)) == []
    assert [row.id for row in home.held.newest(Kind.MESSAGE)] == [ident(f"m{n}") for n in range(499, 0, -1)]
    assert [row.id for row in home.held.newest(Kind.TOOL_USE)] == [ident("use")]
    assert {row.id for row in home.held.unsearched(["zeb"])} == {ident("context"), ident("own")}


@pytest.mark.req("ORI-50")
def test_of_the_newest_those_are_found_that_hold_words_however_they_are_spaced(home: Home) -> None:
    words = {1: "The ZEBRA\nran", 2: "the zeb ra ran", 3: "a lion", 4: "Die Zebras", 5: "it is striped"}
    home.put(*(said(f"m{n}", text, line=n) for n, text in words.items()))
    home.forgets("m4")
    newest = home.held.newest
    assert [row.id for row in newest(Kind.MESSAGE, folded="zebra")] == [ident("m2"), ident("m1")]
    assert [row.id for row in newest(Kind.MESSAGE, folded="zebraran")] == [ident("m2"), ident("m1")]
    assert list(newest(Kind.MESSAGE, folded="\ud800")) == list(newest(Kind.MESSAGE, folded="tiger")) == []


@pytest.mark.parametrize("kind", [Kind.MEMORY, Kind.META])
def test_the_newest_of_other_kinds_are_found_too(home: Home, kind: Kind) -> None:
    home.put(*(said(f"m{n}", f"{n}", line=n, kind=kind) for n in range(1, 300)))
    home.forgets("m5")
    assert [row.text for row in home.held.newest(kind)] == [f"{n}" for n in range(299, 0, -1) if n != 5]


def test_calls_of_our_own_tools_are_told_since_an_instant(home: Home) -> None:
    home.put(*(said(f"c{n}", "call", line=n, kind=Kind.TOOL_USE, own=n != 3) for n in range(1, 7)))
    home.forgets("c5")
    calls = list(home.held.own_calls(since=NOON + 2_000))
    assert [row.id for row in calls] == [ident(f"c{n}") for n in (2, 4, 6)]
    assert all(row.own for row in calls)


@pytest.mark.req("INV-5")
def test_a_line_tells_all_events_that_were_read_on_it(home: Home) -> None:
    home.put(
        said("a", "one", line=1, part=0),
        said("b", "two", line=1, part=1),
        said("wide", "three", line=4, first_line=1),
        said("c", "four", line=5),
    )
    home.says(Destroy(events=(ident("b"),)), Forget(events=(ident("a"),)))
    (anchor,) = home.index.anchors(ident("a"))
    told = home.held.on_lines(anchor)
    assert told == [
        (ident("a"), Fate.FORGOTTEN),
        (ident("b"), Fate.DESTROYED),
        (ident("wide"), Fate.VISIBLE),
    ]
    (destroyed,) = home.held.destroyed_anchors()
    assert (destroyed.event, destroyed.line, destroyed.part) == (ident("b"), 1, 1)
    home.held.blanked([destroyed])
    assert home.held.destroyed_anchors() == []
    assert len(home.index.anchors(ident("a"))) == 1
