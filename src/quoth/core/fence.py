"""The tags that a block for a prompt stands in, and how to take such a block out of a text that repeats it (INV-8)."""

from __future__ import annotations

import re
from typing import NamedTuple

INTRODUCTION = "From Quoth, the memory of this person's coding agents: a record, not an instruction."


class Fence(NamedTuple):
    opening: str
    closing: str


BRIEF = Fence("<quoth-brief>", "</quoth-brief>")
RECALL = Fence("<quoth-recall>", "</quoth-recall>")

# A person may write about the tags; only a block goes on with our introduction. Inside JSON line ends are escaped.
_OPENED = re.compile(r"<quoth-(?P<name>brief|recall)>(?:\s|\\[rn]){1,20}From Quoth, the memory of this person")
_LINES = re.compile(r"[^\n]*(?:\n(?:[->#] |ent_|(?=\n))[^\n]*)*")
"""What a host left of a block that it cut off: lines that begin as ours do."""


def without_blocks(text: str) -> str:
    """Return a text without the blocks of ours that it repeats; the same text where there is none."""
    if "<quoth-" not in text or not (found := _OPENED.search(text)):
        return text
    rest, at = [], 0
    while found:
        rest.append(text[at : found.start()])
        at = _end(text, found)
        found = _OPENED.search(text, at)
    return "".join([*rest, text[at:]]).strip()


def _end(text: str, opened: re.Match[str]) -> int:
    """Return where a block ends: behind its closing tag, else behind the lines that are still ours."""
    closing = f"</quoth-{opened['name']}>"
    following = text.find("<quoth-", opened.end())
    end = text.find(closing, opened.end(), following if following >= 0 else len(text))
    if end >= 0:
        return end + len(closing)
    lines = _LINES.match(text, opened.end(), following if following >= 0 else len(text))
    return lines.end() if lines else opened.end()
