"""Read the conversation that a `store.db` of Cursor holds now, as lines.

`meta` names a root among content-addressed blobs. From the root the messages are followed; what other blobs hold was
abandoned. A blob is a message in JSON, or a protobuf node: it names others by their 32 bytes, or holds a message in
field 4, whose time is in field 26. `meta` also holds a key (`blobEncryptionKey`), which is never taken out of it.

Lines: `chat` with what is known of the session, then `message` for each that is new.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import orjson

from quoth.core.errors import ReadFailed
from quoth.core.model import Json
from quoth.core.ports import Allows, everywhere
from quoth.readers import compressed
from quoth.readers.database import open_readonly
from quoth.readers.jsonl import records
from quoth.sources._cursor_lines import LARGEST, Database, ask, write
from quoth.sources._cursor_memory import Session, goes_on, seal
from quoth.sources._cursor_places import of_uri
from quoth.sources._values import Record, number, text

_META = ("agentId", "name", "mode", "createdAt", "lastUsedModel")
_BESIDE = ("cwd", "createdAtMs", "updatedAtMs", "isSubagent")
_MESSAGES, _MESSAGE, _FOLDERS, _TIME = 1, 4, 9, 26  # fields of a node
_MOST_NODES = 200_000
_KEY = 32  # bytes of a blob's id
_MILLISECONDS = 100_000_000_000  # a smaller time is in seconds


@dataclass(frozen=True, slots=True)
class _Message:
    """A message with the id of the blob that holds it."""

    id: str
    data: bytes
    time: int | None


def changed_messages(path: Path, state: Json, allows: Allows = everywhere) -> Iterator[bytes]:
    """Yield what is new in the conversation since `state`; nothing when its folder is not allowed.

    Raises:
        ReadFailed: the database is locked, damaged, or has other tables.
    """
    known = read_before(state)
    with open_readonly(path) as database:
        meta = _meta(database)
        said = {**_folder(database, path, meta), **_beside(path), **_known(meta, _META)}
        if not allows(text(said, "cwd") or None):
            return
        messages = list(_messages(database, text(meta, "latestRootBlobId").lower()))
        ids = [message.id for message in messages]
        first = goes_on(known, ids)
        blobs = ask(database, "SELECT count(*) FROM (SELECT 1 FROM blobs LIMIT 1)")[0][0]
        about = about_of(said)
        if (seal(about), len(ids), first) == (known.seal, known.bubbles, len(ids)):
            return
        yield write({"type": "chat", "from": first, "messages": len(ids), "blobs": blobs}, about)
        yield from _lines(database, messages, first)


def read_before(state: Json) -> Session:
    """Return what of the conversation the state remembers as mirrored."""
    said: Record = state if isinstance(state, dict) else {}
    return Session(number(said, "n") or 0, text(said, "chain"), text(said, "seal"), number(said, "time"))


def about_of(said: Record) -> bytes:
    """Return the known facts of a session as JSON."""
    return orjson.dumps(_known(said, (*_META, *_BESIDE)))


def _lines(database: Database, messages: list[_Message], first: int) -> Iterator[bytes]:
    times: Counter[str] = Counter()
    for place, message in enumerate(messages):
        times[message.id] += 1
        if place >= first:
            head = {"type": "message", "id": message.id, "nth": times[message.id], "time": message.time}
            data = message.data or _blob(database, message.id)
            yield write(head, data)


def _meta(database: Database) -> Record:
    """Read the row `0` of `meta`: JSON, written as hex."""
    for (value,) in ask(database, "SELECT CAST(value AS BLOB) FROM meta WHERE key = '0'"):
        try:
            data = bytes.fromhex(value.decode("ascii"))
        except (AttributeError, ValueError):
            data = value if isinstance(value, bytes) else b""
        found = records(data)
        return found[0] if found and isinstance(found[0], dict) else {}
    return {}


def _beside(path: Path) -> dict[str, object]:
    """Read the file `meta.json` beside the database."""
    try:
        said = orjson.loads(next(compressed.chunks(path.with_name("meta.json"), compressed=False), b""))
    except (ReadFailed, ValueError):
        return {}
    return _known(said, _BESIDE) if isinstance(said, dict) else {}


def _folder(database: Database, path: Path, meta: Record) -> dict[str, object]:
    """Return the folder that the root names and whose hash names the chat's own folder."""
    for field, value in _fields(_blob(database, text(meta, "latestRootBlobId").lower())):
        if field == _FOLDERS and isinstance(value, bytes):
            said = value.decode("utf-8", "replace")
            folder = of_uri(said) or said
            if hashlib.md5(folder.encode(), usedforsecurity=False).hexdigest() == path.parent.parent.name:
                return {"cwd": folder}
    return {}


def _known(said: Record, keys: tuple[str, ...]) -> dict[str, object]:
    return {key: said[key] for key in keys if key in said}


# --- the graph ------------------------------------------------------------------------------------------------------


def _messages(database: Database, root: str) -> Iterator[_Message]:
    """Follow the graph from its root; a message that is a blob of its own comes without its data.

    A message said twice is one blob that is named twice; a node is followed once.
    """
    pending: list[_Message | str] = [root]
    seen: set[str] = set()
    while pending:
        next_ = pending.pop()
        if isinstance(next_, _Message):
            yield next_
            continue
        data = _blob(database, next_)
        if data.lstrip()[:1] == b"{":
            yield _Message(next_, b"", None)
        elif next_ not in seen and len(seen) < _MOST_NODES:
            seen.add(next_)
            pending.extend(reversed(list(_node(database, next_, data))))


def _node(database: Database, id_: str, data: bytes) -> Iterator[_Message | str]:
    fields = list(_fields(data))
    time = next((_milliseconds(value) for field, value in fields if field == _TIME and isinstance(value, int)), None)
    named = [(field, value.hex()) for field, value in fields if isinstance(value, bytes) and len(value) == _KEY]
    # The fields behind the first one tell the same conversation again, in another form.
    listed = [blob for field, blob in named if field == _MESSAGES] or [blob for _, blob in named]
    yield from (blob for blob in listed if _has(database, blob))
    own = [value for field, value in fields if field == _MESSAGE and isinstance(value, bytes) and value[:1] == b"{"]
    for nth, value in enumerate(own):
        yield _Message(id_ if nth == 0 else f"{id_}-{nth}", value, time)


def _fields(data: bytes) -> Iterator[tuple[int, int | bytes]]:
    """Yield the fields of a protobuf message in order; where it stops being one, stop."""
    at = 0
    while at < len(data):
        tag, at = _varint(data, at)
        match tag & 7:
            case 0:
                value, at = _varint(data, at)
                yield tag >> 3, value
            case 1:
                at += 8
            case 2:
                size, at = _varint(data, at)
                if at + size > len(data):
                    return
                yield tag >> 3, data[at : at + size]
                at += size
            case 5:
                at += 4
            case _:
                return


def _varint(data: bytes, at: int) -> tuple[int, int]:
    value = 0
    for shift in range(0, 70, 7):
        if at >= len(data):
            return 0, len(data)
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value, at
    return 0, len(data)


def _milliseconds(value: int) -> int:
    return value if value >= _MILLISECONDS else value * 1_000


def _blob(database: Database, id_: str) -> bytes:
    query = "SELECT CAST(data AS BLOB) FROM blobs WHERE id = ? AND octet_length(data) <= ?"
    for (data,) in ask(database, query, id_, LARGEST):
        return data if isinstance(data, bytes) else b""
    return b""


def _has(database: Database, id_: str) -> bool:
    return bool(ask(database, "SELECT 1 FROM blobs WHERE id = ?", id_))
