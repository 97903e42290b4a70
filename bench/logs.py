"""What the writers of both formats share: the plan of a session, its passing time, and a log file that grows."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType

import orjson

from bench.prose import Language, Prose


@dataclass
class Plan:
    """One session to write: how many events it has, and those of the files that belong to it."""

    size: int
    language: Language
    cwd: str
    branch: str
    start: int
    subagents: list[int] = field(default_factory=list)
    fork: int = 0


class Log:
    """One file of JSON lines with the time that passes in it."""

    def __init__(self, path: Path, prose: Prose, *, now: int) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self.path, self.now = path, now
        self._prose = prose
        self._file = path.open("wb")

    def __enter__(self) -> Log:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._file.close()
        # The agent's last write, so that "newest first" means something.
        os.utime(self.path, (self.now / 1000, self.now / 1000))

    def tick(self) -> str:
        """Let some seconds pass and return the instant as the agents write it."""
        self.now += self._prose.random.randint(300, 25_000)
        return iso(self.now)

    def write(self, record: Mapping[str, object]) -> None:
        self._file.write(orjson.dumps(record, option=orjson.OPT_APPEND_NEWLINE))


def iso(milliseconds: int) -> str:
    return datetime.fromtimestamp(milliseconds / 1000, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
