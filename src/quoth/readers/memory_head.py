"""Read what a memory file says of itself: pairs of `name: value` between two lines of `---` at its top.

Models write these heads, and many are no YAML (`description: fix: keep the header`). So they are read line by line,
what is no pair is left out, and pairs below a name (`metadata:`) count like the others.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

_FENCE = "---"
_MOST = 200  # lines
_LONGEST = 2_000  # characters of a value
_PAIR = re.compile(r"[ \t]*([A-Za-z_][\w-]{0,63}):[ \t]+(\S.*)", re.ASCII)


@dataclass(frozen=True, slots=True)
class Head:
    """What the head says, and the text below it; a file without a head is all text."""

    said: Mapping[str, str]
    text: str


def read(text: str) -> Head:
    """Part a file's text; of two pairs with one name the first counts."""
    lines = text.removeprefix("\ufeff").split("\n")
    end = next((n for n, line in enumerate(lines[1 : _MOST + 2], 1) if line.rstrip() == _FENCE), None)
    if lines[0].rstrip() != _FENCE or end is None:
        return Head({}, "\n".join(lines))
    return Head(_pairs(lines[1:end]), "\n".join(lines[end + 1 :]))


def _pairs(lines: Sequence[str]) -> Mapping[str, str]:
    said: dict[str, str] = {}
    for line in lines:
        if match := _PAIR.fullmatch(line.rstrip()):
            said.setdefault(match[1], _plain(match[2])[:_LONGEST])
    return said


def _plain(value: str) -> str:
    is_quoted = len(value) > 1 and value[0] == value[-1] and value[0] in "\"'"
    return value[1:-1] if is_quoted else value
