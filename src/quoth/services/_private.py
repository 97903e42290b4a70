"""Write files that only the person may read: 0600, whole or not at all."""

from __future__ import annotations

import os
import tempfile
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


def sync_folder(folder: Path) -> None:
    """Force the entries of a folder onto the disk, where the system can do that."""
    if not hasattr(os, "O_DIRECTORY"):
        return
    number = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(number)
    finally:
        os.close(number)
