"""Read the sessions of Grok Build: the stream of updates of each, and what it says of a session as a whole.

Ids are frozen; they are stored in citations. After `grok:` stands

- `<hash>` for a record: the first 16 hex digits of SHA-256 over three UTF-8 texts, each preceded by its length in 8
  big-endian bytes (`core.ids.digest16`): its stamp; its `sessionUpdate`; its words. The n-th equal hash among
  neighbours with the same stamp ends in `#n` from n = 2 on.
  The stamp is `_meta.eventId`, else `<_meta.promptId>@<_meta.agentTimestampMs>`, else the stamp of the record before,
  else the session. The words are the text of a chunk (`[<type>]` for what is no text), the `toolCallId` of a tool
  call, nothing for the rest. An update of a call that neither asks nor answers has `tool_call_update/state` for its
  `sessionUpdate`;
- `<hash>:out` for what a tool answered, where the hash is that of its call, or of the first update when no call was
  read;
- `<hash>:injected` for what a program had put around the person's words;
- `<session>:summary` for `summary.json`.

`memory:<key>:<hash>` is one version of a memory file: its path below the folder, or the hash of that where it is long
or not plain ASCII, and the first 16 hex digits of the SHA-256 of its bytes without one LF at the end.

A message in chunks has the id of its first chunk. Updates of a call change its text, not its id.

Why not the session and the written time: a fork writes every line of its original again with its own session and the
present time, but keeps `_meta`. So copies count once. And why not the event id alone: after a rewind and a restart its
counter may use numbers again.

A subagent is an ordinary session whose name stands below `subagents/` of its parent. What is said to it was said by the
model, so its prompts are of kind `meta`, with the role `user` that the log gives them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from quoth.core.ids import SessionId, SourceId
from quoth.core.model import Form, Found, Json, Knowledge, MemoryFile, Skipped, Stream
from quoth.core.ports import Allows, Parser, everywhere
from quoth.readers import tree
from quoth.sources import _grok_parser, _grok_summary
from quoth.sources._grok_files import CHILDREN, PATTERNS, begun_at, child_of, directory_of, identity_of, log_file
from quoth.sources._memory_file import Family, MemoryFiles

_MEMORY = MemoryFiles(
    SourceId("grok"),
    (
        Family(("AGENTS.md", "rules/**/*.md"), "rule", is_instruction=True),
        Family(("memory/*.md",)),
        Family(
            ("memory/*/*.md", "memory/*/sessions/*.md"),
            digest=r"-([0-9a-f]{8})/",  # taken for the hash of the directory, as ZCode has it
        ),
    ),
)


class Grok:
    knowledge = Knowledge(
        agent="Grok Build",
        root="~/.grok",
        environment=("GROK_HOME",),
        paths=(*PATTERNS, *_MEMORY.patterns),
        versions=("sources of 2026-08-19",),
        observed="2026-08",
        kept="no limit; `/delete` removes a session",
        never_read=(
            "auth.json",
            "config.toml",
            "user-settings.json",  # of the community's grok-cli, which shares the folder; it holds an API key
            "sessions/*/prompt_history.jsonl",  # the typed prompts once more
            "sessions/*/*/chat_history.jsonl",  # the same conversation without times, rewritten when it is compacted
            "sessions/*/*/{events,rewind_points,feedback}.jsonl",
            "sessions/*/*/{plan,signals,prompt_context}*.json",
            "sessions/*/*/system_prompt.txt",
            "sessions/*/*/{terminal,compaction,compaction_checkpoints}/**",
            "sessions/*/*/subagents/*/meta.json",  # only its place is looked at: it names the children of a session
            "**/*.lock",
            "**/*.tmp",
        ),
        gaps=(
            "`AGENTS.md`, `CLAUDE.md` and `.grok/rules/` inside repositories are not read.",
            "What the 8 digits of `memory/<project>-<digits>/` are a hash of was not observed; where they are not the "
            "beginning of the SHA-256 of a known directory, that memory counts for all projects.",
            "The agent writes its version nowhere.",
            "The oldest records, which have no `_meta`, count again in a fork.",
            "What is said to a subagent whose parent was deleted before the first look counts as the person's.",
            "Events know no directory; a session's is the one it began in.",
        ),
    )

    def roots(self, env: Mapping[str, str], home: Path) -> Sequence[Path]:
        said = env.get("GROK_HOME", "").strip()
        return [Path(said) if said else home / ".grok"]

    def find(self, root: Path) -> Iterator[Found | Skipped]:
        entries = list(tree.find(root, (*PATTERNS, CHILDREN, *_MEMORY.patterns)))
        children = {child for entry in entries if isinstance(entry, tree.Entry) and (child := child_of(entry.key))}
        for entry in entries:
            if isinstance(entry, Skipped):
                yield entry
            elif _MEMORY.memory_file(entry.key):
                yield from _MEMORY.found(entry)
            elif not child_of(entry.key):
                form = Form.LOG if entry.key.endswith(".jsonl") else Form.FILE
                identity = identity_of(entry.key, children)
                cwd = directory_of(entry.key)
                yield Found(entry.key, entry.path, form, identity, entry.signature, entry.compressed, cwd)

    def age(self, found: Found) -> tuple[int | str, ...]:
        """Return when the file was begun: a fork's first line bears the time of forking. Then the session's name."""
        return (begun_at(found) if found.form is Form.LOG else 0, found.identity)

    def parser(self, stream: Stream, state: Json = None) -> Parser:
        if _MEMORY.memory_file(stream.key):
            return _MEMORY.parser(stream, state)
        file = log_file(stream)
        return _grok_summary.parser(file, state) if stream.form is Form.FILE else _grok_parser.parser(file, state)

    def memory_file(self, key: str) -> MemoryFile | None:
        return _MEMORY.memory_file(key)

    def rows(self, found: Found, state: Json, allows: Allows = everywhere) -> Iterator[bytes]:
        """Yield nothing: Grok Build keeps no database."""
        return iter(())

    def resume(self, session: SessionId) -> Sequence[str] | None:
        return ("grok", "--resume", session)


ADAPTER = Grok()
