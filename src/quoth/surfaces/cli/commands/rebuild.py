"""`quoth rebuild`: make the index again."""

from __future__ import annotations

from quoth.surfaces.cli.meters import meter
from quoth.surfaces.cli.verb import Call, verb


@verb(section="Look after", examples=["quoth rebuild"])
def rebuild(call: Call) -> None:
    """Make the index again from what is kept.

    The agents' folders are not looked at. Until the new index is complete, the old one answers.
    """
    from quoth.surfaces.cli.shown.words import counted

    with meter(call.terminal, "Rebuilding", always=True) as shown:
        events = call.kernel.rebuild.run(shown)
    if call.terminal.as_json:
        call.terminal.answer({"events": events})
    call.terminal.say(f"The index is new; it holds {counted(events, 'event')}.")


COMMAND = rebuild
