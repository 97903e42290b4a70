"""Search: order, filters, pages, long events, and what engines would read as operators."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from indexing import EVERYTHING, NOON, batch, event, filled, found, opened, stream
from quoth.core.ids import ProjectId, SourceId
from quoth.core.model import Filter, Kind, Place, Role
from quoth.core.ports import Index
from quoth.core.query import Query


@pytest.fixture
def index(tmp_path: Path) -> Iterator[Index]:
    index = opened(tmp_path)
    yield index
    index.close()


def test_the_best_match_comes_first_and_the_newest_among_equals(index: Index) -> None:
    filled(
        index,
        "cache and many other words that say nothing of it",
        "cache one",
        "cache two",
        "cache cache cache",
        "none",
    )
    assert found(index, "cache") == [
        "cache cache cache",
        "cache two",
        "cache one",
        "cache and many other words that say nothing of it",
    ]


def test_filters_choose_by_time_source_and_project(index: Index) -> None:
    index.put(
        [
            batch(stream(1), event("a", "needle a", line=1, cwd="/w/a"), event("b", "needle b", line=2, cwd="/w/b")),
            batch(stream(2, key="z", source="zed"), event("z", "needle z", line=3, source="zed", session="z")),
        ]
    )
    index.place([Place("/w/a", ProjectId("dir:a"), "a")])
    index.settle()
    assert sorted(found(index, "needle", Filter(source=SourceId("zed")))) == ["needle z"]
    assert sorted(found(index, "needle", Filter(since=NOON + 2_000))) == ["needle b", "needle z"]
    assert sorted(found(index, "needle", Filter(until=NOON + 2_000))) == ["needle a"]
    assert sorted(found(index, "needle", Filter(projects=(ProjectId("dir:a"),)))) == ["needle a"]
    assert [row.text for row in index.recent(Filter(source=SourceId("zed")), limit=9, offset=0)] == ["needle z"]


@pytest.mark.parametrize("where", [EVERYTHING, Filter(since=0), Filter(include_tools=True)])
def test_pages_show_every_hit_once_and_in_order(index: Index, where: Filter) -> None:
    random = Random(3)
    events = [
        event(
            f"e{n}",
            "needle " + "hay " * random.randint(0, 3),
            line=n,
            time=NOON + random.randint(0, 40),
            kind=random.choice([Kind.MESSAGE, Kind.TOOL_RESULT]),
        )
        for n in range(1, 400)
    ]
    index.put([batch(stream(), *events)])
    query = Query.parse("needle")
    whole = [row.id for row in index.search(query, where, limit=1_000, offset=0)]
    paged = [row.id for at in range(0, 420, 7) for row in index.search(query, where, limit=7, offset=at)]
    assert paged == whole
    expected = {located.event.id for located in events if where.include_tools or located.event.kind == Kind.MESSAGE}
    assert set(whole) == expected
    recent = [row.id for row in index.recent(where, limit=1_000, offset=0)]
    assert [row.id for at in range(0, 420, 9) for row in index.recent(where, limit=9, offset=at)] == recent
    assert set(recent) == expected


def test_a_query_without_a_word_finds_nothing(index: Index) -> None:
    filled(index, "hello !!!", "🙂")
    assert [found(index, query) for query in ("", "  ", "!!!", "🙂", "*", '"')] == [[]] * 6


WORDS = "AND OR NOT NEAR parts:a ^a a* \"a 'a' a) (( -a : ¶ a¶b rowid rank"
SEVERAL = [
    "a AND b",
    "a OR b",
    "NEAR(a b, 3)",
    "joined : a",
    "{parts joined}: a",
    "a + b",
    "- parts",
    "a\0b",
    "\ud800",
    "\x01",
]


@pytest.mark.parametrize("query", [*WORDS.split(), *SEVERAL], ids=ascii)
def test_no_word_of_a_query_is_an_operator(index: Index, query: str) -> None:
    filled(index, "a b near or and not parts joined 3 rowid rank", "a", "parts a", "c")
    for text in found(index, query):
        assert all(word in text.split() for word in "".join(c if c.isalnum() else " " for c in query.lower()).split())


def test_a_query_of_thousands_of_words_is_answered(index: Index) -> None:
    text = " ".join(f"w{n}" for n in range(2_000))
    filled(index, text, "w1 w2")
    assert found(index, text) == [text]
    assert found(index, text + " missing") == []


# --- long events ---


def long(words: int) -> str:
    """Return a text of that many different words, on many lines."""
    return "\n".join(" ".join(f"w{n}x" for n in range(at, min(at + 20, words))) for at in range(0, words, 20))


@pytest.mark.req("INV-10")
def test_every_word_of_a_long_event_is_found(index: Index) -> None:
    filled(index, long(60_000), "short")
    for word in (0, 7_998, 7_999, 8_000, 15_872, 31_415, 59_999):
        assert len(found(index, f"w{word}x")) == 1
    assert found(index, "w60000x") == []
    assert len(found(index, "w5x w30000x w59999x")) == 1
    assert found(index, "w5x w30000x missing") == []
    assert found(index, "w5x short") == []


@pytest.mark.req("INV-10")
def test_a_phrase_is_found_wherever_it_falls_in_a_long_event(index: Index) -> None:
    filled(index, long(20_000))
    for at in range(0, 19_998, 31):
        assert len(found(index, f"w{at}x.w{at + 1}x.w{at + 2}x")) == 1, at
    assert found(index, "w1x.w3x") == []


@pytest.mark.req("INV-10")
def test_a_long_run_of_characters_is_found_at_every_border(index: Index) -> None:
    random = Random(5)
    text = "".join(chr(random.randint(0x4E00, 0x9FA5)) for _ in range(30_000))
    filled(index, text, "另外")
    for at in range(0, 29_800, 173):
        assert found(index, text[at : at + 2]), at
        assert len(found(index, text[at : at + 150])) == 1, at
    assert found(index, text[100:140] + "另" + text[141:180]) == []


def test_long_and_short_events_are_filtered_and_ranked_together(index: Index) -> None:
    index.put(
        [
            batch(
                stream(),
                event("long", long(9_000) + " needle", line=1, cwd="/w/a"),
                event("short", "needle", line=2, role=Role.ASSISTANT, cwd="/w/b"),
                event("tool", long(9_000) + " needle", line=3, kind=Kind.TOOL_RESULT),
            )
        ]
    )
    index.settle()
    assert [text[:6] for text in found(index, "needle")] == ["needle", "w0x w1"]
    assert len(found(index, "needle", Filter(include_tools=True))) == 3
    assert found(index, "needle", Filter(since=NOON + 2_000)) == ["needle"]
    assert len(found(index, "needle", Filter(until=NOON + 2_000))) == 1
    assert [len(found(index, "needle", limit=1, offset=at)) for at in range(3)] == [1, 1, 0]


def test_a_long_event_that_changes_leaves_no_old_word(index: Index) -> None:
    index.put([batch(stream(), event("e", long(20_000), line=1))])
    index.put([batch(stream(), event("e", "now short", line=2))])
    assert found(index, "w19999x") == found(index, "w3x") == []
    assert found(index, "short") == ["now short"]
    assert index.check() == []
