"""`quoth restore`: bring back what was forgotten, or make a home from a backup."""

from __future__ import annotations

from pathlib import Path

import click

from quoth.surfaces.cli import options
from quoth.surfaces.cli.verb import Call, verb


@verb(
    section="Look after",
    examples=[
        "quoth restore tmb_019f0c2a1b7c4d5e8f90a1b2c3d4e5f6",
        "quoth restore --from /media/disk/quoth-2026-10-20",
    ],
)
@click.argument("tombstone", required=False, type=options.text)
@options.combined(
    click.option("--reason", type=options.text, default="", metavar="WORDS", help="Why; it is kept."),
    click.option("--from", "folder", type=click.Path(path_type=Path), metavar="FOLDER", help="A backup."),
)
def restore(call: Call, *, tombstone: str | None, reason: str, folder: Path | None) -> None:
    """Bring back what was forgotten, or a backup into an empty home.

    With TOMBSTONE, what `quoth forget` hid under that id is visible again; `quoth forget --list` has the ids. Only you
    can do that: it needs a terminal that no agent started.

    With --from, every file of a backup is checked against its list, then the index is made.
    """
    if tombstone is not None and folder is None:
        _undo(call, tombstone, reason)
    elif folder is not None and tombstone is None:
        _bring_back(call, folder)
    else:
        raise click.UsageError("Say what to restore: a TOMBSTONE, or a backup with --from.")


def _undo(call: Call, tombstone: str, reason: str) -> None:
    from quoth.surfaces.cli.person import TERMINAL, demand_person, speaker

    demand_person(call, "restore what was forgotten")
    answer = call.kernel.undo.run(tombstone, by=speaker(call), how=TERMINAL, reason=reason)
    if call.terminal.as_json:
        call.terminal.answer(answer)
        return
    from quoth.surfaces.cli.shown.forgotten import restored

    call.terminal.show(restored(answer, call.kernel.forget.entries))


def _bring_back(call: Call, folder: Path) -> None:
    from quoth.surfaces.cli.shown.words import counted

    done = call.kernel.restore.run(folder)
    if call.terminal.as_json:
        answer = {"folder": str(done.folder), "files": done.files, "bytes": done.bytes, "events": done.events}
        call.terminal.answer(answer)
    held = f"{counted(done.files, 'file')}, {counted(done.events or 0, 'event')}"
    call.terminal.say(f"{done.folder} is restored: {held}.")


COMMAND = restore
