"""`quoth get`: one entry or event in full."""

from __future__ import annotations

import click

from quoth.surfaces.cli import options
from quoth.surfaces.cli.shapes import event_of
from quoth.surfaces.cli.verb import Call, verb


@verb(
    section="Find",
    examples=["quoth get claude-code:e8f2c91c-185b-4be8-aada-0ffa565907f3", "quoth get a1b2c3d4"],
)
@click.argument("id_", metavar="ID", type=options.text)
def get(call: Call, *, id_: str) -> None:
    """Show one entry or event in full.

    An entry with the words it comes from and its versions, an event with its directory, branch and agent.
    """
    answer = call.kernel.get.run(id_)
    if call.terminal.as_json:
        call.terminal.answer(answer)
        return
    if "entry" in answer:
        from quoth.surfaces.cli.shown import entries

        call.terminal.show(entries.whole(answer))
        call.terminal.hint(f"The original lines: quoth sources {id_}", f"All its versions:   quoth history {id_}")
        return
    from quoth.surfaces.cli.shown.events import whole

    call.terminal.show(whole(event_of(answer)))
    call.terminal.hint(f"In its conversation: quoth open {id_}", f"The original line:   quoth sources {id_}")


COMMAND = get
