"""Write databases as OpenCode and ZCode do, and read them pass by pass as ingestion does."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import apsw

import feeding
from quoth.core.ids import SourceId
from quoth.core.model import Event, Fact, Found, Json, Kind, Line, Opened, Stream, Titled, Unread
from quoth.core.ports import Allows, Parser, everywhere

NOON = 1_792_500_000_000  # milliseconds: every instant of these tests lies shortly after it

_STAMPS = "time_created INTEGER, time_updated INTEGER"
_HEAD = (
    f"id TEXT PRIMARY KEY, project_id TEXT, parent_id TEXT, slug, directory TEXT, title TEXT, version TEXT, {_STAMPS}"
)
_MESSAGE = f"id TEXT PRIMARY KEY, session_id TEXT, {_STAMPS}, data TEXT"
_PART = f"id TEXT PRIMARY KEY, message_id TEXT, session_id TEXT, {_STAMPS}, data TEXT"
_OLDER = {"session": _HEAD, "message": _MESSAGE, "part": _PART}
SCHEMAS = {
    "opencode-1": _OLDER,
    "opencode-2": {
        **_OLDER,
        "session_v2": f"{_HEAD}, fork_session_id TEXT",
        "session_message": f"id TEXT PRIMARY KEY, session_id TEXT, type TEXT, seq INTEGER, {_STAMPS}, data TEXT",
        "account": "id TEXT PRIMARY KEY, access_token TEXT",
    },
    "zcode": {
        "session": f"{_HEAD}, task_type TEXT, title_source TEXT",
        "message": f"{_MESSAGE}, sequence INTEGER",
        "part": f"{_PART}, sequence INTEGER",
    },
}


@dataclass
class Writer:
    """Writes rows. `at` is a number of seconds after `NOON`, for both instants of a row unless `updated` says more."""

    path: Path
    schema: str

    def __post_init__(self) -> None:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self.db = apsw.Connection(str(self.path))
        self.db.execute("PRAGMA page_size = 1024")
        for table, columns in SCHEMAS[self.schema].items():
            self.db.execute(f"CREATE TABLE IF NOT EXISTS {table}({columns})")

    def session(self, session: str, at: float = 0, *, table: str = "session", **columns: Any) -> None:
        told = {"slug": "s", "directory": "/srv/shop", "title": "", "version": "1.4.0", "project_id": "p", **columns}
        self.put(table, at, id=session, **told)

    def message(
        self, message: str, session: str, at: float, /, *, row: dict[str, Any] | None = None, **data: Any
    ) -> None:
        data.setdefault("time", {"created": ms(at)})
        self.put("message", at, id=message, session_id=session, data=_json(data), **(row or {}))

    def part(
        self, part: str, message: str, session: str, at: float, /, *, row: dict[str, Any] | None = None, **data: Any
    ) -> None:
        self.put("part", at, id=part, message_id=message, session_id=session, data=_json(data), **(row or {}))

    def said(self, role: str, message: str, session: str, at: float, text: str, /, **more: Any) -> None:
        """Write a message with one text."""
        self.message(message, session, at, role=role, **more)
        self.part(f"prt_{message}", message, session, at, type="text", text=text)

    def newer(self, message: str, session: str, kind: str, seq: int, at: float, /, **data: Any) -> None:
        data.setdefault("time", {"created": ms(at)})
        self.put("session_message", at, id=message, session_id=session, type=kind, seq=seq, data=_json(data))

    def put(self, table: str, at: float, /, **columns: Any) -> None:
        row = {"time_created": ms(at), "time_updated": ms(at), **columns}
        names, marks = ", ".join(row), ", ".join("?" * len(row))
        self.db.execute(f"INSERT OR REPLACE INTO {table}({names}) VALUES ({marks})", tuple(row.values()))

    def change(self, table: str, row: str, at: float, /, **data: Any) -> None:
        """Write a row again in place."""
        query = f"UPDATE {table} SET data = ?, time_updated = ? WHERE id = ?"
        self.db.execute(query, (_json(data), ms(at), row))

    def close(self) -> None:
        self.db.close()


def ms(at: float) -> int:
    return NOON + int(at * 1000)


def tool(
    status: str, output: str | None = None, *, name: str = "bash", call: str = "c1", **given: Any
) -> dict[str, Any]:
    state = {"status": status, "input": given, "time": {"start": ms(1)}}
    return {"type": "tool", "tool": name, "callID": call, "state": state | ({"output": output} if output else {})}


@dataclass
class Reader:
    """Reads one file in several passes. `events` are as an index shows them, in the order of their first reading."""

    source: str
    file: Found
    now: float = 3600
    parser: Parser | None = None
    lines: list[bytes] = field(default_factory=list)
    facts: list[Fact] = field(default_factory=list)
    events: dict[str, Event] = field(default_factory=dict)

    def read(self, *, most: int | None = None, allows: Allows = everywhere) -> Sequence[bytes]:
        """Read what is new, with a new parser that knows only what the last one left; `most` lines, then stop."""
        state: Json = json.loads(json.dumps(self.parser.state())) if self.parser else None
        adapter = feeding.adapter(self.source)
        self.parser = adapter.parser(_stream(self.source, self.file), state)
        new: list[bytes] = []
        rows = adapter.rows(self._touched(), state, allows)
        for row in rows:
            new.append(row)
            if len(new) == most:
                break
        rows.close()  # type: ignore[attr-defined]  # a generator, which a stopped pass leaves like this
        self._feed(self.parser, new)
        return new

    def _feed(self, parser: Parser, new: Sequence[bytes]) -> None:
        for number, row in enumerate(new, len(self.lines) + 1):
            for fact in parser.feed(Line(number, row)):
                self.facts.append(fact)
                if isinstance(fact, Event):
                    self.events[fact.id] = fact
        self.lines.extend(new)

    def _touched(self) -> Found:
        """Return the file as if it had been written `now`: the clock of these tests does not go by itself."""
        at, size = ms(self.now) * 1_000_000, os.stat(self.file.path).st_size
        signature = replace(self.file.signature, mtime_ns=at, ctime_ns=at, size=size)
        return replace(self.file, signature=signature)

    # --- what was read ---

    def spoken(self, session: str | None = None) -> list[tuple[str, str]]:
        found = (e for e in self.events.values() if e.kind is Kind.MESSAGE and session in {None, e.session})
        return [(e.role.value, e.text) for e in found]

    def texts(self, kind: Kind) -> list[str]:
        return [event.text for event in self.events.values() if event.kind is kind]

    def titles(self) -> dict[str, str]:
        """Return titles as an index chooses them: the highest weight, of these the latest."""
        said = sorted((fact for fact in self.facts if isinstance(fact, Titled)), key=lambda t: (t.weight, t.line))
        return {titled.session: titled.title for titled in said}

    def of(self, kind: type[Opened] | type[Unread]) -> Iterator[Any]:
        return (fact for fact in self.facts if isinstance(fact, kind))

    def tables(self) -> list[str]:
        return [str(json.loads(line)["type"]) for line in self.lines]


def reader(source: str, home: Path, key: str | None = None) -> Reader:
    logs = (file for file in feeding.found(source, home)[0] if not file.key.endswith(".md"))
    files = [file for file in logs if key in {None, file.key}]
    assert len(files) == 1, [file.key for file in files]
    return Reader(source, files[0])


def _stream(source: str, file: Found) -> Stream:
    return Stream(1, SourceId(source), "root", file.key, 1, file.form, file.identity, file.key, 0)


def _json(data: dict[str, Any]) -> str:
    return json.dumps(data, ensure_ascii=False)
