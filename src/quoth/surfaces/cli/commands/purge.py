"""`quoth purge`: wipe words from everything that is kept, for ever."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

import click

from quoth.core.errors import QuothError
from quoth.surfaces.cli import options
from quoth.surfaces.cli.failures import DONE, FAILED, INTERRUPTED, NOTHING_FOUND
from quoth.surfaces.cli.fresh import read_new
from quoth.surfaces.cli.meters import meter
from quoth.surfaces.cli.person import demand_person, speaker
from quoth.surfaces.cli.verb import Call, verb

if TYPE_CHECKING:
    from quoth.services.purge import Plan

_EVERYTHING = "everything"


@verb(
    section="Look after",
    examples=[
        "quoth purge claude-code:e8f2c91c-185b-4be8-aada-0ffa565907f3",
        'quoth purge --words "the name of a customer" --dry-run',
        "quoth purge --all",
    ],
)
@click.argument("ids", metavar="[ID]...", nargs=-1, type=options.text)
@options.combined(
    click.option("--words", type=options.text, metavar="TEXT", help="Everything that holds these words."),
    click.option("--all", "everything", is_flag=True, help="All that is kept: the whole home."),
    click.option("--dry-run", is_flag=True, help="Only say what would go."),
    click.option("--yes", is_flag=True, help="Do not ask."),
)
def purge(call: Call, *, ids: tuple[str, ...], words: str | None, everything: bool, dry_run: bool, yes: bool) -> int:
    """Wipe entries and events, or words wherever they stand, from every file that is kept. It can't be undone.

    Where others share a line with what goes, only the strings that hold it are wiped; an event goes as a whole, and so
    do the entries that cite it. It does not come back when a log is read again. The agents' own logs are not touched.
    Only you can do that: it needs a terminal that no agent started.
    """
    if [bool(ids), words is not None, everything].count(True) != 1:
        raise click.UsageError("Say what to purge: ids of entries or events, or --words, or --all.")
    if not dry_run:
        demand_person(call, "purge what is kept")
    if everything:
        return _all(call, dry_run=dry_run, yes=yes)
    return _some(call, ids, words, dry_run=dry_run, yes=yes)


def _some(call: Call, ids: tuple[str, ...], words: str | None, *, dry_run: bool, yes: bool) -> int:
    read_new(call)
    with meter(call.terminal, "Looking for it") as shown:
        plan = call.kernel.purge.plan(ids, words, meter=shown)
    if plan.is_empty and not call.kernel.purge.is_unfinished:
        return _nothing(call, plan, is_named=bool(ids))
    if dry_run:
        return _tell(call, plan, is_dry=True)
    if not yes and not _agrees(call, plan):
        return INTERRUPTED
    with meter(call.terminal, "Purging", always=True) as shown:
        done = call.kernel.purge.run(ids, words, by=speaker(call), meter=shown)
    status = _tell(call, done, is_dry=False)
    if call.kernel.ledger_path.exists() and call.kernel.ledger.is_unscrubbed():
        call.terminal.note("Another process still reads ledger.db, which holds old bytes until then: end it, then run")
        call.terminal.note("`quoth doctor --fix`.")
        return FAILED
    return status


def _nothing(call: Call, plan: Plan, *, is_named: bool) -> int:
    if call.terminal.as_json:
        call.terminal.answer(plan.shape())
    call.terminal.note("It is purged already." if is_named else "Nothing that is kept holds these words.")
    return DONE if is_named else NOTHING_FOUND


def _agrees(call: Call, plan: Plan) -> bool:
    from quoth.surfaces.cli.shown.purged import planned

    call.terminal.err.print(planned(plan, is_dry=True))
    return click.confirm("This can't be undone. Purge it?", err=True)


def _tell(call: Call, plan: Plan, *, is_dry: bool) -> int:
    from quoth.surfaces.cli.shown.purged import planned

    if call.terminal.as_json:
        call.terminal.answer(plan.shape())
        return DONE
    call.terminal.show(planned(plan, is_dry=is_dry))
    if is_dry:
        call.terminal.hint("Nothing was changed; without --dry-run it is.")
    else:
        call.terminal.hint("Backups, and the agents' own logs, still hold what was in them.")
    return DONE


def _all(call: Call, *, dry_run: bool, yes: bool) -> int:
    from quoth.surfaces.cli.shown.purged import leaving

    plan = call.kernel.leaving.plan()
    if plan.is_empty:
        call.terminal.note("Nothing is kept.")
        return NOTHING_FOUND
    if not dry_run and not yes:
        call.terminal.err.print(leaving(plan, is_dry=True, links=_links(call)))
        if click.prompt(f"Type {_EVERYTHING} to go on", err=True, default="", show_default=False) != _EVERYTHING:
            call.terminal.note("Nothing was changed.")
            return INTERRUPTED
    links = _links(call)
    done = plan if dry_run else call.kernel.leaving.run()
    if call.terminal.as_json:
        call.terminal.answer(done.shape())
    else:
        call.terminal.show(leaving(done, is_dry=dry_run, links=links))
    return DONE


def _links(call: Call) -> int:
    """Return how many agents still name our server; only the state knows, and it goes too."""
    with suppress(QuothError):
        return len(call.kernel.state.links()) if (call.kernel.home / "state.db").exists() else 0
    return 0


COMMAND = purge
