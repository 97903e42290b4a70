"""Write invented sessions as Cursor's editor does: rows of `state.vscdb`, one for a session, one for each bubble."""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

import apsw
import orjson

from bench import course
from bench.course import Call
from bench.logs import Plan, iso
from bench.prose import Prose

_TABLES = """
CREATE TABLE IF NOT EXISTS ItemTable (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);
CREATE TABLE IF NOT EXISTS cursorDiskKV (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);
"""


def write(home: Path, plan: Plan, prose: Prose) -> None:
    bubbles = _Bubbles(prose, prose.uuid(), plan.start)
    course.run(bubbles, plan, prose)
    place = {"id": prose.hexadecimal(32), "uri": {"fsPath": plan.cwd, "scheme": "file"}}
    row = {"_v": 13, "composerId": bubbles.session, "name": prose.title(plan.language), "workspaceIdentifier": place}
    times = {"createdAt": plan.start, "lastUpdatedAt": bubbles.now, "fullConversationHeadersOnly": bubbles.headers}
    session = (f"composerData:{bubbles.session}", orjson.dumps(row | times).decode())
    with closing(_opened(home)) as database, database:
        database.executemany("INSERT INTO cursorDiskKV VALUES (?, ?)", [*bubbles.rows, session])


def write_blobs(home: Path, megabytes: int, prose: Prose) -> None:
    """Fill the database with what is not to be read: rows of other kinds, of 100 kB each, in the same table."""
    blob = prose.random.randbytes(100_000)
    with closing(_opened(home)) as database, database:
        rows = ((f"agentKv:blob:{prose.hexadecimal(64)}", blob) for _ in range(10 * megabytes))
        database.executemany("INSERT INTO cursorDiskKV VALUES (?, ?)", rows)


def _opened(home: Path) -> apsw.Connection:
    path = home / "Cursor" / "User" / "globalStorage" / "state.vscdb"
    path.parent.mkdir(parents=True, exist_ok=True)
    database = apsw.Connection(str(path))
    database.execute("PRAGMA synchronous = off")
    database.execute(_TABLES)
    return database


@dataclass
class _Bubbles:
    prose: Prose
    session: str
    now: int
    headers: list[dict[str, object]] = field(default_factory=list)
    rows: list[tuple[str, str]] = field(default_factory=list)

    def ask(self, text: str) -> None:
        self._bubble(1, text=text, richText="{}", context={"fileSelections": []})

    def call(self, call: Call) -> None:
        given, result = orjson.dumps(call.given).decode(), orjson.dumps({"contents": call.output}).decode()
        tool = {"tool": 5, "toolCallId": call.id, "name": call.tool, "rawArgs": given, "params": given}
        self._bubble(2, text="", capabilityType=15, toolFormerData=tool | {"result": result, "status": "completed"})

    def answer(self, text: str) -> None:
        self._bubble(2, text=text, tokenCount={"inputTokens": 0, "outputTokens": 0})

    def _bubble(self, kind: int, **more: object) -> None:
        self.now += self.prose.random.randint(300, 25_000)
        bubble = self.prose.uuid()
        row = {"_v": 3, "type": kind, "bubbleId": bubble, "createdAt": iso(self.now)} | more
        self.headers.append({"bubbleId": bubble, "type": kind})
        self.rows.append((f"bubbleId:{self.session}:{bubble}", orjson.dumps(row).decode()))
