"""Take a message of OpenCode 2 apart: one row with everything that was said and done in it."""

from __future__ import annotations

from collections.abc import Iterator

from quoth.core.model import Kind, Role
from quoth.sources import _parts_words as words
from quoth.sources._parts_words import Piece, Speaker
from quoth.sources._text import without_data
from quoth.sources._values import Record, blocks, inner, items, milliseconds, text

# What an import writes instead of a result that was dropped to save room; the words were read before, or are gone.
CLEARED = "[Old tool result content cleared]"
_LABEL = 80


def pieces(kind: str, message: str, data: Record, *, is_child: bool) -> Iterator[Piece]:
    """Yield what a message says, in the order of its blocks."""
    time = milliseconds(inner(data, "time"), "created")
    match kind:
        case "user":
            by = Speaker.PROGRAM if is_child else Speaker.PERSON
            yield from _asked(message, data, by, time)
        case "assistant":
            yield from _answered(message, data, time)
        case "shell":
            yield from _ran(message, data, time)
        case "synthetic":
            yield Piece(message, Role.USER, Kind.META, without_data(text(data, "text")), time)
        case "system" | "skill":
            yield Piece(message, Role.SYSTEM, Kind.META, without_data(text(data, "text")), time)
        case "compaction":
            summary = text(data, "summary") or text(data, "recent")
            yield Piece(message, Role.SYSTEM, Kind.META, without_data(summary) or "context compacted", time)
        case "model-switched" | "agent-switched" | "location-switched" | "idle":
            yield Piece(message, Role.SYSTEM, Kind.SYSTEM, _switched(kind, data), time)
        case _:
            label = f"session_message/{kind or 'untyped'}"[:_LABEL]
            yield Piece(message, Role.SYSTEM, Kind.META, without_data(text(data, "text")), time, unknown=label)


def _asked(message: str, data: Record, by: Speaker, time: int | None) -> Iterator[Piece]:
    if text(data, "text"):
        said = words.said({"text": data["text"]}, message, by, Role.USER)
        yield Piece(said.id, said.role, said.kind, said.text, time)
    for nth, file in enumerate(items(data, "files")):
        yield Piece(f"{message}:file{nth}", Role.USER, Kind.META, words.mark(file), time)


def _answered(message: str, data: Record, time: int | None) -> Iterator[Piece]:
    for nth, block in enumerate(blocks(data.get("content"))):
        yield from _block(f"{message}#{nth}", block, time)
    if wrong := words.failed(data.get("error")):
        yield Piece(f"{message}:error", Role.SYSTEM, Kind.SYSTEM, wrong, time)


def _block(event: str, block: Record, time: int | None) -> Iterator[Piece]:
    kind = text(block, "type")
    if kind == "text":
        yield words.said(block, event, Speaker.MODEL, Role.ASSISTANT)
    elif kind == "reasoning":
        began = milliseconds(inner(block, "time"), "created") or time
        yield Piece(event, Role.ASSISTANT, Kind.META, without_data(text(block, "text")), began)
    elif kind == "tool":
        yield from _called(event, block)
    else:
        label = f"content/{kind or 'untyped'}"[:_LABEL]
        yield Piece(event, Role.ASSISTANT, Kind.META, without_data(text(block, "text")), time, unknown=label)


def _called(event: str, block: Record) -> Iterator[Piece]:
    tool = text(block, "name") or text(block, "tool")
    for piece in words.called(event, tool, inner(block, "state"), inner(block, "time")):
        if piece.text != CLEARED:
            yield piece


def _ran(message: str, data: Record, time: int | None) -> Iterator[Piece]:
    """Yield a command that the person ran in a shell of the agent."""
    command = text(data, "command")
    own = words.is_own("shell", data)
    yield Piece(message, Role.USER, Kind.TOOL_USE, without_data(command), time, own)
    if "output" in data:
        ended = milliseconds(inner(data, "time"), "completed") or time
        output = data["output"] if isinstance(data["output"], str) else text(inner(data, "output"), "output")
        yield Piece(f"{message}:out", Role.USER, Kind.TOOL_RESULT, without_data(output), ended, own)


def _switched(kind: str, data: Record) -> str:
    to = text(inner(data, "model"), "id") or text(data, "agent") or text(inner(data, "location"), "directory")
    return f"{kind.replace('-', ' ')} to {to}" if to else kind.replace("-", " ")
