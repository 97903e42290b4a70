"""Take values out of foreign records, in which anything may stand anywhere: every function is total."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TypeAlias

from quoth.core.times import LATEST, from_iso

Record: TypeAlias = Mapping[str, object]

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,99}")
_UUID_V7 = re.compile(r"([0-9a-f]{8})-([0-9a-f]{4})-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}")
_LONGEST_TIME = 40
_EMPTY: Record = {}


def text(record: Record, key: str) -> str:
    value = record.get(key)
    return value if isinstance(value, str) else ""


def one_line(record: Record, key: str) -> str:
    """Return a text with every run of blanks and line ends as one blank."""
    return " ".join(text(record, key).split())


def inner(record: Record, key: str) -> Record:
    value = record.get(key)
    return value if isinstance(value, dict) else _EMPTY


def items(record: Record, key: str) -> list[Record]:
    """Return the objects of a list; what is no object is left out."""
    value = record.get(key)
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def texts(record: Record, key: str) -> list[str]:
    value = record.get(key)
    return [item for item in value if isinstance(item, str)] if isinstance(value, list) else []


def number(record: Record, key: str) -> int | None:
    value = record.get(key)
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def name(record: Record, key: str) -> str:
    """Return an id the agent gave, when it is one that can be printed and passed on as an argument; else nothing."""
    value = record.get(key)
    return value if isinstance(value, str) and _NAME.fullmatch(value) else ""


def is_name(value: str) -> bool:
    return _NAME.fullmatch(value) is not None


def instant(record: Record, key: str) -> int | None:
    """Return the instant that an ISO 8601 text says."""
    said = text(record, key)
    return from_iso(said) if 0 < len(said) <= _LONGEST_TIME else None


def minted_at(uuid: str) -> int | None:
    """Return when a UUID of version 7 was made; None for every other id."""
    match = _UUID_V7.fullmatch(uuid) if uuid else None
    return int(match[1] + match[2], 16) if match else None


def milliseconds(record: Record, key: str) -> int | None:
    """Return the instant that a number of milliseconds since 1970 says."""
    value = record.get(key)
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return int(value) if 0 < value <= LATEST else None


def blocks(content: object) -> list[Record]:
    """Return the blocks of a content, keeping their positions; a bare text is one block."""
    listed = content if isinstance(content, list) else [] if content is None else [content]
    return [_block(item) for item in listed]


def _block(item: object) -> Record:
    if isinstance(item, dict):
        return item
    return {"type": "text", "text": item} if isinstance(item, str) else _EMPTY
