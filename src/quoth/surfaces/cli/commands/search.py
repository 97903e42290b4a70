"""`quoth search`: what is remembered, and the places where all the words were said."""

from __future__ import annotations

from collections.abc import Mapping

import click

from quoth.core.model import Json
from quoth.surfaces.cli import options
from quoth.surfaces.cli.entry_shapes import entries_of
from quoth.surfaces.cli.failures import NOTHING_FOUND
from quoth.surfaces.cli.fresh import read_new, say_empty
from quoth.surfaces.cli.shapes import events_of
from quoth.surfaces.cli.verb import Call, verb


@verb(
    section="Find",
    examples=[
        'quoth search "rate limit"',
        "quoth search 缓存 失效 --project demo-app --since 30d",
        "quoth search ECONNRESET --tools --json",
        "quoth search deploy --in entries --type rule",
    ],
)
@click.argument("words", nargs=-1, type=options.text)
@options.combined(
    options.since(),
    options.until,
    options.source,
    options.project,
    options.tools,
    click.option(
        "--in",
        "target",
        type=click.Choice(["all", "entries", "events"]),
        default="all",
        help="Only what is remembered (entries), or only what was said (events). [all]",
    ),
    options.kind,
    options.type_,
    options.limit(20, 100, "N entries and N events"),
    options.cursor,
    options.no_sync,
)
def search(
    call: Call,
    *,
    words: tuple[str, ...],
    since: str | None,
    until: str | None,
    source: str | None,
    project: str | None,
    include_tools: bool,
    target: str,
    kind: str | None,
    type_: str | None,
    limit: int,
    cursor: str | None,
    no_sync: bool,
) -> int:
    """Find what is remembered and where it was said: all the WORDS must occur, best first.

    Any language: a Chinese or Japanese word is found inside longer ones, camelCase and snake_case by their parts.
    Without words the most recent messages are shown.
    """
    status = 0 if no_sync else read_new(call)
    answer = call.kernel.search.run(
        " ".join(words),
        since=since,
        until=until,
        source=source,
        project=project,
        include_tools=include_tools,
        target=target,
        kind=kind,
        type=type_,
        limit=limit,
        cursor=cursor,
    )
    found = len(entries_of(answer)) + len(events_of(answer))
    if call.terminal.as_json:
        call.terminal.answer(answer)
    elif found:
        _show(call, answer, " ".join(words))
    _say_next(call, found, answer["next"], include_tools=include_tools)
    return status or (0 if found else NOTHING_FOUND)


def _show(call: Call, answer: Mapping[str, Json], words: str) -> None:
    from quoth.surfaces.cli.shown import entries, events

    entered, said = entries_of(answer), events_of(answer)
    if entered:
        call.terminal.show(entries.found(entered, words, call.terminal.out))
    if entered and said:
        call.terminal.show("")
    if said:
        call.terminal.show(events.places(said, words, call.terminal.out))


def _say_next(call: Call, found: int, cursor: object, *, include_tools: bool) -> None:
    if not found and not call.terminal.as_json:
        tools = "" if include_tools else " --tools looks into what tools did as well."
        call.terminal.note(say_empty(call) or f"Nothing found: no entry and no message has all these words.{tools}")
    elif found:
        more = [f"There may be more: add --cursor {cursor}"] if cursor else []
        call.terminal.hint("Open one with its id: quoth open ID", *more)


COMMAND = search
