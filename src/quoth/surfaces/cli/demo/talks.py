"""Read the invented conversations that the demo is made of; `demo_data/README.md` explains their form."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from importlib.resources import files

_WIDE = re.compile("[\u2e80-\uffef]")


@dataclass(frozen=True, slots=True)
class Turn:
    """One thing said or done. `mark` is how its lines began; `inner` are the turns of a subagent."""

    mark: str
    text: str
    inner: tuple[Turn, ...] = ()

    @property
    def tool(self) -> tuple[str, str]:
        """Return name and input of a tool call."""
        name, _, given = self.text.partition(": ")
        return name, given


@dataclass(frozen=True, slots=True)
class Talk:
    """One session. `facts` are its head: agent, title, project, branch, ago; a fork has `fork` and `until`."""

    name: str
    facts: Mapping[str, str]
    turns: tuple[Turn, ...]

    @property
    def cwd(self) -> str:
        return f"/home/mina/{self.facts['project']}"

    @property
    def branch(self) -> str:
        return self.facts["branch"]


def bundled() -> list[Talk]:
    """Return the conversations that are part of the program, by name."""
    found = (entry for entry in (files("quoth") / "demo_data").iterdir() if entry.name.endswith(".txt"))
    return sorted((read(f.name.removesuffix(".txt"), f.read_text("utf-8")) for f in found), key=lambda talk: talk.name)


def read(name: str, text: str) -> Talk:
    head, _, body = text.partition("\n\n")
    facts = dict(line.split(": ", 1) for line in head.splitlines())
    return Talk(name, facts, tuple(_turns(body.splitlines())))


def _turns(lines: Iterable[str]) -> Iterator[Turn]:
    for block in _blocks(lines):
        mark, own = block[0][0], [line for line in block if not line.startswith("  ")]
        inner = [line[2:] for line in block if line.startswith("  ")]
        yield Turn(mark, _joined(mark, [line[2:] for line in own]), tuple(_turns(inner)))


def _blocks(lines: Iterable[str]) -> Iterator[list[str]]:
    """Group lines that begin alike; each tool call is its own, and indented lines belong to the one above."""
    block: list[str] = []
    for line in lines:
        goes_on = block and (line.startswith("  ") or (line[0] == block[0][0] and line[0] not in "$@"))
        if block and not goes_on:
            yield block
            block = []
        block.append(line)
    if block:
        yield block


def _joined(mark: str, lines: list[str]) -> str:
    if mark in "=%":
        return "\n".join(lines)
    text = lines[0]
    for line in lines[1:]:
        text += line if _WIDE.match(text[-1]) or _WIDE.match(line[0]) else f" {line}"
    return text
