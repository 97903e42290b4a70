"""Show lists of what is known: projects, sources, checks."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Group, RenderableType
from rich.text import Text

from quoth.core.model import Project
from quoth.surfaces.cli.harmless import one_line
from quoth.surfaces.cli.shown.reports import plain_table


def projects(listed: Sequence[Project]) -> RenderableType:
    if not listed:
        return Text("No session and no entry belongs to a project yet.", style="dim")
    table = plain_table("project", "where", "sessions", "events")
    for project in listed:
        table.add_row(
            Text(one_line(project.display), style="bold", overflow="fold"),
            Text(one_line(project.paths[0]) if project.paths else "", style="dim", overflow="fold"),
            Text(f"{project.sessions:,}"),
            Text(f"{project.events:,}"),
        )
    return Group(table)
