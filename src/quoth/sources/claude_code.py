"""Read the sessions of Claude Code: its transcripts, those of its subagents, and the titles beside them.

Ids are frozen; they are stored in citations. After `claude-code:` stands

- `<uuid>` for the first block of a record's content, `<uuid>#<n>` for the block at position n from 0, whatever the
  blocks are: a type of block that is understood later changes no id;
- `<uuid>#<n>:injected` for what a program had put around the words of block n;
- instead of `<uuid>`, `<session>:<hash>` for a record without one, and `<hash>` for one without `sessionId` either; a
  side file counts as saying the session it is named after. The hash is the first 16 hex digits of the SHA-256 of the
  record's bytes, without blanks, NUL and line ends around them. Of a record that shares its line with others or with
  rubble the bytes are written again as the agent writes them (compact, keys in order, non-ASCII as it is), so that it
  keeps its id when the line is put right. Bookkeeping appended again word for word is one event.

An id that the agent gave counts when it is made of up to 100 ASCII letters, digits, `_`, `.` and `-`.

`memory:<key>:<hash>` is one version of a memory file: its path below the folder, or the hash of that where it is long
or not plain ASCII, and the first 16 hex digits of the SHA-256 of its bytes without one LF at the end.

A subagent is a child session: `agent-<agentId>`, or `<session>/sidechain` in logs of 2025 that name no agent. What is
said to it was said by the model, so its prompts are of kind `meta`, with the role `user` that the log gives them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from quoth.core.ids import SessionId, SourceId
from quoth.core.model import Form, Found, Json, Knowledge, MemoryFile, Skipped, Stream
from quoth.core.ports import Allows, Parser, everywhere
from quoth.readers import tree
from quoth.sources._claude_files import PATTERNS, first_run, form_of, identity_of, is_read, log_file, project_of
from quoth.sources._memory_file import TYPES, Family, MemoryFiles

_MEMORY = MemoryFiles(
    SourceId("claude-code"),
    (
        Family(("CLAUDE.md", "rules/**/*.md"), "rule", is_instruction=True),
        Family(("projects/*/memory/**/*.md",), types=TYPES, sessions=2),
    ),
)


class ClaudeCode:
    knowledge = Knowledge(
        agent="Claude Code",
        root="~/.claude",
        environment=("CLAUDE_CONFIG_DIR",),
        paths=(*PATTERNS, *_MEMORY.patterns),
        versions=("1.0.88", "1.0.98", "2.0.64 to 2.1.42", "2.1.270"),
        observed="2026-09",
        kept="30 days by default (`cleanupPeriodDays`), then the agent deletes a session",
        never_read=(
            ".credentials.json",
            "**/*.key",
            "settings*.json",
            "history.jsonl",  # the typed prompts once more; the sessions hold them
            "projects/*/*/subagents/**/journal.jsonl",  # the steps of a workflow, no transcript
        ),
        gaps=(
            "Memory files inside repositories (`CLAUDE.md`, `.claude/rules/`) are not read, nor a folder that "
            "`autoMemoryDirectory` names.",
            "Tool outputs spilled to `tool-results/*.txt` are not read; the transcript says where they are.",
            "What the person said while denying a tool stands in that tool's result.",
            "Records that a resumed session wrote again with new ids count again.",
            "`audit.jsonl` of the desktop application has another format.",
        ),
    )

    def roots(self, env: Mapping[str, str], home: Path) -> Sequence[Path]:
        """Return the folders of `CLAUDE_CONFIG_DIR`, a path or several between commas, else the usual ones."""
        named = env.get("CLAUDE_CONFIG_DIR", "").strip()
        if named:
            return _named(named, home)
        older = home / ".config" / "claude"
        return [home / ".claude", *([older] if older.is_dir() else [])]

    def find(self, root: Path) -> Iterator[Found | Skipped]:
        beside: dict[str, Path] = {}  # a transcript of each folder: its memory is about the same directory
        for entry in tree.find(root, (*PATTERNS, *_MEMORY.patterns)):
            if isinstance(entry, Skipped):
                yield entry
                continue
            folder = project_of(entry.key)
            if _MEMORY.memory_file(entry.key):
                yield from _MEMORY.found(entry, beside=beside.get(folder))
            elif is_read(entry.key):
                beside.setdefault(folder, entry.path)
                identity = identity_of(entry.key)
                yield Found(entry.key, entry.path, form_of(entry.key), identity, entry.signature, entry.compressed)

    def age(self, found: Found) -> tuple[int | str, ...]:
        return (first_run(found) if found.form is Form.LOG else 0,)

    def parser(self, stream: Stream, state: Json = None) -> Parser:
        if _MEMORY.memory_file(stream.key):
            return _MEMORY.parser(stream, state)
        from quoth.sources._claude_parser import parser  # most passes find nothing new and read no line

        return parser(log_file(stream.key), state)

    def memory_file(self, key: str) -> MemoryFile | None:
        return _MEMORY.memory_file(key)

    def rows(self, found: Found, state: Json, allows: Allows = everywhere) -> Iterator[bytes]:
        """Yield nothing: Claude Code keeps no database."""
        return iter(())

    def resume(self, session: SessionId) -> Sequence[str] | None:
        is_child = session.startswith("agent-") or "/" in session
        return None if is_child else ("claude", "--resume", session)


def _named(named: str, home: Path) -> list[Path]:
    whole = _path(named, home)
    if whole.is_dir():  # a folder whose own name has a comma
        return [whole]
    return list(dict.fromkeys(_path(part.strip(), home) for part in named.split(",") if part.strip()))


def _path(said: str, home: Path) -> Path:
    return home / said[2:] if said.startswith("~/") else home if said == "~" else Path(said)


ADAPTER = ClaudeCode()
