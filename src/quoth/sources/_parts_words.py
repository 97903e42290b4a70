"""Turn parts of messages, of the shape that OpenCode and ZCode share, into the things said and done in them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from quoth.core.model import Kind, Role
from quoth.sources._own import is_own_command, is_own_server, is_own_tool
from quoth.sources._text import compact, without_data
from quoth.sources._values import Record, blocks, inner, milliseconds, one_line, text, texts

# Told as steps of a turn: what they hold stands elsewhere, too.
STEPS = frozenset({"step-start", "step-finish", "snapshot"})

BLOCKS = frozenset({"text", "reasoning", "tool"})

_SHELLS = frozenset({"bash", "shell"})
_LONGEST_NAME = 200
_REMINDER = "<system-reminder>"
_ASKED_BY_PROGRAM = "What did we do so far?"  # of a session that was compacted, without a sign that nobody typed it


class Speaker(StrEnum):
    PERSON = "person"
    MODEL = "model"
    PROGRAM = "program"


@dataclass(frozen=True, slots=True)
class Piece:
    """One event before it has a session and a place. `id` is the one inside the source, `unknown` labels odd things."""

    id: str
    role: Role
    kind: Kind
    text: str
    time: int | None = None
    own: bool = False
    unknown: str = ""


def pieces(part: Record, event: str, by: Speaker, role: Role) -> Iterator[Piece]:
    """Yield what a part says; nothing for a step of a turn."""
    kind = text(part, "type")
    match kind:
        case "text":
            yield said(part, event, by, role)
        case "reasoning":
            yield Piece(event, role, Kind.META, without_data(text(part, "text")), _start(part))
        case "tool":
            yield from called(event, text(part, "tool"), inner(part, "state"), inner(inner(part, "state"), "time"))
        case "file":
            yield Piece(event, role, Kind.META, mark(part))
        case "agent" | "subtask":
            shown = [text(part, key) for key in ("agent", "name", "description", "prompt")]
            yield Piece(event, role, Kind.META, without_data("\n".join([kind, *filter(None, shown)])))
        case "patch":
            yield Piece(event, role, Kind.META, "\n".join([kind, *texts(part, "files")]))
        case "compaction":
            yield Piece(event, Role.SYSTEM, Kind.SYSTEM, "context compacted")
        case "timeline":
            shown = [text(part, key) for key in ("timelineType", "status")]
            yield Piece(event, Role.SYSTEM, Kind.SYSTEM, " ".join(filter(None, shown)) or kind, _start(part))
        case "retry":
            yield Piece(event, Role.SYSTEM, Kind.SYSTEM, failed(part.get("error")) or kind, _start(part))
        case _ if kind not in STEPS:
            words = without_data(text(part, "text"))
            yield Piece(event, role, Kind.META, words, unknown=f"part/{kind or 'untyped'}"[:_LONGEST_NAME])


def said(part: Record, event: str, by: Speaker, role: Role) -> Piece:
    """Return a text as what it is: words of a person or of the model, or something that a program put there."""
    words = without_data(text(part, "text"))
    is_speech = by is not Speaker.PROGRAM and is_ordinary(part) and bool(words.strip()) and not _is_put(words, role)
    return Piece(event, role, Kind.MESSAGE if is_speech else Kind.META, words, _start(part))


def is_ordinary(part: Record) -> bool:
    """Tell whether a text was typed or answered, and not put into the conversation by a program."""
    return part.get("synthetic") is not True and part.get("ignored") is not True


def called(event: str, tool: str, state: Record, times: Record) -> Iterator[Piece]:
    """Yield a call, and its result once there is one. Until then the same call is told again, perhaps more of it."""
    given = inner(state, "input")
    own = is_own(tool, given)
    what = compact(state.get("input")) if state.get("input") is not None else ""
    call = without_data("\n".join(filter(None, [tool, what or text(state, "raw")])))
    began = milliseconds(times, "start") or milliseconds(times, "created")
    yield Piece(event, Role.ASSISTANT, Kind.TOOL_USE, call, began, own)
    if text(state, "status") in {"completed", "error"}:
        ended = milliseconds(times, "end") or milliseconds(times, "completed") or began
        yield Piece(f"{event}:out", Role.USER, Kind.TOOL_RESULT, _answer(state), ended, own)


def _answer(state: Record) -> str:
    content = [text(part, "text") or mark(part) for part in blocks(state.get("content"))]
    shown = "\n".join(filter(None, [text(state, "output"), *content]))
    return without_data("\n".join(filter(None, [shown, failed(state.get("error"))])))


def failed(error: object) -> str:
    """Return what went wrong: a text, `{name, data{message}}`, or `{type, message}`."""
    if not isinstance(error, dict):
        return without_data(error) if isinstance(error, str) else ""
    named = text(error, "name") or text(error, "type")
    return without_data(
        ": ".join(filter(None, [named, text(error, "message") or text(inner(error, "data"), "message")]))
    )


def mark(part: Record) -> str:
    """Name what is no text by type, name and size: `[image/png, shot.png, 24 KB]`."""
    address = text(part, "url") or text(part, "uri")
    media = (text(part, "mime") or text(part, "mediaType"))[:_LONGEST_NAME]
    named = (one_line(part, "filename") or one_line(part, "name"))[:_LONGEST_NAME]
    data = text(part, "data") or (address if address.startswith("data:") else "")
    size = f"{max(1, round(len(data) * 3 / 4 / 1024))} KB" if data else ""
    where = "" if data else address[:_LONGEST_NAME]
    return f"[{', '.join(filter(None, [media or 'file', named or where, size]))}]"


def is_own(tool: str, given: Record) -> bool:
    """Tell whether a tool is ours: `<server>_<tool>`, or `mcp__<server>__<tool>`, or a shell that calls us."""
    if tool.lower() in _SHELLS:
        return is_own_command(text(given, "command"))
    name = tool[:_LONGEST_NAME]
    return is_own_tool(name) or any(is_own_server(name[:at]) for at, sign in enumerate(name) if sign == "_")


def _is_put(words: str, role: Role) -> bool:
    """Tell whether a program put a whole text there that does not say so."""
    bare = words.strip()
    if bare.startswith(_REMINDER) and bare.endswith("</system-reminder>"):
        return True
    return role is Role.USER and bare == _ASKED_BY_PROGRAM


def _start(part: Record) -> int | None:
    times = inner(part, "time")
    return milliseconds(times, "start") or milliseconds(times, "created")
