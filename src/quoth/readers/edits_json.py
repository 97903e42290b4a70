"""Change one member of a JSON text by position, so that every other byte stays (decision 0011).

A text is taken as it is: byte order mark, line ends, comments and trailing commas where they are allowed. Nothing is
parsed by hand: comments and trailing commas are blanked, `json` reads the rest and says where each value ends.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, NoReturn

_STRING = r'"[^"\\]*(?:\\.[^"\\]*)*"'
_COMMENT = re.compile(rf"{_STRING}|//[^\n\r]*|/\*.*?\*/", re.DOTALL)
_MARK = re.compile(rf"{_STRING}|[{{}}\[\],:]|[^\s\"{{}}\[\],:]+", re.DOTALL)
_SPACE = " \t\r\n"
_UNIT = re.compile(r"\n([ \t]+)\"")


class Pairs(tuple[tuple[str, Any], ...]):
    """An object with its order and its repeated names."""

    __slots__ = ()


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON")


# Numbers stay text: they are compared, never used, and may be larger than anything we could hold.
_PAIRS = json.JSONDecoder(object_pairs_hook=Pairs, parse_float=str, parse_int=str, parse_constant=_no_constant)


def pairs(text: str, *, comments: bool = False) -> Any:
    """Return what a text says, objects as `Pairs`. Raises `ValueError`, also for a text that is nested too deep."""
    return _Document.of(text, comments=comments).value


def plain(value: Any) -> Any:
    """Return parsed JSON with dictionaries; the last of repeated names counts, as in every host."""
    match value:
        case Pairs():
            return {name: plain(inner) for name, inner in value}
        case list():
            return [plain(inner) for inner in value]
        case _:
            return value


def with_member(text: str, path: Sequence[str], value: object, *, comments: bool = False) -> str:
    """Return the text with a member set; an empty text becomes a document. Raises `ValueError`."""
    if not text.lstrip("\ufeff").strip(_SPACE):
        return text + json.dumps(_nested(path, value), indent=2, ensure_ascii=False) + "\n"
    document = _Document.of(text, comments=comments)
    box, found, left = document.find(path)
    if found is None:
        return document.added(box, left[0], _nested(left[1:], value))
    return document.replaced(found, value)


def without_member(text: str, path: Sequence[str], *, comments: bool = False) -> str:
    """Return the text without a member, however often it is there; a missing one changes nothing."""
    while True:
        document = _Document.of(text, comments=comments)
        box, found, _ = document.find(path)
        if found is None:
            return text
        text = document.removed(box, found)


def _nested(path: Sequence[str], value: object) -> object:
    for name in reversed(path):
        value = {name: value}
    return value


class _Member(NamedTuple):
    """A member of an object: where its name starts, where its value starts and ends."""

    name: str
    start: int
    value: int
    end: int


@dataclass(frozen=True, slots=True)
class _Box:
    """An object of the text, from `{` to before `}`."""

    start: int
    members: Sequence[_Member]
    stop: int


@dataclass(frozen=True, slots=True)
class _Document:
    """A text and, position by position, its strict JSON."""

    text: str
    strict: str
    trailing: frozenset[int]
    value: Any

    @classmethod
    def of(cls, text: str, *, comments: bool) -> _Document:
        strict = " " + text[1:] if text.startswith("\ufeff") else text
        trailing: frozenset[int] = frozenset()
        if comments:
            strict = _COMMENT.sub(lambda m: m[0] if m[0][0] == '"' else " " * len(m[0]), strict)
            trailing = frozenset(_trailing_commas(strict))
            strict = "".join(" " if at in trailing else c for at, c in enumerate(strict)) if trailing else strict
        try:
            return cls(text, strict, trailing, _PAIRS.decode(strict))
        except (ValueError, RecursionError) as error:
            why = "nested too deep" if isinstance(error, RecursionError) else str(error)
            raise ValueError(f"it is no valid JSON ({why})") from error

    @property
    def root(self) -> int:
        return self._skip(0)

    @property
    def newline(self) -> str:
        return "\r\n" if "\r\n" in self.text else "\n"

    @property
    def unit(self) -> str:
        found = _UNIT.search(self.text)
        return found[1] if found else "  "

    def find(self, path: Sequence[str]) -> tuple[_Box, _Member | None, Sequence[str]]:
        """Return the innermost object on a path, the member there if it is the one, and the names that are missing."""
        box = self._box(self.root, "it")
        for depth, name in enumerate(path):
            found = next((member for member in reversed(box.members) if member.name == name), None)
            if found is None or depth == len(path) - 1:
                return box, found, path[depth:]
            box = self._box(found.value, json.dumps(name))
        raise ValueError("the path is empty")

    def _box(self, at: int, name: str) -> _Box:
        if self.strict[at] != "{":
            raise ValueError(f"{name} holds no object")
        members = list(self._members(at))
        return _Box(at, members, self._skip(members[-1].end if members else at + 1))

    def _members(self, at: int) -> Iterator[_Member]:
        at = self._skip(at + 1)
        while self.strict[at] != "}":
            name, end = _PAIRS.raw_decode(self.strict, at)
            value = self._skip(self._skip(end) + 1)
            _, stop = _PAIRS.raw_decode(self.strict, value)
            yield _Member(name, at, value, stop)
            at = self._skip(stop)
            at = self._skip(at + 1) if self.strict[at] == "," else at

    def _skip(self, at: int) -> int:
        while self.strict[at : at + 1] and self.strict[at] in _SPACE:
            at += 1
        return at

    # --- adding and replacing ---

    def added(self, box: _Box, name: str, value: object) -> str:
        """Return the text with one more member, after the last one and the comments behind it."""
        last = box.members[-1] if box.members else None
        comma = self._trailing_comma(box)
        begin = comma + 1 if comma is not None else last.end if last else box.start + 1
        kept, rest = _split_end(self.text[begin : box.stop])
        before = "," if last and comma is None else ""
        after = "," if comma is not None else ""
        if self._is_inline(box):
            gap = " " if last or kept else ""
            piece = f"{gap}{_line(name, value)}"
        else:
            inner = self._inner_indent(box)
            piece = self.newline + inner + _block(name, value, inner, unit=self.unit, newline=self.newline)
            after += "" if last or "\n" in rest else self.newline + self._indent_of(box.start)
        return self.text[:begin] + before + kept + piece + after + rest + self.text[box.stop :]

    def replaced(self, member: _Member, value: object) -> str:
        is_inline = "\n" not in self.text[member.value : member.end]
        indent = self._indent_of(member.start)
        new = _dumped(value, indent, unit=None if is_inline else self.unit, newline=self.newline)
        return self.text[: member.value] + new + self.text[member.end :]

    def _is_inline(self, box: _Box) -> bool:
        if box.members:
            return "\n" not in self.text[box.start : box.stop]
        return "\n" not in self.text.strip(_SPACE) and box.start != self.root

    def _inner_indent(self, box: _Box) -> str:
        if box.members and self._starts_line(box.members[0].start):
            return self._indent_of(box.members[0].start)
        return self._indent_of(box.start) + self.unit

    def _starts_line(self, at: int) -> bool:
        return self._indent_of(at) == self.text[self.text.rfind("\n", 0, at) + 1 : at]

    def _indent_of(self, at: int) -> str:
        line = self.text[self.text.rfind("\n", 0, at) + 1 : at].lstrip("\ufeff")
        return line[: len(line) - len(line.lstrip(" \t"))]

    # --- removing ---

    def removed(self, box: _Box, member: _Member) -> str:
        """Return the text without a member and its comma; comments beside it stay."""
        number = box.members.index(member)
        if number + 1 < len(box.members):
            return self._removed_before(member, box.members[number + 1])
        before = self.text[: member.start]
        comma = self._trailing_comma(box)
        behind = self.text[member.end : box.stop] if comma is None else self._without(comma, member.end, box.stop)
        if number:
            cut = self._comma(box.members[number - 1].end)
            kept = "" if comma is None else ","
            before = self.text[:cut] + kept + self.text[cut + 1 : member.start]
        before = before.rstrip(_SPACE)
        is_bare = not number and before[-1:] == "{" and not behind.strip(_SPACE)
        return before + ("" if is_bare else behind) + self.text[box.stop :]

    def _removed_before(self, member: _Member, follower: _Member) -> str:
        between = self._without(self._comma(member.end), member.end, follower.start)
        if not between.strip(_SPACE):
            return self.text[: member.start] + self.text[follower.start :]
        return self.text[: member.start] + between.lstrip(" \t") + self.text[follower.start :]

    def _without(self, at: int, start: int, stop: int) -> str:
        return self.text[start:at] + self.text[at + 1 : stop]

    def _comma(self, end: int) -> int:
        return self._skip(end)

    def _trailing_comma(self, box: _Box) -> int | None:
        last = box.members[-1].end if box.members else box.start
        return next((at for at in self.trailing if last <= at < box.stop), None)


def _trailing_commas(strict: str) -> Iterator[int]:
    """Yield where a comma stands before a closing bracket and behind a value."""
    before, comma = "", -1
    for found in _MARK.finditer(strict):
        mark = found[0]
        if mark in "}]" and comma >= 0:
            yield comma
        comma = found.start() if mark == "," and before not in ("", "{", "[", ",", ":") else -1
        before = mark


def _split_end(gap: str) -> tuple[str, str]:
    kept = gap.rstrip(_SPACE)
    return kept, gap[len(kept) :]


def _line(name: str, value: object) -> str:
    return f"{json.dumps(name)}: {json.dumps(value, ensure_ascii=False)}"


def _block(name: str, value: object, indent: str, *, unit: str, newline: str) -> str:
    return f"{json.dumps(name)}: {_dumped(value, indent, unit=unit, newline=newline)}"


def _dumped(value: object, indent: str, *, unit: str | None, newline: str) -> str:
    """Return a value as JSON whose further lines are indented; without a unit on one line."""
    lines = json.dumps(value, ensure_ascii=False, indent=unit).split("\n")
    return (newline + indent).join(lines)
