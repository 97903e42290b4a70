"""What tests do with atoms over HMG's contract."""

from __future__ import annotations

import json
from typing import Any

from memory import Memory

from quoth.core.ids import EntryId, full_spellings, ulid
from quoth.surfaces.mcp.archive import Archive

Client = Memory[Archive]

POSTGRES = "This project uses PostgreSQL 16 as the primary database, not MongoDB, because we need transactions"
WHY = "the user asked for it"


def memorized(client: Client, content: str = POSTGRES, **more: Any) -> str:
    """Memorize something new and return its atom."""
    done = client.used("memory_memorize", content=content, **more)
    said = first(done)
    assert said["effect"] == "applied", said
    return str(said["atom_id"])


def recalled(client: Client, query: str, **more: Any) -> list[str]:
    return [atom["content"] for atom in client.call("memory_recall", query=query, **more)["atoms"]]


def judged(client: Client, target: str, action: str, **more: Any) -> Any:
    """Correct or govern an atom and return the answer."""
    governs = action in {"quarantine", "seal", "tombstone", "derive_lesson"}
    tool = "memory_govern" if governs else "memory_correct"
    return first(client.used(tool, **{"target_atom": target, "action": action, "reason": WHY, **more}))


def replaced(client: Client, target: str, content: str) -> str:
    done = judged(client, target, "replace", new_content=content)
    assert done["effect"] == "applied", done
    return str(done["new_atom_id"])


def entry_of(atom: str) -> str:
    """Return the id that other dialects have for an atom."""
    (found,) = full_spellings(atom)
    return found


def atom_of(entry: str) -> str:
    return ulid(EntryId(entry))


def first(content: Any) -> Any:
    """Return what a tool answered, whatever it notes beside it."""
    assert not content["isError"], content
    return json.loads(content["content"][0]["text"])
