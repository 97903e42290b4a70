"""A folder or project is excluded also inside a database: nothing of its sessions is kept, and later all can be."""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

import cursor_stores
import parts_logs
from services.archive import Archive
from services.purged import purge
from services.two_sessions import (
    DIARY,
    SECRET,
    SHOP,
    STORES,
    GrokCli,
    OpenCode,
    Store,
    bread,
    quokka,
    user,
)

BY = [("folder", DIARY), ("project", "diary")]


def kept(archive: Archive, word: str = SECRET) -> list[str]:
    """Return the files of the home that hold a word."""
    files = (path for path in archive.home.rglob("*") if path.is_file())
    return [path.name for path in files if word.encode() in path.read_bytes()]


def exclude(archive: Archive, kind: str, value: str) -> None:
    archive.ask(lambda kernel: kernel.exclude.add(kind, value))


def include(archive: Archive, kind: str, value: str) -> None:
    assert archive.ask(lambda kernel: kernel.exclude.remove(kind, value))


def mirrored(archive: Archive) -> int:
    return sum(path.stat().st_size for path in (archive.home / "raw").rglob("*") if path.is_file())


def said(word: Callable[[int], str], *numbers: int) -> list[str]:
    return [word(n) for n in numbers]


@pytest.mark.req("QUO-11")
@pytest.mark.parametrize(("kind", "value"), BY)
@pytest.mark.parametrize("store", STORES, ids=lambda store: store.__name__)
def test_of_what_is_excluded_nothing_is_kept_until_it_is_included_again(
    archive: Archive, store: type[Store], kind: str, value: str
) -> None:
    agent = store(archive.folder)
    agent.say(1)
    exclude(archive, kind, value)
    archive.sync()
    agent.say(2)
    archive.sync()
    assert sorted(archive.spoken()) == said(bread, 1, 2)
    assert kept(archive) == []
    size = mirrored(archive)
    archive.sync()
    assert mirrored(archive) == size, "a pass over what did not change writes nothing"
    include(archive, kind, value)
    archive.sync()
    assert sorted(archive.spoken()) == said(bread, 1, 2) + said(quokka, 1, 2)
    assert kept(archive) != []
    answers, size = archive.answers(), mirrored(archive)
    archive.sync()
    assert (archive.answers(), mirrored(archive)) == (answers, size)
    agent.say(3)
    archive.sync()
    assert sorted(archive.spoken()) == said(bread, 1, 2, 3) + said(quokka, 1, 2, 3)


@pytest.mark.req("QUO-11", "INV-1")
@pytest.mark.parametrize("store", STORES, ids=lambda store: store.__name__)
def test_a_rebuild_remembers_what_was_left_out(archive: Archive, store: type[Store]) -> None:
    agent = store(archive.folder)
    agent.say(1)
    exclude(archive, "folder", DIARY)
    archive.sync()
    archive.rebuild()
    archive.sync()
    assert archive.spoken() == said(bread, 1)
    include(archive, "folder", DIARY)
    archive.sync()
    answers = archive.answers()
    assert sorted(archive.spoken()) == said(bread, 1) + said(quokka, 1)
    archive.rebuild()
    assert archive.answers() == answers
    archive.sync()
    assert sorted(archive.spoken()) == said(bread, 1) + said(quokka, 1)


@pytest.mark.req("QUO-11")
@pytest.mark.parametrize("store", STORES, ids=lambda store: store.__name__)
def test_what_was_read_before_it_was_excluded_stays_and_what_came_later_is_left_out(
    archive: Archive, store: type[Store]
) -> None:
    agent = store(archive.folder)
    agent.say(1)
    archive.sync()
    exclude(archive, "folder", DIARY)
    agent.say(2)
    archive.sync()
    assert sorted(archive.spoken()) == [*said(bread, 1, 2), quokka(1)]
    assert kept(archive, quokka(2)) == []
    include(archive, "folder", DIARY)
    archive.sync()
    assert sorted(archive.spoken()) == said(bread, 1, 2) + said(quokka, 1, 2)


@pytest.mark.req("QUO-11")
def test_only_dropping_the_exclusion_that_hid_something_reads_a_database_again(archive: Archive) -> None:
    agent = OpenCode(archive.folder)
    agent.say(1)
    exclude(archive, "folder", DIARY)
    archive.sync()
    size = mirrored(archive)
    exclude(archive, "folder", "/srv/else")
    archive.sync()
    include(archive, "folder", "/srv/else")
    archive.sync()
    assert mirrored(archive) == size
    exclude(archive, "project", "diary")
    include(archive, "folder", DIARY)
    archive.sync()
    assert (archive.spoken(), kept(archive)) == (said(bread, 1), [])
    include(archive, "project", "diary")
    archive.sync()
    assert sorted(archive.spoken()) == [bread(1), quokka(1)]


@pytest.mark.req("QUO-11")
def test_a_note_of_what_was_left_out_stands_ahead_of_what_came_behind_it(archive: Archive) -> None:
    agent = OpenCode(archive.folder)  # the newest session is read first, and that is the one in the diary
    agent.say(1)
    exclude(archive, "folder", DIARY)
    archive.sync()
    (mirror,) = (path for path in (archive.home / "raw").rglob("*") if path.is_file())
    lines = [json.loads(line) for line in mirror.read_bytes().splitlines()]
    assert ["left_out" in line for line in lines] == [True, *[False] * (len(lines) - 1)]


@pytest.mark.req("QUO-11")
def test_a_session_that_another_one_began_is_where_that_one_is(archive: Archive) -> None:
    state = cursor_stores.State(user(archive.folder))
    where = {"workspaceIdentifier": {"uri": {"fsPath": DIARY}}}
    state.composer("parent", ["b1"], **where)
    state.bubble("parent", "b1", quokka(1))
    state.composer("child", ["b2"], subagentInfo={"parentComposerId": "parent"})
    state.bubble("child", "b2", quokka(2))
    state.composer("stray", ["b3"])
    state.bubble("stray", "b3", bread(1))
    exclude(archive, "folder", DIARY)
    archive.sync()
    assert (archive.spoken(), kept(archive)) == (said(bread, 1), []), "what names no folder is read"


@pytest.mark.req("QUO-11")
def test_a_transcript_of_cursor_is_where_the_folder_is_that_its_own_folder_is_named_after(archive: Archive) -> None:
    for where, words in ((archive.folder / "shop_1" / "web.app", bread(1)), (archive.folder / "my-diary", quokka(1))):
        where.mkdir(parents=True)
        slug = re.sub("[^A-Za-z0-9]+", "-", str(where)).strip("-")
        log = archive.folder / ".cursor" / "projects" / slug / "agent-transcripts" / "s1" / f"{words[:5]}.jsonl"
        log.parent.mkdir(parents=True)
        log.write_text(json.dumps({"role": "user", "message": {"content": [{"type": "text", "text": words}]}}) + "\n")
    exclude(archive, "folder", str(archive.folder / "my-diary"))
    archive.sync()
    assert (archive.spoken(), kept(archive)) == (said(bread, 1), [])
    include(archive, "folder", str(archive.folder / "my-diary"))
    archive.sync()
    assert sorted(archive.spoken()) == [bread(1), quokka(1)]


@pytest.mark.req("QUO-11")
def test_the_lists_of_sessions_say_nothing_of_what_is_excluded(archive: Archive) -> None:
    state = cursor_stores.State(user(archive.folder))
    named = [("bread", SHOP), (SECRET, DIARY)]
    state.item(
        "composer.composerHeaders",
        {
            "allComposers": [
                {"composerId": id_, "name": f"About {id_}", "workspaceIdentifier": {"uri": {"fsPath": folder}}}
                for id_, folder in named
            ]
        },
    )
    exclude(archive, "folder", DIARY)
    archive.sync()
    assert kept(archive) == []
    assert kept(archive, "About bread") != []


@pytest.mark.req("QUO-11")
def test_the_list_of_sessions_beside_files_says_nothing_of_what_is_excluded(archive: Archive) -> None:
    folder = archive.folder / ".openclaw" / "agents" / "main" / "sessions"
    folder.mkdir(parents=True)
    for id_, where in (("bread", SHOP), (SECRET, DIARY)):
        header = {"type": "session", "version": 3, "id": id_, "cwd": where, "timestamp": "2026-09-10T10:00:00.000Z"}
        (folder / f"{id_}.jsonl").write_text(json.dumps(header) + "\n")
    listed = {f"main:{id_}": {"sessionId": id_, "label": f"About {id_}"} for id_ in ("bread", SECRET)}
    (folder / "sessions.json").write_text(json.dumps(listed))
    exclude(archive, "folder", DIARY)
    archive.sync()
    assert (kept(archive), kept(archive, "About bread") != []) == ([], True)


@pytest.mark.req("QUO-11")
def test_titles_in_the_state_of_codex_are_left_out_with_their_threads(archive: Archive) -> None:
    archive.codex.mkdir(parents=True)
    with closing(sqlite3.connect(archive.codex / "state_5.sqlite", isolation_level=None)) as database:
        database.execute("CREATE TABLE threads(id TEXT, title TEXT, cwd TEXT)")
        for id_, where in (("bread", SHOP), (SECRET, DIARY)):
            database.execute("INSERT INTO threads VALUES (?, ?, ?)", (id_, f"About {id_}", where))
    exclude(archive, "folder", DIARY)
    archive.sync()
    assert (kept(archive), kept(archive, "About bread") != []) == ([], True)
    include(archive, "folder", DIARY)
    archive.sync()
    assert kept(archive) != []


@pytest.mark.req("QUO-11")
def test_a_reading_from_the_beginning_that_fails_is_made_good(archive: Archive) -> None:
    agent = GrokCli(archive.folder)
    agent.say(1)
    exclude(archive, "folder", DIARY)
    archive.sync()
    include(archive, "folder", DIARY)
    whole = agent.path.read_bytes()
    agent.path.write_bytes(b"no database at all, " * 100)
    assert archive.sync().failed == 1
    agent.path.write_bytes(whole)
    archive.sync()  # what was mirrored of the failed reading comes first
    archive.sync()
    assert sorted(archive.spoken()) == [bread(1), quokka(1)]


def test_a_pass_moves_its_mark_behind_many_rows_that_it_left_out(tmp_path: Path) -> None:
    agent = OpenCode(tmp_path)
    reader = parts_logs.reader("opencode", tmp_path / ".local" / "share" / "opencode")
    reader.read(allows=lambda directory: directory != DIARY)
    marks = []
    for most in (1, 600):
        for n in range(most):
            agent.writer.said("user", f"msg_{most}_{n}", f"ses_{SECRET}", most + n, quokka(n))
        lines = reader.read(allows=lambda directory: directory != DIARY)
        marks.append([json.loads(line)["state"]["since"] for line in lines])
    assert marks == [[], [parts_logs.ms(1199)]]


@pytest.mark.req("QUO-11", "INV-5")
@pytest.mark.parametrize("store", STORES, ids=lambda store: store.__name__)
def test_what_was_left_out_behind_a_purge_is_read_once_it_is_included_again(
    archive: Archive, store: type[Store]
) -> None:
    agent = store(archive.folder)
    agent.say(1)
    archive.sync()
    purge(archive, words=bread(1))
    for n in (2, 3):
        exclude(archive, "folder", DIARY)
        agent.say(n)
        archive.sync()
        assert quokka(n) not in archive.spoken()
        include(archive, "folder", DIARY)
        archive.sync()
        assert sorted(archive.spoken()) == said(bread, *range(2, n + 1)) + said(quokka, *range(1, n + 1))
    assert kept(archive, bread(1)) == []


@pytest.mark.req("QUO-11", "INV-5")
def test_a_note_that_says_what_an_older_one_said_is_kept_behind_a_purge(archive: Archive) -> None:
    agent = GrokCli(archive.folder)
    agent.say(1)
    archive.sync()
    purge(archive, words=bread(1))
    for n in (2, 3):
        exclude(archive, "folder", DIARY)
        agent.add(SECRET, n, quokka(n))
        archive.sync()
        include(archive, "folder", DIARY)
        archive.sync()
        assert archive.spoken() == said(quokka, *range(1, n + 1))


@pytest.mark.req("QUO-11", "ARC-5")
def test_a_torn_row_that_begins_like_a_note_stops_nothing(archive: Archive) -> None:
    folder = archive.folder / "exports"
    folder.mkdir()
    chat = {"uuid": "c1", "name": "", "chat_messages": [{"uuid": "m1", "sender": "human", "text": bread(1)}]}
    (folder / "conversations.json").write_text(f'[{json.dumps(chat)}, {{"left_out":["torn]}}, {{"left_out":null]')
    archive.env["QUOTH_EXPORTS"] = str(folder)
    assert archive.sync().failed == 0
    assert archive.spoken() == [bread(1)]
