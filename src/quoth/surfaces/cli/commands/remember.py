"""`quoth remember`: keep a statement with the words it comes from."""

from __future__ import annotations

import sys

import click

from quoth.surfaces.cli import options
from quoth.surfaces.cli.citing import paired
from quoth.surfaces.cli.entry_shapes import entry_of
from quoth.surfaces.cli.person import speaker
from quoth.surfaces.cli.verb import Call, verb

_BY_HAND = "written down by the person"


@verb(
    section="Remember",
    examples=[
        'quoth remember "Staging runs PostgreSQL 16 since October." --quote "staging is on Postgres 16 now"',
        'quoth remember "Never deploy on Fridays." --type rule --event codex:019a2b3c:message:4',
        "quoth remember - --type note < note.txt",
    ],
)
@click.argument("words", nargs=-1, type=options.text, required=True)
@options.combined(
    options.quotes,
    options.events,
    click.option("--uncited", type=options.text, metavar="WHY", help="Why nothing is cited."),
    options.kind,
    options.type_,
    options.name,
    options.tags,
    options.confidence,
    options.importance,
    options.valid_from,
    options.valid_to,
    click.option("--event-time", type=options.text, metavar="TIME", help="When what it tells of happened."),
    click.option("--project", type=options.text, metavar="PROJECT", help="Where it applies, if not here."),
    click.option(
        "--scope",
        type=click.Choice(["repository", "branch", "workspace", "tenant"]),
        default="repository",
        help="How far it applies: this branch, repository, its owner's repositories, everywhere. [repository]",
    ),
    click.option("--explain", is_flag=True, help="Say by which words and rules it was taken as what it is."),
)
def remember(
    call: Call,
    *,
    words: tuple[str, ...],
    quotes: tuple[str, ...],
    events: tuple[str, ...],
    uncited: str | None,
    kind: str | None,
    type_: str | None,
    name: str | None,
    tags: tuple[str, ...],
    confidence: float | None,
    importance: float | None,
    valid_from: str | None,
    valid_to: str | None,
    event_time: str | None,
    project: str | None,
    scope: str,
    explain: bool,
) -> None:
    """Keep a statement: a decision with its reason, a stable fact, a preference.

    WORDS are the statement; `-` reads it from standard input. Cite what it comes from: with --quote the words as they
    were said, with --event the id of where they were said, with both the words in that place. Secrets are taken out
    before anything is stored. What you write down yourself needs no quote.
    """
    by = speaker(call)
    cited = paired(events, quotes)
    answer = call.kernel.remember.run(
        sys.stdin.read() if words == ("-",) else " ".join(words),
        by=by,
        kind=kind,
        type=type_,
        name=name,
        sources=cited,
        uncited=uncited or (_BY_HAND if by.is_person and not cited else None),
        confidence=confidence,
        importance=importance,
        tags=tags,
        valid_from=valid_from,
        valid_to=valid_to,
        event_time=event_time,
        project=project,
        scope=scope,
        explain=explain,
    )
    if call.terminal.as_json:
        call.terminal.answer(answer)
        return
    from quoth.surfaces.cli.shown.entries import remembered

    call.terminal.show(remembered(answer))
    entry = entry_of(answer)["id"]
    call.terminal.hint(f"See it with its sources: quoth get {entry}", f"Put it right: quoth correct {entry} WORDS")


COMMAND = remember
