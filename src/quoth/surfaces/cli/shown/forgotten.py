"""Show what was forgotten and what came back: ids, numbers and reasons, never a text of memory."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TypeAlias, cast

from rich.console import Group, RenderableType
from rich.text import Text

from quoth.core.model import Json
from quoth.surfaces.cli.harmless import one_line
from quoth.surfaces.cli.shown.layout import apart, indented
from quoth.surfaces.cli.shown.words import counted, identity, moment

Count: TypeAlias = Callable[[Sequence[str]], int]
"""Tells how many entries some versions are versions of."""

_SHOWN = 8  # ids of a longer list that are shown


def hidden(answer: Mapping[str, Json], entries: Count, *, is_dry: bool) -> RenderableType:
    """Say what is hidden, under which id, and how much else says the same."""
    versions, count = _texts(answer["forgotten_entries"]), cast("int", answer["excluded_events"])
    if not versions and not count:
        return Group(Text("Nothing to hide: all of it is forgotten already."), *_others(answer))
    would = "Would hide " if is_dry else "Forgotten: "
    return Group(
        Text.assemble((would, "bold" if is_dry else "bold green"), _counted(entries, versions, count), "."),
        *([] if is_dry else [indented(identity(str(answer["tombstone"])))]),
        *_ids([*versions, *_texts(answer.get("events", []))]),
        *_others(answer),
    )


def next_steps(answer: Mapping[str, Json], ids: Sequence[str], *, reaches_words: bool, is_dry: bool) -> Iterator[str]:
    """Yield how to undo it, and how to reach what holds the same words."""
    if answer["tombstone"]:
        yield f"Undo it: quoth restore {answer['tombstone']}"
    if answer["also_said"] and not reaches_words:
        yield f"Reach the same words elsewhere: quoth forget {' '.join(ids[:1])} --words --dry-run"
    if is_dry:
        yield "Nothing was changed; without --dry-run it is."


def restored(answer: Mapping[str, Json], entries: Count) -> RenderableType:
    versions, count = _texts(answer["restored_entries"]), cast("int", answer["restored_events"])
    name = str(answer["tombstone"])
    if not answer["is_new"]:
        return Text(f"{name} was restored before; nothing changed.", overflow="fold")
    if not versions and not count:
        return Text(f"{name} is restored; something else still hides what it hid.", overflow="fold")
    return Group(
        Text.assemble(("Visible again: ", "bold green"), _counted(entries, versions, count), "."),
        *_ids(versions),
    )


def listed(tombstones: Sequence[Mapping[str, Json]]) -> RenderableType:
    """Show each tombstone with when, who, why, and how much it names."""
    return apart([_tombstone(each) for each in tombstones])


def _tombstone(each: Mapping[str, Json]) -> RenderableType:
    entries = _texts(each["entries"])
    head = Text.assemble(
        (str(each["tombstone"]), "bold"), "  ", moment(str(each["at"])), "  ", one_line(str(each["by"]))
    )
    if each["restored"]:
        head.append("  restored", style="green")
    named = Text(", ".join(_named(entries, cast("int", each["events"]), bool(each["cited"]))), style="dim")
    reason = one_line(str(each["reason"])) if each["reason"] else "(the reason was destroyed)"
    return Group(head, indented(Text(reason, overflow="fold")), indented(named), *_ids(entries))


def _named(entries: Sequence[str], events: int, cited: bool) -> Iterator[str]:
    if entries:
        yield counted(len(entries), "entry", "entries") + (" and what they cite" if cited else "")
    if events:
        yield counted(events, "event")


def _counted(entries: Count, versions: Sequence[str], events: int) -> str:
    parts = [
        _versions(entries(versions), len(versions)) if versions else "",
        counted(events, "event") if events else "",
    ]
    return " and ".join(filter(None, parts))


def _versions(entries: int, versions: int) -> str:
    return counted(entries, "entry", "entries") + (f" in {versions:,} versions" if versions > entries else "")


def _others(answer: Mapping[str, Json]) -> Sequence[RenderableType]:
    count = cast("int", answer["also_said"])
    if not count:
        return []
    return [Text(counted(count, "other event holds the same words.", "other events hold the same words."), "yellow")]


def _ids(ids: Sequence[str]) -> Iterator[RenderableType]:
    yield from (indented(identity(each)) for each in ids[:_SHOWN])
    if len(ids) > _SHOWN:
        yield indented(Text(f"… and {len(ids) - _SHOWN:,} more; --json has all", style="dim"))


def _texts(value: Json) -> Sequence[str]:
    return cast("Sequence[str]", value)
