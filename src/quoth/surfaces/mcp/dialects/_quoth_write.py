"""Our own tools that write (QUO-5 to QUO-7)."""

from __future__ import annotations

from quoth.surfaces.mcp.archive import Archive
from quoth.surfaces.mcp.dialect import Answer, Call, json_answer
from quoth.surfaces.mcp.dialects._memory import cited, speaker
from quoth.surfaces.mcp.dialects._quoth_read import redacted
from quoth.surfaces.mcp.schema import Arguments


def remember(call: Call[Archive], given: Arguments) -> Answer:
    with redacted(call) as shown:
        done = shown.kernel.remember.run(
            given.text("text") or "",
            by=speaker(call),
            kind=given.text("kind"),
            type=given.text("type"),
            name=given.text("name"),
            sources=cited(given),
            uncited=given.text("uncited"),
            confidence=given.share("confidence"),
            importance=given.share("importance"),
            tags=given.texts("tags"),
            valid_from=given.text("valid_from"),
            valid_to=given.text("valid_to"),
            event_time=given.text("event_time"),
            project=given.text("project"),
            scope=given.text("scope") or "repository",
        )
    return json_answer(shown.wrote(done))


def correct(call: Call[Archive], given: Arguments) -> Answer:
    from quoth.services.correct import KEEP

    with redacted(call) as shown:
        done = shown.kernel.correct.run(
            given.text("id") or "",
            given.text("text"),
            by=speaker(call),
            kind=given.text("kind") or KEEP,
            type=given.text("type") or KEEP,
            name=given.text("name") if "name" in given else KEEP,
            confidence=given.share("confidence") if "confidence" in given else KEEP,
            importance=given.share("importance") if "importance" in given else KEEP,
            tags=given.texts("tags") if "tags" in given else KEEP,
            sources=cited(given),
            valid_from=given.text("valid_from") if "valid_from" in given else KEEP,
            valid_to=given.text("valid_to") if "valid_to" in given else KEEP,
            event_time=given.text("event_time") if "event_time" in given else KEEP,
            reason=given.text("reason") or "",
        )
    return json_answer(shown.wrote(done))


def forget(call: Call[Archive], given: Arguments) -> Answer:
    with call.services.open() as kernel:
        done = kernel.forget.run(
            given.text("id") or "",
            given.text("reason") or "",
            by=speaker(call),
            cited=given.flag("cited"),
            words=given.flag("words"),
        )
    return json_answer(done)


def handoff(call: Call[Archive], given: Arguments) -> Answer:
    with redacted(call) as shown:
        done = shown.kernel.handoff.run(
            given.text("summary") or "",
            by=speaker(call),
            project=given.text("project"),
            scope=given.text("scope"),
        )
    return json_answer(shown.wrote({name: said for name, said in done.items() if name != "redacted"}))
