"""`quoth rebuild`: make the index again."""

from __future__ import annotations

from quoth.surfaces.cli.failures import DONE, FAILED
from quoth.surfaces.cli.meters import meter
from quoth.surfaces.cli.verb import Call, verb


@verb(section="Look after", examples=["quoth rebuild"])
def rebuild(call: Call) -> int:
    """Make the index again from what is kept.

    The agents' folders are not looked at. Until the new index is complete, the old one answers.
    """
    from quoth.surfaces.cli.shown.words import counted

    with meter(call.terminal, "Rebuilding", always=True) as shown:
        done = call.kernel.rebuild.run(shown)
    if call.terminal.as_json:
        call.terminal.answer({"events": done.events, "failed": done.failed})
    call.terminal.say(f"The index is new; it holds {counted(done.events, 'event')}.")
    if done.failed:
        call.terminal.note(f"{counted(done.failed, 'log')} could not be read into it; `quoth doctor` says which.")
    return FAILED if done.failed else DONE


COMMAND = rebuild
