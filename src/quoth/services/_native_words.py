"""What a memory file says, as a statement.

| file | type |
|---|---|
| what the person wrote for the agent (`CLAUDE.md`, `AGENTS.md`, `GEMINI.md`, `rules/`) | rule |
| memory of type `user`, `feedback`, `project`, `reference` (Claude Code, ZCode) | profile, preference, fact, fact |
| any other memory file, and the index `MEMORY.md` | note |

The text is the file's without its head, redacted. The name is the one in the head, else that of the file.
"""

from __future__ import annotations

from unicodedata import normalize

from quoth.core.ledger.values import Attribution, EntryKind, Scope, Statement
from quoth.core.model import EventRow, MemoryFile, Stream
from quoth.core.redact import redact
from quoth.core.snippet import cut
from quoth.readers.memory_head import Head, read

LONGEST = 64 * 1024  # characters of a statement; the event holds all of them

_NAME = 200
_KINDS = {
    "note": EntryKind.MEMORY,
    "fact": EntryKind.KNOWLEDGE,
    "preference": EntryKind.COGNITION,
    "profile": EntryKind.COGNITION,
    "rule": EntryKind.COGNITION,
}


def statement(file: MemoryFile, stream: Stream, event: EventRow, *, author: str, scope: Scope) -> Statement:
    """Return what the present version of a file says."""
    head = read(event.text)
    type_ = file.types.get(head.said.get("type", "").lower(), file.type)
    written_at = event.time if event.time_from == "record" else stream.mtime
    return Statement(
        text=_text(head, event.text),
        kind=_KINDS.get(type_, EntryKind.MEMORY),
        type=type_,
        created_at=written_at,
        author=author,
        name=_name(head.said.get("name", "")) or _name(_stem(stream.key)),
        scope=scope,
        attribution=Attribution.USER if file.is_instruction else Attribution.AGENT,
        imported=True,
    )


def says_the_same(one: Statement | None, other: Statement) -> bool:
    """Tell whether two versions differ in nothing but times and places."""
    said = one and (one.text, one.kind, one.type, one.name)
    return said == (other.text, other.kind, other.type, other.name)


def _text(head: Head, whole: str) -> str:
    """Return the text; a file that is nothing but a head says what its head describes."""
    text = head.text.strip() or head.said.get("description", "").strip() or whole.strip()
    return cut(redact(text).text, LONGEST)


def _name(given: str) -> str | None:
    name = normalize("NFC", redact(given).text.strip())
    return name if name and len(name) <= _NAME and name.isprintable() else None


def _stem(key: str) -> str:
    return key.rpartition("/")[2].removesuffix(".md")
