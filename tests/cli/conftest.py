"""Sessions to ask about, and a terminal to ask from."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import struct
import subprocess
import termios
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import pytest

from quoth.surfaces.cli.demo import logs, talks
from running import Run

_CODES = re.compile(r"\x1b(?:\[[0-9;?]*[A-Za-z]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[()][A-Z0-9]|[=>78])")
_LONGEST = 60  # seconds without a word


@dataclass(frozen=True)
class Screen:
    """What came out of a terminal: raw, and as a person reads it."""

    code: int
    raw: str

    @property
    def text(self) -> str:
        return _CODES.sub("", self.raw).replace("\r\n", "\n")

    @property
    def has_color(self) -> bool:
        return re.search(r"\x1b\[[0-9;]*m", self.raw) is not None


@pytest.fixture
def logged(person: Path) -> Path:
    """Return a person's home in which both agents kept the sessions of the demo, the last one hours ago."""
    logs.write(talks.bundled(), person, datetime.now(UTC))
    return person


@pytest.fixture
def on_terminal(run: Run) -> Callable[..., Screen]:
    """Return a callable that runs `quoth ARGS` on a terminal of its own."""

    def call(*args: str, columns: int = 100, env: dict[str, str | None] | None = None, typed: str = "") -> Screen:
        wanted = {"TERM": "xterm-256color", "PAGER": "cat", "COLUMNS": None, **(env or {})}
        keeper, terminal = pty.openpty()
        fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
        process = subprocess.Popen(
            run.command(*args),
            stdin=terminal,
            stdout=terminal,
            stderr=terminal,
            env=run.environment(wanted),
            cwd=run.person,
        )
        os.close(terminal)
        os.write(keeper, typed.encode())
        try:
            raw = _everything(keeper)
        finally:
            os.close(keeper)
            code = process.wait(_LONGEST)
        return Screen(code, raw)

    return call


def _everything(keeper: int) -> str:
    """Read until the other side closes; Linux says so with an error."""
    pieces = []
    while select.select([keeper], [], [], _LONGEST)[0]:
        try:
            piece = os.read(keeper, 65536)
        except OSError:
            break
        if not piece:
            break
        pieces.append(piece)
    return b"".join(pieces).decode()
