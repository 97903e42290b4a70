"""The three tools of Origin that write (ORI-48 to ORI-62)."""

from __future__ import annotations

from quoth.surfaces.mcp.archive import Archive
from quoth.surfaces.mcp.dialect import Answer, Call, json_answer
from quoth.surfaces.mcp.dialects._archive import kept
from quoth.surfaces.mcp.dialects._memory import cited, speaker
from quoth.surfaces.mcp.dialects._origin_read import entry
from quoth.surfaces.mcp.schema import Arguments

_TOMBSTONE = ("tombstone", "forgotten_entries", "excluded_events")


def remember(call: Call[Archive], given: Arguments) -> Answer:
    with call.services.open() as kernel:
        done = kernel.remember.run(
            given.text("text") or "",
            by=speaker(call),
            kind=given.text("kind"),
            sources=cited(given),
            confidence=given.share("confidence"),
            project=given.text("project"),
            valid_from=given.text("valid_from"),
            valid_to=given.text("valid_to"),
            adds_citations=True,
        )
    return json_answer({"entry": entry(done["entry"])})


def correct(call: Call[Archive], given: Arguments) -> Answer:
    from quoth.services.correct import KEEP

    with call.services.open() as kernel:
        done = kernel.correct.run(
            given.text("id") or "",
            given.text("text"),
            by=speaker(call),
            kind=given.text("kind") or KEEP,
            confidence=given.share("confidence") if "confidence" in given else KEEP,
            sources=cited(given),
            valid_from=given.text("valid_from") if "valid_from" in given else KEEP,
            valid_to=given.text("valid_to") if "valid_to" in given else KEEP,
        )
    return json_answer({"entry": entry(done["entry"])})


def forget(call: Call[Archive], given: Arguments) -> Answer:
    with call.services.open() as kernel:
        done = kernel.forget.run(given.text("id") or "", given.text("reason") or "", by=speaker(call), cited=True)
    return json_answer(kept(done, _TOMBSTONE))
