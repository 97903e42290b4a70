"""Take a record of Claude Code apart into the things said and done in it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from quoth.core.model import Kind, Role
from quoth.sources import _claude_text as texts
from quoth.sources._claude_words import speaker
from quoth.sources._own import is_own_command, is_own_server, is_own_tool
from quoth.sources._text import mark
from quoth.sources._values import Record, blocks, inner, text
from quoth.sources._words import Speaker, divide, split_reminder

_OPEN_CALLS = 512  # remembered ids; a call is answered long before so many others follow

_TYPES_OF_SPEECH = frozenset({"user", "assistant", "attachment", "system"})
_BOOKKEEPING = frozenset(
    {
        "agent-meta",
        "agent-name",
        "ai-title",
        "atis-latch",
        "bridge-session",
        "content-replacement",
        "continued-in",
        "cost-state",
        "custom-title",
        "file-history-delta",
        "file-history-snapshot",
        "fork-context-ref",
        "frame-link",
        "last-prompt",
        "mode",
        "permission-mode",
        "pr-link",
        "progress",
        "queue-operation",
        "relocated",
        "rewind-pointer",
        "summary",
        "tag",
        "worktree-state",
    }
)
_CALLS = frozenset({"tool_use", "server_tool_use", "mcp_tool_use"})
_THOUGHTS = frozenset({"thinking", "redacted_thinking"})
_SHOWN_ONLY = frozenset({"image", "document", "file"})


class Piece(NamedTuple):
    """One event before it has a session, a time and a place. `unknown` labels a block we do not know."""

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
        own = _is_own(text(block, "name"), inner(block, "input"))
        call = text(block, "id")
        if own and call and call not in self.ids:
            self.ids = [*self.ids, call][-_OPEN_CALLS:]
        return own

    def answered(self, block: Record) -> bool:
        return text(block, "tool_use_id") in self.ids


def is_known(kind: str) -> bool:
    return kind in _TYPES_OF_SPEECH or kind in _BOOKKEEPING or kind.startswith("artifact-")


def of(record: Record, kind: str, *, is_child: bool, calls: OwnCalls) -> Iterable[Piece]:
    """Return at least one piece, whatever the record is."""
    match kind:
        case "user":
            return _user(record, Speaker.PROGRAM if is_child else speaker(record), calls)
        case "assistant":
            return _assistant(record, calls)
        case "attachment":
            return _attachment(record, is_child=is_child)
        case "system":
            return [Piece("", Role.SYSTEM, Kind.SYSTEM, texts.notice(record))]
    return [Piece("", Role.SYSTEM, Kind.META, texts.bookkeeping(record, kind))]


def _user(record: Record, by: Speaker, calls: OwnCalls) -> Iterator[Piece]:
    for index, block in _content(inner(record, "message").get("content")):
        kind = text(block, "type")
        if kind == "text":
            yield from _words(index, texts.said(block), by)
        elif kind == "tool_result":
            yield from _result(index, block, calls)
        else:
            yield _other(index, block, Role.USER, "user")


def _assistant(record: Record, calls: OwnCalls) -> Iterator[Piece]:
    message = inner(record, "message")
    by_client = text(message, "model") == "<synthetic>" or record.get("isApiErrorMessage") is True
    for index, block in _content(message.get("content")):
        kind = text(block, "type")
        if kind == "text":
            yield _answer(index, texts.said(block), is_meta=record.get("isMeta") is True, by_client=by_client)
        elif kind in _CALLS:
            yield Piece(_at(index), Role.ASSISTANT, Kind.TOOL_USE, texts.call(block), own=calls.made(block))
        elif kind in _THOUGHTS:
            yield Piece(_at(index), Role.ASSISTANT, Kind.META, texts.thought(block))
        elif kind.endswith("tool_result"):
            yield from _result(index, block, calls)
        else:
            yield _other(index, block, Role.ASSISTANT, "assistant")


def _attachment(record: Record, *, is_child: bool) -> Iterator[Piece]:
    attached = inner(record, "attachment")
    if text(attached, "type") != "queued_command":
        yield Piece("", Role.SYSTEM, Kind.META, texts.attachment(attached, record.get("rendered")))
        return
    by = Speaker.PROGRAM if is_child else _queued_by(record, attached)
    for index, block in _content(attached.get("prompt")):
        if text(block, "type") == "text":
            yield from _words(index, texts.said(block), by)
        else:
            yield _other(index, block, Role.USER, "queued_command")


def _content(content: object) -> Iterator[tuple[int, Record]]:
    """Number the blocks; a record without any still is one event."""
    return enumerate(blocks(content) or [{"type": "text", "text": ""}])


def _queued_by(record: Record, attached: Record) -> Speaker:
    if text(attached, "commandMode") not in {"", "prompt"}:
        return Speaker.PROGRAM
    said = speaker(attached)
    return speaker(record) if said is Speaker.UNSAID else said


def _words(index: int, whole: str, by: Speaker) -> list[Piece]:
    words = divide(whole, by)
    said = Piece(_at(index), words.role, words.kind, words.text)
    return [said, Piece(_injected(index), Role.USER, Kind.META, words.injected)] if words.injected else [said]


def _result(index: int, block: Record, calls: OwnCalls) -> list[Piece]:
    answer, reminder = split_reminder(texts.result(block))
    own = calls.answered(block)
    given = Piece(_at(index), Role.USER, Kind.TOOL_RESULT, answer, own)
    return [given, Piece(_injected(index), Role.USER, Kind.META, reminder, own)] if reminder else [given]


def _answer(index: int, words: str, *, is_meta: bool, by_client: bool) -> Piece:
    if by_client:
        return Piece(_at(index), Role.SYSTEM, Kind.SYSTEM, words)
    return Piece(_at(index), Role.ASSISTANT, Kind.MESSAGE if words.strip() and not is_meta else Kind.META, words)


def _other(index: int, block: Record, role: Role, where: str) -> Piece:
    kind = text(block, "type")
    if kind in _SHOWN_ONLY:
        return Piece(_at(index), role, Kind.META, mark(block))
    return Piece(_at(index), role, Kind.META, texts.said(block), unknown=f"{where}/{kind or 'untyped'}")


def _is_own(tool: str, given: Record) -> bool:
    if tool == "Bash":
        return is_own_command(text(given, "command"))
    return is_own_tool(tool) or (tool == "ReadMcpResourceTool" and is_own_server(text(given, "server")))


def _at(index: int) -> str:
    return f"#{index}" if index else ""


def _injected(index: int) -> str:
    return f"#{index}:injected"
