"""Show events: places that a search found, a conversation, one event in full."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.console import Console, Group, RenderableType
from rich.text import Text

from quoth.core.query import Query
from quoth.surfaces.cli.harmless import one_line
from quoth.surfaces.cli.shapes import EventShape, SessionShape
from quoth.surfaces.cli.shown.layout import Unbroken, apart, indented
from quoth.surfaces.cli.shown.words import (
    clock,
    command_line,
    counted,
    identity,
    matched,
    moment,
    named,
    paragraphs,
    project_name,
    span,
    speaker,
)

_TOOL_LINES = 6  # of a tool's call or answer in a conversation


def places(events: Sequence[EventShape], words: str, console: Console) -> RenderableType:
    """Show where words were said: a line of facts, the words, the id."""
    styled = console.color_system is not None
    query = Query.parse(words)
    return apart([_place(event, query, styled=styled) for event in events])


def _place(event: EventShape, query: Query, *, styled: bool) -> RenderableType:
    facts = facts_of([speaker(event), moment(event["time"]), Text(event["source"]), project_name(event["project"])])
    snippet = event.get("snippet")
    said = matched(snippet, query, styled=styled) if snippet else Text(one_line(event["text"])[:300], overflow="fold")
    return Group(facts, indented(said), indented(identity(event["id"])))


def facts_of(parts: Sequence[Text]) -> Text:
    """Put facts into one line, a dot between them."""
    line = Text(overflow="fold")
    for number, part in enumerate(parts):
        line.append(" · " if number else "", style="dim")
        line.append_text(part)
    return line


def heading(session: SessionShape) -> RenderableType:
    """Name a session and say where and when it was."""
    facts = facts_of(
        [
            Text(session["source"]),
            project_name(session["project"]),
            Text(span(session["started"], session["ended"])),
            Text(counted(session["events"], "event")),
        ]
    )
    parent = session["parent"]
    origin = Text(f"a subagent of {one_line(parent)}", style="dim") if parent else None
    return Group(Text(named(session), style="bold", overflow="fold"), facts, *([origin] if origin else []))


def conversation(events: Sequence[EventShape], *, focus: str | None = None) -> RenderableType:
    """Show who said what, in order; `focus` marks the event that was asked for."""
    parts: list[RenderableType] = []
    day = ""
    for event in events:
        parts += _said(event, is_focus=event["id"] == focus, is_new_day=event["time"][:10] != day)
        day = event["time"][:10]
    return Group(*parts)


def _said(event: EventShape, *, is_focus: bool, is_new_day: bool) -> Iterator[RenderableType]:
    mark = Text("▶ ", style="bold yellow") if is_focus else Text("  ")
    when = moment(event["time"]) if is_new_day else Text(clock(event["time"]), style="dim")
    yield Text.assemble(mark, speaker(event), "  ", when)
    text = paragraphs(event["text"])
    if event["kind"] != "message":
        text = _shortened(text)
        text.stylize("dim")
    yield indented(text, 4)
    yield Text()


def _shortened(text: Text) -> Text:
    lines = text.split("\n")
    if len(lines) <= _TOOL_LINES:
        return text
    return Text("\n").join([*lines[:_TOOL_LINES], Text(f"… {counted(len(lines) - _TOOL_LINES, 'more line')}")])


def resume(session: SessionShape) -> RenderableType | None:
    """Show the agent's own command that goes on with a session."""
    if not session["resume"]:
        return None
    return Group(Text("Go on with it:", style="dim"), Unbroken(command_line(session["resume"])))


def whole(event: EventShape) -> RenderableType:
    """Show one event with everything that is known of it."""
    facts = facts_of([speaker(event), moment(event["time"]), Text(event["source"]), project_name(event["project"])])
    more = [
        Text(f"{label} {one_line(value)}", style="dim", overflow="fold")
        for label, value in (
            ("session", event["session"]),
            ("directory", event.get("cwd")),
            ("branch", event.get("git_branch")),
            ("agent version", event.get("agent_version")),
        )
        if value
    ]
    return Group(facts, *more, Text(), paragraphs(event["text"]))
