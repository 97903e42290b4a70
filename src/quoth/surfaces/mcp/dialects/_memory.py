"""What several dialects say of memory in the same words: the schemas of shared arguments, who speaks, what is cited."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from quoth.core.errors import InvalidArgument
from quoth.surfaces.mcp.archive import Archive
from quoth.surfaces.mcp.dialect import Call
from quoth.surfaces.mcp.dialects._archive import TIME
from quoth.surfaces.mcp.protocol import JsonObject
from quoth.surfaces.mcp.schema import Arguments

if TYPE_CHECKING:
    from quoth.core.memory import Quoted
    from quoth.core.model import Json
    from quoth.core.speaker import Speaker

_UNNAMED = "agent"
_KINDS = ("memory", "knowledge", "cognition")

TEXT: JsonObject = {"type": "string", "minLength": 1, "description": "One statement that can be understood alone."}
KIND: JsonObject = {
    "enum": _KINDS,
    "description": "memory: what happened, a decision and its reason; knowledge: a stable fact;"
    " cognition: a preference, method, goal or boundary.",
}
ONLY_KIND: JsonObject = {"enum": _KINDS, "description": "Only entries of this kind."}
CONFIDENCE: JsonObject = {"type": "number", "minimum": 0, "maximum": 1, "description": "How sure it is, 0 to 1."}
SOURCES: JsonObject = {
    "type": "array",
    "description": "Where it comes from: events by their id, by exact words that were said in them, or by both.",
    "items": {
        "type": "object",
        "properties": {
            "event_id": {"type": "string", "description": "The id of an event that was found."},
            "quote": {"type": "string", "description": "Words of the event, letter for letter."},
        },
        "additionalProperties": False,
    },
}
MORE_SOURCES: JsonObject = {**SOURCES, "description": "What else it comes from, said as when it was remembered."}
VALID_FROM: JsonObject = {"type": "string", "description": f"True from this time on: {TIME}."}
VALID_TO: JsonObject = {"type": "string", "description": "True until this time, said in the same way."}
REASON: JsonObject = {
    "type": "string",
    "minLength": 1,
    "maxLength": 2_000,
    "description": "Why, in the words of the user.",
}


def clearable(said: JsonObject) -> JsonObject:
    """Return the schema of an argument of a correction: absent keeps what is there, null takes it away."""
    return {**said, "type": [said["type"], "null"], "description": f"{said['description']} null takes it away."}


def speaker(call: Call[Archive]) -> Speaker:
    """Return the agent at the other end (ORI-73)."""
    from quoth.core.speaker import PERSON, Speaker

    agent = call.client.agent
    return Speaker(agent if agent and agent != PERSON else _UNNAMED)  # no program passes itself off as the person


def cited(given: Arguments) -> Sequence[Quoted]:
    """Return what a call cites.

    Raises:
        InvalidArgument: an item names neither an event nor words.
    """
    from quoth.core.memory import Quoted

    found = [Quoted(_text(item, "event_id"), _text(item, "quote")) for item in given.objects("sources")]
    for at, each in enumerate(found):
        if each == Quoted():
            raise InvalidArgument(f"sources[{at}]", "an object with `event_id`, `quote` or both")
    return found


def _text(item: Mapping[str, Json], name: str) -> str | None:
    value = item.get(name)
    return value if isinstance(value, str) and value.strip() else None
