"""Read a folder of Markdown notes: each file is one entry, its front matter says what is known of it."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from quoth.core.errors import ImportRefused
from quoth.core.model import Skipped
from quoth.core.names import printable_path
from quoth.core.times import from_iso
from quoth.readers import front_matter, tree
from quoth.services._incoming import LARGEST, MOST, Left, Thing, Things, resolved, whole

_PATTERNS = ("**/*.md", "**/*.MD", "**/*.markdown")
_SUFFIXES = (".md", ".markdown")
_LARGEST_NOTE = 1 << 20  # bytes
_SINGLE = ("kind", "confidence", "importance", "valid_from", "valid_to", "event_time", "attribution")


def read_notes(path: Path) -> Things:
    """Read a folder, or one file of it.

    Raises:
        ImportRefused: a file can't be read, or its front matter can't; nothing is imported then.
    """
    real = resolved(path)
    root, only = (real, None) if real.is_dir() else (real.parent, real.name)
    things: list[Thing] = []
    left: list[Left] = []
    size = 0
    for found in tree.find(root, _PATTERNS if only is None else (only,)):
        if isinstance(found, Skipped):
            left.append(Left(found.path, found.reason))
            continue
        if found.compressed or any(part.startswith(".") for part in found.key.split("/")):
            continue
        size += found.signature.size
        if size > LARGEST or len(things) + len(left) > MOST:
            raise ImportRefused(printable_path(str(path)), f"it holds more than {LARGEST >> 20} MiB or {MOST:,} notes")
        note = _note(root, found)
        (left if isinstance(note, Left) else things).append(note)  # type: ignore[arg-type]  # one of two lists
    return Things(things, (), left)


def _note(root: Path, found: tree.Entry) -> Thing | Left:
    shown = printable_path(str(found.path))
    text = whole(found.path, largest=_LARGEST_NOTE)
    if text is None:
        return Left(shown, "too_long")
    try:
        given, body = front_matter.read(text)
    except front_matter.FrontMatterBroken as error:
        raise ImportRefused(shown, str(error), error.line) from error
    if not body.strip():
        return Left(shown, "empty")
    said = {name: value for name, value in given.items() if isinstance(value, str) and value.strip()}
    stem = _stem(found.key)
    return Thing(
        place=printable_path(os.path.join(str(root), found.key)),
        text=body.strip(),
        name=_name(said, body) or stem.rpartition("/")[2],
        further_name=stem,
        type=said.get("type"),
        tags=_tags(given.get("tags")),
        given={name: said[name] for name in _SINGLE if name in said},
        id=said.get("id"),
        created_at=_created(said, found.signature.mtime_ns // 1_000_000),
    )


def _name(said: dict[str, str], body: str) -> str:
    return said.get("name") or said.get("title") or ""


def _stem(key: str) -> str:
    return next((key.removesuffix(suffix) for suffix in _SUFFIXES if key.lower().endswith(suffix)), key)


def _tags(given: str | Sequence[str] | None) -> Sequence[str]:
    listed = given.replace(",", " ").split() if isinstance(given, str) else given or ()
    return [tag for each in listed if (tag := each.strip().removeprefix("#"))]


def _created(said: dict[str, str], written_at: int) -> int:
    """Return when a note was made, as it says or else as its file does."""
    spelled = said.get("created") or said.get("date") or ""
    return from_iso(spelled) or written_at
