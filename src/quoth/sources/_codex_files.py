"""Know what Codex's files are from their names alone."""

from __future__ import annotations

import re

_NUMBER = re.compile(r"state_(\d{1,6})\.sqlite")


def schema_of(key: str) -> int | None:
    """Return the number in the name of a state database, which grows with its schema; None for other files."""
    match = _NUMBER.fullmatch(key)
    return int(match[1]) if match else None
