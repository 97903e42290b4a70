"""Read the lists of sessions in a `state.vscdb`: they name sessions and tell the workspace each belongs to."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import orjson

from quoth.core.model import Json
from quoth.readers.jsonl import records
from quoth.sources import _cursor_places as places
from quoth.sources._cursor_lines import LARGEST, Database, as_bytes, ask
from quoth.sources._cursor_memory import Memory, seal
from quoth.sources._values import Record, inner, items, text

_LISTS = ("composer.composerHeaders", "composer.composerData")


def changed_lists(database: Database, path: Path, memory: Memory) -> Iterator[bytes]:
    """Yield the lists that name sessions and tell their workspace, when they changed."""
    for key in _LISTS:
        query = "SELECT CAST(value AS BLOB) FROM ItemTable WHERE key = ? AND octet_length(value) <= ?"
        for (value,) in ask(database, query, key, LARGEST):
            found = records(as_bytes(value))
            listed = items(found[0], "allComposers") if found and isinstance(found[0], dict) else []
            composers = [_listed(item, path) for item in listed if text(item, "composerId")]
            line = orjson.dumps({"type": "composers", "key": key, "folder": own_folder(path), "composers": composers})
            if composers and memory.lists.get(key) != seal(line):
                yield line


def _listed(item: Record, path: Path) -> dict[str, Json]:
    said = inner(item, "workspaceIdentifier")
    folder = places.of_identifier(said) or places.workspace_folder(path.parent.parent, text(said, "id"))
    return {"composerId": text(item, "composerId"), "name": text(item, "name"), "folder": folder}


def own_folder(path: Path) -> str | None:
    """Return the folder of the workspace whose database this is."""
    above = path.parent
    return places.workspace_folder(above.parent.parent, above.name) if above.parent.name == "workspaceStorage" else None
