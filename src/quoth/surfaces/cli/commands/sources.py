"""`quoth sources`: the original lines behind an event or entry, with the file they came from."""

from __future__ import annotations

import click

from quoth.surfaces.cli import options
from quoth.surfaces.cli.failures import DONE, NOTHING_FOUND
from quoth.surfaces.cli.shapes import sources_of
from quoth.surfaces.cli.verb import Call, verb


@verb(
    section="Find",
    examples=["quoth sources claude-code:e8f2c91c-185b-4be8-aada-0ffa565907f3", "quoth sources ID --raw | jq ."],
)
@click.argument("id_", metavar="ID", type=options.text)
@click.option("--raw", is_flag=True, help="Only the lines; into a pipe exactly as the agent wrote them.")
def sources(call: Call, *, id_: str, raw: bool) -> int:
    """Show the original lines of an event, or those that an entry comes from.

    Every place where an event was read: the agent's file, the number of the line, and the line itself.
    """
    answer = call.kernel.sources.run(id_) if call.terminal.as_json else call.kernel.sources.run(id_, limit=None)
    listed = sources_of(answer)
    if call.terminal.as_json:
        call.terminal.answer(answer)
    elif raw:
        call.terminal.raw([source["raw"] for source in listed])
    else:
        from quoth.surfaces.cli.shown.lines import lines

        call.terminal.show(lines(listed))
    if not listed and not call.terminal.as_json:
        call.terminal.note(f"It cites nothing; `quoth get {id_}` says why.")
    return DONE if listed else NOTHING_FOUND


COMMAND = sources
