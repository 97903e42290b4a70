"""The same logs give the same index, in whatever order and however often they are read."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from indexing import NOON, SOURCE, answers, batch, event, opened, stream
from quoth.core.ids import EventId, SessionId, event_id
from quoth.core.model import Batch, Kind, Located, Opened, Place, Reclassified, Role, Stream, Titled, Unread
from quoth.core.ports import Index

NAMES = [f"e{n}" for n in range(7)]
SAID = ["fix the cache", "请修复缓存", "repeat me", "getUserName fails", ""]
SESSIONS = ["s1", "s2", "s3"]
QUERIES = ["cache", "缓存", "repeat", "getusername", "fix me"]
LIVES = [
    stream(1, key="a.jsonl"),
    stream(2, key="b.jsonl"),
    stream(3, key="a.jsonl", generation=2),
    stream(4, key="c.jsonl"),
    stream(5, key="a.jsonl", generation=3),
    stream(6, key="b.jsonl", generation=2),
]


@st.composite
def located(draw: st.DrawFn, line: int) -> Located:
    return event(
        draw(st.sampled_from(NAMES)),
        draw(st.sampled_from(SAID)),
        line=line,
        session=draw(st.sampled_from(SESSIONS)),
        role=draw(st.sampled_from([Role.USER, Role.ASSISTANT])),
        kind=draw(st.sampled_from([Kind.MESSAGE, Kind.MESSAGE, Kind.TOOL_RESULT, Kind.META])),
        time=NOON + draw(st.integers(0, 5)) * 1_000,
        cwd=draw(st.sampled_from([None, "/srv/a", "/srv/b"])),
        own=draw(st.sampled_from([False, False, False, True])),
        git_branch=draw(st.sampled_from([None, "main"])),
    )


@st.composite
def batches(draw: st.DrawFn, of: Stream) -> list[Batch]:
    """Draw what one stream holds, cut into batches."""
    log: list[Batch] = []
    line = 0
    for _ in range(draw(st.integers(1, 3))):
        events = [draw(located(line + 1 + n)) for n in range(draw(st.integers(0, 3)))]
        line += 4
        leaf = draw(st.sampled_from([None, *NAMES]))
        session = SessionId(draw(st.sampled_from(SESSIONS)))
        title = Titled(session, draw(st.sampled_from(["One", "Two"])), draw(st.integers(1, 2)), line, _id(leaf))
        facts = Opened(session, *(draw(st.sampled_from([None, name])) for name in ("/srv/a", "git@h:o/n", "s1", "s2")))
        again = Reclassified(_id(draw(st.sampled_from(NAMES))) or EventId(""), Kind.META)
        log.append(
            batch(
                of,
                *events,
                lines=line,
                titles=draw(st.sampled_from([(), (title,)])),
                opened=draw(st.sampled_from([(), (facts,)])),
                reclassified=draw(st.sampled_from([(), (), (again,)])),
                unread=draw(st.sampled_from([(), (Unread(line, "unknown", "new_kind", "9.9"),)])),
            )
        )
    return log


def _id(name: str | None) -> EventId | None:
    return event_id(SOURCE, name) if name else None


@st.composite
def histories(draw: st.DrawFn) -> tuple[list[Batch], list[Batch]]:
    """Draw logs as they are read first, and the same logs mixed, with batches that are read again."""
    logs = [draw(batches(of)) for of in LIVES[: draw(st.integers(1, len(LIVES)))]]
    turns = draw(st.permutations([n for n, log in enumerate(logs) for _ in log]))
    at = [0] * len(logs)
    mixed: list[Batch] = []
    for turn in turns:
        mixed.append(logs[turn][at[turn]])
        at[turn] += 1
        if draw(st.booleans()):
            mixed.append(draw(st.sampled_from(mixed)))
    return [put for log in logs for put in log], mixed


@pytest.mark.req("ARC-2", "ARC-6")
@settings(max_examples=200, deadline=None)
@given(histories())
def test_any_order_and_repetition_of_batches_gives_the_same_answers(history: tuple[list[Batch], list[Batch]]) -> None:
    in_order, mixed = history
    with TemporaryDirectory() as folder:
        one, other = opened(Path(folder), "one.db"), opened(Path(folder), "other.db")
        _fill(one, in_order, each=True)
        _fill(other, mixed, each=False)
        assert _answers(other) == _answers(one)
        one.close()
        other.close()


def _fill(index: Index, history: Sequence[Batch], *, each: bool) -> None:
    index.place([Place("/srv/a", "dir:a", "a"), Place("/srv/b", "dir:b", "b")])  # type: ignore[arg-type]
    """Put each batch in a transaction of its own and settle at once, or all in one and settle at the end."""
    for puts in [[put] for put in history] if each else [history]:
        index.put(puts)
        index.settle()


def _answers(index: Index) -> dict[str, object]:
    said = answers(index, [f"{SOURCE}:{name}" for name in NAMES], QUERIES)
    assert index.check() == []
    return said


@pytest.mark.req("ARC-2")
def test_reading_everything_twice_counts_nothing_twice(tmp_path: Path) -> None:
    log = batch(
        stream(),
        event("e1", "one", line=1),
        event("e2", "two", line=2),
        unread=[Unread(3, "unparsable"), Unread(3, "unknown", "x"), Unread(4, "unknown", "x")],
        lines=4,
    )
    index = opened(tmp_path)
    assert index.put([log]) == [2]
    index.settle()
    first = answers(index, [], ["one"])
    assert index.put([log, log]) == [0, 0]
    index.settle()
    assert answers(index, [], ["one"]) == first
    (coverage,) = index.coverage()
    assert (coverage.events, coverage.unparsable, coverage.unknown) == (2, 1, {"x": 2})
    index.close()
