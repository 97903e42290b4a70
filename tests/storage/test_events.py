"""Events: revisions, anchors, copies in forks, twins in rewritten logs."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from indexing import EVERYTHING, NOON, SOURCE, batch, event, filled, found, opened, stream
from quoth.core.ids import EventId, SessionId, event_id
from quoth.core.model import Filter, Kind, Opened, Reclassified, Role
from quoth.core.ports import Index
from quoth.storage._write import LONGEST

PAGE = {"limit": 100, "offset": 0}


@pytest.fixture
def index(tmp_path: Path) -> Iterator[Index]:
    index = opened(tmp_path)
    yield index
    index.close()


def ident(name: str) -> EventId:
    return event_id(SOURCE, name)


def texts(index: Index, session: str = "s1", *, everything: bool = True) -> list[str]:
    rows = index.session_events(SOURCE, SessionId(session), everything=everything, **PAGE)
    return [row.text for row in rows]


def test_an_event_is_answered_as_it_was_read(index: Index) -> None:
    said = event("e1", "hi there", line=3, first_line=2, cwd="/srv/app", git_branch="main", agent_version="2.1")
    assert index.put([batch(stream(7), said)]) == [1]
    row = index.event(ident("e1"))
    assert row is not None
    assert (row.text, row.role, row.kind, row.session) == ("hi there", Role.USER, Kind.MESSAGE, "s1")
    assert (row.cwd, row.git_branch, row.agent_version) == ("/srv/app", "main", "2.1")
    assert (row.time, row.time_from, row.source) == (NOON + 3_000, "record", SOURCE)
    (anchor,) = index.anchors(ident("e1"))
    assert (anchor.stream, anchor.first_line, anchor.line, anchor.sha256) == (stream(7), 2, 3, said.sha256)


def test_an_unknown_event_is_no_event(index: Index) -> None:
    assert index.resolve("claude-code:nothing") is None
    assert index.event(ident("nothing")) is None
    assert index.anchors(ident("nothing")) == []


@pytest.mark.parametrize("is_reversed", [False, True])
def test_a_row_that_grows_keeps_its_place_and_shows_its_last_version(index: Index, is_reversed: bool) -> None:
    log = [
        batch(stream(1), event("e1", "half an ans", line=1, cwd="/srv/first")),
        batch(stream(1), event("e1", "half an answer, whole", line=5, cwd="/srv/last")),
    ]
    for put in reversed(log) if is_reversed else log:
        index.put([put])
    index.settle()
    row = index.event(ident("e1"))
    assert row is not None
    assert (row.text, row.cwd, row.time) == ("half an answer, whole", "/srv/first", NOON + 1_000)
    assert found(index, "whole") == ["half an answer, whole"]
    assert found(index, "ans") == []
    assert [anchor.line for anchor in index.anchors(ident("e1"))] == [1, 5]


def test_several_events_of_one_line_keep_their_order(index: Index) -> None:
    parts = [event(f"e{part}", f"part {part}", line=4, part=part) for part in (2, 0, 1)]
    index.put([batch(stream(), *parts)])
    assert texts(index) == ["part 0", "part 1", "part 2"]


def test_what_turns_out_to_be_a_repeat_is_no_longer_speech(index: Index) -> None:
    index.put([batch(stream(), event("e1", "said twice", line=1), event("e2", "said twice", line=2))])
    index.put([batch(stream(), lines=3, reclassified=[Reclassified(ident("e1"), Kind.META)])])
    index.settle()
    assert len(found(index, "twice")) == 1
    assert [row.kind for row in index.session_events(SOURCE, SessionId("s1"), everything=True, **PAGE)] == [
        Kind.META,
        Kind.MESSAGE,
    ]


def test_a_stream_reclassifies_only_what_it_said_last(index: Index) -> None:
    index.put(
        [batch(stream(1), event("e1", "first file")), batch(stream(2, key="b.jsonl"), event("e1", "second file"))]
    )
    index.put([batch(stream(1), lines=2, reclassified=[Reclassified(ident("e1"), Kind.META)])])
    row = index.event(ident("e1"))
    assert row is not None
    assert row.kind == Kind.MESSAGE


def test_traffic_of_our_own_tools_is_kept_and_never_searched(index: Index) -> None:
    tools = Filter(include_tools=True)
    index.put([batch(stream(), event("e1", "quoth said cache", kind=Kind.TOOL_RESULT, own=True))])
    assert found(index, "cache", tools) == []
    assert index.recent(tools, **PAGE) == []
    assert texts(index) == ["quoth said cache"]


@pytest.mark.parametrize(
    ("role", "kind", "spoken", "tools"),
    [
        (Role.USER, Kind.MESSAGE, True, True),
        (Role.ASSISTANT, Kind.MESSAGE, True, True),
        (Role.SYSTEM, Kind.MESSAGE, False, False),
        (Role.ASSISTANT, Kind.TOOL_USE, False, True),
        (Role.USER, Kind.TOOL_RESULT, False, True),
        (Role.USER, Kind.META, False, False),
        (Role.SYSTEM, Kind.SYSTEM, False, False),
        (Role.USER, Kind.MEMORY, False, False),
    ],
)
def test_only_speech_is_searched_unless_tools_are_asked_for(
    index: Index, role: Role, kind: Kind, spoken: bool, tools: bool
) -> None:
    index.put([batch(stream(), event("e1", "the needle", role=role, kind=kind))])
    assert bool(found(index, "needle")) is spoken
    assert bool(found(index, "needle", Filter(include_tools=True))) is tools
    assert bool(index.recent(EVERYTHING, **PAGE)) is spoken


def test_hostile_text_is_stored_and_found(index: Index) -> None:
    filled(
        index, "NUL\0byte", "half \ud83d pair", "u2028\u2028line", "'); DROP TABLE events;--", '"unclosed', "\x01joint"
    )
    assert found(index, "byte") == ["NUL\ufffdbyte"]
    assert found(index, "pair") == ["half \ufffd pair"]
    assert len(found(index, "line")) == 1
    assert len(found(index, "drop table events")) == 1
    assert len(found(index, '"unclosed')) == 1
    assert len(found(index, "joint")) == 1


def test_an_endless_text_is_cut_in_the_index_and_says_so(index: Index) -> None:
    filled(index, "x" * LONGEST + " tail")
    (row,) = index.recent(EVERYTHING, **PAGE)
    assert row.text.endswith("… [5 more characters]")
    assert len(row.text) < LONGEST + 40


# --- forks ---


@pytest.mark.req("ARC-6")
@pytest.mark.parametrize("is_reversed", [False, True])
def test_a_fork_counts_only_what_is_new_in_it(index: Index, is_reversed: bool) -> None:
    original = batch(stream(1), event("e1", "question", line=1), event("e2", "answer", line=2, role=Role.ASSISTANT))
    fork = batch(
        stream(2, key="fork.jsonl"),
        event("e1", "question", line=1, session="fork"),
        event("e2", "answer", line=2, session="fork", role=Role.ASSISTANT),
        event("e3", "another question", line=3, session="fork"),
    )
    index.put([fork, original] if is_reversed else [original, fork])
    index.settle()
    rows = {row.session: row for row in index.sessions(EVERYTHING, **PAGE)}
    assert {name: (row.events, row.forked_from) for name, row in rows.items()} == {"s1": (2, None), "fork": (1, "s1")}
    assert texts(index, "fork") == ["another question"]
    assert [anchor.stream.rank for anchor in index.anchors(ident("e1"))] == [1, 2]
    assert found(index, "question") == ["question", "another question"] or len(found(index, "question")) == 2


@pytest.mark.req("ARC-6")
def test_a_fork_of_a_fork_names_the_nearest(index: Index) -> None:
    index.put(
        [
            batch(stream(1), event("a", line=1)),
            batch(stream(2, key="b"), event("a", line=1, session="b"), event("b", line=2, session="b")),
            batch(
                stream(3, key="c"),
                event("a", line=1, session="c"),
                event("b", line=2, session="c"),
                event("c", line=3, session="c"),
            ),
        ]
    )
    index.settle()
    assert {row.session: row.forked_from for row in index.sessions(EVERYTHING, **PAGE)} == {
        "s1": None,
        "b": "s1",
        "c": "b",
    }


@pytest.mark.req("ARC-6")
def test_what_a_log_says_of_its_origin_is_believed(index: Index) -> None:
    said = Opened(SessionId("s1"), parent=SessionId("boss"), forked_from=SessionId("elder"))
    index.put([batch(stream(), event("e1"), opened=[said])])
    index.settle()
    (row,) = index.sessions(EVERYTHING, **PAGE)
    assert (row.parent, row.forked_from) == ("boss", "elder")


# --- twins ---


def lives(*generations: list[tuple[str, str]]) -> list[object]:
    """Return one batch for each life of a file, of `(id, text)` lines."""
    return [
        batch(
            stream(rank, generation=rank),
            *(event(name, text, line=line) for line, (name, text) in enumerate(said, 1)),
        )
        for rank, said in enumerate(generations, 1)
    ]


@pytest.mark.req("ARC-6")
@pytest.mark.parametrize("is_reversed", [False, True])
def test_a_log_migrated_in_place_counts_once(index: Index, is_reversed: bool) -> None:
    logs = lives([("old1", "one"), ("old2", "two")], [("new1", "one"), ("new2", "two"), ("new3", "three")])
    assert sum(index.put(list(reversed(logs)) if is_reversed else logs)) == 3  # type: ignore[arg-type]
    index.settle()
    assert texts(index) == ["one", "two", "three"]
    assert found(index, "one") == ["one"]
    assert index.resolve(ident("new1")) == index.resolve(ident("old1")) == ident("old1")
    assert index.resolve(ident("new3")) == ident("new3")
    assert [anchor.stream.generation for anchor in index.anchors(ident("new2"))] == [1, 2]
    (row,) = index.sessions(EVERYTHING, **PAGE)
    assert row.events == 3


@pytest.mark.req("ARC-6")
def test_equal_words_are_paired_in_order(index: Index) -> None:
    index.put(lives([("a", "go on"), ("b", "go on")], [("c", "go on"), ("d", "go on"), ("e", "go on")]))  # type: ignore[arg-type]
    assert [index.resolve(ident(name)) for name in "abcde"] == [ident(name) for name in "ababe"]


@pytest.mark.req("ARC-6")
def test_a_repeat_beside_the_kept_line_is_no_twin(index: Index) -> None:
    index.put(lives([("a", "go on")], [("a", "go on"), ("b", "go on")]))  # type: ignore[arg-type]
    assert index.resolve(ident("b")) == ident("b")
    assert len(found(index, "go on")) == 2


@pytest.mark.req("ARC-6")
def test_a_third_life_finds_the_first(index: Index) -> None:
    index.put(lives([("a", "hi")], [("b", "hi")], [("c", "hi")]))  # type: ignore[arg-type]
    assert [index.resolve(ident(name)) for name in "abc"] == [ident("a")] * 3


@pytest.mark.req("ARC-6")
def test_equal_words_of_other_files_and_sessions_are_no_twins(index: Index) -> None:
    index.put(
        [
            batch(stream(1), event("a", "hi")),
            batch(stream(2, key="other", generation=2), event("b", "hi")),
            batch(stream(3, generation=2), event("c", "hi", session="s2")),
        ]
    )
    assert [index.resolve(ident(name)) for name in "abc"] == [ident(name) for name in "abc"]


@pytest.mark.req("ARC-6")
def test_a_twin_that_changes_its_words_is_an_event_of_its_own(index: Index) -> None:
    index.put(lives([("a", "hi")], [("b", "hi")]))  # type: ignore[arg-type]
    assert index.put([batch(stream(2, generation=2), event("b", "hi, more", line=2))]) == [1]
    assert index.resolve(ident("b")) == ident("b")
    assert sorted(found(index, "hi")) == ["hi", "hi, more"]
