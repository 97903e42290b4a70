"""The list of a backup: `manifest.json` names every file with its size and SHA-256.

The format, never changed but by a new number: `{"format": 1, "made_at": ISO 8601, "files": [{"path", "size",
"sha256"}]}`, paths relative with `/`. A backup without it is not complete.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from quoth.core.errors import BackupRefused, NewerFormat

NAME = "manifest.json"
FORMAT = 1

# What a home holds that can't be made again. The index is; locks are nobody's.
KEPT = ("observations.jsonl", "ledger.db", "state.db", "store.key", "config.toml")
MIRROR, TYPES = "raw", "types"

_LARGEST = 512 << 20
_UNPORTABLE = re.compile(
    r'[\x00-\x1f\\:<>"|?*]'
)  # No part of the mirror has these, and on Windows they lead elsewhere.
_SHA256 = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True, slots=True)
class Item:
    path: str
    size: int
    sha256: str


def render(items: Sequence[Item], made_at: str) -> bytes:
    files = [{"path": item.path, "size": item.size, "sha256": item.sha256} for item in items]
    return json.dumps({"format": FORMAT, "made_at": made_at, "files": files}, ensure_ascii=False, indent=1).encode()


def read(folder: Path) -> Sequence[Item]:
    """Read the list of a backup and check every path in it.

    Raises:
        BackupRefused: there is no list, it can't be read, or it names a file that no home has.
        NewerFormat: a newer program made the backup.
    """
    path = folder / NAME
    if path.is_symlink() or not path.is_file():
        raise BackupRefused(str(folder), f"it holds no {NAME}, so it is no complete backup")
    if path.stat().st_size > _LARGEST:
        raise BackupRefused(str(folder), f"its {NAME} is too large to be ours")
    try:
        listed = json.loads(path.read_bytes())
        number, files = listed["format"], listed["files"]
        items = [] if number != FORMAT else [Item(f["path"], f["size"], f["sha256"]) for f in files]
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise BackupRefused(str(folder), f"its {NAME} can't be read") from error
    if number != FORMAT:
        raise NewerFormat("backup", number if isinstance(number, int) else 0, FORMAT)
    if not all(map(_is_ours, items)) or len({item.path for item in items}) != len(items):
        raise BackupRefused(str(folder), f"its {NAME} names files that no store has")
    return items


def _is_ours(item: Item) -> bool:
    """Tell whether an item is a file of a home: inside it, at a place where a home has files."""
    if not isinstance(item.path, str) or type(item.size) is not int or not isinstance(item.sha256, str):
        return False
    parts = item.path.split("/")
    is_inside = not any(part in {"", ".", ".."} or _UNPORTABLE.search(part) for part in parts)
    has_place = item.path in KEPT or (parts[0] in {MIRROR, TYPES} and len(parts) > 1)
    return is_inside and has_place and item.size >= 0 and bool(_SHA256.fullmatch(item.sha256))
