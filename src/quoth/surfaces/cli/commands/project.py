"""`quoth project`: list the projects, and correct what was taken for one or for two."""

from __future__ import annotations

import click

from quoth.core.model import Json, Project
from quoth.surfaces.cli.verb import Call, verb, verbs

COMMAND = verbs(
    section="Look after",
    help="List, merge and rename projects.\n\nA repository is one project, however many folders it is in.",
    examples=["quoth project list", "quoth project merge shop-old shop", 'quoth project rename shop "The shop"'],
)


@verb(name="list", examples=["quoth project list"])
def list_(call: Call) -> None:
    """List the projects, with their folders, sessions and events.

    One in which something is only remembered has none of these.
    """
    call.kernel.memory.catch_up()
    projects = call.kernel.projects.list()
    if call.terminal.as_json:
        call.terminal.answer({"projects": [_shape(project) for project in projects]})
        return
    from quoth.surfaces.cli.shown.lists import projects as table

    call.terminal.show(table(projects))


@verb(name="merge", examples=["quoth project merge shop-old shop"])
@click.argument("project")
@click.argument("into")
def merge(call: Call, *, project: str, into: str) -> None:
    """Make PROJECT part of INTO."""
    _tell(call, call.kernel.projects.merge(project, into), "is one project now")


@verb(name="rename", examples=['quoth project rename shop "The shop"'])
@click.argument("project")
@click.argument("name")
def rename(call: Call, *, project: str, name: str) -> None:
    """Show PROJECT under another NAME on this device."""
    _tell(call, call.kernel.projects.rename(project, name), "is its name now")


def _tell(call: Call, project: Project, what: str) -> None:
    if call.terminal.as_json:
        call.terminal.answer(_shape(project))
    else:
        from quoth.surfaces.cli.shown.words import counted

        held = f"{counted(project.sessions, 'session')} and {counted(project.events, 'event')}"
        call.terminal.say(f"{project.display} {what}; it has {held}.")


def _shape(project: Project) -> Json:
    return {
        "id": project.id,
        "name": project.display,
        "owner": project.owner,
        "paths": list(project.paths),
        "sessions": project.sessions,
        "events": project.events,
    }


for _command in (list_, merge, rename):
    COMMAND.add_command(_command)
