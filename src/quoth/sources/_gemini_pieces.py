"""Take a message of Gemini CLI apart into the things said and done in it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from quoth.core.model import Kind, Role
from quoth.sources._gemini_words import divide, is_acknowledged
from quoth.sources._own import is_own_command, is_own_server, is_own_tool
from quoth.sources._text import compact, without_blobs
from quoth.sources._values import Record, blocks, inner, items, text

KNOWN = frozenset({"user", "gemini", "info", "warning", "error"})

_FINAL = frozenset({"success", "error", "cancelled"})
_SHOWN_BY = re.compile(r"\((?P<server>[\w-]{1,100}) MCP Server\)")


@dataclass(frozen=True, slots=True)
class Call:
    """A tool call by the id the agent gave, with its answer; None while there is none."""

    id: str
    name: str
    given: str
    answer: str | None
    own: bool
    written: str = ""


@dataclass(frozen=True, slots=True)
class Message:
    """A message: its `words` as what they are, what stands around them, thoughts, and calls in order.

    `has_words` is false for a message that only carries answers of tools.
    """

    role: Role
    kind: Kind
    words: str
    has_words: bool = True
    injected: str = ""
    thoughts: str = ""
    calls: tuple[Call, ...] = ()


def message(record: Record, *, is_child: bool) -> Message:
    parts = blocks(record.get("content"))
    match text(record, "type"):
        case "user":
            return _of_user(record, parts, is_child=is_child)
        case "gemini":
            return _of_model(record, parts)
        case "info" | "warning" | "error":
            return Message(Role.SYSTEM, Kind.SYSTEM, _whole(parts))
    return Message(Role.SYSTEM, Kind.META, _whole(parts))


def _of_user(record: Record, parts: list[Record], *, is_child: bool) -> Message:
    answers = tuple(_answers(parts))
    said = [text(part, "text") for part in parts if text(part, "text")]
    marks = [mark for part in parts if (mark := _mark(part))]
    words = divide(said)
    if shown := "".join(text(part, "text") for part in blocks(record.get("displayContent"))).strip():
        rest = "".join(said).strip()
        words = replace(words, said=shown, injected=rest if rest != shown else "")
    around = "\n".join(filter(None, [words.injected, *marks]))
    if words.said and not is_child:
        return Message(
            Role.USER, Kind.MESSAGE, without_blobs(words.said), injected=without_blobs(around), calls=answers
        )
    whole = "\n".join(filter(None, [words.said, around]))
    return Message(Role.USER, Kind.META, without_blobs(whole), has_words=bool(whole) or not answers, calls=answers)


def _of_model(record: Record, parts: list[Record]) -> Message:
    words = "".join(text(part, "text") for part in parts if part.get("thought") is not True)
    marks = "\n".join(mark for part in parts if (mark := _mark(part)))
    is_said = bool(words.strip()) and not is_acknowledged(words)
    return Message(
        Role.ASSISTANT,
        Kind.MESSAGE if is_said else Kind.META,
        without_blobs(words),
        injected=marks,
        thoughts=without_blobs("\n".join(_thoughts(record, parts))),
        calls=tuple(_calls(record, parts)),
    )


def _thoughts(record: Record, parts: list[Record]) -> Iterator[str]:
    told = items(record, "thoughts")
    for thought in told:
        yield ": ".join(filter(None, [text(thought, "subject"), text(thought, "description")]))
    if not told:
        yield from (text(part, "text") for part in parts if part.get("thought") is True and text(part, "text"))


def _calls(record: Record, parts: list[Record]) -> Iterator[Call]:
    """Yield the calls of a message; a history written anew has them among its parts."""
    recorded = items(record, "toolCalls")
    for call in recorded:
        shown = text(call, "displayName")
        answer = _answer(call) if call.get("result") or text(call, "status") in _FINAL else None
        yield _call(call, answer=answer, shown=shown, written=text(call, "timestamp"))
    known = {text(call, "id") for call in recorded}
    for part in parts:
        call = inner(part, "functionCall")
        if call and text(call, "id") not in known:
            yield _call(call, answer=None)


def _call(call: Record, *, answer: str | None, shown: str = "", written: str = "") -> Call:
    name = text(call, "name")
    given = without_blobs(f"{name}\n{compact(call.get('args'))}")
    return Call(text(call, "id"), name, given, answer, _is_own(name, shown, inner(call, "args")), written)


def _answers(parts: list[Record]) -> Iterator[Call]:
    for part in parts:
        if answered := inner(part, "functionResponse"):
            name = text(answered, "name")
            yield Call(text(answered, "id"), name, "", _response(answered), _is_own(name, "", {}))


def _answer(call: Record) -> str:
    parts = blocks(call.get("result"))
    said = [_response(inner(part, "functionResponse")) or text(part, "text") or _mark(part) for part in parts]
    shown = call.get("resultDisplay")
    whole = "\n".join(filter(None, said)) or (shown if isinstance(shown, str) else "")
    return without_blobs(whole or text(call, "status"))


def _response(answered: Record) -> str:
    """Return what a tool answered; its own fields when it has neither output nor error."""
    response = answered.get("response")
    if not isinstance(response, dict):
        return response if isinstance(response, str) else ""
    said = text(response, "output") or text(response, "error")
    return without_blobs(said or (compact(response) if response else ""))


def _whole(parts: list[Record]) -> str:
    return without_blobs("".join(text(part, "text") for part in parts))


def _mark(part: Record) -> str:
    """Name what is no text by type and size."""
    data = inner(part, "inlineData") or inner(part, "fileData")
    if not data:
        return ""
    length = len(text(data, "data"))
    size = f", {max(1, round(length * 3 / 4 / 1024))} KB" if length else ""
    return f"[{text(data, 'mimeType')[:200] or 'data'}{size}]"


def _is_own(name: str, shown: str, args: Record) -> bool:
    """Tell whether a tool is ours: `mcp_<server>_<tool>`, `<server>__<tool>`, or shown with the name of its server."""
    if name == "run_shell_command":
        return is_own_command(text(args, "command"))
    by = _SHOWN_BY.search(shown[:300])
    if is_own_tool(name) or (by and is_own_server(by["server"])):
        return True
    rest = name.removeprefix("mcp_")[:200]
    ends = [at for at, sign in enumerate(rest) if sign == "_"]
    if rest == name:  # a name of its own may begin like one of our servers
        ends = [at for at in ends if rest.startswith("__", at)]
    return any(is_own_server(rest[:end]) for end in ends)
