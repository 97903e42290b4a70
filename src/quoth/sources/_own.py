"""Recognise our own tools in any agent's log: their traffic is kept, but never searched and never quoted."""

from __future__ import annotations

import re

_SERVER = r"(?:quoth|origin|hmg|engram|openviking|memory[-_]mcp)"  # the names our dialects register under
_SERVER_NAME = re.compile(_SERVER)
_TOOL_NAME = re.compile(rf"mcp__(?:plugin_[\w-]{{1,100}}_)?{_SERVER}__")
_COMMAND = re.compile(
    r"""(?:^|&&|\|\||[;|\n(])[ \t]*                    # the beginning of a simple command
        (?:\w{1,80}=\S{0,200}[ \t]{1,20}){0,20}        # variables for it alone; bounded, so that no line is slow
        (?:(?:uvx|pipx[ ]run|uv[ ]run)[ ]|\S{0,200}python[\d.]{0,5}[ ]-m[ ])?
        (?:\S{0,200}[/\\])?quoth(?:\.exe)?(?:\s|$)""",
    re.VERBOSE,
)


def is_own_server(name: str) -> bool:
    return _SERVER_NAME.fullmatch(name) is not None


def is_own_tool(name: str) -> bool:
    """Tell whether a tool as the model sees it (`mcp__<server>__<tool>`) is one of ours."""
    return _TOOL_NAME.match(name) is not None


def is_own_command(command: str) -> bool:
    """Tell whether a shell line calls `quoth` anywhere: what it prints can't be told apart from the rest."""
    return "quoth" in command and _COMMAND.search(command) is not None
