"""`quoth import`: take in what was exported or written elsewhere."""

from __future__ import annotations

from pathlib import Path

import click

from quoth.surfaces.cli import options
from quoth.surfaces.cli.person import speaker
from quoth.surfaces.cli.verb import Call, verb


@verb(
    section="Look after",
    examples=[
        "quoth import memory.jsonl",
        "quoth import ~/notes --dry-run",
        "quoth import ~/.memory/memory.json --format knowledge-graph",
    ],
)
@click.argument("path", type=click.Path(path_type=Path))
@click.option(
    "--format",
    "format_",
    type=click.Choice(["auto", "quoth", "notes", "knowledge-graph"]),
    default="auto",
    help="What PATH is; told by its first line. [auto]",
)
@click.option("--dry-run", is_flag=True, help="Only say what would come.")
@click.option("--project", type=options.text, metavar="PROJECT", help="Where it applies, if not here.")
def import_(call: Call, *, path: Path, format_: str, dry_run: bool, project: str | None) -> None:
    """Take in an export of Quoth, Markdown notes or a knowledge graph.

    PATH is a file of `quoth export`, a folder of notes, or the store of a knowledge-graph memory server.

    Importing twice is importing once, and a note that changed becomes a new version. Secrets are taken out before
    anything is stored. If a file can't be read, nothing is imported.
    """
    answer = call.kernel.importing.run(path, by=speaker(call), format=format_, dry_run=dry_run, project=project)
    if call.terminal.as_json:
        call.terminal.answer(answer)
        return
    from quoth.surfaces.cli.shown.proofs import imported

    call.terminal.show(imported(answer))


COMMAND = import_
