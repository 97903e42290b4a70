"""What a ledger answers about operations as they arrive."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from quoth.core.ids import OperationId
from quoth.core.ledger.chain import Finding
from quoth.core.ledger.operations import Operation


class Numbered(NamedTuple):
    """An operation and the cursor behind it: its place in the order of arrival at this home."""

    cursor: int
    operation: Operation


@dataclass(frozen=True, slots=True)
class Received:
    """What became of operations that another device sent. `ahead` have a time more than a day ahead of ours."""

    added: tuple[OperationId, ...]
    ahead: tuple[OperationId, ...]
    refused: tuple[Finding, ...]
