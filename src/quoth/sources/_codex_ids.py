"""Give every record of a thread an id that survives archiving, compression and the migration to the paginated form.

The rule is frozen; ids are stored in citations. `<thread>` is the id of the file's own thread.

- A call is `codex:<thread>:<call_id>`, its output `codex:<thread>:<call_id>:out`. Some model providers count their
  calls anew in every turn: the n-th call with the same id of under 16 characters is `<call_id>#n` from n = 2 on.
- Everything else is `codex:<thread>:<hash>`, where the hash is the first 16 hex digits of SHA-256 over three UTF-8
  texts, each preceded by its length in 8 big-endian bytes (`core.ids.digest16`): the `timestamp` as written; a label;
  words without white space. The n-th equal hash among neighbours with the same timestamp ends in `#n` from n = 2 on.
  What was split off in front of the person's words ends in `:context`.
- Label and words of what was said: `said/user` (`user_message` or `UserMessage`), `said/assistant` (`agent_message` or
  `AgentMessage`), `message/<role>` (`response_item`), `reasoning`, `compacted`, `inter_agent_communication`: all their
  text. Of every other record the label is `<type>/<payload type>`, of an `item_completed` `event_msg/<item type>` (an
  older event that says the same has the same label, see `LABELS`), and there are no words.
- Without a timestamp the words are the payload as JSON: keys sorted, no blanks, non-ASCII as it is.
- `codex:memory:<key>:<hash>` is one version of a memory file: its path below the folder, or the hash of that where it
  is long or not plain ASCII, and the first 16 hex digits of the SHA-256 of its bytes without one LF at the end.

Why not the item's own id, the payload or the ordinal: `codex migrate-rollouts` keeps order, timestamps and words, but
turns `user_message` into a `UserMessage` with an id it makes up (`item-1`), writes payloads anew with other optional
fields, and numbers the lines; and a revision file uses ordinals again.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field

from quoth.core.ids import EventId, SourceId, digest16, event_id
from quoth.sources._codex_values import Entry
from quoth.sources._values import Record, name

SOURCE = SourceId("codex")

# Older events on the left are the completed items on the right.
LABELS = {
    "context_compacted": "ContextCompaction",
    "entered_review_mode": "EnteredReviewMode",
    "exec_command_end": "CommandExecution",
    "exited_review_mode": "ExitedReviewMode",
    "image_generation_end": "ImageGeneration",
    "mcp_tool_call_end": "McpToolCall",
    "patch_apply_end": "FileChange",
    "sub_agent_activity": "SubAgentActivity",
    "turn_complete": "task_complete",
    "turn_started": "task_started",
    "view_image_tool_call": "ImageView",
    "web_search_end": "WebSearch",
}

_REUSED = 16  # characters; call ids of OpenAI are longer and unique


@dataclass(slots=True)
class Ids:
    """Remembers what must be counted: hashes of the present timestamp, and short call ids."""

    written: str = ""
    hashes: dict[str, int] = field(default_factory=dict)
    calls: dict[str, int] = field(default_factory=dict)

    def of(self, thread: str, found: Entry, label: str, words: str = "") -> EventId:
        if found.written != self.written:
            self.written, self.hashes = found.written, {}
        words = "".join(words.split()) if found.written else _canonical(found.payload)
        hashed = digest16(found.written.encode(), label.encode(), words.encode())
        count = self.hashes[hashed] = self.hashes.get(hashed, 0) + 1
        return event_id(SOURCE, thread, _nth(hashed, count))

    def of_call(self, thread: str, found: Entry) -> EventId:
        call = name(found.payload, "call_id")
        if not call:
            return self.of(thread, found, found.label)
        if len(call) < _REUSED:
            self.calls[call] = self.calls.get(call, 0) + 1
        return event_id(SOURCE, thread, _nth(call, self.calls.get(call, 1)))

    def of_output(self, thread: str, found: Entry) -> EventId:
        call = name(found.payload, "call_id")
        if not call:
            return self.of(thread, found, found.label)
        return event_id(SOURCE, thread, _nth(call, self.calls.get(call, 1)), "out")


def _nth(part: str, count: int) -> str:
    return part if count == 1 else f"{part}#{count}"


def _canonical(payload: Record) -> str:
    try:
        return json.dumps(payload, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    except (RecursionError, TypeError, ValueError):
        return ""
