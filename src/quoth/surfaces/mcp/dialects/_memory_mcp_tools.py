"""The five memory tools of memory-mcp."""

from __future__ import annotations

from typing import TYPE_CHECKING

from quoth.core.errors import InvalidArgument, UnknownId
from quoth.surfaces.mcp.archive import Archive
from quoth.surfaces.mcp.dialect import Answer, Call, failed, json_answer
from quoth.surfaces.mcp.dialects import _memory_mcp_words as words
from quoth.surfaces.mcp.dialects._memory import speaker
from quoth.surfaces.mcp.schema import Arguments

if TYPE_CHECKING:
    from quoth.core.model import Json
    from quoth.wiring import Kernel

_UNCITED = "remembered over a contract that cites nothing"
_WHY = "forgotten over a contract that gives no reason"
_SHOWN = 100  # characters of an id that nothing has


def remember(call: Call[Archive], given: Arguments) -> Answer:
    with call.services.open() as kernel:
        alike = kernel.duplicates.run(given.text("content") or "")  # before it is one of them itself
        try:
            done = _stored(kernel, call, given)
        except InvalidArgument as error:
            return failed(words.refused(error))
        memory_id = words.memory_id(kernel, words.entry_of(done))
        return json_answer({"ok": True, "memory_id": memory_id, **words.warned(kernel, done, alike)})


def _stored(kernel: Kernel, call: Call[Archive], given: Arguments) -> dict[str, Json]:
    by = speaker(call)
    return kernel.remember.run(
        given.text("content") or "",
        by=by,
        agent=given.text("agent") or by.agent,
        tags=given.texts("tags"),
        importance=given.share("importance"),
        uncited=_UNCITED,
        distinct=True,
        weighed=True,
    )


def recall(call: Call[Archive], given: Arguments) -> Answer:
    from quoth.services.recall import Where

    query, agent = given.text("query") or "", words.owner_in(given, "agent_filter")
    if not query.strip():
        raise InvalidArgument("query", "a question, or words to look for")
    with call.services.open() as kernel:
        found = kernel.recall.ranked(query, Where(agent=agent, with_events=False), limit=given.number("top_k"))
        return json_answer([words.recalled(kernel, row, relevance) for row, relevance in found.falling()])


def list_facts(call: Call[Archive], given: Arguments) -> Answer:
    agent = words.owner_in(given, "agent")
    with call.services.open() as kernel:
        rows = kernel.facts.run(agent=agent, tag=given.text("tag"))
        return json_answer([words.fact(kernel, row) for row in rows])


def check_duplicate(call: Call[Archive], given: Arguments) -> Answer:
    with call.services.open() as kernel:
        found = kernel.duplicates.run(given.text("content") or "", threshold=given.share("threshold"))
        return json_answer({"is_duplicate": bool(found), "similar": words.similar(kernel, found)})


def forget(call: Call[Archive], given: Arguments) -> Answer:
    memory_id = (given.text("memory_id") or "").strip()
    with call.services.open() as kernel:
        try:
            entry = kernel.memory.entry(memory_id).id
        except UnknownId:
            return failed(f"Unknown memory {memory_id[:_SHOWN]}. list_facts lists the memories with their ids.")
        kernel.forget.run(entry, _WHY, by=speaker(call))
    return json_answer({"ok": True})
