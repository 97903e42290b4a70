"""Say what events and completed items are: mostly the inside of what `response_item` records tell, or bookkeeping."""

from __future__ import annotations

from dataclasses import dataclass

from quoth.core.model import Kind, Role
from quoth.sources import _codex_text as texts
from quoth.sources._codex_ids import LABELS
from quoth.sources._codex_own import is_own_call
from quoth.sources._codex_values import Entry
from quoth.sources._values import Record, inner, number, text

# What a person who browses should see of the course of a session.
_NOTICES = frozenset({"deprecation_notice", "error", "guardian_warning", "stream_error", "warning"})
_INSIDE = frozenset(
    {
        "agent_reasoning",
        "agent_reasoning_raw_content",
        "collab_agent_interaction_end",
        "collab_agent_spawn_end",
        "collab_close_end",
        "collab_resume_end",
        "collab_waiting_end",
        "dynamic_tool_call_request",
        "dynamic_tool_call_response",
        "entered_review_mode",
        "exec_command_end",
        "exited_review_mode",
        "guardian_assessment",
        "image_generation_end",
        "mcp_tool_call_end",
        "patch_apply_end",
        "plan_update",
        "sub_agent_activity",
        "thread_goal_updated",
        "turn_diff",
        "view_image_tool_call",
        "web_search_end",
    }
)
_SILENT = frozenset(
    {
        "agent_reasoning_section_break",
        "exec_command_begin",
        "hook_completed",
        "hook_started",
        "item_started",
        "item_updated",
        "mcp_startup_complete",
        "mcp_startup_update",
        "mcp_tool_call_begin",
        "model_reroute",
        "model_verification",
        "patch_apply_begin",
        "raw_response_item",
        "session_configured",
        "shutdown_complete",
        "task_complete",
        "task_started",
        "thread_name_updated",
        "thread_settings_applied",
        "token_count",
        "turn_complete",
        "turn_moderation_metadata",
        "turn_started",
        "web_search_begin",
    }
)
_ITEMS = frozenset(
    {
        "CollabAgentToolCall",
        "CommandExecution",
        "ContextCompaction",
        "DynamicToolCall",
        "EnteredReviewMode",
        "ExitedReviewMode",
        "FileChange",
        "HookPrompt",
        "ImageGeneration",
        "ImageView",
        "McpToolCall",
        "Plan",
        "Reasoning",
        "Sleep",
        "SubAgentActivity",
        "WebSearch",
    }
)


@dataclass(frozen=True, slots=True)
class Shown:
    """What becomes of an event. `label` names it whatever its version calls it."""

    role: Role
    kind: Kind
    text: str
    label: str
    own: bool = False
    is_known: bool = True


def item_of(payload: Record) -> tuple[str, Record]:
    """Return the type and the fields of a completed item; some versions begin the type with a small letter."""
    item = inner(payload, "item")
    written = text(item, "type")
    return written[:1].upper() + written[1:], item


def shown(found: Entry) -> Shown:
    """Say what an event is that holds no message."""
    if found.type == "item_completed":
        return _item(*item_of(found.payload))
    label = f"event_msg/{LABELS.get(found.type, found.type)}"
    if found.type in _INSIDE:
        return _inside(found.payload, label)
    notice = _notice(found.type, found.payload)
    if notice or found.type in _NOTICES:
        return Shown(Role.SYSTEM, Kind.SYSTEM, notice, label)
    return Shown(Role.SYSTEM, Kind.META, "", label, is_known=found.type in _SILENT)


def _item(kind: str, item: Record) -> Shown:
    label = f"event_msg/{kind}"
    if kind == "ContextCompaction":
        return Shown(Role.SYSTEM, Kind.SYSTEM, "context compacted", label)
    if kind in _ITEMS:
        return _inside(item, label)
    return Shown(Role.SYSTEM, Kind.META, "", f"event_msg/item_completed/{kind}", is_known=False)


def _inside(payload: Record, label: str) -> Shown:
    return Shown(Role.ASSISTANT, Kind.META, texts.shown(payload), label, own=is_own_call(payload))


def _notice(kind: str, payload: Record) -> str:
    if kind == "turn_aborted":
        return f"turn aborted: {texts.plain(payload.get('reason')) or 'no reason given'}"
    if kind == "thread_rolled_back":
        turns = number(payload, "num_turns")
        return f"rolled back {turns} {'turn' if turns == 1 else 'turns'}" if turns else "rolled back"
    if kind == "context_compacted":
        return "context compacted"
    return texts.plain(payload.get("message")) if kind in _NOTICES else ""
