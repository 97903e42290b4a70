"""Twins in several stores of one session: the richest is shown, whatever order they are read in."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from indexing import EVERYTHING, SOURCE, answers, batch, event, found, opened, stream
from quoth.core.ids import EventId, SessionId, event_id
from quoth.core.model import Batch, Kind, Located, Role, Stream
from quoth.core.ports import Index

PAGE = {"limit": 100, "offset": 0}
LOG, STORE, EDITOR = stream(1, key="log"), stream(2, key="store"), stream(3, key="editor")


@pytest.fixture
def index(tmp_path: Path) -> Iterator[Index]:
    index = opened(tmp_path)
    yield index
    index.close()


def ident(name: str) -> EventId:
    return event_id(SOURCE, name)


def said(of: Stream, weight: int, *texts: str, kind: Kind = Kind.MESSAGE, session: str = "s1") -> Batch:
    """Return a batch of events named after their store: `log1`, `log2` …"""
    events = [
        event(f"{of.key}{line}", text, line=line, weight=weight, kind=kind, session=session)
        for line, text in enumerate(texts, 1)
    ]
    return batch(of, *events)


def put(index: Index, *batches: Batch) -> int:
    new = sum(index.put([one])[0] for one in batches)
    index.settle()
    return new


def shown(index: Index, session: str = "s1") -> list[str]:
    return [
        row.id.partition(":")[2] for row in index.session_events(SOURCE, SessionId(session), everything=True, **PAGE)
    ]


@pytest.mark.req("ARC-6")
@pytest.mark.parametrize("order", [(0, 1, 2), (2, 1, 0), (1, 2, 0), (1, 0, 2)])
def test_the_ids_of_lesser_stores_are_aliases_of_the_best(index: Index, order: Sequence[int]) -> None:
    stores = [said(LOG, 0, "one", "two"), said(STORE, 1, "one", "two"), said(EDITOR, 2, "one", "two")]
    assert put(index, *(stores[at] for at in order)) == 2
    assert shown(index) == ["editor1", "editor2"]
    assert {index.resolve(ident(name)) for name in ("log1", "store1", "editor1")} == {ident("editor1")}
    assert [anchor.stream.key for anchor in index.anchors(ident("editor2"))] == ["log", "store", "editor"]
    assert len(found(index, "one")) == 1
    (row,) = index.sessions(EVERYTHING, **PAGE)
    assert (row.events, row.prompt) == (2, "one")


@pytest.mark.req("ARC-6")
@pytest.mark.parametrize("is_reversed", [False, True])
def test_equal_words_are_paired_in_order_and_what_is_left_over_is_shown(index: Index, is_reversed: bool) -> None:
    stores = [said(LOG, 0, "go on", "go on", "go on"), said(EDITOR, 2, "go on", "go on")]
    put(index, *(reversed(stores) if is_reversed else stores))
    assert sorted(shown(index)) == ["editor1", "editor2", "log3"]
    assert index.resolve(ident("log2")) == ident("editor2")


@pytest.mark.req("ARC-6")
@pytest.mark.parametrize("is_reversed", [False, True])
def test_traffic_that_the_best_store_tells_in_its_own_way_is_hidden_in_the_others(
    index: Index, is_reversed: bool
) -> None:
    lesser = said(LOG, 0, "Read a.py", kind=Kind.TOOL_USE)
    stores = [lesser, said(EDITOR, 2, "read_file a.py", kind=Kind.TOOL_USE)]
    put(index, *(reversed(stores) if is_reversed else stores))
    assert shown(index) == ["editor1"]
    assert index.resolve(ident("log1")) == ident("log1")
    assert index.event(ident("log1")) is not None
    assert [anchor.stream.key for anchor in index.anchors(ident("log1"))] == ["log"]


@pytest.mark.req("ARC-6")
def test_other_sessions_are_left_alone(index: Index) -> None:
    put(
        index,
        said(LOG, 0, "hi", kind=Kind.META),
        said(EDITOR, 2, "hi", session="s2"),
        said(STORE, 0, "hi", session="s3", kind=Kind.META),
    )
    assert (shown(index), shown(index, "s2"), shown(index, "s3")) == (["log1"], ["editor1"], ["store1"])


@pytest.mark.req("ARC-6")
def test_a_message_that_grows_in_the_best_store_finds_its_twin_when_it_is_whole(index: Index) -> None:
    put(index, said(LOG, 0, "hello world"), said(EDITOR, 2, "hello"))
    assert sorted(shown(index)) == ["editor1", "log1"]
    put(index, batch(EDITOR, event("editor1", "hello world", line=2, weight=2)))
    assert shown(index) == ["editor1"]
    assert len(found(index, "hello")) == 1


@pytest.mark.req("ARC-6")
def test_a_twin_of_a_rewritten_log_finds_the_better_store(index: Index) -> None:
    later = stream(4, key="log", generation=2)
    put(index, batch(LOG, event("old", "hi")), batch(later, event("new", "hi")), said(EDITOR, 2, "hi"))
    assert [index.resolve(ident(name)) for name in ("old", "new")] == [ident("editor1")] * 2
    assert shown(index) == ["editor1"]


STREAMS = [LOG, STORE, EDITOR, stream(4, key="log", generation=2), stream(5, key="other editor")]
WEIGHTS = {"log": 0, "store": 1, "editor": 2, "other editor": 2}


@st.composite
def located(draw: st.DrawFn, of: Stream, line: int) -> Located:
    return event(
        f"{of.key}{of.generation if draw(st.booleans()) else ''}{draw(st.integers(1, 4))}",
        draw(st.sampled_from(["fix the cache", "go on", ""])),
        line=line,
        session=draw(st.sampled_from(["s1", "s1", "s2"])),
        role=draw(st.sampled_from([Role.USER, Role.ASSISTANT])),
        kind=draw(st.sampled_from([Kind.MESSAGE, Kind.MESSAGE, Kind.TOOL_USE, Kind.META])),
        weight=WEIGHTS[of.key],
    )


@st.composite
def histories(draw: st.DrawFn) -> tuple[list[Batch], list[Batch]]:
    """Draw stores as they are read one after the other, and the same mixed, with batches that are read again."""
    logs = [
        [batch(of, *(draw(located(of, 4 * at + n)) for n in range(1, 4)), lines=4 * at + 4) for at in range(2)]
        for of in STREAMS[: draw(st.integers(2, len(STREAMS)))]
    ]
    turns = draw(st.permutations([n for n, log in enumerate(logs) for _ in log]))
    waiting = [list(log) for log in logs]
    mixed: list[Batch] = []
    for turn in turns:
        mixed.append(waiting[turn].pop(0))
        if draw(st.booleans()):
            mixed.append(draw(st.sampled_from(mixed)))
    return [put for log in logs for put in log], mixed


@pytest.mark.req("ARC-2", "ARC-6")
@settings(max_examples=60, deadline=None)
@given(histories())
def test_any_order_of_stores_gives_the_same_answers(history: tuple[list[Batch], list[Batch]]) -> None:
    names = [f"{SOURCE}:{of.key}{generation}{n}" for of in STREAMS for generation in ("", 1, 2) for n in range(1, 5)]
    with TemporaryDirectory() as folder:
        indexes = []
        for name, batches in zip(("one", "other"), history, strict=True):
            index = opened(Path(folder), f"{name}.db")
            for one in batches:
                index.put([one])
            index.settle()
            indexes.append(answers(index, names, ["cache", "go on"]))
            assert index.check() == []
            index.close()
        assert indexes[0] == indexes[1]
