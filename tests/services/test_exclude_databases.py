"""A folder or project is excluded also inside a database: nothing of its sessions is kept, and later all can be."""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from typing import Protocol

import pytest

import cursor_stores
import parts_logs
from services.archive import Archive

SHOP, DIARY = "/srv/shop", "/srv/diary"
SECRET = "quokka"  # in the ids, titles and words of the session in the diary
NUMBERED = "s2"  # the id of that session where it is the name of a file, which is known of all files
BY = [("folder", DIARY), ("project", "diary")]


class Store(Protocol):
    """What an agent keeps of a session in each folder; `say` writes the n-th words of both, of the diary first."""

    def __init__(self, home: Path) -> None: ...

    def say(self, n: int) -> None: ...


def bread(n: int) -> str:
    return f"bread number {n}"


def quokka(n: int) -> str:
    return f"{SECRET} number {n}"


class OpenCode:
    schema, session, path = "opencode-1", "session", ".local/share/opencode/opencode.db"

    def __init__(self, home: Path) -> None:
        self.writer = parts_logs.Writer(home / self.path, self.schema)
        for at, (id_, folder) in enumerate((("bread", SHOP), (SECRET, DIARY))):
            self.writer.session(f"ses_{id_}", at, table=self.session, directory=folder, title=f"About {id_}")

    def say(self, n: int) -> None:
        for at, (id_, words) in enumerate(((SECRET, quokka(n)), ("bread", bread(n)))):
            self.writer.said("user", f"msg_{id_}{n}", f"ses_{id_}", 60 * n + at, words)


class OpenCodeOfToday(OpenCode):
    schema, session = "opencode-2", "session_v2"

    def say(self, n: int) -> None:
        for at, (id_, words) in enumerate(((SECRET, quokka(n)), ("bread", bread(n)))):
            self.writer.newer(f"msg_{id_}{n}", f"ses_{id_}", "user", n, 60 * n + at, text=words)


class ZCode(OpenCode):
    schema, path = "zcode", ".zcode/cli/db/db.sqlite"


class OpenCodeTree:
    """One file for each session; the first of them is written again with every message."""

    def __init__(self, home: Path) -> None:
        self.storage = home / ".local/share/opencode/storage"
        for id_, folder in (("bread", SHOP), (NUMBERED, DIARY)):
            said = {
                "id": f"ses_{id_}",
                "directory": folder,
                "title": f"About {SECRET if id_ == NUMBERED else id_}",
                "version": "1.0",
            }
            self._write(f"session/p/ses_{id_}.json", said)

    def say(self, n: int) -> None:
        for id_, words in ((NUMBERED, quokka(n)), ("bread", bread(n))):
            message = {"id": f"msg_{id_}{n}", "sessionID": f"ses_{id_}", "role": "user", "time": {"created": n}}
            part = {"id": f"prt_{id_}{n}", "messageID": message["id"], "type": "text", "text": words}
            self._write(f"message/ses_{id_}/{message['id']}.json", message)
            self._write(f"part/{message['id']}/{part['id']}.json", part)

    def _write(self, path: str, value: object) -> None:
        file = self.storage / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(value))


class GrokCli:
    def __init__(self, home: Path) -> None:
        self.path = home / ".grok" / "grok.db"
        self.path.parent.mkdir(parents=True)
        with closing(sqlite3.connect(self.path)) as database:
            database.executescript(f"""
                CREATE TABLE sessions (id TEXT PRIMARY KEY, title TEXT, cwd_at_start TEXT, updated_at TEXT);
                CREATE TABLE messages (session_id TEXT, seq INTEGER, role TEXT, message_json TEXT, created_at TEXT);
                CREATE TABLE compactions (id INTEGER PRIMARY KEY, session_id TEXT, summary TEXT, created_at TEXT);
                INSERT INTO sessions VALUES ('bread', 'About bread', '{SHOP}', '2026-05-01T10:00:00.000Z');
                INSERT INTO sessions VALUES ('{SECRET}', 'About {SECRET}', '{DIARY}', '2026-05-01T10:00:01.000Z');
                INSERT INTO compactions VALUES (1, '{SECRET}', 'The {SECRET} slept.', '2026-05-01T10:00:02.000Z');
            """)

    def say(self, n: int) -> None:
        with closing(sqlite3.connect(self.path, isolation_level=None)) as database:
            for id_, words in ((SECRET, quokka(n)), ("bread", bread(n))):
                message = json.dumps({"role": "user", "content": words})
                at = f"2026-05-01T10:0{n}:00.000Z"
                database.execute("INSERT INTO messages VALUES (?, ?, 'user', ?, ?)", (id_, n, message, at))


class OpenClaw:
    def __init__(self, home: Path) -> None:
        self.path = home / ".openclaw" / "agents" / "main" / "agent" / "openclaw-agent.sqlite"
        self.path.parent.mkdir(parents=True)
        with closing(sqlite3.connect(self.path)) as database:
            database.executescript("""
                CREATE TABLE transcript_events(session_id TEXT, seq INTEGER, event_json TEXT, created_at INTEGER);
                CREATE TABLE session_windows(session_id TEXT, session_key TEXT, display_name TEXT, updated_at INTEGER);
                CREATE TABLE transcript_rewrite_watermarks(session_id TEXT, updated_at INTEGER);
            """)
        for id_, folder in (("bread", SHOP), (SECRET, DIARY)):
            header = {
                "type": "session",
                "version": 3,
                "id": id_,
                "cwd": folder,
                "timestamp": "2026-09-10T10:00:00.000Z",
            }
            self._run("INSERT INTO transcript_events VALUES (?, 0, ?, 1789000000000)", id_, json.dumps(header))
            self._run("INSERT INTO session_windows VALUES (?, ?, ?, 1)", id_, f"main:{id_}", f"About {id_}")
            self._run("INSERT INTO transcript_rewrite_watermarks VALUES (?, 1)", id_)

    def say(self, n: int) -> None:
        for id_, words in ((SECRET, quokka(n)), ("bread", bread(n))):
            message = {"role": "user", "content": words}
            said = {"type": "message", "id": f"{n}", "timestamp": f"2026-09-10T10:0{n}:00.000Z", "message": message}
            self._run("INSERT INTO transcript_events VALUES (?, ?, ?, 1789000000000)", id_, n, json.dumps(said))

    def _run(self, sql: str, *values: object) -> None:
        with closing(sqlite3.connect(self.path, isolation_level=None)) as database:
            database.execute(sql, values)


def _user(home: Path) -> Path:
    return home / ".config" / "Cursor" / "User"


def _workspace(home: Path, name: str, folder: str) -> Path:
    path = _user(home) / "workspaceStorage" / name
    path.mkdir(parents=True, exist_ok=True)
    (path / "workspace.json").write_text(json.dumps({"folder": f"file://{folder}"}))
    return path


class Cursor:
    """The row of a session names its folder."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.state = cursor_stores.State(_user(home))

    def say(self, n: int) -> None:
        for id_, words in ((SECRET, quokka(n)), ("bread", bread(n))):
            self.state.composer(id_, [f"{id_}-{i}" for i in range(1, n + 1)], name=f"About {id_}", **self._about(id_))
            self.state.bubble(id_, f"{id_}-{n}", words)

    def _about(self, id_: str) -> dict[str, object]:
        folder = DIARY if id_ == SECRET else SHOP
        return {"workspaceIdentifier": {"id": id_[:1], "uri": {"fsPath": folder}}, "createdAt": 1_792_404_000_000}


class CursorOfBefore(Cursor):
    """Only the database of a workspace tells which sessions were in its folder."""

    def __init__(self, home: Path) -> None:
        super().__init__(home)
        for name, folder, id_ in (("w1", SHOP, "bread"), ("w2", DIARY, SECRET)):
            _workspace(home, name, folder)
            state = cursor_stores.State(_user(home), f"workspaceStorage/{name}/state.vscdb")
            state.item("composer.composerData", {"allComposers": [{"composerId": id_, "name": f"Named {id_}"}]})

    def _about(self, id_: str) -> dict[str, object]:
        return {"createdAt": 1_792_404_000_000}


class CursorOnTheCommandLine:
    """One database for each session."""

    def __init__(self, home: Path) -> None:
        root = home / ".cursor"
        self.stores = [
            (cursor_stores.Store(root, id_, where), id_) for id_, where in (("bread", SHOP), (NUMBERED, DIARY))
        ]

    def say(self, n: int) -> None:
        for store, id_ in self.stores:
            words = quokka if id_ == NUMBERED else bread
            store.say(*(cursor_stores.asked(words(i)) for i in range(1, n + 1)), name=f"About {words(0)}")


STORES: Sequence[type[Store]] = (
    OpenCode,
    OpenCodeOfToday,
    OpenCodeTree,
    ZCode,
    GrokCli,
    OpenClaw,
    Cursor,
    CursorOfBefore,
    CursorOnTheCommandLine,
)


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
    state = cursor_stores.State(_user(archive.folder))
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
    state = cursor_stores.State(_user(archive.folder))
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


@pytest.mark.req("QUO-11", "ARC-4")
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
    for most in (1, 400):
        for n in range(most):
            agent.writer.said("user", f"msg_{most}_{n}", f"ses_{SECRET}", most + n, quokka(n))
        lines = reader.read(allows=lambda directory: directory != DIARY)
        marks.append([json.loads(line)["state"]["since"] for line in lines])
    assert marks == [[], [parts_logs.ms(799)]]
