"""Recognise traffic of our own tools in Codex's records: kept, but never searched and never quoted."""

from __future__ import annotations

import re

import orjson

from quoth.sources._values import Record, inner, text

_SERVER = r"(?:quoth|origin|hmg|engram|openviking|memory[-_]mcp)"
_NAME = re.compile(rf"(?:mcp__)?{_SERVER}__")
_NAMESPACE = re.compile(rf"(?:mcp__)?{_SERVER}(?:__.*)?")
_COMMAND = re.compile(
    r"""(?:^|[&|;\n(])[ \t]*               # the beginning of a simple command
        (?:\w+=[^\s;|&]*[ \t]+)*            # variables for it alone
        (?:(?:uvx|pipx[ ]run|uv[ ]run)[ ]+|[\w./\\:~-]*python[\d.]*[ ]+-m[ ]+)?
        (?:[\w./\\:~-]*[/\\])?quoth(?:\.exe)?(?=[\s;&|)]|$)""",
    re.VERBOSE,
)
# In code mode a call is a line of a script that the tool `exec` runs.
_SCRIPT = re.compile(rf"""\bmcp__{_SERVER}__\w|\btools\.{_SERVER}__\w|\bcmd["']?\s*:\s*(["'`])\s*quoth(?:\s|\1)""")
_SHELL_FLAG = re.compile(r"-\w*c|/c|-Command", re.IGNORECASE)


def is_own_server(name: str) -> bool:
    return re.fullmatch(_SERVER, name) is not None


def is_own_call(payload: Record) -> bool:
    """Tell whether a `function_call`, `custom_tool_call`, `local_shell_call` or a completed item is one of our own."""
    name, script = text(payload, "name"), text(payload, "input")
    if _NAME.match(name) or _NAMESPACE.fullmatch(text(payload, "namespace")):
        return True
    if is_own_server(text(payload, "server") or text(inner(payload, "invocation"), "server")):
        return True
    if name == "exec" and _SCRIPT.search(script):
        return True
    arguments = _arguments(payload)
    commands = (
        payload.get("command"),
        inner(payload, "action").get("command"),
        arguments.get("cmd"),
        arguments.get("command"),
    )
    return any(_is_own_command(command) for command in commands)


def _arguments(payload: Record) -> Record:
    written = text(payload, "arguments")
    if "quoth" not in written:
        return {}
    try:
        arguments = orjson.loads(written)
    except ValueError:
        return {}
    return arguments if isinstance(arguments, dict) else {}


def _is_own_command(command: object) -> bool:
    if isinstance(command, list):
        words = [word for word in command if isinstance(word, str)]
        is_shell = len(words) > 2 and _SHELL_FLAG.fullmatch(words[1])
        command = words[2] if is_shell else " ".join(words[:4])
    return isinstance(command, str) and "quoth" in command and _COMMAND.search(command) is not None
