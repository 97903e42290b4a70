"""Read what Claude Code's `/export` writes: the conversation as its terminal showed it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from enum import Enum

from quoth.core.model import Kind, Role
from quoth.sources._exports_speakers import Part
from quoth.sources._own import is_own_command, is_own_server


class _Sort(Enum):
    HEAD = ""
    ASKED = "asked"
    ANSWERED = "answered"
    OUTPUT = "output"
    NOTE = "note"


_ASKED = re.compile(r"[>❯](?: (.*))?")
_ANSWERED = re.compile(r"[⏺●] (.*)")
_OUTPUT = re.compile(r" {2}⎿ ? ?(.*)")
_NOTE = re.compile(r"[✻✽✶✢✳※·] .*|.*\(ctrl\+[or] to (?:expand|see .*)\)")
_CALL = re.compile(r"(?:([\w-]+) - [\w-]+ \(MCP\)|[A-Z]\w*(?: [A-Z]\w*)?)(?:\(.*|$)")
_SHELL = re.compile(r"Bash\((.*)", re.DOTALL)
_WORDLESS_CALLS = frozenset({"Update Todos"})
_COMMAND = re.compile(r"/[a-z][\w:-]*(?:\s.*)?|[!#].*", re.DOTALL)
_DIRECTORY = re.compile(r"(?:▘▘ ▝▝|│?\s*cwd:)\s+(/\S.*?|[A-Z]:\\\S.*?)\s*│?")
_HEAD_LINES = 40
_INDENT = {_Sort.OUTPUT: 5}


def is_terminal(lines: Sequence[str]) -> bool:
    sorts = {_sort(line)[0] for line in lines}
    return {_Sort.ASKED, _Sort.ANSWERED} <= sorts


def directory(lines: Sequence[str]) -> str | None:
    """Return the directory that the banner names, when it is a whole path."""
    return next((match[1] for line in lines[:_HEAD_LINES] if (match := _DIRECTORY.fullmatch(line.strip()))), None)


def parts(lines: Sequence[str]) -> Iterator[Part]:
    own, tool = False, ""
    for sort, whole in _blocks(lines):
        part = _part(sort, whole)
        if sort is _Sort.OUTPUT:
            part = Part(part.role, part.kind, part.text, tool, own)
        elif sort is not _Sort.NOTE:
            own, tool = part.own, part.tool
        yield part


def _blocks(lines: Sequence[str]) -> Iterator[tuple[_Sort, str]]:
    sort, block = _Sort.HEAD, list[str]()
    for line in lines:
        begun, rest = _sort(line)
        if begun is None:
            block.append(_dedented(line, _INDENT.get(sort, 2)))
            continue
        if whole := "\n".join(block).strip("\n"):
            yield sort, whole
        sort, block = begun, [rest.rstrip()]
    if whole := "\n".join(block).strip("\n"):
        yield sort, whole


def _sort(line: str) -> tuple[_Sort | None, str]:
    """Tell what a line begins, and what is left of it; None when it goes on with what was begun."""
    if match := _OUTPUT.fullmatch(line):
        return _Sort.OUTPUT, match[1]
    if _NOTE.fullmatch(line):
        return _Sort.NOTE, line.strip()
    if match := _ASKED.fullmatch(line):
        return _Sort.ASKED, match[1] or ""
    match = _ANSWERED.fullmatch(line)
    return (_Sort.ANSWERED, match[1]) if match else (None, "")


def _dedented(line: str, most: int) -> str:
    blanks = len(line) - len(line.lstrip(" "))
    return line[min(blanks, most) :].rstrip()


def _part(sort: _Sort, whole: str) -> Part:
    match sort:
        case _Sort.ASKED:
            return Part(Role.USER, Kind.META if _COMMAND.fullmatch(whole) else Kind.MESSAGE, whole)
        case _Sort.OUTPUT:
            return Part(Role.ASSISTANT, Kind.TOOL_RESULT, whole)
        case _Sort.ANSWERED:
            return _answered(whole)
    return Part(Role.SYSTEM, Kind.META, whole)


def _answered(whole: str) -> Part:
    called = _CALL.match(whole)
    if not called or ("(" not in called[0] and whole not in _WORDLESS_CALLS):
        return Part(Role.ASSISTANT, Kind.MESSAGE, whole)
    shell = _SHELL.match(whole)
    own = is_own_server((called[1] or "").lower()) or (shell is not None and is_own_command(shell[1]))
    return Part(Role.ASSISTANT, Kind.TOOL_USE, whole, called[0].partition("(")[0], own)
