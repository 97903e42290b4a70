"""Ask a database, put what it holds into lines, and take it out again."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Protocol

import orjson

from quoth.readers.jsonl import records
from quoth.sources._values import Record, text

LARGEST = 64 * 1024 * 1024  # bytes of one value


class Database(Protocol):
    """An open database, as `readers.database` gives it."""

    def execute(self, query: str, values: Sequence[Any] = ..., /) -> Iterator[tuple[Any, ...]]: ...


def ask(database: Database, query: str, *values: object) -> list[tuple[Any, ...]]:
    """Run a query to its end, so that no lock is held while its rows are worked on."""
    return list(database.execute(query, values))


def as_bytes(value: object) -> bytes:
    return value if isinstance(value, bytes) else b""


def write(head: Mapping[str, object], value: bytes | None = None) -> bytes:
    """Return a line: what is known of a row, then its value as it is when that is JSON on one line."""
    written = orjson.dumps(head)
    return written if value is None else written[:-1] + b"," + _held(value) + b"}"


def held(record: Record) -> Record | None:
    """Return the object that the value of a line is; None when it is none."""
    value = record.get("value")
    if value is None:
        value = next(iter(records(_bytes(record))), None)
    return value if isinstance(value, dict) else None


def _held(value: bytes) -> bytes:
    try:
        orjson.loads(value)
    except ValueError:
        return _other(value)
    return _other(value) if b"\n" in value else b'"value":' + value


def _other(value: bytes) -> bytes:
    try:
        return b'"text":' + orjson.dumps(value.decode())
    except UnicodeDecodeError:
        return b'"base64":' + orjson.dumps(base64.b64encode(value).decode())


def _bytes(record: Record) -> bytes:
    try:
        return text(record, "text").encode() or binascii.a2b_base64(text(record, "base64"))
    except ValueError:
        return b""
