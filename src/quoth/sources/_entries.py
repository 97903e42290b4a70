"""Take an entry of Pi's format, which OpenClaw shares, apart into the things said and done in it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Protocol

from quoth.core.model import Kind, Role
from quoth.sources._own import is_own_command, is_own_server, is_own_tool
from quoth.sources._text import compact, mark, without_blobs
from quoth.sources._values import Record, blocks, inner, number, text

_OPEN_CALLS = 256  # remembered ids; a call is answered long before so many others follow
_LABEL_LENGTH = 80
_SHELLS = frozenset({"bash", "exec", "shell"})
_SUMMARIES = frozenset({"branchSummary", "compactionSummary"})
_INJECTED = frozenset({"custom", "hookMessage"})

# What of an entry that is no message helps a person who browses; of `custom`, an extension's own data, only its type.
_SHOWN = {
    "branch_summary": ("summary",),
    "compaction": ("summary",),
    "custom": ("customType",),
    "label": ("label",),
    "model_change": ("provider", "modelId"),
    "session": (),
    "session_info": ("name",),
    "thinking_level_change": ("thinkingLevel",),
}
KNOWN = frozenset({*_SHOWN, "custom_message", "message"})


@dataclass(frozen=True, slots=True)
class Asked:
    """A text in the person's name: their words, none when a program wrote all of it, and what was put around them."""

    words: str
    injected: str = ""


class Dialect(Protocol):
    """How an agent that writes this format tells speech from what only looks like it."""

    def asked(self, message: Record, whole: str) -> Asked: ...

    def answered(self, message: Record, words: str) -> tuple[Role, Kind]: ...


@dataclass(frozen=True, slots=True)
class Piece:
    """One event before it has a session, a time and a place. `unknown` labels what we do not know."""

    suffix: str
    role: Role
    kind: Kind
    text: str
    own: bool = False
    unknown: str = ""


@dataclass(slots=True)
class OwnCalls:
    """The calls of our own tools, so that their results are known as such."""

    ids: list[str] = field(default_factory=list)

    def made(self, block: Record) -> bool:
        own, call = _is_own(text(block, "name"), inner(block, "arguments")), text(block, "id")
        if own and call and call not in self.ids:
            self.ids = [*self.ids, call][-_OPEN_CALLS:]
        return own

    def answered(self, message: Record) -> bool:
        return text(message, "toolCallId") in self.ids


def of(record: Record, dialect: Dialect, calls: OwnCalls) -> Iterator[Piece]:
    """Yield at least one piece, whatever the entry is."""
    kind = text(record, "type")
    if kind == "message":
        return _message(inner(record, "message"), dialect, calls)
    if kind == "custom_message":
        return iter([Piece("", Role.SYSTEM, Kind.META, _plain(record.get("content")))])
    shown = " ".join(filter(None, (text(record, key) for key in _SHOWN.get(kind, ()))))
    return iter([Piece("", Role.SYSTEM, Kind.META, without_blobs(shown))])


def _message(message: Record, dialect: Dialect, calls: OwnCalls) -> Iterator[Piece]:
    match role := text(message, "role"):
        case "user":
            return _user(message, dialect)
        case "assistant":
            return _assistant(message, dialect, calls)
        case "toolResult":
            own = calls.answered(message)
            return iter([Piece("", Role.USER, Kind.TOOL_RESULT, _plain(message.get("content")), own)])
        case "bashExecution":
            return _executed(message)
    if role in _SUMMARIES:
        return iter([Piece("", Role.SYSTEM, Kind.META, without_blobs(text(message, "summary")))])
    unknown = "" if role in _INJECTED else f"message/{role[:_LABEL_LENGTH] or 'untyped'}"
    return iter([Piece("", Role.SYSTEM, Kind.META, _plain(message.get("content")), unknown=unknown)])


def _user(message: Record, dialect: Dialect) -> Iterator[Piece]:
    for index, block in _content(message):
        if text(block, "type") != "text":
            yield _other(index, block, Role.USER, "user")
            continue
        asked = dialect.asked(message, without_blobs(text(block, "text")))
        if not asked.words.strip():
            yield Piece(_at(index), Role.USER, Kind.META, asked.injected or asked.words)
            continue
        yield Piece(_at(index), Role.USER, Kind.MESSAGE, asked.words)
        if asked.injected:
            yield Piece(f"#{index}:injected", Role.USER, Kind.META, asked.injected)


def _assistant(message: Record, dialect: Dialect, calls: OwnCalls) -> Iterator[Piece]:
    failure = text(message, "errorMessage")
    if failure:
        yield Piece(":error", Role.SYSTEM, Kind.SYSTEM, failure)
        if not message.get("content"):
            return
    for index, block in _content(message):
        match text(block, "type"):
            case "text":
                words = without_blobs(text(block, "text"))
                role, kind = dialect.answered(message, words)
                yield Piece(_at(index), role, kind if words.strip() else Kind.META, words)
            case "toolCall":
                yield Piece(_at(index), Role.ASSISTANT, Kind.TOOL_USE, _call(block), calls.made(block))
            case "thinking":
                yield Piece(_at(index), Role.ASSISTANT, Kind.META, without_blobs(text(block, "thinking")))
            case _:
                yield _other(index, block, Role.ASSISTANT, "assistant")


def _executed(message: Record) -> Iterator[Piece]:
    """Yield the command that the person ran with `!`, and what it printed."""
    command, own = text(message, "command"), is_own_command(text(message, "command"))
    code = number(message, "exitCode")
    exited = "cancelled" if message.get("cancelled") is True else f"exit code {code}" if code else ""
    yield Piece("", Role.USER, Kind.TOOL_USE, without_blobs(command), own)
    printed = "\n".join(filter(None, [text(message, "output"), exited]))
    yield Piece(":out", Role.USER, Kind.TOOL_RESULT, without_blobs(printed), own)


def _content(message: Record) -> Iterator[tuple[int, Record]]:
    """Number the blocks; a message without any still is one event."""
    return enumerate(blocks(message.get("content")) or [{"type": "text", "text": ""}])


def _call(block: Record) -> str:
    return without_blobs(f"{text(block, 'name')}\n{compact(block.get('arguments'))}")


def _plain(content: object) -> str:
    """Return the text of a content; what is no text becomes a mark."""
    parts = (text(block, "text") if text(block, "type") == "text" else mark(block) for block in blocks(content))
    return without_blobs("\n".join(filter(None, parts)))


def _other(index: int, block: Record, role: Role, where: str) -> Piece:
    kind = text(block, "type")
    unknown = "" if kind == "image" else f"{where}/{kind[:_LABEL_LENGTH] or 'untyped'}"
    return Piece(_at(index), role, Kind.META, mark(block) if kind == "image" else "", unknown=unknown)


def _is_own(tool: str, given: Record) -> bool:
    if tool in _SHELLS:
        return is_own_command(text(given, "command"))
    # Servers' tools are called `<server>__<tool>`, or by one tool `mcp` that is told the server.
    return is_own_tool(tool) or is_own_tool(f"mcp__{tool}") or (tool == "mcp" and is_own_server(text(given, "server")))


def _at(index: int) -> str:
    return f"#{index}" if index else ""
