"""Sessions, titles, projects, and the ledger of what was read."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from indexing import EVERYTHING, NOON, SOURCE, batch, event, found, opened, stream
from quoth.core.ids import ProjectId, SessionId, SourceId, event_id
from quoth.core.model import Filter, Form, Kind, Opened, Place, Role, Signature, Skipped, Titled, Unread
from quoth.core.ports import Index

PAGE = {"limit": 100, "offset": 0}
ONE = SessionId("s1")


@pytest.fixture
def index(tmp_path: Path) -> Iterator[Index]:
    index = opened(tmp_path)
    yield index
    index.close()


def place(cwd: str, project: str, name: str, owner: str | None = None) -> Place:
    return Place(cwd, ProjectId(project), name, owner)


def sessions(index: Index, where: Filter = EVERYTHING) -> list[str]:
    index.settle()
    return [row.session for row in index.sessions(where, **PAGE)]


# --- sessions ---


def test_an_untitled_session_shows_what_the_person_asked_first(index: Index) -> None:
    words = "please\n  look at   " + "this " * 40
    index.put(
        [
            batch(
                stream(),
                event("e0", "injected", line=1, kind=Kind.META),
                event("e1", "hello", line=2, role=Role.ASSISTANT),
                event("e2", words, line=3),
                event("e3", "and then?", line=4),
            )
        ]
    )
    index.settle()
    (row,) = index.sessions(EVERYTHING, **PAGE)
    assert row.prompt == ("please look at " + "this " * 40)[:80].strip()
    assert (row.title, row.events, row.started, row.ended) == (None, 4, NOON + 1_000, NOON + 4_000)


@pytest.mark.parametrize("is_reversed", [False, True])
def test_the_heaviest_title_wins_and_of_these_the_latest(index: Index, is_reversed: bool) -> None:
    titles = [
        Titled(ONE, "Generated", 1, 1),
        Titled(ONE, "Renamed", 2, 2),
        Titled(ONE, "Again", 2, 3),
        Titled(ONE, "x", 1, 4),
    ]
    log = [batch(stream(), event(f"e{t.line}", line=t.line), titles=[t]) for t in titles]
    for put in reversed(log) if is_reversed else log:
        index.put([put])
    index.settle()
    (row,) = index.sessions(EVERYTHING, **PAGE)
    assert (row.title, row.prompt) == ("Again", None)


@pytest.mark.parametrize("is_reversed", [False, True])
def test_a_leaf_title_belongs_to_the_session_that_holds_the_leaf(index: Index, is_reversed: bool) -> None:
    log = [
        batch(stream(1), event("mine"), titles=[Titled(ONE, "Of another", 1, 1, event_id(SOURCE, "leaf"))]),
        batch(stream(2, key="b"), event("leaf", session="s2")),
    ]
    for put in reversed(log) if is_reversed else log:
        index.put([put])
        index.settle()
    assert {row.session: row.title for row in index.sessions(EVERYTHING, **PAGE)} == {"s1": None, "s2": "Of another"}


def test_a_leaf_title_stays_with_its_own_session_while_the_leaf_is_unknown(index: Index) -> None:
    index.put([batch(stream(1), event("mine"), titles=[Titled(ONE, "Retry logic", 1, 1, event_id(SOURCE, "gone"))])])
    index.settle()
    (row,) = index.sessions(EVERYTHING, **PAGE)
    assert row.title == "Retry logic"


def test_sessions_come_by_last_activity_and_are_active_since_and_started_before(index: Index) -> None:
    for rank, (session, first, last) in enumerate([("old", 0, 10), ("long", 5, 50), ("new", 40, 60)], 1):
        index.put(
            [
                batch(
                    stream(rank, key=session),
                    event(f"{session}1", session=session, line=1, time=NOON + first),
                    event(f"{session}2", session=session, line=2, time=NOON + last),
                )
            ]
        )
    assert sessions(index) == ["new", "long", "old"]
    assert sessions(index, Filter(since=NOON + 50)) == ["new", "long"]
    assert sessions(index, Filter(until=NOON + 40)) == ["long", "old"]
    assert sessions(index, Filter(since=NOON + 11, until=NOON + 40)) == ["long"]
    assert [row.session for row in index.sessions(EVERYTHING, limit=1, offset=1)] == ["long"]


def test_hidden_sessions_are_not_listed_and_can_be_opened(index: Index) -> None:
    index.put([batch(stream(), event("e1"), opened=[Opened(ONE, hidden=True)])])
    assert sessions(index) == []
    assert [row.session for row in index.session("s1", None)] == ["s1"]


def test_a_session_is_found_by_its_id_or_the_beginning_of_it(index: Index) -> None:
    for rank, (session, source) in enumerate(
        [("abc-1", "codex"), ("abc-2", "codex"), ("abc-1", "zed"), ("abc", "zed")], 1
    ):
        index.put([batch(stream(rank, key=str(rank), source=source), event(str(rank), session=session, source=source))])
    index.settle()

    def named(session: str, source: str | None = None) -> list[tuple[str, str]]:
        return [(row.session, row.source) for row in index.session(session, SourceId(source) if source else None)]

    assert named("abc-1") == [("abc-1", "codex"), ("abc-1", "zed")]
    assert named("abc-1", "zed") == [("abc-1", "zed")]
    assert named("abc") == [("abc", "zed")]
    assert named("abc-", "codex") == [("abc-1", "codex"), ("abc-2", "codex")]
    assert named("") == named("nothing") == []


@pytest.mark.req("ARC-10")
def test_absurd_and_jumping_times_lose_nothing_and_keep_the_order_of_the_log(index: Index) -> None:
    times = [253_402_300_799_999, 0, -5, NOON, 1, NOON]
    log = [event(f"e{n}", f"word{n}", line=n + 1, time=time) for n, time in enumerate(times)]
    index.put([batch(stream(), *log)])
    index.settle()
    rows = index.session_events(SOURCE, ONE, everything=False, **PAGE)
    assert [row.text for row in rows] == [f"word{n}" for n in range(len(times))]
    assert [row.time for row in rows] == times
    assert all(found(index, f"word{n}") for n in range(len(times)))
    recent = [row.text for row in index.recent(EVERYTHING, **PAGE)]
    assert recent == ["word0", "word5", "word3", "word4", "word1", "word2"]


@pytest.mark.req("ARC-10")
def test_derived_times_do_not_stretch_a_session(index: Index) -> None:
    said = event("e1", line=1, time=NOON)
    guessed = event("e2", line=2, time=NOON + 999_999)
    index.put([batch(stream(), said, type(guessed)(guessed.event, guessed.sha256, guessed.time, "file"))])
    index.settle()
    (row,) = index.sessions(EVERYTHING, **PAGE)
    assert (row.started, row.ended) == (NOON, NOON)


def test_sessions_touched_by_a_killed_process_are_settled_by_the_next(tmp_path: Path) -> None:
    first = opened(tmp_path)
    first.put([batch(stream(), event("e1", "hello"))])
    first.close()
    second = opened(tmp_path)
    assert sessions(second) == ["s1"]
    second.close()


# --- projects ---


def test_an_event_belongs_to_its_directory_and_a_session_to_its_first(index: Index) -> None:
    index.put([batch(stream(), event("e1", "one", line=1, cwd="/srv/a"), event("e2", "two", line=2, cwd="/srv/b"))])
    index.place([place("/srv/a", "dir:a", "a"), place("/srv/b", "dir:b", "b")])
    index.settle()
    (row,) = index.sessions(EVERYTHING, **PAGE)
    assert (row.project, row.cwd) == ("a", "/srv/a")
    assert {r.text: r.project for r in index.recent(EVERYTHING, **PAGE)} == {"one": "a", "two": "b"}
    assert found(index, "two", Filter(projects=(ProjectId("dir:b"),))) == ["two"]
    assert found(index, "two", Filter(projects=(ProjectId("dir:a"),))) == []
    assert found(index, "two", Filter(projects=())) == []
    assert sessions(index, Filter(projects=(ProjectId("dir:a"),))) == ["s1"]
    assert sessions(index, Filter(projects=(ProjectId("dir:b"),))) == []


def test_an_event_without_a_directory_is_in_its_sessions_project(index: Index) -> None:
    index.put([batch(stream(), event("e1", "where"), opened=[Opened(ONE, cwd="/srv/a")])])
    index.place([place("/srv/a", "dir:a", "a")])
    index.settle()
    (row,) = index.recent(Filter(projects=(ProjectId("dir:a"),)), **PAGE)
    assert (row.project, row.cwd) == ("a", None)
    assert found(index, "where", Filter(projects=(ProjectId("dir:a"),))) == ["where"]


def test_directories_without_a_place_are_told_with_the_remote_of_their_log(index: Index) -> None:
    index.put(
        [
            batch(
                stream(),
                event("e1", cwd="/srv/a"),
                opened=[Opened(ONE, cwd="/srv/a", remote="git@host:own/app")],
            ),
            batch(stream(2, key="b"), event("e2", cwd="/srv/b", session="s2")),
        ]
    )
    assert index.unplaced() == [("/srv/a", "git@host:own/app"), ("/srv/b", None)]
    index.place([place("/srv/a", "git:host/own/app", "app", "own")])
    assert index.unplaced() == [("/srv/b", None)]


def test_projects_of_one_name_are_shown_with_their_owner(index: Index) -> None:
    cwds = {
        "/w/1": ("git:h/ann/app", "app", "ann"),
        "/w/2": ("git:h/bob/app", "app", "bob"),
        "/w/3": ("dir:3", "app", None),
    }
    index.put([batch(stream(), *(event(cwd, cwd=cwd, line=n, session=cwd) for n, cwd in enumerate(cwds, 1)))])
    index.place([place(cwd, *seen) for cwd, seen in cwds.items()])
    index.settle()
    assert sorted(project.display for project in index.projects()) == ["ann/app", "bob/app", "w/app"]
    assert {row.session: row.project for row in index.sessions(EVERYTHING, **PAGE)}["/w/1"] == "ann/app"


def test_merged_projects_are_one_and_renamed_ones_show_their_name(index: Index) -> None:
    index.put(
        [batch(stream(), *(event(cwd, "hi", cwd=cwd, line=n, session=cwd) for n, cwd in enumerate(["/a", "/b"], 1)))]
    )
    index.place([place("/a", "dir:a", "a"), place("/b", "dir:b", "b"), place("/unused", "dir:c", "c")])
    index.merge_projects({ProjectId("dir:a"): ProjectId("dir:b")}, {ProjectId("dir:b"): "Both"})
    index.settle()
    (project,) = index.projects()
    assert (project.id, project.display, project.paths, project.sessions, project.events) == (
        "dir:b",
        "Both",
        ("/a", "/b"),
        2,
        2,
    )
    for asked in ("dir:a", "dir:b"):
        assert len(found(index, "hi", Filter(projects=(ProjectId(asked),)))) == 2
    index.merge_projects({}, {})
    assert sorted(project.display for project in index.projects()) == ["a", "b"]


# --- the ledger ---


def test_coverage_tells_what_became_of_every_file(index: Index) -> None:
    index.put(
        [
            batch(stream(1), event("e1"), lines=4, unread=[Unread(2, "unknown", "new"), Unread(3, "unparsable")]),
            batch(stream(2, key="silent"), lines=9, unread=[Unread(1, "unknown", "new"), Unread(2, "replayed")]),
            batch(stream(3, key="titles"), lines=2, titles=[Titled(ONE, "T", 1, 1)]),
            batch(stream(4, key="side.json", form=Form.FILE), lines=1),
            batch(stream(5, key="empty"), lines=0),
            batch(stream(6, key="z", source="zed"), event("z", source="zed", session="z")),
        ]
    )
    index.gone([1], among=[SOURCE])
    index.settle()
    index.passed(NOON, NOON + 5)
    mine, zed = index.coverage()
    assert (mine.source, mine.files, mine.gone, mine.lines, mine.bytes) == (SOURCE, 5, 1, 16, 1600)
    assert (mine.sessions, mine.events, mine.unparsable, mine.unknown) == (1, 1, 1, {"new": 2})
    assert (mine.silent_files, mine.last_ingest) == (1, NOON + 5)
    assert mine.unparsable_at == [(stream(1).path, 3)]
    assert (zed.source, zed.sessions, zed.silent_files) == ("zed", 1, 0)


def test_only_the_newest_life_of_a_file_is_counted(index: Index) -> None:
    index.put([batch(stream(1), event("a", "x"), lines=7), batch(stream(2, generation=2), event("a", "x"), lines=3)])
    index.settle()
    (coverage,) = index.coverage()
    assert (coverage.files, coverage.lines, coverage.events) == (1, 3, 1)


def test_streams_remember_how_far_they_were_read(index: Index) -> None:
    signature = Signature(1, 2, 3, 4, 5)
    put = batch(stream(), event("e1"), lines=3)
    read = type(put.progress)(3, 90, {"deep": [1, None, "x"]}, signature)
    index.put([type(put)(put.stream, read, put.events)])
    (state,) = index.progress(SOURCE)
    assert (state.stream, state.progress, state.gone) == (stream(), read, False)
    index.gone([1], among=[SOURCE])
    assert [state.gone for state in index.streams()] == [True]
    index.gone([], among=[SOURCE])
    assert [state.gone for state in index.streams()] == [False]
    assert index.progress(SourceId("zed")) == []


def test_what_a_pass_skipped_replaces_what_the_last_one_did(index: Index) -> None:
    index.skipped(SOURCE, [Skipped("/a", "unreadable"), Skipped("/b", "not_a_file")])
    index.skipped(SourceId("zed"), [Skipped("/z", "link_outside")])
    index.skipped(SOURCE, [Skipped("/b", "not_a_file")])
    assert index.skips() == [(SOURCE, Skipped("/b", "not_a_file")), ("zed", Skipped("/z", "link_outside"))]


def test_the_last_pass_is_remembered(index: Index) -> None:
    assert index.last_pass() is None
    index.passed(5, 9)
    assert index.last_pass() == (5, 9)


def test_a_pass_over_some_sources_is_no_pass_over_all(index: Index) -> None:
    zed = SourceId("zed")
    index.put([batch(stream(1), event("e1")), batch(stream(2, source="zed"), event("z", source="zed", session="z"))])
    index.passed(5, 9)
    index.passed(20, 29, only=[zed])
    assert index.last_pass() == (5, 9)
    assert {c.source: c.last_ingest for c in index.coverage()} == {SOURCE: 9, zed: 29}
