"""What several dialects say of the archive in the same words: the schemas of shared arguments, the kept fields."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, cast

from quoth.surfaces.mcp.protocol import JsonObject

if TYPE_CHECKING:
    from quoth.core.model import Json

TIME = "30m, 24h, 7d or 2w back from now, a date (2026-10-20), or ISO 8601"

SINCE: JsonObject = {"type": "string", "description": f"Only from this time on: {TIME}."}
UNTIL: JsonObject = {"type": "string", "description": "Only before this time, said in the same way."}
SOURCE: JsonObject = {"type": "string", "description": "Only one agent, such as claude-code or codex."}
PROJECT: JsonObject = {"type": "string", "description": "Only one project: its name, owner/name, or a path in it."}
SESSION: JsonObject = {"type": "string", "description": "The id of a session: list what was said in it, in order."}
TOOLS: JsonObject = {"type": "boolean", "default": False}


def schema(properties: Mapping[str, JsonObject], *required: str) -> JsonObject:
    """Return the schema of a tool that takes these arguments and no others."""
    shape: dict[str, Json] = {"type": "object", "properties": properties, "additionalProperties": False}
    return {**shape, "required": required} if required else shape


def limit(default: int, most: int) -> JsonObject:
    return {"type": "integer", "minimum": 1, "maximum": most, "default": default}


def kept(shape: Json, fields: Sequence[str]) -> JsonObject:
    """Return the named fields of a record, in that order."""
    record = cast("JsonObject", shape)
    return {name: record[name] for name in fields}


def kept_each(shapes: Json, fields: Sequence[str]) -> Sequence[JsonObject]:
    return [kept(shape, fields) for shape in cast("Sequence[Json]", shapes)]
