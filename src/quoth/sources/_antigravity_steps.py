"""Take a step of an Antigravity conversation apart into the things said and done in it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

import orjson

from quoth.core.model import Kind, Role
from quoth.sources._own import is_own_command, is_own_server, is_own_tool
from quoth.sources._text import compact, without_blobs
from quoth.sources._values import Record, inner, items, text

# What a program tells the model, by its type; whatever else the model is the source of is the result of a tool.
_CONTEXT = frozenset(
    {
        "CHECKPOINT",
        "CONVERSATION_HISTORY",
        "EPHEMERAL_MESSAGE",
        "KNOWLEDGE_ARTIFACTS",
        "SYSTEM_MESSAGE",
        "USER_INFORMATION",
    }
)
_NOTICES = frozenset({"ERROR_MESSAGE"})
_RESULTS_OF_SYSTEM = frozenset({"TOOL_RESPONSE"})
_SOURCES = frozenset({"USER_EXPLICIT", "USER_IMPLICIT", "MODEL", "SYSTEM"})

_TYPE_LENGTH = 80

_REQUEST = re.compile(r"\s*<USER_REQUEST>\n?(.*)\n?</USER_REQUEST>", re.DOTALL)
# Beside the request, or behind it in logs without that tag.
_AROUND = re.compile(
    r"<(ADDITIONAL_METADATA|USER_SETTINGS_CHANGE|USER_INFORMATION|USER_RULES|EPHEMERAL_MESSAGE)>.*?</\1>", re.DOTALL
)


@dataclass(frozen=True, slots=True)
class Piece:
    """One event before it has a session, a time and a place. `call`, of a call, is `own`, `subagent` or nothing."""

    suffix: str
    role: Role
    kind: Kind
    text: str
    own: bool = False
    call: str | None = None


def is_result(step: Record) -> bool:
    kind, source = text(step, "type"), text(step, "source")
    if source == "SYSTEM":
        return kind in _RESULTS_OF_SYSTEM
    is_other = kind in _CONTEXT or kind in _NOTICES or kind in {"", "USER_INPUT", "PLANNER_RESPONSE"}
    return source == "MODEL" and not is_other


def is_known(step: Record) -> bool:
    kind, source = text(step, "type"), text(step, "source")
    if kind in _CONTEXT or kind in _NOTICES or kind in {"USER_INPUT", "PLANNER_RESPONSE"}:
        return source in _SOURCES or not source
    return is_result(step)


def pieces(step: Record, *, answers: str) -> Iterator[Piece]:
    """Yield at least one piece; `answers` is what the call that a result answers is."""
    kind, words = text(step, "type"), without_blobs(_words(step.get("content")))
    if kind == "USER_INPUT":
        yield from _input(words, by_person=text(step, "source") in {"USER_EXPLICIT", ""})
    elif kind == "PLANNER_RESPONSE":
        yield from _response(step, words)
    elif is_result(step):
        yield Piece("", Role.USER, Kind.TOOL_RESULT, words or text(step, "status"), own=answers == "own")
    elif kind in _NOTICES:
        yield Piece("", Role.SYSTEM, Kind.SYSTEM, words)
    else:
        yield Piece("", Role.SYSTEM, Kind.META, words or kind[:_TYPE_LENGTH])


def _input(whole: str, *, by_person: bool) -> Iterator[Piece]:
    request = _REQUEST.match(whole)
    said = (request[1] if request else _AROUND.sub("", whole)).strip()
    around = whole[request.end() :].strip() if request else "\n".join(m.group() for m in _AROUND.finditer(whole))
    if not by_person or not said:
        yield Piece("", Role.USER, Kind.META, whole)
        return
    yield Piece("", Role.USER, Kind.MESSAGE, said)
    if around:
        yield Piece(":context", Role.USER, Kind.META, around)


def _response(step: Record, words: str) -> Iterator[Piece]:
    thinking, calls = text(step, "thinking"), items(step, "tool_calls")
    if thinking:
        yield Piece(":thinking", Role.ASSISTANT, Kind.META, without_blobs(thinking))
    if words.strip() or not (thinking or calls):
        yield Piece("", Role.ASSISTANT, Kind.MESSAGE if words.strip() else Kind.META, words)
    for nth, call in enumerate(calls):
        name, args = text(call, "name"), arguments(call)
        what = "own" if _is_own(name, args) else "subagent" if name == "invoke_subagent" else ""
        given = without_blobs(f"{name}\n{compact(args)}")
        yield Piece(f"#{nth}", Role.ASSISTANT, Kind.TOOL_USE, given, own=what == "own", call=what)


def arguments(call: Record) -> Record:
    """Return what a call was given; some transcripts write every value as JSON inside a text."""
    return {key: _plain(value) for key, value in inner(call, "args").items()}


def _plain(value: object) -> object:
    if not (isinstance(value, str) and len(value) > 1 and value[0] == value[-1] == '"'):
        return value
    try:
        decoded: object = orjson.loads(value)
    except ValueError:
        return value
    return decoded if isinstance(decoded, str) else value


def _words(content: object) -> str:
    if isinstance(content, str):
        return content
    if isinstance(content, dict) and isinstance(said := content.get("text"), str):
        return said
    return "" if content is None else compact(content)


def _is_own(name: str, args: Record) -> bool:
    if name == "run_command":
        return is_own_command(text(args, "CommandLine"))
    server = text(args, "ServerName") or text(args, "server_name")
    if is_own_tool(name) or (server and is_own_server(server)):
        return True
    rest = name[:200]
    if not rest.startswith("mcp_"):
        return False
    rest = rest.removeprefix("mcp_")
    return any(is_own_server(rest[:at]) for at, sign in enumerate(rest) if sign == "_")
