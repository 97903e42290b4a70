"""Make and read the ids that leave the program; nothing else builds one.

An event id is `<source>:<id in the source>` and the part after the colon is opaque. It comes from the native id of the
record, else from what was said (session, role, kind, content, n-th equal occurrence), never from a path or a line
number, so that moving, compressing or rewriting a log keeps every id. The rule of a source is frozen once released:
ids are stored in citations for ten years.
"""

from __future__ import annotations

import hashlib
from typing import NewType

SourceId = NewType("SourceId", str)
EventId = NewType("EventId", str)
SessionId = NewType("SessionId", str)
ProjectId = NewType("ProjectId", str)
DeviceId = NewType("DeviceId", str)


def event_id(source: SourceId, *parts: str) -> EventId:
    """Join the parts that identify an event inside its source: `codex:<thread>:<call id>:out`."""
    return EventId(f"{source}:{':'.join(parts)}")


def source_of(event: str) -> SourceId:
    """Return the source an event id names; the whole text when it has no colon."""
    return SourceId(event.partition(":")[0])


def digest16(*parts: bytes) -> str:
    """Hash what was said: the first 16 hex digits of SHA-256 over the parts, each preceded by its length."""
    hashed = hashlib.sha256()
    for part in parts:
        hashed.update(len(part).to_bytes(8, "big"))
        hashed.update(part)
    return hashed.hexdigest()[:16]


def line_digest(line: bytes) -> str:
    """Hash one raw line without its line end: the first 16 hex digits of its SHA-256."""
    return hashlib.sha256(line).hexdigest()[:16]
