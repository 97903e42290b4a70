"""Write invented sessions as OpenCode and ZCode do: one database of sessions, messages and parts."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

import apsw
import orjson

from bench import course
from bench.course import Call
from bench.logs import Plan
from bench.prose import Prose

_PERSON = {"origin": "real_user", "kind": "user_prompt", "transcriptVisibility": "visible"}
_TABLES = """
CREATE TABLE IF NOT EXISTS session(
    id TEXT PRIMARY KEY, project_id TEXT NOT NULL, parent_id TEXT, slug TEXT NOT NULL, directory TEXT NOT NULL,
    title TEXT NOT NULL, version TEXT NOT NULL, time_created INTEGER NOT NULL, time_updated INTEGER NOT NULL,
    time_archived INTEGER
);
CREATE TABLE IF NOT EXISTS message(
    id TEXT PRIMARY KEY, session_id TEXT NOT NULL, time_created INTEGER NOT NULL, time_updated INTEGER NOT NULL,
    data TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS part(
    id TEXT PRIMARY KEY, message_id TEXT NOT NULL, session_id TEXT NOT NULL, time_created INTEGER NOT NULL,
    time_updated INTEGER NOT NULL, data TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS message_session_idx ON message(session_id);
CREATE INDEX IF NOT EXISTS part_message_idx ON part(message_id);
"""
# What the agent keeps beside: copies of files, which nobody may read for what was said.
_BLOBS = "CREATE TABLE IF NOT EXISTS snapshot(id INTEGER PRIMARY KEY, content BLOB NOT NULL)"


def write_opencode(home: Path, plan: Plan, prose: Prose) -> None:
    write(home / "opencode" / "opencode.db", plan, prose)


def write_zcode(home: Path, plan: Plan, prose: Prose) -> None:
    write(home / "cli" / "db" / "db.sqlite", plan, prose)


def write(path: Path, plan: Plan, prose: Prose) -> None:
    rows = _Rows(prose, plan, f"ses_{prose.hexadecimal(24)}", plan.start)
    course.run(rows, plan, prose)
    title = (prose.title(plan.language), "1.3.7")
    session = (rows.session, "p1", None, "s1", plan.cwd, *title, plan.start, rows.now, None)
    with closing(_opened(path)) as database, database:
        database.execute("INSERT INTO session VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", session)
        database.executemany("INSERT INTO message VALUES (?, ?, ?, ?, ?)", rows.messages)
        database.executemany("INSERT INTO part VALUES (?, ?, ?, ?, ?, ?)", rows.parts)


def write_blobs(home: Path, megabytes: int, prose: Prose) -> None:
    """Fill the database of OpenCode with what is not to be read."""
    with closing(_opened(home / "opencode" / "opencode.db")) as database:
        database.execute(_BLOBS)
        blob = prose.random.randbytes(1_000_000)
        with database:
            database.executemany("INSERT INTO snapshot(content) VALUES (?)", ((blob,) for _ in range(megabytes)))


def _opened(path: Path) -> apsw.Connection:
    path.parent.mkdir(parents=True, exist_ok=True)
    database = apsw.Connection(str(path))
    database.execute("PRAGMA synchronous = off")
    database.execute(_TABLES)
    return database


@dataclass
class _Rows:
    prose: Prose
    plan: Plan
    session: str
    now: int
    messages: list[tuple[object, ...]] = field(default_factory=list)
    parts: list[tuple[object, ...]] = field(default_factory=list)

    def ask(self, text: str) -> None:
        self._message({"role": "user", "semantics": _PERSON}, {"type": "text", "text": text})

    def call(self, call: Call) -> None:
        times = {"start": self._tick(), "end": self._tick()}
        state = {"status": "completed", "input": call.given, "output": call.output, "title": call.tool, "time": times}
        self._answered({"type": "tool", "callID": call.id, "tool": call.tool, "state": state})

    def answer(self, text: str) -> None:
        self._answered({"type": "text", "text": text})

    def _answered(self, part: Mapping[str, object]) -> None:
        path = {"cwd": self.plan.cwd, "root": self.plan.cwd}
        self._message({"role": "assistant", "modelID": "demo-model", "path": path}, {"type": "step-start"}, part)

    def _message(self, data: Mapping[str, object], *parts: Mapping[str, object]) -> None:
        message, time = f"msg_{self.prose.hexadecimal(24)}", self._tick()
        self.messages.append((message, self.session, time, time, _json({**data, "time": {"created": time}})))
        for part in parts:
            row = (f"prt_{self.now:013d}{self.prose.hexadecimal(12)}", message, self.session, time, time, _json(part))
            self.parts.append(row)
            self.now += 1

    def _tick(self) -> int:
        self.now += self.prose.random.randint(300, 25_000)
        return self.now


def _json(value: Mapping[str, object]) -> str:
    return orjson.dumps(value).decode()
