"""Show what a purge takes away: numbers, ids and files, never a text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from rich.console import Group, RenderableType
from rich.text import Text

from quoth.surfaces.cli.harmless import one_line
from quoth.surfaces.cli.shown.layout import indented
from quoth.surfaces.cli.shown.words import counted, identity, size

if TYPE_CHECKING:
    from quoth.services.leaving import Leave
    from quoth.services.purge import Plan

_SHOWN = 8  # ids of a longer list that are shown


def planned(plan: Plan, *, is_dry: bool) -> RenderableType:
    """Say what goes, what goes along, where it is wiped, and what stays."""
    shape = plan.shape()
    files, lines = int(str(shape["files"])), int(str(shape["lines"]))
    named = _counted(len(plan.entries), len(plan.events)) or counted(lines, "line")
    return Group(
        Text.assemble(("Would purge " if is_dry else "Purged: ", "bold red" if is_dry else "bold green"), named, "."),
        *_ids([*plan.entries, *plan.events]),
        *_along(plan),
        Text(f"Wiped in the mirror: {counted(lines, 'line')} of {counted(files, 'log')}.", style="dim"),
        *_staying(plan),
    )


def leaving(plan: Leave, *, is_dry: bool, links: int) -> RenderableType:
    """Say what of the home goes and what does not."""
    head = Text.assemble(
        ("Would remove " if is_dry else "Removed: ", "bold red" if is_dry else "bold green"),
        f"{counted(plan.files, 'file')}, {size(plan.bytes)}, in {one_line(str(plan.home))}.",
    )
    stays = ", ".join(map(one_line, plan.others))
    return Group(
        head,
        indented(Text(", ".join(map(one_line, plan.ours)), style="dim")),
        *([Text(f"Not ours, and stays: {stays}.", style="yellow")] if stays else []),
        *([Text(_linked(links, is_dry=is_dry), style="yellow")] if links else []),
    )


def _linked(links: int, *, is_dry: bool) -> str:
    entries = counted(links, "file of an agent still names", "files of agents still name")
    return f"{entries} Quoth; " + ("run `quoth unlink --all` first." if is_dry else "take it out there yourself.")


def _along(plan: Plan) -> Iterator[RenderableType]:
    if along := _counted(len(plan.entries_along), len(plan.events_along)):
        yield Text(f"With it: {along} that cite it or can't be told apart from it.", style="yellow")
        yield from _ids([*plan.entries_along, *plan.events_along])


def _staying(plan: Plan) -> Iterator[RenderableType]:
    if plan.also_said:
        said = counted(plan.also_said, "other event holds the same words", "other events hold the same words")
        yield Text(f"{said} and will stay; --words reaches them.", style="yellow")
    if plan.stays:
        yield Text(f"Paths or settings in {', '.join(plan.stays)} hold the words and stay.", style="yellow")


def _counted(entries: int, events: int) -> str:
    parts = [counted(entries, "entry", "entries") if entries else "", counted(events, "event") if events else ""]
    return " and ".join(filter(None, parts))


def _ids(ids: Sequence[str]) -> Iterator[RenderableType]:
    yield from (indented(identity(each)) for each in ids[:_SHOWN])
    if len(ids) > _SHOWN:
        yield indented(Text(f"… and {len(ids) - _SHOWN:,} more; --json has all", style="dim"))
