"""Sample logs of two agents, and how to read them in this process."""

from __future__ import annotations

import shutil
from pathlib import Path

SAMPLES = Path(__file__).parents[1] / "data" / "sources"


class Silent:
    """A meter that shows nothing."""

    def begin(self, *, files: int, total: int) -> None: ...

    def advance(self, *, read: int, events: int) -> None: ...

    def end(self) -> None: ...


def logged(person: Path) -> Path:
    """Give a person the sample logs of two agents."""
    for source, folder in (("claude-code", ".claude"), ("codex", ".codex")):
        shutil.copytree(SAMPLES / source / "everyday" / "home", person / folder)
    return person
