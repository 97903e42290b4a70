"""Show entries: what they say, where they come from, how they came to say it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import cast

from rich.console import Console, Group, RenderableType
from rich.text import Text

from quoth.core.model import Json
from quoth.core.query import Query
from quoth.core.snippet import snippet
from quoth.surfaces.cli.entry_shapes import (
    CitedShape,
    EntryShape,
    VersionShape,
    cited_of,
    entry_of,
    history_of,
)
from quoth.surfaces.cli.harmless import one_line
from quoth.surfaces.cli.shown.layout import Unbroken, apart, indented
from quoth.surfaces.cli.shown.words import counted, identity, in_words, matched, moment, paragraphs, project_name

_SAID = 400  # characters of an entry in a list
_VERDICTS = {
    "ADD": "Remembered.",
    "UPDATE": "This was remembered already; it cites more now.",
    "SUPERSEDE": "Remembered in the place of what had this name.",
    "NOOP": "This was remembered already.",
}


def found(entries: Sequence[EntryShape], words: str, console: Console) -> RenderableType:
    """Show entries that a search found: a line of facts, the statement, the id."""
    styled = console.color_system is not None
    query = Query.parse(words)
    return apart([Group(facts(entry), indented(_statement(entry, query, styled)), _id(entry)) for entry in entries])


def facts(entry: EntryShape) -> Text:
    """Say in one line what an entry is, where it applies, who wrote it and when."""
    shown = Text(overflow="fold")
    for number, part in enumerate(_facts(entry)):
        shown.append(" · " if number else "", style="dim")
        shown.append_text(part)
    return shown


def remembered(answer: Mapping[str, Json]) -> RenderableType:
    """Tell what became of a statement, and of what was said that is like it."""
    entry = entry_of(answer)
    similar = cast("Sequence[Mapping[str, Json]]", answer["similar"])
    head = Text(_VERDICTS[str(answer["verdict"])], style="bold green")
    parts: list[RenderableType] = [head, *_quarantined(answer), *_redacted(answer), *brief(entry), *_because(answer)]
    if similar:
        parts.append(Text(f"{counted(len(similar), 'entry says', 'entries say')} something like it:", style="dim"))
        parts += [indented(Text(f"{one_line(str(each['text']))[:_SAID]}  {each['id']}")) for each in similar]
    return Group(*parts)


def handed_over(answer: Mapping[str, Json]) -> RenderableType:
    return Group(Text("Handed over.", style="bold green"), *_redacted(answer), *brief(entry_of(answer)))


def corrected(answer: Mapping[str, Json]) -> RenderableType:
    is_same = answer["verdict"] == "NOOP"
    head = Text("Nothing to correct: it is so already." if is_same else "Corrected.", style="bold green")
    return Group(head, *_quarantined(answer), *_redacted(answer), *brief(entry_of(answer)))


def whole(answer: Mapping[str, Json]) -> RenderableType:
    """Show one entry with the words it comes from and its versions."""
    entry, cited, versions = entry_of(answer), cited_of(answer), history_of(answer)
    parts: list[RenderableType] = [facts(entry), *_more(entry), Text(), paragraphs(in_words(entry["text"])), Text()]
    parts += [_cited(event) for event in cited] or [_uncited(entry)]
    if len(versions) > 1:
        parts += [Text(), Text(counted(len(versions), "version"), style="bold")]
        parts += [indented(_version(version)) for version in versions]
    return Group(*parts)


def versions(listed: Sequence[EntryShape]) -> RenderableType:
    """Show every version with what it says and why it was written."""
    return apart(
        [
            Group(_version(version), *_why(version), indented(paragraphs(in_words(version["text"]))))
            for version in listed
        ]
    )


def _facts(entry: EntryShape) -> Iterator[Text]:
    if entry["type"]:  # a destroyed one says nothing any more
        yield Text(one_line(entry["type"]), style="bold yellow")
    if entry["name"]:
        yield Text(one_line(entry["name"]), style="bold")
    yield project_name(entry["project"])
    yield moment(entry["created"])
    yield Text(one_line(entry["author"]))
    if entry["imported"]:
        yield Text("from a memory file", style="dim")
    if entry["state"] != "current":
        yield Text(entry["state"], style="bold red")
    if entry.get("possibly_outdated"):
        yield Text("possibly outdated", style="yellow")
    if entry["concurrent"]:
        yield Text("lost to a version that did not know it", style="red")


def brief(entry: EntryShape) -> Sequence[RenderableType]:
    """Show an entry in three lines."""
    return facts(entry), indented(Text(one_line(in_words(entry["text"]))[:_SAID], overflow="fold")), _id(entry)


def _statement(entry: EntryShape, query: Query, styled: bool) -> Text:
    if not query.terms:
        return Text(one_line(entry["text"])[:_SAID], overflow="fold")
    return matched(snippet(entry["text"], query), query, styled=styled)


def _id(entry: EntryShape) -> RenderableType:
    return Unbroken(identity(entry["id"]))


def _redacted(answer: Mapping[str, Json]) -> Sequence[RenderableType]:
    taken = answer["redacted"]
    if not isinstance(taken, int) or not taken:
        return []
    return [Text(f"{counted(taken, 'secret')} taken out before it was stored.", style="yellow")]


def _quarantined(answer: Mapping[str, Json]) -> Sequence[RenderableType]:
    rules = cast("Sequence[str]", answer.get("quarantined", ()))
    if not rules:
        return []
    told = f"It addresses the agent's instructions ({', '.join(rules)}), so nobody is shown it until you release it."
    return [Text(told, style="yellow", overflow="fold")]


def _because(answer: Mapping[str, Json]) -> Iterator[RenderableType]:
    """Say what decided how a statement was taken (`--explain`)."""
    for name, why in cast("Mapping[str, Json]", answer.get("because", {})).items():
        for what, told in why.items() if isinstance(why, Mapping) else [(name, why)]:
            yield indented(Text(f"{what}: {one_line(str(told))}", style="dim", overflow="fold"))


def _more(entry: EntryShape) -> Iterator[RenderableType]:
    validity = [
        f"{word} {when[:16].replace('T', ' ')}"
        for word, when in (("from", entry["valid_from"]), ("until", entry["valid_to"]))
        if when
    ]
    listed = {
        "id": entry["id"],
        "confidence": f"{entry['confidence']:g}",
        "valid": " ".join(validity),
        "tags": ", ".join(entry.get("tags", ())),
        "now": entry["superseded_by"] or "",
    }
    for label, value in listed.items():
        if value:
            yield Text(f"{label} {one_line(value)}", style="dim", overflow="fold")


def _cited(event: CitedShape) -> RenderableType:
    said = event["quote"] or event["text"]
    facts = Text.assemble(moment(event["time"]), " · ", one_line(event["source"]), style="dim")
    return Group(Text(f"“{one_line(said)[:_SAID]}”", style="italic", overflow="fold"), indented(facts), _event(event))


def _event(event: CitedShape) -> RenderableType:
    return Unbroken(identity(event["id"]))


def _uncited(entry: EntryShape) -> RenderableType:
    why = entry.get("uncited")
    return Text(f"Cites nothing: {one_line(why)}" if why else "Cites nothing.", style="dim", overflow="fold")


def _version(version: EntryShape | VersionShape) -> Text:
    is_current = version["status"] == "active"
    mark = Text("● " if is_current else "○ ", style="bold green" if is_current else "dim")
    return Text.assemble(
        mark, moment(version["created"]), "  ", one_line(version["author"]), "  ", identity(version["id"])
    )


def _why(version: EntryShape) -> Sequence[RenderableType]:
    reason = version.get("reason")
    return [indented(Text(f"because {one_line(reason)}", style="dim", overflow="fold"))] if reason else []
