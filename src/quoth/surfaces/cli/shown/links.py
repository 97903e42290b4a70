"""Tell what became of links."""

from __future__ import annotations

from collections.abc import Sequence

from quoth.services._link_shapes import REFUSED, Outcome
from quoth.surfaces.cli.terminal import Terminal


def tell(terminal: Terminal, outcomes: Sequence[Outcome], *, dry_run: bool) -> None:
    """Show a diff of each change that would be made, or say what was done and what is left to the person."""
    if terminal.as_json:
        terminal.answer({"links": [outcome.shape() for outcome in outcomes], "dry_run": dry_run})
        return
    for outcome in outcomes:
        if outcome.status == REFUSED:
            terminal.note(outcome.message)
        elif dry_run and outcome.diff:
            terminal.block(outcome.diff.rstrip("\n"))
        else:
            terminal.say(outcome.message)
            if outcome.confirm:
                terminal.say(f"  {outcome.confirm}")
