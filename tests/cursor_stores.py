"""Make the databases that Cursor writes: `state.vscdb` of the editor, `store.db` of an agent."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

import apsw

from quoth.core.model import Form, Found
from quoth.readers.tree import signature

GLOBAL = "globalStorage/state.vscdb"


class State:
    """A `state.vscdb` that is written as the editor writes it: a row written again gets a new rowid."""

    def __init__(self, root: Path, key: str = GLOBAL) -> None:
        self.key, self.path = key, root / key
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with closing(self.open()) as database:
            for table in ("ItemTable", "cursorDiskKV"):
                database.execute(
                    f"CREATE TABLE IF NOT EXISTS {table} (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB)"
                )

    def open(self) -> apsw.Connection:
        return apsw.Connection(str(self.path))

    def run(self, sql: str, *values: object) -> None:
        with closing(self.open()) as database:
            database.execute(sql, values)

    def put(self, key: str, value: object) -> None:
        self.run("INSERT INTO cursorDiskKV VALUES (?, ?)", key, written(value))

    def item(self, key: str, value: object) -> None:
        self.run("INSERT INTO ItemTable VALUES (?, ?)", key, written(value))

    def composer(self, session: str, bubbles: Iterable[str], **more: object) -> None:
        headers = [{"bubbleId": bubble, "type": 1} for bubble in bubbles]
        row = {"_v": 13, "composerId": session, "fullConversationHeadersOnly": headers, **more}
        self.put(f"composerData:{session}", row)

    def bubble(self, session: str, bubble: str, text: str = "", *, by: int = 1, **more: object) -> None:
        self.put(f"bubbleId:{session}:{bubble}", {"_v": 3, "type": by, "bubbleId": bubble, "text": text, **more})

    @property
    def found(self) -> Found:
        return Found(self.key, self.path, Form.ROWS, self.key, signature(self.path.lstat()))


def written(value: object) -> object:
    return value if isinstance(value, str | bytes | None) else json.dumps(value, ensure_ascii=False)


def field(number: int, value: bytes | int) -> bytes:
    """Write one field of a protobuf message."""
    if isinstance(value, int):
        return _varint(number << 3) + _varint(value)
    return _varint(number << 3 | 2) + _varint(len(value)) + value


def _varint(value: int) -> bytes:
    head, rest = value & 0x7F, value >> 7
    return bytes([head | 0x80]) + _varint(rest) if rest else bytes([head])


class Store:
    """A `store.db` with blobs named by what they hold."""

    def __init__(self, root: Path, session: str, folder: str = "/srv/shop", *, beside: bool = True) -> None:
        bucket = hashlib.md5(folder.encode(), usedforsecurity=False).hexdigest()
        self.key = f"chats/{bucket}/{session}/store.db"
        self.session, self.path = session, root / self.key
        self.path.parent.mkdir(parents=True, exist_ok=True)
        if beside:
            about = {"schemaVersion": 1, "createdAtMs": 1_792_404_000_000, "hasConversation": True, "cwd": folder}
            self.path.with_name("meta.json").write_text(json.dumps(about))
        with closing(self.open()) as database:
            database.execute("CREATE TABLE IF NOT EXISTS blobs (id TEXT PRIMARY KEY, data BLOB)")
            database.execute("CREATE TABLE IF NOT EXISTS meta (key TEXT PRIMARY KEY, value TEXT)")

    def open(self) -> apsw.Connection:
        return apsw.Connection(str(self.path))

    def blob(self, data: bytes | Mapping[str, Any]) -> bytes:
        """Store a message or a node and return its id."""
        written_ = data if isinstance(data, bytes) else json.dumps(data, ensure_ascii=False).encode()
        id_ = hashlib.sha256(written_).digest()
        with closing(self.open()) as database:
            database.execute("INSERT OR IGNORE INTO blobs VALUES (?, ?)", (id_.hex(), written_))
        return id_

    def root(self, node: bytes, **more: object) -> None:
        """Make a node the root of the conversation."""
        about = {
            "agentId": self.session,
            "latestRootBlobId": self.blob(node).hex(),
            "name": "New Agent",
            "createdAt": 1_792_404_000_000,
            "blobEncryptionKey": "NOT-A-REAL-KEY-never-copied",
            **more,
        }
        with closing(self.open()) as database:
            written_ = json.dumps(about, ensure_ascii=False).encode().hex()
            database.execute("INSERT OR REPLACE INTO meta VALUES ('0', ?)", (written_,))

    def say(self, *messages: Mapping[str, Any], **more: object) -> None:
        """Make these messages the conversation."""
        self.root(b"".join(field(1, self.blob(message)) for message in messages), **more)

    @property
    def found(self) -> Found:
        return Found(self.key, self.path, Form.ROWS, self.key, signature(self.path.lstat()))


def asked(text: str, **more: object) -> dict[str, Any]:
    return {"role": "user", "content": [{"type": "text", "text": f"<user_query>\n{text}\n</user_query>"}], **more}


def answered(*parts: str | Mapping[str, Any], **more: object) -> dict[str, Any]:
    content = [{"type": "text", "text": part} if isinstance(part, str) else part for part in parts]
    return {"role": "assistant", "content": content, **more}


def call(tool: str, call_id: str, **args: object) -> dict[str, Any]:
    return {"type": "tool-call", "toolCallId": call_id, "toolName": tool, "args": args}


def result(call_id: str, value: object) -> dict[str, Any]:
    part = {"type": "tool-result", "toolCallId": call_id, "toolName": "Shell", "result": value}
    return {"role": "tool", "id": call_id, "content": [part]}
