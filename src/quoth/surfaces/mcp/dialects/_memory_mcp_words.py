"""Entries and failures in the words of memory-mcp: memories, short ids, agents with their prefix."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, cast

from quoth.surfaces.mcp.schema import Arguments

if TYPE_CHECKING:
    from quoth.core.errors import InvalidArgument
    from quoth.core.ids import EntryId
    from quoth.core.memory import EntryRow
    from quoth.core.model import Json
    from quoth.services.duplicates import Similar
    from quoth.wiring import Kernel

_DIGITS = 4  # of a score
_SHOWN = 100  # characters of a similar memory (MMC-8)


def owner_in(given: Arguments, argument: str) -> str | None:
    """Return the owner that an argument names in one spelling; None where it is absent."""
    from quoth.core.owners import owner

    said = given.text(argument)
    return owner(said, argument) if said else None


def memory_id(kernel: Kernel, entry: EntryId) -> str:
    from quoth.services.facts import short_id

    return short_id(kernel.memory.entries, entry)


def entry_of(done: Mapping[str, Json]) -> EntryId:
    """Return the id of the entry that was written."""
    return cast("EntryId", cast("Mapping[str, Json]", done["entry"])["id"])


# --- memories ---


def recalled(kernel: Kernel, row: EntryRow, relevance: float) -> dict[str, Json]:
    known = {**_known(kernel, row), "score": round(relevance, _DIGITS)}
    return {name: known[name] for name in ("memory_id", "content", "score", "tags", "agent")}


def fact(kernel: Kernel, row: EntryRow) -> dict[str, Json]:
    known = _known(kernel, row)
    return {name: known[name] for name in ("memory_id", "content", "tags", "agent", "importance")}


def similar(kernel: Kernel, found: Sequence[Similar]) -> list[dict[str, Json]]:
    """Return the entries that are like a text, their words cut."""
    return [_similar(kernel, each) for each in found]


def _similar(kernel: Kernel, found: Similar) -> dict[str, Json]:
    content = str(_known(kernel, found.row)["content"])
    cut = content if len(content) <= _SHOWN else f"{content[: _SHOWN - 1]}…"
    return {"memory_id": memory_id(kernel, found.row.id), "content": cut, "score": found.similarity}


def _known(kernel: Kernel, row: EntryRow) -> dict[str, Json]:
    from quoth.core.redact import redact
    from quoth.services._entry_shapes import shown_text

    said = row.version.statement
    return {
        "memory_id": memory_id(kernel, row.id),
        "content": redact(shown_text(row)).text,
        "tags": list(said.tags) if said else [],
        "agent": said.agent if said else "global",
        "importance": said.importance if said else None,
    }


# --- what is said beside an answer ---


def warned(kernel: Kernel, done: Mapping[str, Json], alike: Sequence[Similar]) -> dict[str, Json]:
    """Return what to warn of: that it was said already, and that nobody is shown it. Both were written."""
    warnings = []
    if alike:
        best = max(each.similarity for each in alike)
        warnings.append(
            f"Memory {memory_id(kernel, alike[0].row.id)} says this already (similarity {best:.2f});"
            " it was written all the same."
        )
    if rules := done.get("quarantined"):
        named = ", ".join(map(str, cast("Sequence[Json]", rules)))
        warnings.append(
            f"It addresses an agent's instructions ({named}), so it is quarantined; the user can release it."
        )
    said: dict[str, Json] = {"warning": " ".join(warnings)} if warnings else {}
    return {**said, "similar": similar(kernel, alike)} if alike else said


def refused(error: InvalidArgument) -> str:
    """Return the sentence of a refusal, with the name that this contract has for what it speaks of."""
    return str(error).replace("`text`", "`content`", 1)
