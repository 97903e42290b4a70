"""Gemini CLI: chats as logs that are replayed, the older whole-file form of them, and the chats of subagents.

Ids are frozen; they are stored in citations. After `gemini-cli:<session>:` stands

- `<message id>` for the words of a message, `<message id>:thoughts` for what the model thought, `<message id>:context`
  for what a program had put around the words;
- `<call id>` for a tool call, `<call id>:out` for its result, `<call id>:masked` for a result that was cut later; the
  call of another message with the same id is `<call id>#n` from n = 2 on;
- for a message without an id that can be printed the hash of its type, its `timestamp` as written and its words, for
  such a call that of its message's id and its text (`core.ids.digest16`);
- for a rewind the first 16 hex digits of SHA-256 of the record, written compact.

`gemini-cli:memory:<key>:<hash>` is one version of a memory file: its path below the folder, or the hash of that where
it is long or not plain ASCII, and the first 16 hex digits of the SHA-256 of its bytes without one LF at the end.

A message that is appended again under its id is a revision. What a rewind takes back was said and stays. `$set` with
`messages` is the model's context written anew, after a compression under new ids: of it only what was not said before,
by id or by the words, is read, and a result that was masked there does not replace the whole one.

A subagent is a child session, and its prompts were said by the model. Antigravity shares the folder `~/.gemini`; its
part is another source.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from quoth.core.ids import SessionId, SourceId
from quoth.core.model import Form, Found, Json, Knowledge, MemoryFile, Skipped, Stream
from quoth.core.ports import Allows, Parser, everywhere
from quoth.readers import tree
from quoth.sources import _gemini_parser
from quoth.sources._gemini_parser import Chat
from quoth.sources._gemini_projects import MARKER, REGISTRY, Projects
from quoth.sources._gemini_whole import WholeParser
from quoth.sources._memory_file import Family, MemoryFiles
from quoth.sources._values import is_name

_PATTERNS = ("tmp/*/chats/session-*.jsonl", "tmp/*/chats/session-*.json", "tmp/*/chats/*/*.jsonl")
_MEMORY = MemoryFiles(
    SourceId("gemini-cli"),
    (Family(("GEMINI.md",), "rule", is_instruction=True), Family(("tmp/*/memory/*.md",), sessions=2)),
)
_UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_AT = "\n"  # between the name of a chat and its directory; no file of the agent has one in its name


class GeminiCli:
    knowledge = Knowledge(
        agent="Gemini CLI",
        root="~/.gemini",
        environment=("GEMINI_CLI_HOME",),
        paths=(*_PATTERNS, *_MEMORY.patterns, REGISTRY, f"tmp/*/{MARKER}"),
        versions=("whole-file chats of 2025", "0.61"),
        observed="2026-10",
        kept="30 days by default (`general.sessionRetention`), then the agent deletes a chat",
        never_read=(
            "oauth_creds.json",
            "google_accounts.json",
            "mcp-oauth-tokens*.json",
            "settings.json",
            ".env",
            "tmp/*/logs.json",  # the typed prompts once more; the chats hold them
            "tmp/*/checkpoint*.json",
            "tmp/*/tool-outputs/**",
            "antigravity*/**",  # another source
            "tmp/*/memory/skills/**",
        ),
        gaps=(
            "`GEMINI.md` inside repositories is not read.",
            "Sessions from before chats were recorded are only in `logs.json` and checkpoints, which are not read.",
            "Tool outputs spilled to `tool-outputs/` are not read; the chat says where they are.",
            "The agent writes neither its version nor a branch.",
            "The directory is that of `projects.json` and `.project_root` when the chat was first read.",
        ),
    )

    def roots(self, env: Mapping[str, str], home: Path) -> Sequence[Path]:
        """Return the folder `.gemini` below `GEMINI_CLI_HOME`, else below the person's home."""
        said = env.get("GEMINI_CLI_HOME", "").strip()
        return [(Path(said) if said else home) / ".gemini"]

    def find(self, root: Path) -> Iterator[Found | Skipped]:
        """List the chats. The directory of each is told by files beside them, so it becomes a part of its identity."""
        projects = Projects(root)
        for entry in tree.find(root, (*_PATTERNS, *_MEMORY.patterns)):
            if isinstance(entry, Skipped):
                yield entry
                continue
            above = entry.key.split("/")[1:2]
            cwd = (projects.directory(above[0]) or None) if above else None
            if _MEMORY.memory_file(entry.key):
                yield from _MEMORY.found(entry, cwd=cwd)
                continue
            form = Form.LOG if entry.key.endswith(".jsonl") else Form.FILE
            identity = _AT.join(filter(None, [_name(entry.key), cwd]))
            yield Found(entry.key, entry.path, form, identity, entry.signature, entry.compressed, cwd)

    def age(self, found: Found) -> tuple[int | str, ...]:
        """Return the name: it begins with when the chat was begun, and `.json` was there before its `.jsonl`."""
        return (_name(found.key),)

    def parser(self, stream: Stream, state: Json = None) -> Parser:
        if _MEMORY.memory_file(stream.key):
            return _MEMORY.parser(stream, state)
        chat = _chat(stream)
        return WholeParser(chat, state) if stream.form is Form.FILE else _gemini_parser.parser(chat, state)

    def memory_file(self, key: str) -> MemoryFile | None:
        return _MEMORY.memory_file(key)

    def rows(self, found: Found, state: Json, allows: Allows = everywhere) -> Iterator[bytes]:
        """Yield nothing: Gemini CLI keeps no database."""
        return iter(())

    def resume(self, session: SessionId) -> Sequence[str] | None:
        return ("gemini", "--resume", session) if _UUID.fullmatch(session) else None


def _name(key: str) -> str:
    return key.rpartition("/")[2].replace(_AT, " ")


def _chat(stream: Stream) -> Chat:
    above = stream.key.split("/")[3:-1]
    stem = re.sub(r"\.jsonl?$", "", _name(stream.key))
    session = stem if is_name(stem) else re.sub(r"[^A-Za-z0-9_.-]+", "-", f"file-{stem}")[:100]
    parent = above[0] if above and is_name(above[0]) else None
    return Chat(session, parent, stream.identity.partition(_AT)[2])


ADAPTER = GeminiCli()
