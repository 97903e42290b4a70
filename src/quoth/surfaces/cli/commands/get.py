"""`quoth get`: one event in full."""

from __future__ import annotations

import click

from quoth.surfaces.cli import options
from quoth.surfaces.cli.shapes import event_of
from quoth.surfaces.cli.verb import Call, verb


@verb(section="Find", examples=["quoth get claude-code:e8f2c91c-185b-4be8-aada-0ffa565907f3"])
@click.argument("id_", metavar="ID", type=options.text)
def get(call: Call, *, id_: str) -> None:
    """Show one event in full.

    With its directory, its branch and the version of the agent.
    """
    answer = call.kernel.get.run(id_)
    if call.terminal.as_json:
        call.terminal.answer(answer)
        return
    from quoth.surfaces.cli.shown.events import whole

    call.terminal.show(whole(event_of(answer)))
    call.terminal.hint(f"In its conversation: quoth open {id_}", f"The original line:   quoth sources {id_}")


COMMAND = get
