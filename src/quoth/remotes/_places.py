"""Where the worker of a home keeps its lock and its socket. Imports nothing heavy: every door looks here."""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from pathlib import Path

LOCK, NAME, ELSEWHERE, TRIED = "worker.lock", "worker.sock", "worker.at", "worker.tried"

FITS = 100
"""Bytes of a path that every system takes for a socket; the strictest has room for 103."""


def folder(home: Path) -> Path:
    return home / "locks"


def found(home: Path) -> Path | None:
    """Return where the socket is, or was; None where there is none."""
    here = folder(home) / NAME
    if len(os.fsencode(here)) <= FITS:
        return here if os.path.lexists(here) else None
    with suppress(OSError, ValueError):
        path = Path(os.fsdecode((folder(home) / ELSEWHERE).read_bytes()))
        if path.name == NAME and path.parent.name.startswith("quoth-") and _is_private(path.parent):
            return path
    return None


def mark(home: Path) -> tuple[int, int] | None:
    """Return what tells the socket from another one in its place."""
    path = found(home)
    try:
        seen = path.stat() if path else None
    except OSError:
        return None
    return (seen.st_dev, seen.st_ino) if seen else None


def _is_private(folder: Path) -> bool:
    """Tell whether a folder is ours alone: where the temporary folder was emptied, anybody can make another."""
    seen = folder.lstat()
    return stat.S_ISDIR(seen.st_mode) and seen.st_uid == os.getuid() and not seen.st_mode & 0o077
