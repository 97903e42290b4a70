"""`quoth export`: hand out what is remembered, for other programs and for keeps."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path

import click

from quoth.surfaces.cli import options
from quoth.surfaces.cli.terminal import is_tty
from quoth.surfaces.cli.verb import Call, verb


@verb(
    section="Look after",
    examples=[
        "quoth export --out memory.jsonl",
        "quoth export --format markdown --out notes",
        "quoth export --format csv --project shop > shop.csv",
    ],
)
@click.option(
    "--format",
    "format_",
    type=click.Choice(["jsonl", "markdown", "csv", "graph", "graph-csv"]),
    default="jsonl",
    help="All of it for `quoth import`, a folder of notes, a table, or nodes and edges. [jsonl]",
)
@click.option("--out", type=click.Path(path_type=Path), metavar="PATH", help="Where to; else standard output.")
@options.project
@click.option("--history", is_flag=True, help="With notes and tables: also the versions that were replaced.")
def export(call: Call, *, format_: str, out: Path | None, project: str | None, history: bool) -> None:
    """Write what is remembered into a file, or notes into a folder.

    No words that are forgotten, destroyed, sealed or quarantined leave. JSON lines hold every version with its
    sources, so that `quoth import` gives the same entries elsewhere. Files are yours alone and appear whole or not at
    all.
    """
    from quoth.surfaces.cli.shown.words import counted

    if out is None:
        _print(call, call.kernel.export.run(format_, project=project, history=history))
        return
    done = call.kernel.export.save(out, format_, project=project, history=history)
    if call.terminal.as_json:
        call.terminal.answer({"path": str(done.path), "files": done.files, "entries": done.entries})
    call.terminal.say(f"{counted(done.entries, 'entry', 'entries')} in {done.path}.")


def _print(call: Call, lines: Iterable[str]) -> None:
    """Write lines into a pipe as they are, in UTF-8; on a terminal harmless."""
    if is_tty(sys.stdout):
        call.terminal.raw([line.rstrip("\r\n") for line in lines])
        return
    for line in lines:
        sys.stdout.buffer.write(line.encode("utf-8"))
    sys.stdout.flush()


COMMAND = export
