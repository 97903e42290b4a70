"""Show a list of sessions: one line of facts each, and below it its id and the command that goes on with it."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from quoth.surfaces.cli.harmless import one_line
from quoth.surfaces.cli.shapes import SessionShape
from quoth.surfaces.cli.shown.layout import Unbroken
from quoth.surfaces.cli.shown.words import counted, moment, named, project_name, shortest

_ROOMY = 100  # columns; below, the source gives way to the title: the command that goes on names it
_NARROW = 70  # below, project and number of events as well
_PROJECT = 18


def sessions(listed: Sequence[SessionShape], console: Console) -> RenderableType:
    """Show the sessions in columns that are as wide as their longest word, the title taking the rest."""
    short = shortest([session["session"] for session in listed])
    rows = [_facts(session, console.width) for session in listed]
    widths = [max(fact.cell_len for fact in column) for column in zip(*rows, strict=True)]
    shown = (_session(session, row, widths, short) for session, row in zip(listed, rows, strict=True))
    return Group(*(part for parts in shown for part in parts))


def _facts(session: SessionShape, width: int) -> Sequence[Text]:
    """Return what stands in each column, as many as there is room for."""
    project = project_name(session["project"])
    project.truncate(_PROJECT, overflow="ellipsis")
    source = [Text(one_line(session["source"]))] if width >= _ROOMY else []
    more = [project, Text(counted(session["events"], "event"))] if width >= _NARROW else []
    return [moment(session["ended"]), *source, *more, _title(session)]


def _title(session: SessionShape) -> Text:
    title = Text(named(session), style="bold")
    return Text.assemble(("↳ ", "dim"), title) if session["parent"] else title


def _session(
    session: SessionShape, facts: Sequence[Text], widths: Sequence[int], short: dict[str, str]
) -> Sequence[RenderableType]:
    line = Table.grid(padding=(0, 2, 0, 0), expand=True)
    for fact, width in zip(facts[:-1], widths, strict=False):
        line.add_column(
            width=width, no_wrap=True, justify="right" if fact.plain.endswith(("event", "events")) else "left"
        )
    line.add_column(ratio=1, no_wrap=True, overflow="ellipsis")
    line.add_row(*facts)
    below = "  ".join(filter(None, (one_line(short[session["session"]]), one_line(session["resume"] or ""))))
    return [line, Unbroken(Text(below, style="dim"))]
