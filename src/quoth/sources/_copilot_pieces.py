"""Take a record of Copilot CLI apart into the things said and done in it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from quoth.core.model import Kind, Role
from quoth.sources._own import is_own_command, is_own_server
from quoth.sources._text import compact, without_blobs
from quoth.sources._values import Record, inner, items, name, text

_OPEN_CALLS = 256
_REUSED = 16  # characters; some models count their calls anew in every turn, longer ids are unique
_SHELLS = frozenset({"bash", "powershell", "shell"})
# The origin of a text that a program wrote in the person's name; people's texts have none.
_PROGRAMS = re.compile(r"(?:skill|agent|autopilot|command|hook|schedule|system|jit|notification)(?:-|$)")

# Whole families of bookkeeping: who was asked, what was loaded, how long it took. None holds what somebody said.
_FAMILIES = frozenset(
    {
        "abort",
        "auto_mode_switch",
        "capabilities",
        "command",
        "commands",
        "elicitation",
        "exit_plan_mode",
        "external_tool",
        "factory",
        "hook",
        "mcp",
        "mcp_app",
        "model",
        "pending_messages",
        "permission",
        "sampling",
        "session",
        "session_limits_exhausted",
        "skill",
        "subagent",
        "system",
        "tool_search",
        "ui",
        "user_input",
    }
)
_KNOWN = frozenset(
    {
        "assistant.idle",
        "assistant.intent",
        "assistant.message",
        "assistant.reasoning",
        "assistant.turn_end",
        "assistant.turn_start",
        "assistant.usage",
        "tool.execution_complete",
        "tool.execution_partial_result",
        "tool.execution_progress",
        "tool.execution_start",
        "tool.user_requested",
        "user.message",
    }
)
# Their words help a person who browses; of every other type only its name is shown.
_SHOWN = {
    "assistant.intent": ("intent",),
    "assistant.reasoning": ("content",),
    "session.compaction_complete": ("summaryContent",),
    "session.handoff": ("summary", "context"),
    "session.task_complete": ("summary",),
    "session.title_changed": ("title",),
    "skill.invoked": ("name", "content"),
    "subagent.completed": ("agentDisplayName",),
    "subagent.failed": ("agentDisplayName", "error"),
    "subagent.started": ("agentDisplayName", "agentDescription"),
    "system.notification": ("content",),
}
_NOTICES = frozenset({"session.error", "session.info", "session.warning"})


@dataclass(frozen=True, slots=True)
class Piece:
    """One event before it has a session, a time and a place. `call` names the call it is or answers."""

    role: Role
    kind: Kind
    text: str
    suffix: str = ""
    call: str = ""
    own: bool = False


@dataclass(slots=True)
class Calls:
    """Remembers the calls of our own tools, and tells calls apart that share a short id: the n-th is `<id>#<n>`."""

    own: list[str] = field(default_factory=list)
    counts: dict[str, int] = field(default_factory=dict)
    answered: list[str] = field(default_factory=list)

    def made(self, call: str, *, own: bool) -> str:
        if call in self.answered:
            self.answered.remove(call)
            self.counts[call] = self.counts.get(call, 1) + 1
        named = self._named(call)
        if own and named not in self.own:
            self.own = [*self.own, named][-_OPEN_CALLS:]
        return named

    def got(self, call: str) -> str:
        if len(call) < _REUSED and call not in self.answered:
            self.answered = [*self.answered, call][-_OPEN_CALLS:]
        return self._named(call)

    def _named(self, call: str) -> str:
        nth = self.counts.get(call, 1)
        return call if nth == 1 else f"{call}#{nth}"


def is_known(kind: str) -> bool:
    return kind in _KNOWN or kind.partition(".")[0] in _FAMILIES


def of(record: Record, calls: Calls, *, is_child: bool) -> Iterator[Piece]:
    """Yield at least one piece, whatever the record is."""
    kind, data = text(record, "type"), inner(record, "data")
    match kind:
        case "user.message":
            return _user(data, is_child=is_child)
        case "assistant.message":
            return _assistant(data, calls)
        case "tool.execution_start" | "tool.user_requested":
            return iter([_call(data, text(data, "toolName"), calls, is_asked=kind == "tool.user_requested")])
        case "tool.execution_complete":
            return iter([_result(data, calls)])
    if kind in _NOTICES:
        return iter([Piece(Role.SYSTEM, Kind.SYSTEM, without_blobs(text(data, "message")))])
    role = Role.ASSISTANT if kind.startswith("assistant.") else Role.SYSTEM
    shown = "\n".join(filter(None, (text(data, key) for key in _SHOWN.get(kind, ()))))
    return iter([Piece(role, Kind.META, without_blobs(shown) or kind[:80])])


def _user(data: Record, *, is_child: bool) -> Iterator[Piece]:
    """Yield what was typed; `transformedContent` is what the model was shown instead, and repeats it."""
    words = without_blobs(text(data, "content"))
    by_program = _PROGRAMS.match(text(data, "source")) or data.get("isAutopilotContinuation") is True
    is_said = words.strip() and not is_child and not by_program
    yield Piece(Role.USER, Kind.MESSAGE if is_said else Kind.META, words)
    if attached := [_attached(one) for one in items(data, "attachments")]:
        yield Piece(Role.USER, Kind.META, "\n".join(attached), ":attachments")


def _assistant(data: Record, calls: Calls) -> Iterator[Piece]:
    words, thought, requests = text(data, "content"), text(data, "reasoningText"), items(data, "toolRequests")
    if thought:
        yield Piece(Role.ASSISTANT, Kind.META, without_blobs(thought), ":reasoning")
    if words.strip() or not (thought or requests):
        yield Piece(Role.ASSISTANT, Kind.MESSAGE if words.strip() else Kind.META, without_blobs(words))
    for index, request in enumerate(requests, 1):
        yield _call(request, text(request, "name"), calls, suffix=f"#{index}")


def _call(data: Record, tool: str, calls: Calls, *, is_asked: bool = False, suffix: str = "") -> Piece:
    own = _is_own(data, tool)
    call = name(data, "toolCallId")
    given = compact(data.get("arguments")) if "arguments" in data else ""
    role = Role.USER if is_asked else Role.ASSISTANT
    shown = without_blobs("\n".join(filter(None, [tool, given])))
    return Piece(role, Kind.TOOL_USE, shown, suffix, calls.made(call, own=own) if call else "", own)


def _result(data: Record, calls: Calls) -> Piece:
    result, error = inner(data, "result"), data.get("error")
    failed = text(error, "message") if isinstance(error, dict) else error if isinstance(error, str) else ""
    given = name(data, "toolCallId")
    call = calls.got(given) if given else ""
    said = without_blobs(text(result, "content") or text(data, "result") or failed)
    return Piece(Role.USER, Kind.TOOL_RESULT, said, call=f"{call}:out" if call else "", own=call in calls.own)


def _is_own(data: Record, tool: str) -> bool:
    if tool in _SHELLS:
        return is_own_command(text(inner(data, "arguments"), "command"))
    if server := text(data, "mcpServerName"):
        return is_own_server(server)
    parts = tool.split("-")  # `<server>-<tool>`
    return any(is_own_server("-".join(parts[:length])) for length in range(1, len(parts)))


def _attached(attachment: Record) -> str:
    what = text(attachment, "path") or text(attachment, "filePath") or text(attachment, "displayName")
    return f"[{' '.join(filter(None, [text(attachment, 'type')[:40] or 'attachment', what[:500]]))}]"
