"""Write files that only the person may read: 0600, whole or not at all."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Sequence
from pathlib import Path


def write_whole(path: Path, content: bytes) -> None:
    """Put a file in place in one step, on the disk when this returns; a link is followed, not replaced."""
    target = path.resolve()
    number, name = tempfile.mkstemp(prefix=f".{target.name}-", dir=target.parent)
    beside = Path(name)
    try:
        with open(number, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(number)
        beside.replace(target)
    except BaseException:
        beside.unlink(missing_ok=True)
        raise
    sync_folder(target.parent)


def write_new(path: Path, content: bytes) -> None:
    """Write a file that nobody looks for yet; `sync_all` puts it on the disk."""
    with open(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "wb") as file:
        file.write(content)


def sync_all(paths: Sequence[Path]) -> None:
    """Force many files onto the disk: all at once where the system can, for one by one takes milliseconds each."""
    if hasattr(os, "sync"):
        os.sync()
        return
    for path in paths:
        with open(path, "r+b") as file:
            os.fsync(file.fileno())


def sync_folder(folder: Path) -> None:
    """Force the entries of a folder onto the disk, where the system can do that."""
    if not hasattr(os, "O_DIRECTORY"):
        return
    number = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(number)
    finally:
        os.close(number)
