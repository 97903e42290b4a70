"""Tell the person from an agent: what only the person may do needs a terminal that no agent started (DESIGN §6)."""

from __future__ import annotations

import sys
from collections.abc import Iterator

from quoth.core.errors import PersonOnly
from quoth.core.speaker import Speaker, agent_of, mark_of
from quoth.surfaces.cli.terminal import is_tty
from quoth.surfaces.cli.verb import Call

TERMINAL = "terminal"  # how the person was told from an agent, as it is recorded


def speaker(call: Call) -> Speaker:
    """Return who speaks: in an agent's shell the agent, never the person."""
    return Speaker(agent_of(call.kernel.env))


def demand_person(call: Call, what: str) -> None:
    """Let only the person go on. `what` completes "Only you can …".

    Raises:
        PersonOnly: standard input is no terminal, or an agent started this shell.
    """
    if doubts := list(_doubts(call)):
        raise PersonOnly(what, " and ".join(doubts))


def _doubts(call: Call) -> Iterator[str]:
    if not is_tty(sys.stdin):
        yield "standard input is no terminal"
    if mark := mark_of(call.kernel.env):
        yield f"{mark.variable} says that an agent ({mark.agent}) started this shell"
