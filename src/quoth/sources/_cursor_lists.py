"""Read the lists of sessions in a `state.vscdb`: they name sessions and tell the workspace each belongs to."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import orjson

from quoth.core.errors import ReadFailed
from quoth.core.model import Json
from quoth.readers.database import open_readonly
from quoth.readers.jsonl import records
from quoth.sources import _cursor_places as places
from quoth.sources._cursor_lines import LARGEST, Database, as_bytes, ask
from quoth.sources._cursor_memory import Memory, seal
from quoth.sources._values import Record, inner, items, text

_LISTS = ("composer.composerHeaders", "composer.composerData")


def changed_lists(
    database: Database, path: Path, memory: Memory, is_allowed: Callable[[str, str | None], bool]
) -> Iterator[bytes]:
    """Yield the lists that name sessions and tell their workspace, when they changed.

    `is_allowed` is asked with the id of a session and its folder.
    """
    own = own_folder(path)
    for key in _LISTS:
        found = [(text(item, "composerId"), item, _folder(item, path)) for item in _items(database, key)]
        composers = [_named(item, folder) for id_, item, folder in found if id_ and is_allowed(id_, folder or own)]
        line = orjson.dumps({"type": "composers", "key": key, "folder": own, "composers": composers})
        if composers and memory.lists.get(key) != seal(line):
            yield line


def listed(database: Database, path: Path) -> Mapping[str, str]:
    """Return the folders of the sessions that the lists of a database name."""
    own = own_folder(path)
    named = ((text(item, "composerId"), _folder(item, path) or own) for key in _LISTS for item in _items(database, key))
    return {id_: folder for id_, folder in named if id_ and folder}


def listed_elsewhere(path: Path) -> Mapping[str, str]:
    """Return the folders of the sessions that the databases of workspaces name.

    Raises:
        ReadFailed: one of them is being written just now.
    """
    folders: dict[str, str] = {}
    for other in sorted(path.parents[1].glob("workspaceStorage/*/state.vscdb")):
        try:
            with open_readonly(other) as database:
                folders |= listed(database, other)
        except ReadFailed as failure:
            if failure.reason in {"locked", "changed_while_read"}:
                raise
    return folders


def own_folder(path: Path) -> str | None:
    """Return the folder of the workspace whose database this is."""
    above = path.parent
    return places.workspace_folder(above.parent.parent, above.name) if above.parent.name == "workspaceStorage" else None


def _items(database: Database, key: str) -> Iterator[Record]:
    query = "SELECT CAST(value AS BLOB) FROM ItemTable WHERE key = ? AND octet_length(value) <= ?"
    for (value,) in ask(database, query, key, LARGEST):
        found = records(as_bytes(value))
        yield from items(found[0], "allComposers") if found and isinstance(found[0], dict) else []


def _folder(item: Record, path: Path) -> str | None:
    said = inner(item, "workspaceIdentifier")
    return places.of_identifier(said) or places.workspace_folder(path.parent.parent, text(said, "id"))


def _named(item: Record, folder: str | None) -> dict[str, Json]:
    return {"composerId": text(item, "composerId"), "name": text(item, "name"), "folder": folder}
