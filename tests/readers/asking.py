"""What tests ask of the readers, as functions that another process can be told to run."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from quoth.core.model import Skipped
from quoth.readers.database import open_readonly
from quoth.readers.tree import Entry, find

LOGS = ["projects/*/*.jsonl", "projects/**/subagents/*.jsonl"]


def keys(root: Path, patterns: Sequence[str] = LOGS) -> list[str]:
    return [entry.key for entry in find(root, patterns) if isinstance(entry, Entry)]


def skipped(root: Path, patterns: Sequence[str] = LOGS) -> list[tuple[str, str]]:
    """Return what was skipped, by path below the root, with the reason."""
    found = [entry for entry in find(root, patterns) if isinstance(entry, Skipped)]
    return sorted((os.path.relpath(entry.path, root), entry.reason) for entry in found)


def rows(path: Path, query: str = "SELECT said FROM words ORDER BY said") -> list[Any]:
    """Return the first column of a query on a database that belongs to someone else."""
    with open_readonly(path) as connection:
        return [row[0] for row in connection.execute(query)]
