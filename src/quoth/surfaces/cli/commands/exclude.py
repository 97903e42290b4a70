"""`quoth exclude`: say what must not be read."""

from __future__ import annotations

import click

from quoth.core.model import Exclusion, Json
from quoth.surfaces.cli import options
from quoth.surfaces.cli.failures import DONE, NOTHING_FOUND
from quoth.surfaces.cli.verb import Call, verb, verbs

COMMAND = verbs(
    section="Look after",
    help="Say what is not read.\n\nA project, a folder, an agent, or logs whose path matches a pattern.",
    examples=["quoth exclude add --project diary", "quoth exclude add --pattern '**/secret-*'", "quoth exclude list"],
)

_what = options.combined(
    click.option("--project", "projects", multiple=True, metavar="PROJECT", help="A project by name or owner/name."),
    click.option("--folder", "folders", multiple=True, metavar="FOLDER", help="A folder that agents worked in."),
    click.option("--source", "sources", multiple=True, metavar="SOURCE", help="An agent, such as codex."),
    click.option("--pattern", "patterns", multiple=True, metavar="GLOB", help="Logs whose path matches."),
)


@verb(name="add", examples=["quoth exclude add --project diary", "quoth exclude add --folder ~/private"])
@_what
def add(call: Call, **chosen: tuple[str, ...]) -> None:
    """Read nothing more of it.

    What was read before stays.
    """
    done = [call.kernel.exclude.add(kind, value) for kind, value in _chosen(chosen)]
    if call.terminal.as_json:
        call.terminal.answer({"excluded": [{**_shape(d.exclusion, d.name), "is_new": d.is_new} for d in done]})
    for excluded in done:
        call.terminal.say(f"Nothing more is read of {excluded.exclusion.kind} {excluded.name}.")
        call.terminal.hint("What was read before stays searchable.")


@verb(name="remove", examples=["quoth exclude remove --project diary"])
@_what
def remove(call: Call, **chosen: tuple[str, ...]) -> int:
    """Read it again, from the next `quoth sync` on."""
    pairs = _chosen(chosen)
    removed = [(kind, value) for kind, value in pairs if call.kernel.exclude.remove(kind, value)]
    if call.terminal.as_json:
        call.terminal.answer({"removed": [{"kind": kind, "value": value} for kind, value in removed]})
    for kind, value in pairs:
        known = (kind, value) in removed
        sentence = f"{kind} {value} is read again." if known else f"{kind} {value} was not excluded."
        (call.terminal.say if known else call.terminal.note)(sentence)
    return DONE if removed else NOTHING_FOUND


@verb(name="list", examples=["quoth exclude list"])
def list_(call: Call) -> None:
    """List what is not read."""
    excluded = call.kernel.exclude.list()
    if call.terminal.as_json:
        call.terminal.answer({"excluded": [_shape(exclusion, name) for exclusion, name in excluded]})
    for exclusion, name in excluded:
        call.terminal.say(f"{exclusion.kind:<7}  {name}")
    if not excluded and not call.terminal.as_json:
        call.terminal.note("Nothing is excluded: all logs of the known agents are read.")


def _shape(exclusion: Exclusion, name: str) -> dict[str, Json]:
    return {"kind": exclusion.kind, "value": exclusion.value, "name": name}


def _chosen(chosen: dict[str, tuple[str, ...]]) -> list[tuple[str, str]]:
    pairs = [(kind.removesuffix("s"), value) for kind, values in chosen.items() for value in values]
    if not pairs:
        raise click.UsageError("Say what: --project, --folder, --source or --pattern.")
    return pairs


for _command in (add, remove, list_):
    COMMAND.add_command(_command)
