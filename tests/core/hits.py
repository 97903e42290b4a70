"""Candidates as the index gives them, made by hand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from quoth.core.candidates import EntryHit, EventHit, Word
from quoth.core.ids import EntryId, EventId
from quoth.core.ranking import Asker
from quoth.core.vectors import key_of

NOW = 1_790_000_000_000  # 2026-09-21
DAY = 86_400_000
SCALE = ((0.0, 0.0), (0.2, 0.23), (0.5, 0.86), (1.0, 1.0))
WORDS = (Word("kiln", "kiln"), Word("glaze", "glaze"))


def event(name: str, counts: Sequence[int] = (0, 0), **more: Any) -> EventHit:
    said: dict[str, Any] = {
        "key": key_of(name),
        "length": 12,
        "at": NOW - 400 * DAY,
        "by_person": False,
        "agent": "codex",
        "project": None,
        "branch": None,
        "session": "one",
        "place": (0, 0, 0),
    }
    return EventHit(**{**said, "id": EventId(name), "counts": tuple(counts), **more})


def entry(name: str, counts: Sequence[int] = (0, 0), **more: Any) -> EntryHit:
    said: dict[str, Any] = {
        "key": key_of(name),
        "length": 12,
        "at": NOW - 400 * DAY,
        "by_person": False,
        "agent": "codex",
        "project": None,
        "branch": None,
        "root": EntryId(name),
        "type": "fact",
        "importance": None,
        "is_current": True,
    }
    return EntryHit(**{**said, "id": EntryId(name), "counts": tuple(counts), **more})


def asker(question: str = "kiln glaze", **more: Any) -> Asker:
    return Asker(**{"question": question, "now": NOW, **more})
