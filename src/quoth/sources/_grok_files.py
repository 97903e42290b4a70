"""Know what Grok Build's files are from their names alone, and when one was begun from its first line."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from urllib.parse import unquote

from quoth.core.model import Found, Stream
from quoth.readers import compressed
from quoth.readers.jsonl import records
from quoth.sources._values import is_name, number

PATTERNS = ("sessions/*/*/updates.jsonl", "sessions/*/*/summary.json")
CHILDREN = "sessions/*/*/subagents/*/meta.json"

_CHILD = "subagent:"
_LATEST = 1 << 40  # seconds; a number beyond is none
_ABSOLUTE = re.compile(r"/|[A-Za-z]:[/\\]")


@dataclass(frozen=True, slots=True)
class LogFile:
    """A file by its name: its session, the directory that session began in, and whether it is a subagent's."""

    session: str
    cwd: str | None = None
    is_child: bool = False


def child_of(key: str) -> str | None:
    """Return the session that an entry below `subagents/` names."""
    parts = key.split("/")
    return parts[4] if len(parts) == 6 else None


def identity_of(key: str, children: Collection[str]) -> str:
    """Return what stays when a session moves to another directory's folder; it also tells a subagent's from others."""
    session, file = key.split("/")[2:]
    return f"{_CHILD if session in children else ''}{session}/{file}"


def directory_of(key: str) -> str | None:
    """Return the directory that a session's folder is named after."""
    cwd = unquote(f"{key}//".split("/")[1])
    return cwd if _ABSOLUTE.match(cwd) else None


def log_file(stream: Stream) -> LogFile:
    session = f"{stream.key}///".split("/")[2]
    session = session if is_name(session) else re.sub(r"[^A-Za-z0-9_.-]+", "-", f"session-{session}")[:100]
    return LogFile(session, directory_of(stream.key), stream.identity.startswith(_CHILD))


def begun_at(found: Found) -> int:
    """Return the second that the first record was written in; 0 when it says none, as the oldest do."""
    begun = b""
    for chunk in compressed.chunks(found.path, compressed=found.compressed):
        begun += chunk
        if b"\n" in chunk or len(begun) > 1 << 22:
            break
    for record in records(begun.partition(b"\n")[0]):
        said = number(record, "timestamp") if isinstance(record, dict) else None
        return said if said and 0 < said < _LATEST else 0
    return 0
