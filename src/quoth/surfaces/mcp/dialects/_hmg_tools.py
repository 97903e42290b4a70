"""The six tools of HMG. What can't be done is an answer (`rejected`) with a reason, not an error (HMG-10, HMG-21)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, cast

from quoth.core.errors import Failed, InvalidArgument, PersonOnly, QuothError, TooMany
from quoth.surfaces.mcp.archive import Archive
from quoth.surfaces.mcp.dialect import Answer, Call, json_answer
from quoth.surfaces.mcp.dialects import _hmg_words as words
from quoth.surfaces.mcp.dialects._memory import speaker
from quoth.surfaces.mcp.schema import Arguments

if TYPE_CHECKING:
    from quoth.core.model import Json
    from quoth.core.speaker import Speaker
    from quoth.wiring import Kernel

_CORRECTIONS = ("negate", "confirm_actual", "confirm_necessary", "demote", "replace")
_GOVERNANCE = ("quarantine", "seal", "tombstone", "derive_lesson")
_UNCITED = "memorized over a contract that cites nothing"
_MOST = 50
_SHOWN = 200  # characters of an id that nothing has


def memorize(call: Call[Archive], given: Arguments) -> Answer:
    with call.services.open() as kernel:
        try:
            done = kernel.remember.run(
                given.text("content") or "", by=_by(call, given), uncited=_UNCITED, once=True, weighed=True
            )
        except QuothError as error:
            return json_answer(_rejected(error, {"text": "content"}))
    atom = words.atom_of(done["entry"])
    if done["verdict"] == "NOOP":
        reason = f"Exactly this is remembered already, as atom {atom}."
        return json_answer({"atom_id": atom, "effect": "no_op", "reason": reason, "deduped_with": atom})
    return json_answer({"atom_id": atom, "effect": "applied"}, *words.notes(done))


def recall(call: Call[Archive], given: Arguments) -> Answer:
    query = given.text("query") or ""
    if not query.strip():
        raise InvalidArgument("query", "words to look for: noun phrases and key names")
    from quoth.services.recall import Where

    with call.services.open() as kernel:
        where = Where(
            spot=kernel.spots.of(),
            is_only_here=True,
            with_negated=given.flag("include_negated"),
            with_replaced=given.flag("include_negated"),
            with_events=False,
        )
        found = kernel.recall.ranked(query, where, limit=_limit(given))
    return json_answer({"atoms": words.atoms(found)})


def correct(call: Call[Archive], given: Arguments) -> Answer:
    return _judged(call, given, _CORRECTIONS, ("replace", "new_content", "new_atom_id"))


def govern(call: Call[Archive], given: Arguments) -> Answer:
    return _judged(call, given, _GOVERNANCE, ("derive_lesson", "lesson_content", "lesson_atom_id"))


def handoff(call: Call[Archive], given: Arguments) -> Answer:
    with call.services.open() as kernel:
        try:
            done = kernel.handoff.run(given.text("summary") or "", by=_by(call, given))
        except QuothError as error:
            return json_answer(_rejected(error, {"text": "summary"}))
    return json_answer({"atom_id": words.atom_of(done["entry"]), "effect": "applied"}, *words.notes(done))


def stats(call: Call[Archive], _: Arguments) -> Answer:
    with call.services.open() as kernel:
        counted = kernel.counting.run()
    indexed = cast("Mapping[str, Json]", counted["indexed"])
    return json_answer(
        {
            "atoms": counted["versions"],
            "edges": counted["edges"],
            "indexes": {
                "semantic": indexed["meaning"],
                "keyword": indexed["words"],
                "temporal": indexed["time"],
                "categorical": indexed["type"],
            },
            "snapshot_version": counted["acts"],
        }
    )


def _judged(call: Call[Archive], given: Arguments, actions: tuple[str, ...], writing: tuple[str, str, str]) -> Answer:
    """Judge an atom; `writing` is the action that makes a new one, its argument, and its field in the answer."""
    target, (makes, argument, field) = given.text("target_atom") or "", writing
    with call.services.open() as kernel:
        try:
            action = _action(given, actions)
            content = given.text(argument) if action == makes else None
            done = kernel.judge.run(target, action, given.text("reason") or "", by=_by(call, given), content=content)
        except QuothError as error:
            named = _named(kernel, target)
            return json_answer(_rejected(error, {"text": argument, "content": argument}, named))
    new = {field: words.atom_of(done["new"])} if action == makes else {}
    return json_answer({"effect": "applied", "target_atom": words.atom_of(done["entry"]), **new}, *words.notes(done))


def _action(given: Arguments, actions: tuple[str, ...]) -> str:
    action = (given.text("action") or "").strip().replace("-", "_")
    if action not in actions:
        raise InvalidArgument("action", f"one of {', '.join(actions)}")
    return action


def _named(kernel: Kernel, target: str) -> dict[str, Json]:
    """Return the target as it is known, else as it was given."""
    try:
        return {"target_atom": words.ulid_of(kernel.memory.any_entry(target).id)}
    except QuothError:
        return {"target_atom": target[:_SHOWN]}


def _rejected(
    error: QuothError, arguments: Mapping[str, str], target: Mapping[str, Json] | None = None
) -> dict[str, Json]:
    """Say why something was not done; what is the store's or the machine's fault stays an error."""
    if isinstance(error, Failed) and not isinstance(error, PersonOnly | TooMany):
        raise error
    return {"effect": "rejected", **(target or {}), "reason": words.reason(error, arguments)}


def _by(call: Call[Archive], given: Arguments) -> Speaker:
    from dataclasses import replace

    return replace(speaker(call), said=(given.text("source") or "").strip().lower() or None)


def _limit(given: Arguments) -> int:
    asked = given.share("max_results")
    return int(min(float(_MOST), max(1.0, asked if asked is not None else 10.0)))
