"""`quoth link`: tell the agents of this machine to start our server."""

from __future__ import annotations

import click

from quoth import _plugins
from quoth.core.links import Level
from quoth.surfaces.cli.failures import DONE, FAILED
from quoth.surfaces.cli.shown.links import tell
from quoth.surfaces.cli.verb import Call, verb

_DIALECTS = _plugins.names("quoth.surfaces.mcp.dialects")


@verb(
    section="Begin",
    examples=[
        "quoth link claude-code",
        "quoth link codex --global",
        "quoth link --dry-run",
        "quoth link claude-code --dialect origin",
    ],
)
@click.argument("agents", nargs=-1, metavar="[AGENT]...")
@click.option("--global", "is_global", is_flag=True, help="For all workspaces instead of this one.")
@click.option(
    "--dialect",
    type=click.Choice(_DIALECTS),
    default="quoth",
    metavar="DIALECT",
    help=f"The tools that the agent gets: {', '.join(_DIALECTS)}. [quoth]",
)
@click.option("--name", metavar="NAME", help="The name that the agent shows. [the dialect's]")
@click.option("--dry-run", is_flag=True, help="Show what would change, and change nothing.")
def link(call: Call, *, agents: tuple[str, ...], is_global: bool, dialect: str, name: str | None, dry_run: bool) -> int:
    """Let AGENT ask Quoth: its MCP server is entered where the agent looks for servers.

    Without AGENT it is every agent on this machine. The entry is for the workspace around this folder, and the only
    thing that changes; linking again brings it up to date. Where Quoth must not write, the command to run is printed.
    """
    level = Level.GLOBAL if is_global else Level.WORKSPACE
    outcomes = call.kernel.link.link(agents, level=level, dialect=dialect, name=name, dry_run=dry_run)
    tell(call.terminal, outcomes, dry_run=dry_run)
    return FAILED if any(outcome.status == "refused" for outcome in outcomes) else DONE


COMMAND = link
