"""Turn blocks and attachments of Claude Code into text; what is no text becomes a short mark."""

from __future__ import annotations

from quoth.sources._text import compact, mark, without_blobs
from quoth.sources._values import Record, blocks, text

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


def _part(part: Record) -> str:
    if "source" in part or "data" in part:
        return mark(part)
    return text(part, "text") or text(part, "tool_name") or (compact(part) if text(part, "type") != "text" else "")
