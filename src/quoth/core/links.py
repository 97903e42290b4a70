"""The values of linking: the server that an agent is told to start, where that is said, and what we changed for it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

HOME = "QUOTH_HOME"  # the one variable that decides which store a server opens
_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")
_PROGRAM = re.compile(r"(.*[/\\])?quoth(\.exe)?", re.DOTALL)


class Level(StrEnum):
    """Where a link counts: in one workspace, or everywhere on this machine."""

    WORKSPACE = "workspace"
    GLOBAL = "global"


@dataclass(frozen=True, slots=True)
class Server:
    """What a host starts: the name it shows, the command line, and variables it sets."""

    name: str
    command: tuple[str, ...]
    env: Mapping[str, str] = field(default_factory=dict)

    @property
    def is_ours(self) -> bool:
        """Tell whether this starts Quoth, from whatever installation."""
        program, *words = self.command or ("",)
        return (words[:1] == ["mcp"] and bool(_PROGRAM.fullmatch(program))) or words[:3] == ["-m", "quoth", "mcp"]

    def starts_like(self, other: Server) -> bool:
        """Tell whether this starts the same; the person may have added variables, but not another store."""
        kept = {name: value for name, value in self.env.items() if name != HOME}
        return self.command == other.command and self.env == {**kept, **other.env}


@dataclass(frozen=True, slots=True)
class Target:
    """A file of a host that names servers. `by_hand` says why we never write it; a `private` one is made 0600."""

    path: Path
    private: bool = False
    by_hand: str | None = None


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a host can't be linked at some level."""

    reason: str


@dataclass(frozen=True, slots=True)
class Splice:
    """One change of a text: `removed` gave way to `inserted`."""

    removed: str
    inserted: str


@dataclass(frozen=True, slots=True)
class Link:
    """One link as this device remembers it, so that it can be undone to the byte.

    `splice` is None when the entry was there before, `created` what did not exist before: folders, then the file.
    """

    host: str
    level: Level
    path: Path
    name: str
    splice: Splice | None
    created: tuple[Path, ...] = ()


@dataclass(frozen=True, slots=True)
class Answer:
    """What a started server answered: how many tools, or in words why there was no answer."""

    tools: int = 0
    failure: str | None = None


def is_server_name(text: str) -> bool:
    """Tell whether every known host takes this as the name of a server."""
    return bool(_NAME.fullmatch(text))
