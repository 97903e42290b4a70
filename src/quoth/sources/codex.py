"""Codex CLI, and Codex in editors and on the desktop, which share its store: rollout files, and two sources of titles.

`_codex_ids` fixes the ids, `_codex_rollout` reads the files, `_codex_speech` tells who spoke, `_codex_replay` drops
copied history, `_codex_titles` and `_codex_legacy` read the rest.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from quoth.core.ids import SessionId, SourceId
from quoth.core.model import Form, Found, Json, Knowledge, MemoryFile, Skipped, Stream
from quoth.core.ports import Allows, Parser, everywhere
from quoth.readers.tree import Entry, find
from quoth.sources._codex_files import schema_of
from quoth.sources._memory_file import Family, MemoryFiles

# What reads lines is imported when there are lines to read: most passes find nothing new.

_INDEX = "session_index.jsonl"
_PATTERNS = (
    "sessions/**/rollout-*.jsonl",
    "archived_sessions/**/rollout-*.jsonl",
    "sessions/rollout-*.json",
    _INDEX,
    "state_*.sqlite",
)
_MEMORY = MemoryFiles(
    SourceId("codex"),
    (
        Family(("AGENTS.md", "AGENTS.override.md", "instructions.md", "rules/*.md"), "rule", is_instruction=True),
        Family(("memories/*.md", "memories/rollout_summaries/*.md")),
    ),
    working=frozenset({"phase2_workspace_diff.md"}),
)


class Codex:
    """The adapter of Codex."""

    knowledge = Knowledge(
        agent="Codex",
        root="~/.codex",
        environment=("CODEX_HOME", "CODEX_SQLITE_HOME"),
        paths=(*_PATTERNS, *_MEMORY.patterns),
        versions=("0.40", "0.98", "0.104", "0.112", "0.146", "0.155"),
        observed="2026-10",
        kept="no limit; files older than a week are compressed in place, older schemas may be rewritten",
        never_read=(
            "auth.json",
            "config.toml",
            "history.jsonl",
            "logs_*.sqlite",
            "goals_*.sqlite",
            "thread_history_*.sqlite",
            ".tmp/**",
            "**/*.lock",
            "**/rollout-compress-*.tmp",
            "memories/{skills,extensions,.git}/**",
            "memories/phase2_workspace_diff.md",
        ),
        gaps=(
            "`AGENTS.md` inside repositories is not read",
            "memory is about all projects together; it counts for all",
            "`sqlite_home` in config.toml is not followed, only CODEX_SQLITE_HOME",
            "`session_index.jsonl` names all threads, those of excluded folders and projects, too",
            "a subagent's turns that the person steered count as instructions of the parent agent",
        ),
    )

    def roots(self, env: Mapping[str, str], home: Path) -> Sequence[Path]:
        said = env.get("CODEX_HOME", "").strip()
        main = Path(said) if said else home / ".codex"
        databases = env.get("CODEX_SQLITE_HOME", "").strip()
        return list(dict.fromkeys([main, Path(databases) if databases else main]))

    def find(self, root: Path) -> Iterator[Found | Skipped]:
        databases: list[tuple[int, Found]] = []
        for entry in find(root, (*_PATTERNS, *_MEMORY.patterns)):
            if isinstance(entry, Skipped):
                yield entry
            elif _MEMORY.memory_file(entry.key):
                yield from _MEMORY.found(entry)
            elif not entry.key.endswith(".sqlite"):
                yield _found(entry)
            elif (schema := schema_of(entry.key)) is not None:
                databases.append((schema, _found(entry)))
        yield from (found for _, found in sorted(databases, key=lambda pair: -pair[0]))

    def age(self, found: Found) -> tuple[int | str, ...]:
        """Return the file's name: it begins with when the file was begun, and archiving keeps it."""
        return (found.identity,)

    def parser(self, stream: Stream, state: Json = None) -> Parser:
        if _MEMORY.memory_file(stream.key):
            return _MEMORY.parser(stream, state)
        from quoth.sources import _codex_legacy, _codex_rollout, _codex_titles

        if stream.key == _INDEX:
            return _codex_titles.IndexParser()
        if stream.form is Form.ROWS:
            return _codex_titles.ThreadsParser(stream, state)
        reader = _codex_legacy.LegacyParser if stream.form is Form.FILE else _codex_rollout.RolloutParser
        return reader(stream, state)

    def memory_file(self, key: str) -> MemoryFile | None:
        return _MEMORY.memory_file(key)

    def rows(self, found: Found, state: Json, allows: Allows = everywhere) -> Iterator[bytes]:
        from quoth.sources._codex_titles import changed_rows

        return changed_rows(found.path, state, allows)

    def resume(self, session: SessionId) -> Sequence[str] | None:
        return ("codex", "resume", session)


def _found(entry: Entry) -> Found:
    """Describe a file. Its base name survives archiving, which is a move between two folders."""
    base = entry.key.rpartition("/")[2]
    form = Form.ROWS if base.endswith(".sqlite") else Form.FILE if base.endswith(".json") else Form.LOG
    identity = base.removesuffix(".jsonl")
    return Found(entry.key, entry.path, form, identity, entry.signature, entry.compressed)


ADAPTER = Codex()
