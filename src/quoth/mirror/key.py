"""The key of a store, `store.key`: 32 random bytes that only the person's devices hold.

It is in backups, is given to another device when it connects, and never to a hub. Marks and fingerprints in the ledger
are HMACs under it (`core.ledger.marks`).
"""

from __future__ import annotations

import os
import secrets
from contextlib import suppress
from pathlib import Path

from quoth.core.errors import StoreFailed
from quoth.mirror.durable import failing_as_store, force_path, open_private, write_whole

FILE = "store.key"
SIZE = 32


def store_key(home: Path, *, is_new: bool) -> bytes:
    """Return the key of a home; the first process to ask makes it where the store `is_new`.

    A store that has marks under a key is lost without it: no other key is ever put in its place.

    Raises:
        StoreFailed: the file can't be read or written, holds no key, or is missing.
    """
    path, doing = home / FILE, f"Reading the key of the store ({FILE})"
    with failing_as_store(doing):
        if is_new and not path.exists():
            _make(path)
        if not path.exists():
            raise StoreFailed(doing, "the file is missing, and memory was written with it; put it back from a backup")
        key = path.read_bytes()
    if len(key) != SIZE:
        raise StoreFailed(doing, f"it does not hold {SIZE} bytes; put it back from a backup")
    return key


def _make(path: Path) -> None:
    """Put a new key in place whole; of two processes that do so the first one's counts."""
    beside = path.with_name(f".write-{os.getpid()}-{secrets.token_hex(4)}")
    try:
        with open_private(beside, "xb") as file:
            write_whole(file, secrets.token_bytes(SIZE))
        force_path(beside)
        with suppress(FileExistsError):
            os.link(beside, path)
        force_path(path.parent)
    finally:
        beside.unlink(missing_ok=True)
