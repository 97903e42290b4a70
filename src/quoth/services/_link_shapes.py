"""Say what became of a link: as a value, as a command line, as a diff."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import unified_diff
from pathlib import Path

from quoth.core.links import Level
from quoth.core.model import Json
from quoth.core.names import printable_path
from quoth.services._link_plan import Plan

BY_HAND, REFUSED = "by_hand", "refused"


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one link. `run` is a command line that the person has to run in our place."""

    host: str
    level: Level
    name: str
    status: str
    message: str
    path: Path | None = None
    command: Sequence[str] = ()
    run: Sequence[str] = ()
    confirm: str | None = None
    diff: str = ""

    @property
    def is_done(self) -> bool:
        return self.status not in (BY_HAND, REFUSED)

    def shape(self) -> dict[str, Json]:
        return {
            "host": self.host,
            "level": self.level.value,
            "name": self.name,
            "status": self.status,
            "message": self.message,
            "path": None if self.path is None else printable_path(str(self.path)),
            "command": list(self.command),
            "run": list(self.run),
            "confirm": self.confirm,
            "diff": self.diff,
        }


def line(words: Sequence[str]) -> str:
    return " ".join(word if word == "&&" else shlex.quote(word) for word in words)


def diff(path: str, plan: Plan) -> str:
    """Return the change as a unified diff; a missing file is /dev/null, as everywhere."""
    before, after = plan.before, plan.after
    old, new = ("/dev/null" if text is None else path for text in (before, after))
    lines = unified_diff(_lines(before), _lines(after), old, new, lineterm="")
    return "".join(f"{line}\n" if not line.endswith("\n") else line for line in lines)


def _lines(text: str | None) -> list[str]:
    lines = (text or "").split("\n")
    closed = [f"{line}\n" for line in lines[:-1]]
    return closed if not lines[-1] else [*closed, f"{lines[-1]}\n\\ No newline at end of file\n"]
