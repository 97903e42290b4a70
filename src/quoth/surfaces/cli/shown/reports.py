"""Show what reading would do and what it did, source by source."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from quoth.core.model import Skipped
from quoth.services.ingest import Look, SourceReport
from quoth.surfaces.cli.harmless import one_line
from quoth.surfaces.cli.shown.words import about, counted, homely, size

READ_A_SECOND = 12_000_000  # bytes, on a slow machine; only for estimates
_LISTED = 10


def first_look(looks: Sequence[Look], home: Path) -> RenderableType:
    """Show what would be read, how much it is, and about how long it takes."""
    table = plain_table("source", "where", "files", "to read", "about")
    here = [look for look in looks if look.files]
    for look in here:
        table.add_row(
            Text(look.source, style="bold"),
            Text(homely(look.root, home), overflow="fold"),
            Text(f"{look.files:,}"),
            Text(size(look.bytes)),
            Text(about(look.bytes / READ_A_SECOND) if look.changed else "nothing new"),
        )
    return Group(*([table] if here else []), *_left_out(sum(look.excluded for look in looks)))


def report(sources: Sequence[SourceReport]) -> RenderableType:
    """Show what one pass did."""
    table = plain_table("source", "files", "changed", "read", "new events", "skipped")
    here = [source for source in sources if source.files or source.skipped]
    for source in here:
        skipped = len(source.skipped) - source.failed
        table.add_row(
            Text(source.source, style="bold"),
            Text(f"{source.files:,}"),
            Text(f"{source.changed:,}"),
            Text(size(source.read)),
            Text(f"{source.events:,}", style="bold green" if source.events else ""),
            Text(f"{skipped:,}" if skipped else "–"),
        )
    return Group(*([table] if here else []), *_left_out(sum(source.excluded for source in sources)))


def _left_out(excluded: int) -> Sequence[Text]:
    return [Text(f"Left out as you said: {counted(excluded, 'file')}.", style="dim")] if excluded else []


def reasons(skipped: Sequence[Skipped]) -> Sequence[str]:
    """Say what was not read and why, a few of each reason."""
    lines = [f"  {one_line(thing.path)}: {thing.reason.replace('_', ' ')}" for thing in skipped[:_LISTED]]
    more = len(skipped) - _LISTED
    return [*lines, f"  … and {more:,} more; `quoth status --json` lists all."] if more > 0 else lines


def plain_table(*columns: str) -> Table:
    """Make a table without lines; the first two columns hold words, the others numbers."""
    table = Table(box=None, pad_edge=False, padding=(0, 3, 0, 0), header_style="dim")
    for number, column in enumerate(columns):
        table.add_column(column, justify="left" if number == 0 or column in {"where", "about"} else "right")
    return table
