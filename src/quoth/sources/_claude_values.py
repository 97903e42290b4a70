"""Take values out of Claude Code's records, in which anything may stand anywhere: every function is total."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TypeAlias

Record: TypeAlias = Mapping[str, object]

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,99}")
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


def texts(record: Record, key: str) -> list[str]:
    value = record.get(key)
    return [item for item in value if isinstance(item, str)] if isinstance(value, list) else []


def name(record: Record, key: str) -> str | None:
    """Return an id the agent gave, when it is one that can be printed and passed on as an argument."""
    value = record.get(key)
    return value if isinstance(value, str) and _NAME.fullmatch(value) else None


def is_name(value: str) -> bool:
    return _NAME.fullmatch(value) is not None


def blocks(content: object) -> list[Record]:
    """Return the blocks of a content, keeping their positions; a bare text is one block."""
    items = content if isinstance(content, list) else [] if content is None else [content]
    return [_block(item) for item in items]


def _block(item: object) -> Record:
    if isinstance(item, dict):
        return item
    return {"type": "text", "text": item} if isinstance(item, str) else _EMPTY
