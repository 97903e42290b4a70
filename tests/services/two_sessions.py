"""What agents keep of two sessions in databases of their own: one in a shop, one in a diary that is excluded."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Protocol

import cursor_stores
import parts_logs

SHOP, DIARY = "/srv/shop", "/srv/diary"
SECRET = "quokka"  # in the ids, titles and words of the session in the diary
NUMBERED = "s2"  # the id of that session where it is the name of a file, which is known of all files


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
        for id_, words in ((SECRET, quokka(n)), ("bread", bread(n))):
            self.add(id_, n, words)

    def add(self, id_: str, n: int, words: str) -> None:
        message = json.dumps({"role": "user", "content": words})
        at = f"2026-05-01T10:0{n}:00.000Z"
        with closing(sqlite3.connect(self.path, isolation_level=None)) as database:
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


def user(home: Path) -> Path:
    return home / ".config" / "Cursor" / "User"


def _workspace(home: Path, name: str, folder: str) -> Path:
    path = user(home) / "workspaceStorage" / name
    path.mkdir(parents=True, exist_ok=True)
    (path / "workspace.json").write_text(json.dumps({"folder": f"file://{folder}"}))
    return path


class Cursor:
    """The row of a session names its folder."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.state = cursor_stores.State(user(home))

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
            state = cursor_stores.State(user(home), f"workspaceStorage/{name}/state.vscdb")
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
