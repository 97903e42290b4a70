"""Show what was proved and what was not, and what an import brings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import cast

from rich.console import Group, RenderableType
from rich.text import Text

from quoth.core.model import Json
from quoth.surfaces.cli.harmless import one_line
from quoth.surfaces.cli.shown.reports import plain_table
from quoth.surfaces.cli.shown.words import counted

_LISTED = 50


def findings(found: Sequence[Mapping[str, str]]) -> RenderableType:
    """Show what can't be proved, one a row; the rest is counted."""
    table = plain_table("finding", "where")
    for each in found[:_LISTED]:
        table.add_row(Text(each["code"], style="bold red"), Text(one_line(each["message"]), overflow="fold"))
    more = len(found) - _LISTED
    return Group(table, *([Text(f"… and {more:,} more; --json lists all.", style="dim")] if more > 0 else []), Text())


def proved(answer: Mapping[str, Json]) -> RenderableType:
    """Say in a sentence how much was looked at, and whether all of it is sound."""
    numbers = cast("Mapping[str, int]", answer)
    looked = f"{counted(numbers['operations'], 'operation')}, {counted(numbers['citations'], 'citation')}"
    notes = [
        f"{counted(numbers[name], 'citation')} {what}"
        for name, what in (("destroyed", "of what was destroyed"), ("elsewhere", "of what only another device has"))
        if numbers[name]
    ]
    aside = [Text("; ".join(notes) + ".", style="dim")] if notes else []
    if answer["ok"]:
        return Group(Text(f"Everything is proved: {looked}.", style="bold green"), *aside)
    failed = counted(len(cast("Sequence[object]", answer["findings"])), "finding")
    return Group(Text(f"{failed} in {looked}.", style="bold red"), *aside)


def imported(answer: Mapping[str, Json]) -> RenderableType:
    """Say what an import brought, or would bring, and what it left."""
    numbers = cast("Mapping[str, int]", answer)
    will = "would be " if answer["dry_run"] else ""
    parts = [
        f"{counted(numbers['added'], 'entry', 'entries')} {will}added",
        f"{counted(numbers['corrected'], 'newer version')} {will}added" if numbers["corrected"] else "",
        f"{counted(numbers['relations'], 'relation')} {will}added" if numbers["relations"] else "",
        f"{numbers['duplicates']:,} known already" if numbers["duplicates"] else "",
        f"{counted(numbers['redacted'], 'secret')} taken out" if numbers["redacted"] else "",
    ]
    said = Text(f"{', '.join(filter(None, parts))}.", style="bold")
    rows = [*_coming(answer), *_left(cast("Sequence[Mapping[str, str]]", answer["skipped"]))]
    return Group(*rows, *([Text()] if rows else []), said)


def _coming(answer: Mapping[str, Json]) -> Sequence[RenderableType]:
    """Name what would come; after an import `search` shows it."""
    entries = cast("Sequence[Mapping[str, Json]]", answer["entries"])
    if not answer["dry_run"] or not entries:
        return []
    table = plain_table("type", "where")
    for entry in entries[:_LISTED]:
        what = " (a new version)" if entry["corrects"] else ""
        table.add_row(Text(str(entry["type"])), Text(f"{one_line(str(entry['name'] or entry['id']))}{what}"))
    more = len(entries) - _LISTED
    return [table, *([Text(f"… and {more:,} more.", style="dim")] if more > 0 else [])]


def _left(left: Sequence[Mapping[str, str]]) -> Sequence[RenderableType]:
    lines = [
        f"Left: {one_line(each['what'])} ({each['reason'].replace('_', ' ').rstrip('.')})" for each in left[:_LISTED]
    ]
    more = len(left) - _LISTED
    shown = [Text(line, style="yellow", overflow="fold") for line in lines]
    return [*shown, *([Text(f"… and {more:,} more left.", style="dim")] if more > 0 else [])]
