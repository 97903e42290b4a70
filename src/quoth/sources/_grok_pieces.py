"""Turn updates of Grok Build into text, and recognise calls of our own tools."""

from __future__ import annotations

from quoth.sources._own import is_own_command, is_own_server, is_own_tool
from quoth.sources._text import compact, without_blobs
from quoth.sources._values import Record, inner, items, number, text

_BOOKKEEPING = """
    auto_compact_cancelled auto_compact_completed auto_compact_failed auto_compact_started
    auto_continue_completed auto_recovery_exhausted auto_recovery_started available_commands_update
    compaction_checkpoint config_option_update current_mode_update diff_review feedback_request goal_updated
    hook_annotation hook_execution hooks_changed image_compressed image_dropped interaction_resolved
    last_turn_summary memory_dream_completed memory_files memory_flush_completed memory_flush_started
    memory_session_saved model_auto_switched model_changed monitor_event pending_interaction plan
    plugin_updates_installed plugins_changed reasoning_completed relay_sync_status response_completed
    response_started retry_state rewind_marker scheduled_task_created scheduled_task_deleted
    scheduled_task_fired session_info_update session_recap session_recap_unavailable session_status
    session_summary_generated subagent_finished subagent_progress subagent_spawned task_backgrounded
    task_completed tool_call_delta_chunk turn_completed usage_update workflow_updated
"""
BOOKKEEPING = frozenset(_BOOKKEEPING.split())
"""The types of records that are no part of the conversation; any type beyond these and speech is unknown."""

# What bookkeeping shows of itself, in this order, whatever its type; the rest is numbers and lists.
_SHOWN = (
    "target_prompt_index",
    "session_summary",
    "subagent_type",
    "description",
    "objective",
    "summary",
    "summary_preview",
    "message",
    "event_text",
    "prompt",
    "command",
    "model_id",
    "result",
    "output",
    "error",
    "reason",
    "agent_result",
    "stop_reason",
    "status",
    "checkpoint_id",
)
_TOOL = "x.ai/tool"
_NAME_LENGTH = 200


def chunk(content: Record) -> str:
    """Return the words of one block of a message; what is no text becomes a short mark."""
    kind = text(content, "type")
    return without_blobs(text(content, "text")) if kind in {"text", ""} else _mark(content, kind)


def tool(body: Record) -> str:
    """Return the name of a tool as the model knows it, else what the agent shows for it."""
    return (text(inner(inner(body, "_meta"), _TOOL), "name") or text(body, "title"))[:_NAME_LENGTH]


def call(name: str, body: Record) -> str:
    given = body.get("rawInput")
    return name if given is None else without_blobs(f"{name}\n{compact(given)}")


def result(body: Record) -> str:
    """Return what a tool answered so far; nothing when the update has none."""
    words = "\n".join(filter(None, map(_answer, items(body, "content"))))
    raw = body.get("rawOutput")
    return words or ("" if raw is None else without_blobs(raw if isinstance(raw, str) else compact(raw)))


def is_own(name: str, body: Record) -> bool:
    """Tell whether a call goes to one of our tools: an MCP tool is called `<server>__<tool>`, or through `use_tool`."""
    given = inner(body, "rawInput")
    names = (name, text(given, "tool_name"))
    if any(is_own_tool(named) or ("__" in named and is_own_server(named.partition("__")[0])) for named in names):
        return True
    return is_own_command(text(given, "command"))


def bookkeeping(kind: str, body: Record) -> str:
    if kind == "plan":
        return "\n".join(["plan", *(text(entry, "content") for entry in items(body, "entries"))])
    shown = (text(body, key) or number(body, key) for key in _SHOWN)
    return without_blobs(" ".join([kind, *(str(value) for value in shown if value not in {None, ""})]))


def _answer(part: Record) -> str:
    match text(part, "type"):
        case "content":
            return chunk(inner(part, "content"))
        case "diff":
            return without_blobs("\n".join([text(part, "path"), text(part, "newText")]))
        case kind:
            return without_blobs(text(part, "text")) or f"[{kind[:40]}]"


def _mark(content: Record, kind: str) -> str:
    held = inner(content, "resource") or content
    if words := text(held, "text"):
        return without_blobs("\n".join(filter(None, [text(held, "uri"), words])))
    data = text(held, "data") or text(held, "blob")
    size = f", {max(1, round(len(data) * 3 / 4 / 1024))} KB" if data else ""
    address = text(held, "uri")
    where = text(held, "mimeType") if address.startswith("data:") else text(held, "mimeType") or address
    return f"[{' '.join(filter(None, [kind[:40], where[:200]]))}{size}]"
