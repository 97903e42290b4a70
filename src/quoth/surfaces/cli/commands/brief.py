"""`quoth brief`: what whoever begins to work here should know first."""

from __future__ import annotations

import click

from quoth.surfaces.cli import options
from quoth.surfaces.cli.failures import DONE, NOTHING_FOUND
from quoth.surfaces.cli.verb import Call, verb


@verb(section="Find", examples=["quoth brief", "quoth brief --budget 1500 --project acme/web"])
@options.combined(
    click.option("--budget", type=int, default=4_000, metavar="N", help="At most N characters, all counted. [4000]"),
    click.option("--project", type=options.text, metavar="PROJECT", help="Of another project than this one."),
)
def brief(call: Call, *, budget: int, project: str | None) -> int:
    """Show what a session here should know first.

    The newest hand-over, the decisions and constraints in force, open risks and next steps, as a block for an agent's
    prompt. What is on another branch stays out, until that branch is merged or gone.
    """
    answer = call.kernel.brief.run(budget=budget, project=project)
    if call.terminal.as_json:
        call.terminal.answer(answer)
    elif answer["text"]:
        call.terminal.block(str(answer["text"]))
    if answer["hint"]:
        call.terminal.note(str(answer["hint"]))
    elif answer["dropped"]:
        call.terminal.hint(f"{answer['dropped']} more had no room: quoth brief --budget {budget * 2}")
    return DONE if answer["text"] else NOTHING_FOUND


COMMAND = brief
