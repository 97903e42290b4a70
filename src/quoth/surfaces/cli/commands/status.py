"""`quoth status`: what the archive holds, and what it could not read."""

from __future__ import annotations

from quoth.surfaces.cli.verb import Call, verb


@verb(section="Look after", examples=["quoth status", "quoth status --json"])
def status(call: Call) -> None:
    """Show what is kept, per agent, and what could not be read."""
    answer = call.kernel.status.run()
    if call.terminal.as_json:
        call.terminal.answer(answer)
        return
    from quoth.surfaces.cli.shown.state import status as shown

    call.terminal.show(shown(answer))


COMMAND = status
