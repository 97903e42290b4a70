"""`quoth forget`: hide entries and events, and list what was hidden."""

from __future__ import annotations

import click

from quoth.surfaces.cli import options
from quoth.surfaces.cli.person import speaker
from quoth.surfaces.cli.verb import Call, verb


@verb(
    section="Remember",
    examples=[
        'quoth forget ent_019f0c2a1b7c4d5e8f90a1b2c3d4e5f6 --reason "It was never decided."',
        'quoth forget claude-code:e8f2c91c-185b-4be8-aada-0ffa565907f3 --words --reason "The name of a customer."',
        "quoth forget ent_019f0c2a1b7c4d5e8f90a1b2c3d4e5f6 --cited --dry-run",
        "quoth forget --list",
    ],
)
@click.argument("ids", metavar="[ID]...", nargs=-1, type=options.text)
@options.combined(
    click.option("--reason", type=options.text, metavar="WORDS", help="Why; it is kept with what was hidden."),
    click.option("--cited", is_flag=True, help="Also the events that an entry cites."),
    click.option("--words", is_flag=True, help="Also everything else that holds the same words."),
    click.option("--dry-run", is_flag=True, help="Only say what would be hidden."),
    click.option("--list", "is_list", is_flag=True, help="List what was forgotten and can be restored."),
)
def forget(
    call: Call, *, ids: tuple[str, ...], reason: str | None, cited: bool, words: bool, dry_run: bool, is_list: bool
) -> None:
    """Hide entries and events from every answer, now and when a log is read again.

    An entry goes with all its versions; an event goes with every entry that cites it. Nothing is destroyed: `quoth
    restore` brings it back. What must not even lie on the disk is for `quoth purge`.
    """
    _demand_sense(ids, reason, dry_run=dry_run, is_list=is_list)
    if is_list:
        _list(call)
        return
    answer = call.kernel.forget.run(ids, reason or "", by=speaker(call), cited=cited, words=words, dry_run=dry_run)
    if call.terminal.as_json:
        call.terminal.answer(answer)
        return
    from quoth.surfaces.cli.shown.forgotten import hidden, next_steps

    call.terminal.show(hidden(answer, call.kernel.forget.entries, is_dry=dry_run))
    call.terminal.hint(*next_steps(answer, ids, reaches_words=words, is_dry=dry_run))


def _demand_sense(ids: tuple[str, ...], reason: str | None, *, dry_run: bool, is_list: bool) -> None:
    if is_list == bool(ids):
        raise click.UsageError("Say what to forget: ids of entries or events, or --list alone.")
    if ids and reason is None and not dry_run:
        raise click.UsageError("Say why: --reason.")


def _list(call: Call) -> None:
    tombstones = call.kernel.forget.tombstones()
    if call.terminal.as_json:
        call.terminal.answer({"tombstones": tombstones})
    elif not tombstones:
        call.terminal.note("Nothing was forgotten.")
    else:
        from quoth.surfaces.cli.shown.forgotten import listed

        call.terminal.page(listed(tombstones))
        call.terminal.hint("Bring one back: quoth restore TOMBSTONE")


COMMAND = forget
