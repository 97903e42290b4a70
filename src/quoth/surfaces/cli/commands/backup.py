"""`quoth backup`: copy everything that can't be made again."""

from __future__ import annotations

from pathlib import Path

import click

from quoth.surfaces.cli.verb import Call, verb


@verb(section="Look after", examples=["quoth backup /media/disk/quoth-2026-10-20"])
@click.argument("folder", type=click.Path(path_type=Path))
def backup(call: Call, *, folder: Path) -> None:
    """Copy everything that is kept into a new FOLDER.

    The index is left out: `quoth restore` makes it again. The folder appears complete or not at all.
    """
    from quoth.surfaces.cli.shown.words import counted, size

    done = call.kernel.backup.run(folder)
    if call.terminal.as_json:
        call.terminal.answer({"folder": str(done.folder), "files": done.files, "bytes": done.bytes})
    call.terminal.say(f"{counted(done.files, 'file is', 'files are')} in {done.folder} ({size(done.bytes)}).")
    call.terminal.hint(f"Bring it back into an empty home: quoth restore --from {done.folder}")


COMMAND = backup
