"""Turn blocks and attachments of Claude Code into text; what is no text becomes a short mark."""

from __future__ import annotations

import json
import re

import orjson

from quoth.sources._claude_values import Record, blocks, inner, text
from quoth.sources._runs import has_run

_BLOB_LENGTH = 10_000  # characters; shorter runs stay, they may be a hash, a key or a long name
# Lines of at least 60 characters that follow one another: a text as `base64` prints it, or one endless line.
_BLOB = re.compile(
    r"(?<![A-Za-z0-9+/_-])(?:[A-Za-z0-9+/_-]{60,}+(?:\r?\n|(?:\\r)?\\n)?+)++(?:[A-Za-z0-9+/_-]{0,59}={1,2})?"
)

# Bookkeeping whose words help a person who browses; of every other type only its name is shown.
_SHOWN = {
    "agent-meta": ("agentType", "description", "toolUseId", "parentAgentId"),
    "agent-name": ("agentName",),
    "ai-title": ("aiTitle",),
    "custom-title": ("customTitle",),
    "last-prompt": ("lastPrompt",),
    "mode": ("mode",),
    "permission-mode": ("permissionMode",),
    "pr-link": ("prUrl",),
    "queue-operation": ("operation", "content"),
    "rewind-pointer": ("rewindToUuid",),
    "summary": ("summary",),
    "tag": ("tag",),
}
# They hold the account's e-mail address and ids, the whole system prompt, or output that comes once more as a result.
_UNSHOWN = frozenset({"bridge-session", "bridge_status", "progress", "prompt_snapshot", "session_context"})
_TYPE_LENGTH = 80


def said(block: Record) -> str:
    return without_blobs(text(block, "text"))


def thought(block: Record) -> str:
    return without_blobs(text(block, "thinking"))


def call(block: Record) -> str:
    return without_blobs(f"{text(block, 'name')}\n{compact(block.get('input'))}")


def result(block: Record) -> str:
    """Return what a tool answered; several blocks are joined by line ends."""
    content = block.get("content")
    if isinstance(content, str):
        return without_blobs(content)
    return without_blobs("\n".join(_part(part) for part in blocks(content)))


def mark(block: Record) -> str:
    """Name what is no text by type and size: `[image image/png, 24 KB]`."""
    source = inner(block, "source")
    data = text(source, "data") or text(block, "data")
    media = (text(source, "media_type") or text(block, "mimeType") or text(source, "url"))[:200]
    described = " ".join(filter(None, [text(block, "type")[:40] or "data", media]))
    return f"[{described}, {_size(len(data))}]" if data else f"[{described}]"


def attachment(block: Record, rendered: object) -> str:
    """Return the type of an attachment and what the model was shown of it."""
    kind = text(block, "type")
    if kind in _UNSHOWN:
        return ""
    shown = [said(part) or text(part, "content") for part in blocks(rendered)]
    return without_blobs("\n".join(filter(None, [kind, *shown, text(block, "content")])))


def notice(record: Record) -> str:
    """Return the words of a `system` record."""
    subtype = text(record, "subtype")
    return subtype if subtype in _UNSHOWN else without_blobs(text(record, "content")) or subtype


def bookkeeping(record: Record, kind: str) -> str:
    if kind in _UNSHOWN:
        return ""
    keys = _SHOWN.get(kind, ())
    return without_blobs(" ".join(filter(None, [kind[:_TYPE_LENGTH], *(text(record, key) for key in keys)])))


def compact(value: object) -> str:
    """Write JSON as the agent does: keys in order, no blanks, non-ASCII as it is."""
    try:
        return orjson.dumps(value).decode()
    except TypeError:  # nested beyond what orjson takes
        pass
    try:
        return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    except (RecursionError, TypeError, ValueError):
        return "[nested too deeply]"


def without_blobs(words: str) -> str:
    """Replace long runs of base64, which nobody searches for, by a mark."""
    return _BLOB.sub(_marked, words) if has_run(words, _BLOB_LENGTH + 1) else words


def _marked(found: re.Match[str]) -> str:
    run = found.group()
    return run if len(run) <= _BLOB_LENGTH else f"[data, {_size(len(run))}]"


def _part(part: Record) -> str:
    if "source" in part or "data" in part:
        return mark(part)
    return text(part, "text") or text(part, "tool_name") or (compact(part) if text(part, "type") != "text" else "")


def _size(base64_length: int) -> str:
    return f"{max(1, round(base64_length * 3 / 4 / 1024))} KB"
