"""Take values out of Codex's records, in which anything may stand anywhere: every function is total."""

from __future__ import annotations

from typing import NamedTuple

from quoth.core.times import from_iso
from quoth.sources._values import Record, number, text

_EMPTY: Record = {}

CALLS = frozenset(
    {
        "custom_tool_call",
        "function_call",
        "image_generation_call",
        "local_shell_call",
        "tool_search_call",
        "web_search_call",
    }
)
OUTPUTS = frozenset({"custom_tool_call_output", "function_call_output", "tool_search_output"})
SILENT_ITEMS = frozenset(
    {
        "additional_tools",
        "compaction",
        "compaction_summary",
        "compaction_trigger",
        "context_compaction",
        "ghost_snapshot",
    }
)
_ITEMS = CALLS | OUTPUTS | SILENT_ITEMS | {"agent_message", "message", "reasoning"}


def contents(record: Record) -> list[Record]:
    """Return the parts of a message; a bare text is one part."""
    value = record.get("content")
    parts = value if isinstance(value, list) else [value]
    return [part if isinstance(part, dict) else {"text": part} for part in parts]


def instant(written: str) -> int | None:
    return from_iso(written) if len(written) <= 40 else None


class Entry(NamedTuple):
    """One record of a rollout: its outer type, its payload and the type of that, and the time as it was written."""

    kind: str
    payload: Record = _EMPTY
    type: str = ""
    written: str = ""
    time: int | None = None
    ordinal: int | None = None

    @property
    def label(self) -> str:
        return f"{self.kind}/{self.type}" if self.type else self.kind


def entry(record: Record) -> Entry:
    """Read a record: `{timestamp, ordinal, type, payload}`, or what the files of 2025 hold without that envelope."""
    written, kind, payload = text(record, "timestamp"), text(record, "type"), record.get("payload")
    if isinstance(payload, dict):
        type_ = text(payload, "type")
    else:
        payload, type_ = record, ""
        if kind in _ITEMS:
            kind, type_ = "response_item", kind
        elif not kind:
            is_header = bool(text(record, "id") and written)
            kind = "session_meta" if is_header else f"record/{text(record, 'record_type') or 'untyped'}"
    return Entry(kind or "untyped", payload, type_, written, instant(written), number(record, "ordinal"))
