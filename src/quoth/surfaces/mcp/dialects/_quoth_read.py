"""Our own tools that read: the verbs of the command line with the same options and the same JSON (QUO-2, QUO-4)."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from quoth.surfaces.mcp.archive import Archive
from quoth.surfaces.mcp.dialect import Answer, Call, json_answer, text
from quoth.surfaces.mcp.schema import Arguments

if TYPE_CHECKING:
    from quoth.surfaces.mcp.redacted import Redacted


@contextmanager
def redacted(call: Call[Archive]) -> Iterator[Redacted]:
    """Give the services as an agent may see them."""
    from quoth.surfaces.mcp.redacted import Redacted

    with call.services.open() as kernel:
        yield Redacted(kernel)


def search(call: Call[Archive], given: Arguments) -> Answer:
    notes = call.services.notes()
    with redacted(call) as shown:
        found = shown.search.run(
            given.text("query") or "",
            target=given.text("target") or "all",
            kind=given.text("kind"),
            type=given.text("type"),
            since=given.text("since"),
            until=given.text("until"),
            source=given.text("source"),
            project=given.text("project"),
            agent=given.text("agent"),
            include_tools=given.flag("include_tools"),
            limit=given.number("limit"),
            cursor=given.text("cursor"),
        )
    return json_answer(shown.said(found), *notes)


def recall(call: Call[Archive], given: Arguments) -> Answer:
    """Answer with the block itself; explained, with the whole answer, which then keeps to the budget."""
    call.services.notes()  # reads first; what it would tell has no room in a block
    explain = given.flag("explain")
    with call.services.open() as kernel:
        told = kernel.recall_block.run(
            given.text("query") or "",
            budget=given.number("budget"),
            unit=given.text("unit") or "chars",
            quotas=given.numbers("quotas"),
            types=given.texts("types"),
            scope=given.text("scope") or "all",
            as_of=given.text("as_of"),
            include_outdated=given.flag("include_outdated"),
            explain=explain,
        )
    return json_answer(told.answer()) if explain else Answer([text(told.block.text)])


def timeline(call: Call[Archive], given: Arguments) -> Answer:
    notes, session = call.services.notes(), given.text("session")
    source, limit, cursor = given.text("source"), given.number("limit"), given.text("cursor")
    with redacted(call) as shown:
        if session:
            tools = given.flag("include_tools")
            answer = shown.timeline.session(session, source=source, include_tools=tools, limit=limit, cursor=cursor)
        else:
            answer = shown.timeline.sessions(
                since=given.text("since"),
                until=given.text("until"),
                source=source,
                project=given.text("project"),
                limit=limit,
                cursor=cursor,
            )
    return json_answer(shown.said(answer), *notes)


def get(call: Call[Archive], given: Arguments) -> Answer:
    with redacted(call) as shown:
        return json_answer(shown.said(shown.get.run(given.text("id") or "")))


def sources(call: Call[Archive], given: Arguments) -> Answer:
    with redacted(call) as shown:
        return json_answer(shown.said(shown.sources(given.text("id") or "")))
