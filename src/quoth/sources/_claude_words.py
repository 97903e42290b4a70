"""Tell who speaks in a record of Claude Code."""

from __future__ import annotations

from quoth.sources._values import Record, inner, text
from quoth.sources._words import Speaker

_PROGRAM_FLAGS = ("isMeta", "isCompactSummary", "isVisibleInTranscriptOnly")
_PERSON_SOURCES = frozenset({"typed", "queued", "suggestion_accepted", "sdk"})


def speaker(record: Record) -> Speaker:
    if any(record.get(flag) is True for flag in _PROGRAM_FLAGS):
        return Speaker.PROGRAM
    if origin := text(inner(record, "origin"), "kind"):
        return Speaker.PERSON if origin == "human" else Speaker.PROGRAM
    source = text(record, "promptSource")
    if source in _PERSON_SOURCES:
        return Speaker.PERSON
    return Speaker.PROGRAM if source == "system" else Speaker.UNSAID
