"""A ledger in a folder, and what the tests write to it."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path

from ledger.world import statement
from quoth.core.ids import DeviceId, entry_id
from quoth.core.ledger.merge import fold
from quoth.core.ledger.operations import Assert, Body, Draft, Operation, asserting
from quoth.core.ledger.state import Ledger
from quoth.storage._ledger import LedgerFile

DEVICE = DeviceId("d" * 32)
NOW = 1_750_000_000_000


def opened(folder: Path) -> LedgerFile:
    return LedgerFile(folder / "ledger.db")


def says(text: str) -> Assert:
    return asserting(entry_id(hashlib.sha256(text.encode()).digest()[:16]), statement(text))


def append(
    ledger: LedgerFile, *bodies: Body, device: DeviceId = DEVICE, now: int = NOW, reason: str = ""
) -> Sequence[Operation]:
    return ledger.append([Draft(body, "codex@desk", reason) for body in bodies], device=device, now=now)


def everything(ledger: LedgerFile) -> list[Operation]:
    found: list[Operation] = []
    cursor = 0
    while page := ledger.since(cursor, limit=100):
        found += [each.operation for each in page]
        cursor = page[-1].cursor
    return found


def folded(ledger: LedgerFile) -> Ledger:
    return fold(everything(ledger))


def texts(ledger: LedgerFile) -> list[str]:
    """Return what every assert says, in the order of arrival."""
    bodies = [each.body for each in everything(ledger)]
    return [body.statement.text for body in bodies if isinstance(body, Assert) and body.statement]


def said_in(folder: Path, word: str) -> list[str]:
    """Return the files of a folder that hold a word."""
    return [path.name for path in sorted(folder.rglob("*")) if path.is_file() and word.encode() in path.read_bytes()]
