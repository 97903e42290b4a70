"""`quoth correct`: write a new version of an entry; the old one stays in its history."""

from __future__ import annotations

import sys

import click

from quoth.services.correct import KEEP, Kept
from quoth.surfaces.cli import options
from quoth.surfaces.cli.citing import paired
from quoth.surfaces.cli.entry_shapes import entry_of
from quoth.surfaces.cli.person import speaker
from quoth.surfaces.cli.verb import Call, verb


@verb(
    section="Remember",
    examples=[
        'quoth correct a1b2c3d4 "Staging runs PostgreSQL 17." --quote "we moved staging to 17 today"',
        'quoth correct 1b7c9d20 --confidence 0.95 --reason "checked on the machine"',
    ],
)
@click.argument("id_", metavar="ID", type=options.text)
@click.argument("words", nargs=-1, type=options.text)
@options.combined(
    options.quotes,
    options.events,
    click.option("--reason", type=options.text, default="", metavar="WHY", help="Why it was wrong."),
    options.kind,
    options.type_,
    options.name,
    options.tags,
    click.option("--confidence", type=float, metavar="0–1", help="How sure it is."),
    click.option("--importance", type=float, metavar="0–1", help="How much it matters."),
    options.valid_from,
    options.valid_to,
    click.option("--event-time", type=options.text, metavar="TIME", help="When what it tells of happened."),
)
def correct(
    call: Call,
    *,
    id_: str,
    words: tuple[str, ...],
    quotes: tuple[str, ...],
    events: tuple[str, ...],
    reason: str,
    kind: str | None,
    type_: str | None,
    name: str | None,
    tags: tuple[str, ...],
    confidence: float | None,
    importance: float | None,
    valid_from: str | None,
    valid_to: str | None,
    event_time: str | None,
) -> None:
    """Put an entry right: WORDS replace what it says, the old version stays in its history.

    ID is that of the current version, or the end of it. What is not named stays as it was; `none` clears a time.
    """
    answer = call.kernel.correct.run(
        id_,
        _said(words),
        by=speaker(call),
        kind=KEEP if kind is None else kind,
        confidence=KEEP if confidence is None else confidence,
        sources=paired(events, quotes),
        valid_from=_time(valid_from),
        valid_to=_time(valid_to),
        type=KEEP if type_ is None else type_,
        name=KEEP if name is None else name,
        tags=tags or KEEP,
        importance=KEEP if importance is None else importance,
        event_time=_time(event_time),
        reason=reason,
    )
    if call.terminal.as_json:
        call.terminal.answer(answer)
        return
    from quoth.surfaces.cli.shown.entries import corrected

    call.terminal.show(corrected(answer))
    call.terminal.hint(f"All its versions: quoth history {entry_of(answer)['id']}")


def _said(words: tuple[str, ...]) -> str | None:
    if words == ("-",):
        return sys.stdin.read()
    return " ".join(words) if words else None


def _time(given: str | None) -> str | Kept | None:
    if given is None:
        return KEEP
    return None if given == "none" else given


COMMAND = correct
