"""Show what was judged, and how an entry came to be what it is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import cast

from rich.console import Group, RenderableType
from rich.text import Text

from quoth.core.model import Json
from quoth.surfaces.cli.entry_shapes import EntryShape, entry_of
from quoth.surfaces.cli.harmless import one_line
from quoth.surfaces.cli.shown.entries import brief, facts
from quoth.surfaces.cli.shown.layout import apart, indented
from quoth.surfaces.cli.shown.words import counted, identity, in_words, moment

_DONE = {
    "negate": "Negated.",
    "confirm_actual": "Confirmed as a fact.",
    "confirm_necessary": "Confirmed as a must.",
    "demote": "Only a guess from now on.",
    "replace": "Replaced.",
    "quarantine": "Quarantined: nobody is shown it until you release it.",
    "release": "Released.",
    "seal": "Sealed: nobody is shown it again.",
    "tombstone": "Destroyed: its words are gone for ever.",
    "derive_lesson": "Sealed; the lesson is remembered.",
}
_STEPS = {"polarity_history": "polarity", "epistemic_history": "strength", "exposure_history": "exposure"}


def judged(answer: Mapping[str, Json]) -> RenderableType:
    """Tell what became of an entry, and what took its place."""
    parts: list[RenderableType] = [Text(_DONE[str(answer["verdict"])], style="bold green"), *brief(entry_of(answer))]
    if rules := cast("Sequence[str]", answer.get("quarantined", ())):
        parts.append(Text(f"The new words are quarantined: {', '.join(rules)}.", style="yellow"))
    if answer["new"]:
        parts += ["", *brief(cast("EntryShape", answer["new"]))]
    return Group(*parts)


def judged_entries(entries: Sequence[EntryShape]) -> RenderableType:
    return apart(
        [
            Group(facts(each), indented(Text(_said(each["text"]), overflow="fold")), indented(identity(each["id"])))
            for each in entries
        ]
    )


def audited(answer: Mapping[str, Json]) -> RenderableType:
    """Show the steps by which an entry became what it is, and what it is joined with."""
    now = cast("Mapping[str, Json]", answer["current"])
    head = [str(now[name]) for name in ("exposure_state", "polarity", "epistemic") if now[name]]
    parts: list[RenderableType] = [Text(" · ".join(head), style="bold"), Text(_said(str(now["content"])))]
    parts += list(_steps(answer)) or [Text("Nothing was judged.", style="dim")]
    parts += _related(cast("Mapping[str, Sequence[Json]]", answer["relations"]))
    return Group(*parts)


def _said(text: str) -> str:
    return one_line(in_words(text))


def _steps(answer: Mapping[str, Json]) -> Iterator[RenderableType]:
    for name, word in _STEPS.items():
        for step in cast("Sequence[Mapping[str, str | None]]", answer[name]):
            told = Text.assemble(moment(str(step["at"])), f"  {word}: {step['from']} → {step['to']}", f"  {step['by']}")
            yield told
            if step["reason"]:
                yield indented(Text(f"because {one_line(step['reason'])}", style="dim", overflow="fold"))


def _related(relations: Mapping[str, Sequence[Json]]) -> list[RenderableType]:
    listed = {name.replace("_", " "): found for name, found in relations.items() if found}
    return [Text(f"{counted(len(found), 'edge', 'edges')}: {name}", style="dim") for name, found in listed.items()]
