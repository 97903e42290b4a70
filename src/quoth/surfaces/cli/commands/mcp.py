"""`quoth mcp`: the help of the server that agents start. `launch` opens that door itself, so that it starts fast."""

from __future__ import annotations

import click

from quoth.surfaces.cli.verb import Call, verb


@verb(examples=["quoth mcp", "quoth mcp --dialect origin"])
@click.option("--dialect", metavar="NAME", default="quoth", help="Whose tools; an unknown NAME lists them. [quoth]")
def mcp(call: Call, *, dialect: str) -> int:
    """Let an agent read the archive: a Model Context Protocol server on standard input and output.

    Agents start it themselves. While one is connected, new lines of all logs are read in the background.
    """
    raise click.UsageError("`mcp` must be the first word: quoth mcp [--dialect NAME]")


COMMAND = mcp
