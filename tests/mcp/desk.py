"""A desk where agents talk and remember: logs that a test writes, and clients of every dialect on one home."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from memory import Memory

from quoth.core.ids import EntryId
from quoth.core.ledger.operations import Body, Draft
from quoth.surfaces.mcp.archive import Archive
from quoth.surfaces.mcp.door import load
from quoth.wiring import Kernel
from services.archive import CLAUDE_SESSION
from services.archive import Archive as Logs

ENTRY = {
    "id",
    "kind",
    "text",
    "confidence",
    "status",
    "concurrent",
    "project",
    "author",
    "created",
    "valid_from",
    "valid_to",
    "supersedes",
    "superseded_by",
    "root",
    "imported",
}
EVENT = {"id", "time", "source", "project", "session", "role", "kind", "text"}
LINE = {"event_id", "time", "quote", "original_file", "mirror_file", "line", "raw"}
VERSION = {"id", "supersedes", "author", "created", "status"}

TARGET = {"origin": "scope", "quoth": "target"}
"""By which argument the search of each dialect is told where to look."""

CHOICE = "We take PostgreSQL 16 for staging because of logical replication."


class Desk:
    """Every client of one desk shares a process; `other` is a process of its own on the same home."""

    def __init__(self, folder: Path) -> None:
        self.logs = Logs(folder)
        self._said = 0
        self._archives: list[Archive] = []
        self._shared = self._opened()

    def client(self, dialect: str = "origin", name: str = "claude-code") -> Memory[Archive]:
        return Memory(load(dialect), self._shared, name=name)

    def other(self, dialect: str = "origin", name: str = "codex-mcp-client") -> Memory[Archive]:
        return Memory(load(dialect), self._opened(), name=name)

    def say(self, text: str, *, role: str = "user", session: str = CLAUDE_SESSION, **more: Any) -> str:
        """Let somebody say something in a session, and return the id of its event; nobody has read it yet."""
        self._said += 1
        return self._log(self.logs.record(text, n=self._said, role=role, session=session, **more), session)

    def use_tool(self, name: str, given: Mapping[str, Any], result: str, **more: Any) -> tuple[str, str]:
        """Let the agent call a tool, and return the ids of the call and its result."""
        self._said += 2
        call = f"toolu_{self._said}"
        said = self.logs.record("", n=self._said - 1, role="assistant", **more)
        content: Any = [{"type": "tool_use", "id": call, "name": name, "input": given}]
        asked = self._log(self._with(said, role="assistant", content=content))
        content = [{"type": "tool_result", "tool_use_id": call, "content": result}]
        return asked, self._log(self._with(self.logs.record("", n=self._said, **more), role="user", content=content))

    def write(self, body: Body, actor: str = "codex@elsewhere") -> None:
        """Append an operation that no tool of this door makes."""
        self.logs.ask(lambda kernel: kernel.memory.append([Draft(body, actor)]))

    def version(self, entry: str) -> Any:
        return self.logs.ask(lambda kernel: kernel.memory.any_entry(EntryId(entry)))

    def everything(self, *asked: str) -> str:
        """Return all that the reading tools of every dialect say, also when asked for some words."""
        said = (answer for dialect in TARGET for answer in _answers(self.other(dialect), TARGET[dialect], asked))
        return json.dumps(list(said))

    def close(self) -> None:
        for archive in self._archives:
            archive.close()

    def _opened(self) -> Archive:
        self._archives.append(Archive(lambda: Kernel(dict(self.logs.env))))
        return self._archives[-1]

    @staticmethod
    def _with(record: bytes, **message: Any) -> bytes:
        value = {**json.loads(record), "message": message}
        return json.dumps({name: each for name, each in value.items() if name != "origin"}).encode() + b"\n"

    def _log(self, record: bytes, session: str = CLAUDE_SESSION) -> str:
        with self.logs.log(session).open("ab") as file:
            file.write(record)
        return f"claude-code:{json.loads(record)['uuid']}"


def _answers(client: Memory[Archive], target: str, asked: Sequence[str]) -> Iterator[Any]:
    for query in ("", *asked):
        for where in ("all", "entries", "events"):
            yield client.call("search", query=query, include_tools=True, limit=100, **{target: where})
    found = client.call("timeline", since="2000-01-01", limit=500)
    yield found
    for session in found["sessions"]:
        said = client.call("timeline", session=session["session"], include_tools=True, limit=500)
        yield said
        for event in said["events"]:
            yield from (client.call(tool, id=event["id"]) for tool in ("get", "sources"))
    for entry in client.call("search", **{target: "entries"}, limit=100)["entries"]:
        yield from (client.call(tool, id=entry["id"]) for tool in ("get", "sources"))


def stated(client: Memory[Archive], text: str = "Staging runs PostgreSQL 16.", **more: Any) -> Any:
    """Remember something over Origin's contract and return the entry."""
    given: dict[str, Any] = {"kind": "memory", "text": text, "confidence": 0.9, **more}
    return client.call("remember", **given)["entry"]


def quoted(*words: str) -> Sequence[dict[str, str]]:
    return [{"quote": each} for each in words]


def ids(found: Sequence[Mapping[str, Any]]) -> list[str]:
    return [item["id"] for item in found]
