"""Read the sessions of OpenClaw, which keeps Pi's entries: in files, and since 2026.8 in one database for each agent.

An id is `openclaw:<session>:<entry id>`, whichever store it was read in; `_entries_session` states the rest of the
rule. A migration to the database, also one that failed half-way, leaves both: each entry counts once.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from quoth.core.ids import SessionId
from quoth.core.model import Form, Found, Json, Knowledge, Skipped, Stream
from quoth.core.ports import Allows, Parser, everywhere
from quoth.readers import tree
from quoth.sources import _openclaw_rows, _openclaw_sessions
from quoth.sources._entries_log import LogParser
from quoth.sources._openclaw_sessions import ARCHIVE
from quoth.sources._openclaw_store import StoreParser
from quoth.sources._openclaw_words import SOURCE, OpenClawWords

_DATABASE, _LIST = "openclaw-agent.sqlite", "sessions.json"
_PATTERNS = (
    "agents/*/sessions/*.jsonl",
    "agents/*/sessions/*.jsonl.deleted.*",
    "agents/*/sessions/*.jsonl.reset.*",
    f"agents/*/{ARCHIVE}/*.jsonl",
    f"agents/*/{ARCHIVE}/*.jsonl.*",
    f"agents/*/sessions/{_LIST}",
    f"agents/*/agent/{_DATABASE}",
)
_LEGACY = (".clawdbot", ".moltbot")


class OpenClaw:
    """The adapter of OpenClaw."""

    knowledge = Knowledge(
        agent="OpenClaw",
        root="~/.openclaw",
        environment=("OPENCLAW_STATE_DIR",),
        paths=_PATTERNS,
        versions=("2026.1 to 2026.7 (files)", "2026.8.1 to 2026.9.6 (database)"),
        observed="2026-09",
        kept="30 days by default (`session.maintenance.pruneAfter`), then sessions are archived and removed",
        never_read=(
            "openclaw.json",
            "credentials/**",
            "agents/*/agent/auth-profiles.json",
            "agents/*/sessions/*.trajectory.jsonl",  # what the model was sent, over and over
            "all other tables and columns of the database",
        ),
        gaps=(
            "Memory files of the workspace (`MEMORY.md`, `memory/*.md`, `USER.md`, `SOUL.md`) are not read yet.",
            "Sessions that only the compressed archive inside the database still holds are not read.",
            "Of subagents only what they were told and said is known, not the session they work for.",
            "In a group chat the words of all people count as the user's.",
            "OpenClaw has no command that resumes a session by its id.",
        ),
    )

    def roots(self, env: Mapping[str, str], home: Path) -> Sequence[Path]:
        """Return the folder of `OPENCLAW_STATE_DIR`, else the usual one, those of profiles, and of the older names."""
        if said := env.get("OPENCLAW_STATE_DIR", "").strip():
            return [home / said[2:] if said.startswith("~/") else Path(said)]
        profiles = sorted(home.glob(".openclaw-*"))
        others = [folder for folder in [*profiles, *(home / name for name in _LEGACY)] if folder.is_dir()]
        # After a migration the older name is a link to the new folder.
        return [home / ".openclaw", *(folder for folder in others if not folder.is_symlink())]

    def find(self, root: Path) -> Iterator[Found | Skipped]:
        for entry in tree.find(root, _PATTERNS):
            if isinstance(entry, Skipped):
                yield entry
            elif ".trajectory." not in entry.key:
                form = Form.ROWS if entry.key.endswith((_DATABASE, _LIST)) else Form.LOG
                identity = _identity(entry.key)
                yield Found(entry.key, entry.path, form, identity, entry.signature, entry.compressed)

    def age(self, found: Found) -> tuple[int | str, ...]:
        """Return which store is older: what was put aside of a session comes before it, files before rows."""
        if found.form is Form.ROWS:
            return (2,)
        return (1 if found.key.endswith(".jsonl") and ".checkpoint." not in found.key else 0,)

    def parser(self, stream: Stream, state: Json = None) -> Parser:
        if stream.form is Form.ROWS:
            return StoreParser(state)
        return LogParser(SOURCE, OpenClawWords(), stream, state)

    def rows(self, found: Found, state: Json, allows: Allows = everywhere) -> Iterator[bytes]:
        if found.key.endswith(_LIST):
            return _openclaw_sessions.listed(found.path, state, allows, is_compressed=found.compressed)
        return _openclaw_rows.changed(found.path, state, allows)

    def resume(self, session: SessionId) -> Sequence[str] | None:
        return None


def _identity(key: str) -> str:
    """Return what stays when a file is marked as deleted or reset, or moved aside by the migration."""
    agent, base = key.split("/")[1], key.rpartition("/")[2]
    return f"{agent}/{base.partition('.jsonl')[0]}"


ADAPTER = OpenClaw()
