"""Show how things stand: what is kept per source, what was not read, and the findings of a check."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TypedDict, cast

from rich.console import Group, RenderableType
from rich.text import Text

from quoth.core.model import Json
from quoth.services._findings import Check
from quoth.surfaces.cli.harmless import one_line
from quoth.surfaces.cli.shown.layout import Indented, indented
from quoth.surfaces.cli.shown.reports import plain_table
from quoth.surfaces.cli.shown.words import counted, size

_SIGNS = {"pass": ("✓", "green"), "warn": ("!", "bold yellow"), "fail": ("✗", "bold red")}
_NAMED = 3  # kinds of unknown records, skipped files


class SourceStatus(TypedDict):
    source: str
    roots: Sequence[Mapping[str, Json]]
    files: int
    bytes: int
    sessions: int
    events: int
    gone_files: int
    unknown_records: Mapping[str, int]
    unparsable_lines: int
    silent_files: int
    skipped: Sequence[Mapping[str, str]]


def sources_of(answer: Mapping[str, Json]) -> Sequence[SourceStatus]:
    return cast("Sequence[SourceStatus]", answer["sources"])


def status(answer: Mapping[str, Json]) -> RenderableType:
    """Show everything that `status` answers."""
    listed = sources_of(answer)
    sizes = cast("Mapping[str, int]", answer["sizes"])
    facts = [
        ("kept in", f"{one_line(str(answer['home']))} ({size(sizes['total'])})"),
        ("last read", str(answer["last_sync"])[:16].replace("T", " ") if answer["last_sync"] else "never"),
        ("remembered", _remembered(cast("Mapping[str, int]", answer["ledger"]))),
        ("by meaning", _embedded(answer)),
        *(fact for source in listed for fact in _unread(source)),
        *(("excluded", one_line(f"{e['kind']} {e['name']}")) for e in _excluded(answer)),
    ]
    widest = max(len(label) for label, _ in facts)
    known = [_fact(label, value, widest + 2) for label, value in facts]
    return Group(sources(listed), Text(), *known, Text(), next_step(answer))


def _remembered(ledger: Mapping[str, int]) -> str:
    forgotten = f", {ledger['tombstones']:,} forgotten" if ledger["tombstones"] else ""
    return f"{counted(ledger['entries'], 'entry', 'entries')}{forgotten}"


def _embedded(answer: Mapping[str, Json]) -> str:
    embedding = cast("Mapping[str, Json]", answer["embedding"])
    worker = cast("Mapping[str, Json]", answer["worker"])
    if embedding["failed"]:
        return one_line(str(embedding["failed"]))
    if embedding["embedder"] is None:
        return "no; everything is found by its words"
    runs = {"running": ", the worker runs", "off": ", the worker is switched off"}.get(str(worker["state"]), "")
    return f"{embedding['embedded']:,} of {embedding['total']:,} texts ({embedding['embedder']}){runs}"


def _fact(label: str, value: str, width: int) -> RenderableType:
    return Indented(Text(value, overflow="fold"), width, (label, "dim"))


def sources(listed: Sequence[SourceStatus]) -> RenderableType:
    """Show how much is kept of each source, and which agents were not found."""
    table = plain_table("source", "files", "read", "sessions", "events")
    here = [source for source in listed if source["files"] or any(root["exists"] for root in source["roots"])]
    for source in here:
        table.add_row(Text(source["source"], style="bold"), *map(Text, _numbers(source)))
    absent = ", ".join(source["source"] for source in listed if source not in here)
    looked_for = [Text(f"Not on this machine: {absent}.", style="dim")] if absent else []
    return Group(*([table] if here else []), *looked_for)


def next_step(answer: Mapping[str, Json]) -> Text:
    return Text.assemble(("→ ", "bold green"), one_line(str(answer["next"])))


def _numbers(source: SourceStatus) -> Sequence[str]:
    return (f"{source['files']:,}", size(source["bytes"]), f"{source['sessions']:,}", f"{source['events']:,}")


def _unread(source: SourceStatus) -> Iterator[tuple[str, str]]:
    """Say what of a source gave no events; nothing is skipped in silence."""
    unknown = sum(source["unknown_records"].values())
    names = ", ".join(one_line(name) for name in list(source["unknown_records"])[:_NAMED])
    for count, one, many, what in (
        (len(source["skipped"]), "file was", "files were", "not read"),
        (source["unparsable_lines"], "line", "lines", "can't be parsed (kept as they are)"),
        (unknown, "record is", "records are", f"of unknown kinds (kept as they are): {names}"),
        (source["silent_files"], "file", "files", "with messages gave no events"),
        (source["gone_files"], "file is", "files are", "not on the disk any more (still kept here)"),
    ):
        if count:
            yield source["source"], f"{counted(count, one, many)} {what}"


def _excluded(answer: Mapping[str, Json]) -> Sequence[Mapping[str, str]]:
    return cast("Sequence[Mapping[str, str]]", answer["excluded"])


def checks(found: Sequence[Check]) -> RenderableType:
    """Show each check with its sign, and below what to do."""
    return Group(*(part for check in found for part in _check(check)), Text(), _summary(found))


def _check(check: Check) -> Iterator[RenderableType]:
    sign, style = _SIGNS[check.status]
    yield Text.assemble((f"{sign} ", style), one_line(check.message), overflow="fold")
    if check.remedy and check.status != "pass":
        yield indented(Text(f"→ {one_line(check.remedy)}", style="dim", overflow="fold"))


def _summary(found: Sequence[Check]) -> Text:
    failed = sum(check.status == "fail" for check in found)
    warned = sum(check.status == "warn" for check in found)
    if failed or warned:
        return Text(f"{counted(failed, 'check')} failed, {counted(warned, 'warning')}.", style="bold")
    return Text(f"All {len(found)} checks passed.", style="bold green")
