"""`quoth handoff`: keep how far a piece of work is, for whoever goes on with it."""

from __future__ import annotations

import sys

import click

from quoth.surfaces.cli import options
from quoth.surfaces.cli.entry_shapes import entry_of
from quoth.surfaces.cli.person import speaker
from quoth.surfaces.cli.verb import Call, verb


@verb(
    section="Remember",
    examples=[
        'quoth handoff "Login is fixed: expired sessions were not refused. Next: integration tests."',
        "quoth handoff - < handoff.md",
    ],
)
@click.argument("words", nargs=-1, type=options.text, required=True)
@options.combined(
    click.option("--project", type=options.text, metavar="PROJECT", help="Which project it is about, if not this one."),
    click.option(
        "--scope",
        type=click.Choice(["branch", "repository", "workspace", "tenant"]),
        help="How far it applies. [the branch that is checked out, else the repository]",
    ),
)
def handoff(call: Call, *, words: tuple[str, ...], project: str | None, scope: str | None) -> None:
    """Hand a piece of work over: what changed, why, how it was checked, risks, next steps.

    WORDS are the summary; `-` reads it from standard input. The newest one opens the next `quoth brief` here. On a
    branch it is for that branch alone, until that is merged.
    """
    answer = call.kernel.handoff.run(
        sys.stdin.read() if words == ("-",) else " ".join(words), by=speaker(call), project=project, scope=scope
    )
    if call.terminal.as_json:
        call.terminal.answer(answer)
        return
    from quoth.surfaces.cli.shown.entries import handed_over

    call.terminal.show(handed_over(answer))
    entry = entry_of(answer)["id"]
    call.terminal.hint("See what the next session is told: quoth brief", f"Put it right: quoth correct {entry} WORDS")


COMMAND = handoff
