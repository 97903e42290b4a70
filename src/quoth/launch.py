"""The console script: the one place that knows which door to open."""

from __future__ import annotations

import sys


def main() -> None:
    arguments = sys.argv[1:]
    if arguments[:1] == ["mcp"] and not {"-h", "--help"} & {*arguments}:
        from quoth.surfaces.mcp.door import main as server  # a host waits for it: it starts without the command line

        sys.exit(server(arguments[1:]))
    from quoth.surfaces.cli.program import main as command_line

    sys.exit(command_line(arguments))
