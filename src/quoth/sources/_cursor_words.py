"""Tell what the person typed from what Cursor put around it, and read what both stores write alike."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from quoth.core.model import Kind, Role
from quoth.core.times import from_iso
from quoth.sources._own import is_own_command, is_own_server, is_own_tool
from quoth.sources._text import compact, without_blobs
from quoth.sources._values import Record, items, text

_QUERY, _QUERY_END = "<user_query>", "</user_query>"
_HIDDEN = "[REDACTED]"  # stands where the model thought

# Blocks that Cursor puts before or instead of the person's words.
_INJECTED = re.compile(
    r"\s*<(additional_data|agent_requestable_workspace_rules|agent_skills|agent_transcripts|always_applied_workspace_rules"
    r"|attached_files|available_skills|current_file|cursor_commands|edit_history|external_links|git_status|image_files"
    r"|linter_errors|manually_attached_skills|mcp_file_system|mcp_instructions|open_and_recently_viewed_files"
    r"|project_layout|rules|system_notification|system[_-]reminder|task_notification|terminal_files_information"
    r"|uploaded_documents|user_info)(?=[\s>])"
)
_STAMP = re.compile(r"<timestamp>([^<]{1,100})</timestamp>\s*")
_WHEN = re.compile(
    r"(?:[A-Za-z]{3,9},\s*)?([A-Za-z]{3})[a-z]{0,6}\.?\s+(\d{1,2}),\s*(\d{4}),?\s+(?:at\s+)?"
    r"(\d{1,2}):(\d{2})(?::(\d{2}))?\s*([AaPp][Mm])?\s*\((?:UTC|GMT)(?:([+\-−])(\d{1,2})(?::?(\d{2}))?)?\)"
)
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_SUMMARY = "[Previous conversation summary]"

_SERVERS = ("server", "serverName", "server_name", "serverId", "serverIdentifier", "providerIdentifier")
_GIVEN_PREFIX = re.compile(r"(?:user|project|plugin)-")


@dataclass(frozen=True, slots=True)
class Words:
    """A text in the person's name: what they typed, what was put around it, and the time it tells."""

    said: str
    injected: str
    time: int | None


@dataclass(frozen=True, slots=True)
class Piece:
    """One thing said or done before it has a session and a place. `suffix` goes behind the id of what it is part of."""

    role: Role
    kind: Kind
    text: str
    suffix: str = ""
    own: bool = False
    time: int | None = None


def spoken(role: Role, whole: str, *, by_person: bool = True) -> Iterator[Piece]:
    """Take a text apart: what was said first, then what stood around the person's words."""
    if role is Role.SYSTEM:
        yield Piece(role, Kind.SYSTEM, without_blobs(whole))
    elif role is Role.ASSISTANT:
        shown = answer(whole)
        yield Piece(role, Kind.MESSAGE if shown else Kind.META, shown)
    else:
        words = divide(whole)
        is_speech = words.said and by_person
        yield Piece(role, Kind.MESSAGE if is_speech else Kind.META, words.said, time=words.time)
        if words.injected:
            yield Piece(role, Kind.META, words.injected, ":context", time=words.time)


def divide(whole: str) -> Words:
    """Split a user text. Whatever is not wrapped in `<user_query>` counts as typed, unless Cursor's blocks open it."""
    stamp = _STAMP.search(whole)
    rest = whole[: stamp.start()] + whole[stamp.end() :] if stamp else whole
    start, end = rest.find(_QUERY), rest.rfind(_QUERY_END)
    if 0 <= start < end:
        said, around = rest[start + len(_QUERY) : end], rest[:start] + rest[end + len(_QUERY_END) :]
    elif rest.startswith(_SUMMARY):
        said, around = "", rest
    else:
        begin = _behind_injected(rest)
        said, around = rest[begin:], rest[:begin]
    return Words(without_blobs(said.strip()), without_blobs(around.strip()), when(stamp[1]) if stamp else None)


def when(said: str) -> int | None:
    """Return the instant of `Monday, Oct 19, 2026, 6:30 PM (UTC+8)`; None without a zone."""
    match = _WHEN.search(said)
    if not match or match[1].lower() not in _MONTHS:
        return None
    _, day, year, hour, minute, second, half, sign, hours, minutes = match.groups()
    clock = int(hour) % 12 + (12 if half.lower() == "pm" else 0) if half else int(hour)
    zone = f"{'+' if sign == '+' else '-'}{int(hours):02}:{minutes or '00'}" if sign else "+00:00"
    month = _MONTHS.index(match[1].lower()) + 1
    return from_iso(f"{year}-{month:02}-{int(day):02}T{clock:02}:{minute}:{second or '00'}{zone}")


def answer(whole: str) -> str:
    """Return what the model said, without the marks of hidden thinking."""
    return without_blobs(whole.replace(_HIDDEN, "").strip())


def call(tool: str, arguments: object) -> str:
    """Print a call: the tool's name, and what it was given."""
    given = arguments if isinstance(arguments, str) else compact(arguments)
    return without_blobs(f"{tool}\n{given}".strip())


def result(value: object) -> str:
    """Print what a tool gave."""
    return without_blobs(value if isinstance(value, str) else "" if value is None else compact(value))


def is_own_call(tool: str, arguments: Record) -> bool:
    """Tell whether a call goes to our own tools, by an MCP server's name or on a command line."""
    servers = [text(given, key) for given in (arguments, *items(arguments, "tools")) for key in _SERVERS]
    if is_own_tool(tool) or _is_own_mcp_tool(tool) or any(map(_is_own_server, servers)):
        return True
    return is_own_command(text(arguments, "command") or text(arguments, "cmd"))


def _behind_injected(rest: str) -> int:
    begin = 0
    while match := _INJECTED.match(rest, begin):
        end = rest.find(f"</{match[1]}>", match.end())
        if end < 0:
            return len(rest)
        begin = end + len(match[1]) + 3
    return begin


def _is_own_mcp_tool(tool: str) -> bool:
    """Read names such as `mcp_quoth_search` and `mcp-quoth-user-quoth-search`."""
    rest = tool[4:].lstrip("-_") if tool.startswith(("mcp_", "mcp-")) else ""
    return any(is_own_server(rest[: match.start()]) for match in re.finditer("[-_]", rest[:100]))


def _is_own_server(server: str) -> bool:
    if is_own_server(server):
        return True
    is_given = _GIVEN_PREFIX.match(server) is not None and len(server) <= 200
    return is_given and any(is_own_server(server[match.end() :]) for match in re.finditer("-", server))
