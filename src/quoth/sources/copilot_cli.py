"""Read the sessions of Copilot CLI: the log of each, and the file beside it that says what it is called.

Ids are frozen; they are stored in citations. After `copilot-cli:` stands

- `<session>:<tool call id>` for a call, however many records tell of it, and `<session>:<tool call id>:out` for its
  result. The n-th call with the same id of under 16 characters is `<tool call id>#<n>` from n = 2 on;
- `<event id>` for everything else, and for a call or result without an id. What was thought before an answer ends in
  `:reasoning`, what was attached to a question in `:attachments`, the n-th nameless call of an answer in `#<n>`;
- `<session>:<hash>` for a record without an id, where the hash is the first 16 hex digits of the SHA-256 of the record
  as compact JSON, preceded by its length in 8 big-endian bytes (`core.ids.digest16`).

The session is the one that the log names, else the name of the folder or file. A subagent writes into the log of the
session that it works for; it is a session of its own, `<session>/<agent>`, and what is said to it is no person's words.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from quoth.core.ids import SessionId
from quoth.core.model import Form, Found, Json, Knowledge, Skipped, Stream
from quoth.core.ports import Allows, Parser, everywhere
from quoth.readers import tree
from quoth.sources._copilot_parser import EventsParser
from quoth.sources._copilot_workspace import WorkspaceParser
from quoth.sources._values import is_name

_PATTERNS = (
    "session-state/*/events.jsonl",
    "session-state/*/workspace.yaml",
    "session-state/*.jsonl",
    "history-session-state/*.jsonl",
)


class CopilotCli:
    """The adapter of Copilot CLI."""

    knowledge = Knowledge(
        agent="Copilot CLI",
        root="~/.copilot",
        environment=("COPILOT_HOME", "XDG_STATE_HOME"),
        paths=_PATTERNS,
        versions=("0.0.369", "0.0.407", "1.0.7 to 1.0.71"),
        observed="2026-10",
        kept="no limit",
        never_read=(
            "config.json",
            "command-history-state.json",  # the typed prompts once more
            "logs/**",
            "session-store.db",
            "session-state/*/session.db",
            "session-state/*/checkpoints/**",
        ),
        gaps=(
            "`history-session-state/*.json` of 2025 has another format.",
            "The branch in `workspace.yaml` is not used: the log says which one each record was written on.",
            "What the person answered to a question of the model stands in that tool's result.",
            "`copilot-instructions.md` is not read yet; other memory is in the cloud.",
        ),
    )

    def roots(self, env: Mapping[str, str], home: Path) -> Sequence[Path]:
        """Return the folder of `COPILOT_HOME`, else the usual one, and that of older versions if it exists."""
        if said := env.get("COPILOT_HOME", "").strip():
            return [home / said[2:] if said.startswith("~/") else Path(said)]
        state = env.get("XDG_STATE_HOME", "").strip()
        older = [Path(state) / ".copilot"] if state and (Path(state) / ".copilot").is_dir() else []
        return list(dict.fromkeys([home / ".copilot", *older]))

    def find(self, root: Path) -> Iterator[Found | Skipped]:
        for entry in tree.find(root, _PATTERNS):
            if isinstance(entry, Skipped):
                yield entry
            else:
                form = Form.FILE if entry.key.endswith(".yaml") else Form.LOG
                yield Found(entry.key, entry.path, form, entry.key, entry.signature, entry.compressed)

    def age(self, found: Found) -> tuple[int | str, ...]:
        """Return nothing: files do not share events, and their names do not tell which was first."""
        return ()

    def parser(self, stream: Stream, state: Json = None) -> Parser:
        session = _session(stream.key)
        return WorkspaceParser(session, state) if stream.form is Form.FILE else EventsParser(session, state)

    def rows(self, found: Found, state: Json, allows: Allows = everywhere) -> Iterator[bytes]:
        """Yield nothing: what the databases hold is in the logs."""
        return iter(())

    def resume(self, session: SessionId) -> Sequence[str] | None:
        return None if "/" in session else ("copilot", f"--resume={session}")


def _session(key: str) -> str:
    """Return the session that a file is named after, which is its folder's name in all but older versions."""
    folder, base = key.split("/")[1:-1], key.rpartition("/")[2]
    named = folder[0] if folder else base.removesuffix(".jsonl")
    return named if is_name(named) else re.sub(r"[^A-Za-z0-9_.-]+", "-", f"file-{named}")[:100]


ADAPTER = CopilotCli()
