"""Turn a message of grok-cli, in the shape of the AI SDK, into pieces: one for each part of its content."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from quoth.core.model import Kind, Role
from quoth.sources._own import is_own_command, is_own_tool
from quoth.sources._text import compact, without_blobs
from quoth.sources._values import Record, inner, text

_ROLES = {"user": Role.USER, "assistant": Role.ASSISTANT}


@dataclass(frozen=True, slots=True)
class Piece:
    """One part: its place, what it is, the call it belongs to, and the type nobody knows."""

    index: int
    role: Role
    kind: Kind
    text: str
    call: str = ""
    own: bool = False
    unknown: str = ""


def of(message: Record, role: str) -> Iterator[Piece]:
    """Yield the parts of a message; one without any still is one piece."""
    role = text(message, "role") or role
    content = message.get("content")
    parts = content if isinstance(content, list) else [content]
    for index, part in enumerate(parts or [""]):
        block: Record = part if isinstance(part, dict) else {"type": "text", "text": part}
        yield _piece(index, block, role)


def _piece(index: int, part: Record, role: str) -> Piece:
    speaker = _ROLES.get(role, Role.SYSTEM)
    match text(part, "type"):
        case "text":
            return _words(index, text(part, "text"), role)
        case "tool-call":
            return _call(index, part)
        case "tool-result":
            return Piece(index, Role.USER, Kind.TOOL_RESULT, _result(part), text(part, "toolCallId"), _is_own(part))
        case "reasoning":
            return Piece(index, speaker, Kind.META, without_blobs(text(part, "text")))
        case "image" | "file":
            return Piece(index, speaker, Kind.META, _mark(part))
        case kind:
            return Piece(index, speaker, Kind.META, "", unknown=f"{role}/{kind or 'untyped'}")


def _words(index: int, whole: str, role: str) -> Piece:
    whole = without_blobs(whole)
    if role not in _ROLES:
        return Piece(index, Role.SYSTEM, Kind.SYSTEM, whole)
    return Piece(index, _ROLES[role], Kind.MESSAGE if whole.strip() else Kind.META, whole)


def _call(index: int, part: Record) -> Piece:
    words = without_blobs(f"{text(part, 'toolName')}\n{compact(part.get('input'))}")
    own = _is_own(part) or is_own_command(text(inner(part, "input"), "command"))
    return Piece(index, Role.ASSISTANT, Kind.TOOL_USE, words, text(part, "toolCallId"), own)


def _is_own(part: Record) -> bool:
    """Tell whether a tool is one of ours: those of MCP servers are called `mcp_<server>__<tool>`."""
    tool = text(part, "toolName")
    return is_own_tool(tool) or is_own_tool(tool.replace("mcp_", "mcp__", 1))


def _result(part: Record) -> str:
    """Return what a tool answered: in the shape of the program itself, else in that of the SDK."""
    output = part.get("output", part.get("result"))
    value = inner(part, "output").get("value", output)
    if isinstance(value, dict) and "success" in value:
        value = text(value, "output") or text(value, "error") or value
    if isinstance(value, list) and value:
        return "\n".join(_block(block) for block in value)
    return without_blobs(value if isinstance(value, str) else "" if value is None else compact(value))


def _block(block: object) -> str:
    if not isinstance(block, dict):
        return without_blobs(compact(block))
    return without_blobs(text(block, "text")) if text(block, "type") == "text" else _mark(block)


def _mark(part: Record) -> str:
    media = text(part, "mediaType") or text(part, "mimeType")
    data = text(part, "image") or text(part, "data")
    size = f", {max(1, round(len(data) * 3 / 4 / 1024))} KB" if data else ""
    return f"[{' '.join(filter(None, [text(part, 'type'), media[:100], text(part, 'filename')[:200]]))}{size}]"
