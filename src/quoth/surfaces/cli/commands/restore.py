"""`quoth restore`: make a home from a backup."""

from __future__ import annotations

from pathlib import Path

import click

from quoth.surfaces.cli.verb import Call, verb


@verb(section="Look after", examples=["quoth restore --from /media/disk/quoth-2026-10-20"])
@click.option("--from", "folder", type=click.Path(path_type=Path), required=True, metavar="FOLDER", help="The backup.")
def restore(call: Call, *, folder: Path) -> None:
    """Bring a backup back into an empty home.

    Every file is checked against the list of the backup, then the index is made.
    """
    from quoth.surfaces.cli.shown.words import counted

    done = call.kernel.restore.run(folder)
    if call.terminal.as_json:
        answer = {"folder": str(done.folder), "files": done.files, "bytes": done.bytes, "events": done.events}
        call.terminal.answer(answer)
    held = f"{counted(done.files, 'file')}, {counted(done.events or 0, 'event')}"
    call.terminal.say(f"{done.folder} is restored: {held}.")


COMMAND = restore
