"""Know which directory a folder of Gemini CLI's chats belongs to.

No chat names it for certain. A folder below `tmp` is named by a slug, with the directory in its `.project_root` and in
`projects.json`, or in older versions by the SHA-256 of the directory.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path

from quoth.core.errors import ReadFailed
from quoth.core.names import printable_path
from quoth.readers import compressed
from quoth.readers.jsonl import records

REGISTRY = "projects.json"
MARKER = ".project_root"

_LONGEST = 4 << 20  # bytes of the registry
_LONGEST_PATH = 8_192


class Projects:
    """The directories of one root's folders; each is looked up once."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._registered: Mapping[str, str] | None = None
        self._known: dict[str, str] = {}

    def directory(self, folder: str) -> str:
        """Return the directory that a folder below `tmp` stands for; nothing when nobody says it."""
        if folder not in self._known:
            self._known[folder] = self._marked(folder) or self._registry().get(folder, "")
        return self._known[folder]

    def _marked(self, folder: str) -> str:
        said = _read(self._root / "tmp" / folder / MARKER, _LONGEST_PATH).decode("utf-8", "surrogateescape").strip()
        return printable_path(said) if said and "\n" not in said else ""

    def _registry(self) -> Mapping[str, str]:
        if self._registered is None:
            self._registered = _registered(_read(self._root / REGISTRY, _LONGEST))
        return self._registered


def hashed(directory: str) -> str:
    """Return the `projectHash` of a directory."""
    return hashlib.sha256(directory.encode("utf-8", "surrogatepass")).hexdigest()


def _registered(data: bytes) -> Mapping[str, str]:
    """Return the directory of each slug and of each hash."""
    found: dict[str, str] = {}
    for record in records(data):
        listed = record.get("projects") if isinstance(record, dict) else None
        for directory, slug in listed.items() if isinstance(listed, dict) else ():
            if isinstance(slug, str) and "\n" not in directory:
                found |= {slug: directory, hashed(directory): directory}
    return found


def _read(path: Path, longest: int) -> bytes:
    data = b""
    try:
        for chunk in compressed.chunks(path, compressed=False):
            data += chunk
            if len(data) > longest:
                return b""
    except ReadFailed:
        return b""
    return data
