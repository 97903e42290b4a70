"""The console script: the one place that knows which door to open."""

from __future__ import annotations

import sys


def main() -> None:
    from quoth.surfaces.cli.program import main as command_line

    sys.exit(command_line(sys.argv[1:]))
