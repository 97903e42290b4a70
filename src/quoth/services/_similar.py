"""Tell which entries say nearly the same as a text.

The measure is the share of words (CJK: pairs of characters) that two texts have in common, of all that either has. It
never decides anything: whoever wrote is shown them, and corrects one of them if that is what was meant.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from quoth.core.ids import EntryId
from quoth.core.likeness import NEAR, share
from quoth.core.memory import EntryRow
from quoth.core.model import Json
from quoth.core.text import tokens
from quoth.core.verdicts import is_in_force

CANDIDATES = 12  # reading a row costs more than finding it
_MOST = 5  # that are shown


def similar(to: EntryRow, rows: Sequence[EntryRow], *, now: int) -> Sequence[dict[str, Json]]:
    """Return those of some entries that are most like another, belong to the same person and have not ended."""
    text = to.version.statement.text if to.version.statement else ""
    others = (row for row in rows if row.root != to.root)
    here = [row for row in others if row.scope.tenant == to.scope.tenant and is_in_force(row, now)]
    found = sorted(_alike(here, frozenset(tokens(text)[0])), key=lambda each: -each[0])
    return [{"id": entry, "text": said} for _, entry, said in found[:_MOST]]


def _alike(rows: Sequence[EntryRow], words: frozenset[str]) -> Iterator[tuple[float, EntryId, str]]:
    for row in rows:
        said = row.version.statement
        shared = share(words, frozenset(tokens(said.text)[0])) if said else 0
        if said and shared >= NEAR:
            yield shared, row.id, said.text
