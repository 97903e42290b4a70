"""Entries and failures in the words of HMG: atoms, their ids as ULIDs, instants in UTC."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, cast

from quoth.core.errors import CannotJudge, InvalidArgument, QuothError, UnknownId

if TYPE_CHECKING:
    from quoth.core.memory import EntryRow
    from quoth.core.model import Json
    from quoth.services.recall import Ranking

_ENTRY = re.compile(r"ent_[0-9a-f]{32}")
_SHOWN = 100  # characters of an id that nothing has
_DIGITS = 4  # of a score


def ulid_of(entry: str) -> str:
    from quoth.core.ids import EntryId, ulid

    return ulid(EntryId(entry))


def atom_of(shape: Json) -> str:
    """Return the id of the atom that an entry of an answer is."""
    return ulid_of(str(cast("Mapping[str, Json]", shape)["id"]))


def atoms(found: Ranking) -> list[dict[str, Json]]:
    return [_atom(row, round(score, _DIGITS)) for row, score in found.falling()]


def _atom(row: EntryRow, score: float) -> dict[str, Json]:
    from quoth.core.redact import redact
    from quoth.core.times import rfc3339
    from quoth.services._entry_shapes import shown_text

    said = row.version.statement
    return {
        "atom_id": ulid_of(row.id),
        "content": redact(shown_text(row)).text,
        "score": score,
        "created_at": rfc3339(row.version.created_at),
        "source": _SOURCES.get(said.attribution.value, "custom") if said else "custom",
    }


_SOURCES = {"user": "user", "agent": "agent"}


def reason(error: QuothError, arguments: Mapping[str, str]) -> str:
    """Return the sentence of a failure, with the names that this contract has for what it speaks of."""
    match error:
        case CannotJudge():
            return f"Atom {ulid_of(error.entry)} {error.why}."
        case UnknownId() if not error.given.strip():
            return "`target_atom` must be the id of an atom, from what was recalled or memorized."
        case UnknownId():
            return f"Unknown atom {error.given[:_SHOWN]}."
        case InvalidArgument() if error.argument in arguments:
            sentence = str(error).replace(f"`{error.argument}`", f"`{arguments[error.argument]}`", 1)
        case _:
            sentence = str(error)
    return _ENTRY.sub(lambda match: ulid_of(match[0]), sentence).replace("entry ", "atom ").replace("Entry ", "Atom ")


def notes(done: Mapping[str, Json]) -> Sequence[str]:
    """Say beside the answer what the contract has no field for."""
    rules = done.get("quarantined")
    if not isinstance(rules, Sequence) or isinstance(rules, str):
        return ()
    named = ", ".join(map(str, rules))
    return (f"Note: this addresses an agent's instructions ({named}), so it is quarantined; the user can release it.",)
