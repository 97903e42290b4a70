"""`quoth open`: the conversation around an event, or a whole session."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import click

from quoth.core.model import Json
from quoth.surfaces.cli import options
from quoth.surfaces.cli.shapes import EventShape, SessionShape, event_of, events_of, session_of, sources_of
from quoth.surfaces.cli.verb import Call, verb

_PAGE = 500


@dataclass(frozen=True)
class Conversation:
    """The events of a session, whole or around one of them. `before` and `after` count what is left out."""

    session: SessionShape
    events: Sequence[EventShape]
    focus: str | None = None
    before: int = 0
    after: int = 0


@verb(
    section="Find",
    examples=[
        "quoth open claude-code:e8f2c91c-185b-4be8-aada-0ffa565907f3",
        "quoth open ce162b77",
        'code --goto "$(quoth open ID --file)"',
    ],
)
@click.argument("id_", metavar="ID", type=options.text)
@click.option("--around", type=click.IntRange(0), default=20, metavar="N", help="N events before and after. [20]")
@click.option("--all", "everything", is_flag=True, help="The whole session, also around an event.")
@click.option("--tools/--no-tools", "include_tools", default=None, help="Also calls and results of tools.")
@click.option("--raw", is_flag=True, help="Only the original lines of the event.")
@click.option("--file", "as_file", is_flag=True, help="Only `path:line` of the event in the agent's file.")
def open_(
    call: Call, *, id_: str, around: int, everything: bool, include_tools: bool | None, raw: bool, as_file: bool
) -> None:
    """Read the conversation around an event, or a session.

    ID is that of an event, or of a session (or its beginning), which is read from its start.
    It ends with the command with which the agent itself goes on.
    """
    if raw or as_file:
        _show_lines(call, id_, as_file=as_file)
        return
    found = _find(call, id_, include_tools=include_tools)
    shown = found if everything else _narrowed(found, around)
    if call.terminal.as_json:
        call.terminal.answer({"event": shown.focus, "session": shown.session, "events": shown.events})
    else:
        _show(call, shown)


def _show_lines(call: Call, id_: str, *, as_file: bool) -> None:
    answer = call.kernel.sources.run(id_, limit=None)
    listed = sources_of(answer)
    if call.terminal.as_json:
        call.terminal.answer(answer)
    elif as_file:
        call.terminal.raw([f"{source['original_file']}:{source['line']}" for source in listed[:1]])
    else:
        call.terminal.raw([source["raw"] for source in listed[:1]])


def _find(call: Call, id_: str, *, include_tools: bool | None) -> Conversation:
    """Read the session of an event, or the session itself: an event's id has a colon."""
    event = event_of(call.kernel.get.run(id_)) if ":" in id_ else None
    if event is None:
        answer, events = _read(call, id_, None, include_tools=bool(include_tools))
        return Conversation(session_of(answer), events)
    tools = event["kind"] != "message" if include_tools is None else include_tools
    answer, events = _read(call, event["session"], event["source"], include_tools=tools)
    return Conversation(session_of(answer), events, event["id"])


def _read(
    call: Call, session: str, source: str | None, *, include_tools: bool
) -> tuple[Mapping[str, Json], Sequence[EventShape]]:
    events: list[EventShape] = []
    cursor = None
    while True:
        answer = call.kernel.timeline.session(
            session, source=source, include_tools=include_tools, limit=_PAGE, cursor=cursor, whole=True
        )
        events += events_of(answer)
        if not answer["next"]:
            return answer, events
        cursor = str(answer["next"])


def _narrowed(found: Conversation, around: int) -> Conversation:
    at = next((n for n, event in enumerate(found.events) if event["id"] == found.focus), None)
    if at is None:
        return found
    first, last = max(0, at - around), min(len(found.events), at + around + 1)
    return Conversation(
        found.session, found.events[first:last], found.focus, before=first, after=len(found.events) - last
    )


def _show(call: Call, found: Conversation) -> None:
    from rich.text import Text

    from quoth.surfaces.cli.shown.events import conversation, heading, resume

    def left_out(count: int, where: str) -> Text | None:
        return Text(f"… {count} {where}; --all shows them", style="dim") if count else None

    parts = (
        heading(found.session),
        "",
        left_out(found.before, "earlier"),
        conversation(found.events, focus=found.focus),
        left_out(found.after, "later"),
        resume(found.session),
    )
    call.terminal.page(*(part for part in parts if part is not None))


COMMAND = open_
