"""Change one table of a TOML text by position, so that every other byte stays (decision 0011).

`tomllib` decides what a text says; the scan below only finds where statements of a valid text begin and end. A table
ends with its last value: the comments and blank lines behind it are the person's.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

_BLANK = re.compile(r"(?:[ \t\r\n]|#[^\n]*)*")
_KEY = re.compile(r"(?:\"(?:[^\"\\\n]|\\.)*\"|'[^'\n]*'|[^=\n\"'])*=")
_VALUE = re.compile(
    r"\"\"\"(?:[^\\]|\\.)*?\"{3,5}"
    r"|'''.*?'{3,5}"
    r"|\"(?:[^\"\\\n]|\\.)*\"|'[^'\n]*'"
    r"|#[^\n]*|[\[{\]}]|\n|[^\"'#\[{\]}\n]+",
    re.DOTALL,
)
_BARE = re.compile(r"[A-Za-z0-9_-]+")


def values(text: str) -> dict[str, Any]:
    """Return what a text says; floating numbers stay text, so that equal texts are equal. Raises `ValueError`."""
    try:
        return tomllib.loads(text.removeprefix("\ufeff"), parse_float=str)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        why = "nested too deep" if isinstance(error, RecursionError) else str(error)
        raise ValueError(f"it is no valid TOML ({why})") from error


def with_table(text: str, path: Sequence[str], entry: Mapping[str, object], *, comment: str) -> str:
    """Return the text with a table set, where it is or at the end; other keys of it stay. Raises `ValueError`."""
    values(text)
    newline = "\r\n" if "\r\n" in text else "\n"
    table = next((table for table in _tables(text) if table.path == tuple(path)), None)
    if table is not None:
        return _with_keys(text, table, entry, newline)
    lines = [f"# {comment}", f"[{'.'.join(map(_key, path))}]", *_statements_of(entry)]
    before = text if text.endswith("\n") or not text.removeprefix("\ufeff") else text + newline
    gap = newline if before.removeprefix("\ufeff").strip() else ""
    after = before + gap + "".join(line + newline for line in lines)
    try:
        values(after)
    except ValueError as error:
        raise ValueError(f"no table can be added to {path[0]} as it is written there; add it by hand") from error
    return after


def without_table(text: str, path: Sequence[str], *, comment: str) -> str:
    """Return the text without a table, its subtables and our comment above it. Raises `ValueError`."""
    if _at(values(text), path) is None:
        return text
    ours = [table for table in _tables(text) if table.path[: len(path)] == tuple(path)]
    for table in reversed(ours):
        text = _cut(text, _with_comment(text, table.start, f"# {comment}"), table.stop)
    if _at(values(text), path) is not None:
        raise ValueError(f"[{'.'.join(path)}] is written in a form that is not changed here; take it out by hand")
    return text


@dataclass(frozen=True, slots=True)
class _Statement:
    """One key with its value, line end included."""

    key: str
    start: int
    stop: int


@dataclass(frozen=True, slots=True)
class _Table:
    """A header and its statements; `body` is where the line after the header starts, `stop` where the last one ends."""

    path: tuple[str, ...]
    start: int
    body: int
    statements: Sequence[_Statement]

    @property
    def stop(self) -> int:
        return self.statements[-1].stop if self.statements else self.body


def _tables(text: str) -> Sequence[_Table]:
    """Return the tables of a valid text in order; arrays of tables end a table and are left out."""
    found: list[_Table] = []
    statements: list[_Statement] = []
    for start, stop in _extents(text):
        line = text[start:stop]
        if line.startswith("["):
            statements = []
            path = () if line.startswith("[[") else _path(line)
            found.append(_Table(path, start, stop, statements))
        else:
            key = _KEY.match(line)
            statements.append(_Statement(_path(f"[{key[0][:-1]}]")[0] if key else "", start, stop))
    return [table for table in found if table.path]


def _extents(text: str) -> Iterator[tuple[int, int]]:
    """Yield where each header and each statement starts and where its last line ends."""
    at = 1 if text.startswith("\ufeff") else 0
    while (at := _blank_end(text, at)) < len(text):
        stop = _line_end(text, at) if text[at] == "[" else _value_end(text, at)
        yield at, stop
        at = stop


def _blank_end(text: str, at: int) -> int:
    found = _BLANK.match(text, at)
    return found.end() if found else at


def _line_end(text: str, at: int) -> int:
    return text.find("\n", at) + 1 or len(text)


def _value_end(text: str, at: int) -> int:
    """Return the end of the line on which the value of a key ends; brackets may hold more lines."""
    key = _KEY.match(text, at)
    at, depth = key.end() if key else at, 0
    while piece := _VALUE.match(text, at):
        at = piece.end()
        if piece[0] in ("[", "{"):
            depth += 1
        elif piece[0] in ("]", "}"):
            depth -= 1
        elif piece[0] == "\n" and not depth:
            break
    return at


def _path(header: str) -> tuple[str, ...]:
    path: list[str] = []
    inner: Any = tomllib.loads(header)
    while inner:
        ((name, inner),) = inner.items()
        path.append(name)
    return tuple(path)


def _at(value: Any, path: Sequence[str]) -> Any:
    for name in path:
        value = value.get(name) if isinstance(value, dict) else None
    return value


def _with_keys(text: str, table: _Table, entry: Mapping[str, object], newline: str) -> str:
    """Replace the statements that differ, and put missing ones behind the last."""
    said = _at(values(text), table.path)
    missing = [key for key in entry if key not in said]
    end = "" if text[: table.stop].endswith("\n") else newline
    added = "".join(line + newline for line in _statements_of({key: entry[key] for key in missing}))
    text = text[: table.stop] + (end + added if added else "") + text[table.stop :]
    for statement in reversed(table.statements):
        if statement.key in entry and said[statement.key] != entry[statement.key]:
            (line,) = _statements_of({statement.key: entry[statement.key]})
            ending = newline if text[: statement.stop].endswith("\n") else ""
            text = text[: statement.start] + line + ending + text[statement.stop :]
    return text


def _with_comment(text: str, start: int, comment: str) -> int:
    """Return where the line of a header starts, or that of our own comment right above it."""
    line = _line_start(text, start)
    above = _line_start(text, line - 1) if line else 0
    return above if text[above:line].strip() == comment else line


def _line_start(text: str, at: int) -> int:
    return max(text.rfind("\n", 0, at) + 1, int(text.startswith("\ufeff")))


def _cut(text: str, start: int, stop: int) -> str:
    """Take lines out, with the one blank line that would be left too much."""
    before, after = text[:start], text[stop:]
    for blank in ("\r\n", "\n"):
        if before.endswith("\n" + blank) and (not after or after.startswith(blank)):
            return before.removesuffix(blank) + after
        if not before.removeprefix("\ufeff") and after.startswith(blank):
            return before + after.removeprefix(blank)
    return before + after


def _statements_of(entry: Mapping[str, object]) -> list[str]:
    return [f"{_key(name)} = {_value(value)}" for name, value in entry.items()]


def _key(name: str) -> str:
    return name if _BARE.fullmatch(name) else json.dumps(name, ensure_ascii=False)


def _value(value: object) -> str:
    match value:
        case Mapping():
            return f"{{ {', '.join(_statements_of(value))} }}"
        case str():
            return json.dumps(value, ensure_ascii=False)
        case list() | tuple():
            return f"[{', '.join(map(_value, value))}]"
        case _:
            raise ValueError(f"{type(value).__name__} can't be written")
