"""`quoth unlink`: take our server out of the agents' files."""

from __future__ import annotations

import click

from quoth.core.links import Level
from quoth.surfaces.cli.failures import DONE, FAILED, NOTHING_FOUND
from quoth.surfaces.cli.shown.links import tell
from quoth.surfaces.cli.verb import Call, verb


@verb(section="Look after", examples=["quoth unlink claude-code", "quoth unlink codex --global", "quoth unlink --all"])
@click.argument("agents", nargs=-1, metavar="[AGENT]...")
@click.option("--global", "is_global", is_flag=True, help="For all workspaces instead of this one.")
@click.option("--name", metavar="NAME", help="Only the entry of this name.")
@click.option("--all", "everywhere", is_flag=True, help="Every agent, everywhere we know of.")
@click.option("--dry-run", is_flag=True, help="Show what would change, and change nothing.")
def unlink(
    call: Call, *, agents: tuple[str, ...], is_global: bool, name: str | None, everywhere: bool, dry_run: bool
) -> int:
    """Take what `quoth link` wrote out of the files of AGENT: they are then as they were, byte for byte.

    Without AGENT it is every agent. The exit code is 1 while an entry is left that only you can take out.
    """
    linking = call.kernel.link
    if everywhere:
        if agents or name or is_global:
            raise click.UsageError("--all is everything; it takes no AGENT, --name or --global.")
        outcomes = linking.unlink_all(dry_run=dry_run)
    else:
        level = Level.GLOBAL if is_global else Level.WORKSPACE
        outcomes = linking.unlink(agents, level=level, name=name, dry_run=dry_run)
    tell(call.terminal, outcomes, dry_run=dry_run)
    if not outcomes:
        call.terminal.note("Nothing of ours is linked there." if not everywhere else "Nothing of ours is linked.")
        return DONE if everywhere else NOTHING_FOUND
    return DONE if all(outcome.is_done for outcome in outcomes) else FAILED


COMMAND = unlink
