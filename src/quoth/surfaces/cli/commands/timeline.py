"""`quoth timeline`: the sessions by last activity, or one session in order."""

from __future__ import annotations

from collections.abc import Sequence

import click

from quoth.core.model import Json
from quoth.surfaces.cli import options
from quoth.surfaces.cli.failures import DONE, NOTHING_FOUND
from quoth.surfaces.cli.fresh import read_new, say_empty
from quoth.surfaces.cli.shapes import events_of, session_of, sessions_of
from quoth.surfaces.cli.verb import Call, verb


@verb(
    section="Find",
    examples=["quoth timeline", "quoth timeline --since 30d --project demo-app", "quoth timeline ce162b77 --tools"],
)
@click.argument("session", required=False, type=options.text)
@options.combined(
    options.since("7d"),
    options.until,
    options.source,
    options.project,
    options.tools,
    options.limit(50, 500),
    options.cursor,
    options.no_sync,
)
def timeline(
    call: Call,
    *,
    session: str | None,
    since: str,
    until: str | None,
    source: str | None,
    project: str | None,
    include_tools: bool,
    limit: int,
    cursor: str | None,
    no_sync: bool,
) -> int:
    """List the sessions, or read one.

    The last active is first; each comes with the command that goes on with it.
    With SESSION (an id or its beginning), show what was said in it.
    """
    status = 0 if no_sync else read_new(call)
    if session:
        answer = call.kernel.timeline.session(
            session, source=source, include_tools=include_tools, limit=limit, cursor=cursor
        )
        return _show_session(call, answer) or status
    answer = call.kernel.timeline.sessions(
        since=since, until=until, source=source, project=project, limit=limit, cursor=cursor
    )
    return _show_sessions(call, answer, since) or status


def _show_session(call: Call, answer: dict[str, Json]) -> int:
    if call.terminal.as_json:
        call.terminal.answer(answer)
        return DONE
    from quoth.surfaces.cli.shown.events import conversation, heading, resume

    session = session_of(answer)
    parts = [heading(session), "", conversation(events_of(answer)), resume(session)]
    call.terminal.show(*(part for part in parts if part is not None))
    if more := _more(answer):
        call.terminal.hint(*more)
    return DONE


def _show_sessions(call: Call, answer: dict[str, Json], since: str) -> int:
    listed = sessions_of(answer)
    if call.terminal.as_json:
        call.terminal.answer(answer)
    elif listed:
        from quoth.surfaces.cli.shown.sessions import sessions

        call.terminal.show(sessions(listed, call.terminal.out))
        call.terminal.hint("Read one: quoth open ID", *_more(answer))
    else:
        back = f"No session was active since {since}. Look further back: quoth timeline --since 365d"
        call.terminal.note(say_empty(call) or back)
    return DONE if listed else NOTHING_FOUND


def _more(answer: dict[str, Json]) -> Sequence[str]:
    return [f"There may be more: add --cursor {answer['next']}"] if answer["next"] else []


COMMAND = timeline
