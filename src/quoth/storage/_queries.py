"""Load named queries from `sql/<folder>/*.sql`: each begins with `-- name: <name>`.

What several of a folder share is a query of its own, and stands in them as a line `-- use: <name>`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from importlib.resources import files

_USE = re.compile(r"^ *-- use: (\w+)\s*$", re.MULTILINE)
_NAME = re.compile(r"^-- name: (\w+)\s*$", re.MULTILINE)


@cache
def load(folder: str) -> Mapping[str, str]:
    """Return the queries of a folder by name."""
    queries: dict[str, str] = {}
    for entry in sorted(files("quoth.storage").joinpath("sql", folder).iterdir(), key=lambda entry: entry.name):
        if entry.name.endswith(".sql"):
            _, *parts = _NAME.split(entry.read_text("utf-8"))
            queries.update(zip(parts[::2], map(str.strip, parts[1::2]), strict=True))
    return {name: _filled(query, queries) for name, query in queries.items()}


def _filled(query: str, queries: Mapping[str, str]) -> str:
    return _USE.sub(lambda use: _filled(queries[use[1]], queries), query)
