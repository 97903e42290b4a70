"""Tell what the person said to OpenClaw from what it put around their words, or said in their name."""

from __future__ import annotations

import re

from quoth.core.ids import SourceId
from quoth.core.model import Kind, Role
from quoth.sources._entries import Asked
from quoth.sources._values import Record, inner, text

SOURCE = SourceId("openclaw")

# In front of the words: where a message came from, what else was said there, what happened meanwhile.
_FRONT = re.compile(
    r"""\s*(?:
        \[[A-Z][a-z][^\]\n]{0,200}?\d{4}-\d\d-\d\d[T\ ]\d\d:\d\d[^\]\n]{0,60}\]\ ?    # [Wed 2026-03-11 23:51 PDT]
      | [A-Z][^(\n]{0,80}\(untrusted[^)\n]{0,60}\):[\ \t]*\n```json\n.*?\n```[\ \t]*(?=\n|\Z)
      | Untrusted\ context\ \(metadata[^)\n]{0,80}\):\n<active_memory_plugin>.*?</active_memory_plugin>
      | <<<BEGIN_OPENCLAW_INTERNAL_CONTEXT>>>.*?<<<END_OPENCLAW_INTERNAL_CONTEXT>>>
      | System(?:\ \(untrusted\))?:\ \[[^\n]*(?=\n|\Z)
      | \[media\ attached[^\n]*\](?=\n|\Z)
    )\s*""",
    re.VERBOSE | re.DOTALL,
)
_BACK = re.compile(
    r"\s*(?:\nUntrusted context \(metadata[^)\n]{0,80}\):\n.*|\n\[message_id: [^\]\n]{1,200}\]\s*)\Z", re.DOTALL
)
# A program wrote all of it: work given to a subagent, a scheduled job, a wake-up, housekeeping.
_WRITTEN = re.compile(
    r"\[Subagent (?:Context|Task)\]|\[Inter-session message\]|\[Internal task completion event\]"
    r"|\[cron:[^\]\n]{1,200}\]|OpenClaw runtime (?:event|context)|A new session was started via "
    r"|Read HEARTBEAT\.md if it exists|Pre-compaction memory flush|\[OpenClaw heartbeat"
)
_SILENT = frozenset({"HEARTBEAT_OK", "NO_REPLY"})


class OpenClawWords:
    """How OpenClaw writes what was said."""

    def asked(self, message: Record, whole: str) -> Asked:
        by = text(inner(message, "provenance"), "kind")
        if by not in {"", "external_user"}:
            return Asked("", whole)
        front = _front(whole)
        back = _BACK.search(whole, front)
        end = back.start() if back else len(whole)
        words = whole[front:end].strip()
        if _WRITTEN.match(words):
            return Asked("", whole)
        return Asked(words, "\n".join(filter(None, [whole[:front].strip(), whole[end:].strip()])))

    def answered(self, message: Record, words: str) -> tuple[Role, Kind]:
        if text(message, "model") == "gateway-injected":  # the answer to a command of the person
            return Role.SYSTEM, Kind.SYSTEM
        # What was sent to a channel stands in the call that sent it, too; what is silent was said to nobody.
        is_mirrored = text(message, "model") == "delivery-mirror" or bool(inner(message, "provenance"))
        return Role.ASSISTANT, Kind.META if is_mirrored or words.strip() in _SILENT else Kind.MESSAGE


def _front(whole: str) -> int:
    position = 0
    while match := _FRONT.match(whole, position):
        position = match.end()
    return position
