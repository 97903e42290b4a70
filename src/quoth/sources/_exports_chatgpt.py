"""Read the messages of a ChatGPT export: who speaks to whom, and what the many types of content say."""

from __future__ import annotations

import re
from collections.abc import Iterator

from quoth.core.ids import digest16
from quoth.core.model import Kind, Role
from quoth.core.times import LATEST
from quoth.sources._exports_pieces import Piece
from quoth.sources._own import is_own_server, is_own_tool
from quoth.sources._text import compact, without_blobs
from quoth.sources._values import Record, blocks, inner, items, name, number, text

_SPOKEN = frozenset({"text", "multimodal_text", "code"})
_CONTEXT = frozenset({"user_editable_context", "model_editable_context"})
_THOUGHTS = frozenset({"thoughts", "reasoning_recap"})
_OF_TOOLS = frozenset(
    {
        "citable_code_output",
        "computer_output",
        "execution_output",
        "sonic_webpage",
        "super_widget",
        "system_error",
        "tether_browsing_code",
        "tether_browsing_display",
        "tether_quote",
    }
)
_KNOWN = _SPOKEN | _CONTEXT | _THOUGHTS | _OF_TOOLS
_SHOWN = ("title", "url", "name", "text", "result", "output_str", "content", "user_profile", "user_instructions")
_EVERYBODY = frozenset({"", "all"})
_HIDDEN = ("is_visually_hidden_from_conversation", "is_user_system_message")
_CONNECTOR = re.compile(r'"path"\s*:\s*"/?([\w-]{1,40})[/"]')
_DEFAULT_TITLES = frozenset({"new chat", ""})


def title(conversation: Record) -> str:
    said = " ".join(text(conversation, "title").split())
    return "" if said.casefold() in _DEFAULT_TITLES else said


def instant(record: Record, key: str = "create_time") -> int | None:
    """Return the instant that a number of seconds says."""
    said = record.get(key)
    if isinstance(said, bool) or not isinstance(said, int | float):
        return None
    return round(said * 1000) if 0 < said * 1000 <= LATEST else None


def model(message: Record) -> str:
    slug = name(inner(message, "metadata"), "model_slug")
    return f"chatgpt {slug}" if slug else "chatgpt"


def pieces(conversation: str, message: Record) -> Iterator[Piece]:
    """Yield what a message says, then what was attached to it; every message gives at least one piece."""
    said_id = name(message, "id") or digest16(conversation.encode(), compact(message).encode("utf-8", "replace"))
    content = inner(message, "content")
    words, marks = _words(content), [*_marks(content), *_attached(inner(message, "metadata"))]
    role, kind, unknown = _speech(message, text(content, "content_type"))
    kind = Kind.META if kind is Kind.MESSAGE and not words.strip() else kind
    tool = _tool(message, kind)
    if words.strip() or not marks or kind is Kind.TOOL_USE:
        own = _is_own(tool, words if kind is Kind.TOOL_USE else "")
        shown = "\n".join(filter(None, [tool if kind is Kind.TOOL_USE else "", words]))
        yield Piece(f"chatgpt:{said_id}", role, kind, without_blobs(shown), tool, own, unknown)
    if marks:
        yield Piece(f"chatgpt:{said_id}:attachments", role, Kind.META, "\n".join(marks))


def _speech(message: Record, content_type: str) -> tuple[Role, Kind, str]:
    """Return who speaks, in which kind, and what we do not know of it."""
    unknown = "" if content_type in _KNOWN else f"content/{content_type[:60] or 'untyped'}"
    metadata, said_role = inner(message, "metadata"), text(inner(message, "author"), "role")
    is_aside = any(metadata.get(flag) is True for flag in _HIDDEN) or content_type in _CONTEXT | _THOUGHTS
    kind = Kind.META if is_aside or unknown else Kind.MESSAGE
    match said_role:
        case "user":
            return Role.USER, kind, unknown
        case "assistant":
            is_call = text(message, "recipient") not in _EVERYBODY
            return Role.ASSISTANT, Kind.TOOL_USE if is_call else kind, unknown
        case "tool":
            return Role.ASSISTANT, Kind.META if content_type in _CONTEXT else Kind.TOOL_RESULT, unknown
        case "system":
            return Role.SYSTEM, Kind.META, unknown
    return Role.SYSTEM, Kind.META, f"role/{said_role[:60] or 'nobody'}"


def _tool(message: Record, kind: Kind) -> str:
    if kind is Kind.TOOL_USE:
        return text(message, "recipient")[:200]
    return text(inner(message, "author"), "name")[:200] if kind is Kind.TOOL_RESULT else ""


def _is_own(tool: str, asked: str) -> bool:
    """Tell whether a tool is ours: by its own name, or behind the one that calls a connector's tools."""
    found = _CONNECTOR.search(asked[:2_000]) if tool.startswith("api_tool") else None
    server = found[1] if found else tool.partition(".")[0]
    return is_own_tool(tool) or is_own_server(server.lower())


def _words(content: Record) -> str:
    if text(content, "content_type") not in _KNOWN:
        return compact(content) if content else ""
    thoughts = [text(each, key) for each in items(content, "thoughts") for key in ("summary", "content")]
    parts = [text(part, "text") for part in blocks(content.get("parts"))]
    shown = [text(content, key) for key in _SHOWN]
    return "\n".join(filter(None, [*parts, *shown, *thoughts, text(content, "model_set_context")]))


def _marks(content: Record) -> Iterator[str]:
    """Name the parts that are no text."""
    for part in blocks(content.get("parts")):
        kind = text(part, "content_type")
        if kind and not text(part, "text"):
            yield _mark(kind.removesuffix("_asset_pointer").replace("_", " ")[:60], number(part, "size_bytes"))


def _attached(metadata: Record) -> Iterator[str]:
    for attachment in items(metadata, "attachments"):
        yield _mark(f"file {' '.join(text(attachment, 'name').split())[:200]}".rstrip(), number(attachment, "size"))


def _mark(what: str, size: int | None) -> str:
    return f"[{what}, {max(1, round(size / 1024))} KB]" if size else f"[{what}]"
