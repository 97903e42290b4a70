"""Read new log lines in a process of its own (`python -m quoth.surfaces.mcp.reading`), so that no answer waits for it.

Prints one JSON object a line: how far it is, and at the end what became of it. The server that started it may die at
any time; the pass goes on and nothing is lost.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Mapping
from contextlib import suppress
from typing import TYPE_CHECKING

from quoth.core.errors import Busy, QuothError
from quoth.wiring import Kernel

if TYPE_CHECKING:
    from quoth.core.model import Json

_EVERY = 0.2  # seconds between two words about how far it is


class _Progress:
    """A meter that tells the server."""

    def __init__(self) -> None:
        self._read = self._total = 0
        self._told = 0.0

    def begin(self, *, files: int, total: int) -> None:
        self._total = total
        self._tell()

    def advance(self, *, read: int, events: int) -> None:
        self._read += read
        if time.monotonic() - self._told >= _EVERY:
            self._tell()

    def end(self) -> None: ...

    def _tell(self) -> None:
        self._told = time.monotonic()
        _say({"read": self._read, "total": self._total})


def main(arguments: list[str]) -> None:
    """Run one pass; `--unless MS` leaves it out when another one began within that time."""
    if hasattr(os, "nice"):
        os.nice(5)  # answers come first
    kernel = Kernel.from_environment()
    try:
        _say(_run(kernel, unless_ms=int(arguments[1]) if arguments[:1] == ["--unless"] else 0))
    except QuothError as error:
        _say({"done": "failed", "sentence": str(error)})
    finally:
        kernel.close()


def _run(kernel: Kernel, *, unless_ms: int) -> Mapping[str, Json]:
    last = kernel.index.last_pass()
    if last and 0 <= kernel.clock.now() - last[0] < unless_ms:
        return {"done": "read"}
    try:
        report = kernel.ingest.run(_Progress())
    except Busy:
        return {"done": "busy"}
    return {"done": "read" if report.paused_until is None else "paused"}


def _say(said: Mapping[str, Json]) -> None:
    with suppress(OSError):  # the server is gone
        print(json.dumps(said), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
