"""Read the sessions of Cursor: of the editor, and of its agents on the command line.

One session may lie in several stores under one id. They are read all; of what several hold, the index shows the reading
of the richest: `state.vscdb` (weight 2) before `store.db` (1) before the transcript (0).

Ids are frozen; they are stored in citations. After `cursor:<session>:` stands

- in `state.vscdb` the id of the bubble, for its text, or for its call of a tool; `<bubble>:out` for the tool's result,
  `<bubble>:thinking` for a thought, `<bubble>:text` for words beside a call;
- in a `store.db` the first 16 hex digits of the id of the blob that holds the message (`-<n>` for the n-th further
  message in one node), `#<n>` when the conversation names the blob for the n-th time, `:<i>` for
  the block at position i from 1;
- in a transcript the first 16 hex digits of SHA-256 over role, type and content of the block as written, each preceded
  by its length in 8 big-endian bytes (`core.ids.digest16`), and `#<n>` for the n-th that is equal. The content of a
  call is its name and, on a second line, its input as compact JSON;
- and behind each of these `:context` for what Cursor had put around the person's words.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path

from quoth.core.ids import SessionId
from quoth.core.model import Form, Found, Json, Knowledge, Skipped, Stream
from quoth.core.names import printable_path
from quoth.core.ports import Allows, Parser, everywhere
from quoth.readers.tree import find
from quoth.sources import _cursor_chat, _cursor_transcript
from quoth.sources._cursor_blobs import changed_messages
from quoth.sources._cursor_bubbles import StateParser
from quoth.sources._cursor_places import folder_on_disk, folders_in
from quoth.sources._cursor_rows import changed_rows

_TRANSCRIPTS = "projects/*/agent-transcripts"
_PATTERNS = (
    "globalStorage/state.vscdb",
    "workspaceStorage/*/state.vscdb",
    "chats/*/*/store.db",
    "acp-sessions/*/store.db",
    f"{_TRANSCRIPTS}/*.jsonl",
    f"{_TRANSCRIPTS}/*/*.jsonl",
    f"{_TRANSCRIPTS}/*/subagents/*.jsonl",
)
_TEXTS = (f"{_TRANSCRIPTS}/*.txt", f"{_TRANSCRIPTS}/*/*.txt")


class Cursor:
    """The adapter of Cursor."""

    knowledge = Knowledge(
        agent="Cursor",
        root="~/.config/Cursor/User and ~/.cursor",
        environment=("XDG_CONFIG_HOME", "APPDATA", "CURSOR_CONFIG_DIR", "CURSOR_DATA_DIR"),
        paths=_PATTERNS,
        versions=("IDE: sessions `_v` 9 to 13, bubbles `_v` 2 and 3", "IDE 2.x, 3.12", "CLI of September 2026"),
        observed="2026-09",
        kept="no limit; rows of the IDE's database are written again in place",
        never_read=(
            "globalStorage/state.vscdb: every other key, such as `cursorAuth/*`",
            "chats/*/*/store.db: `blobEncryptionKey`",
            "auth.json",
            "projects/*/mcp-auth.json",
            "mcp.json",
            "globalStorage/state.vscdb.backup",
        ),
        gaps=(
            "Old plain-text transcripts (`agent-transcripts/*.txt`) and the chats of before 2025"
            " (`workbench.panel.aichat.view.aichat.chatdata`) are not read.",
            "A `store.db` whose blobs are encrypted can't be read; it is counted.",
            "Tool outputs spilled to `agent-tools/*.txt` are not read.",
            "A transcript names no folder; the project is known once a tool is given a path inside it, and excluding a"
            " folder reaches it while the folder is there.",
            "Rules (`.cursor/rules/*.mdc`, `.cursorrules`) and the user rules of the account are not read yet.",
            "Branch and version of the agent are not stored by Cursor.",
            "A Cursor on the Windows side of WSL is not looked for.",
            "A row changed in place, not written again, is noticed among the last rows and sessions only.",
            "The command that resumes a session (`cursor-agent --resume ID`) is not shown: the IDE's have none.",
        ),
        systems=(
            ("macOS", "~/Library/Application Support/Cursor/User"),
            ("macOS", "~/.cursor"),
            ("Windows", "%APPDATA%\\Cursor\\User"),
            ("Windows", "%USERPROFILE%\\.cursor"),
        ),
        unreadable=(("chats/*/*/store.db", "encrypted, where its `meta` table names a key for its blobs"),),
    )

    def roots(self, env: Mapping[str, str], home: Path) -> Sequence[Path]:
        """Return the IDE's folders that exist, else the usual one, and those of the command line."""
        config = Path(_said(env, "XDG_CONFIG_HOME") or home / ".config")
        roaming = _said(env, "APPDATA")
        editors = [
            *([Path(roaming, "Cursor", "User")] if roaming else []),
            home / "Library" / "Application Support" / "Cursor" / "User",
            config / "Cursor" / "User",
        ]
        named = [Path(said) for key in ("CURSOR_DATA_DIR", "CURSOR_CONFIG_DIR") if (said := _said(env, key))]
        other = config / "cursor"
        agents = named or [home / ".cursor", *([other] if other.is_dir() else [])]
        present = [path for path in editors if path.is_dir()]
        return list(dict.fromkeys([*(present or editors[-1:]), *agents]))

    def find(self, root: Path) -> Iterator[Found | Skipped]:
        inside = cache(folders_in)
        folder = cache(lambda slug: folder_on_disk(slug, Path(root.anchor), inside))
        for entry in find(root, (*_PATTERNS, *_TEXTS)):
            if isinstance(entry, Skipped):
                yield entry
            elif entry.key.endswith(".txt"):
                yield Skipped(printable_path(str(entry.path)), "plain_text_transcript")
            else:
                form = Form.LOG if entry.key.endswith(".jsonl") else Form.ROWS
                cwd = folder(entry.key.split("/")[1]) if form is Form.LOG else None
                yield Found(entry.key, entry.path, form, _identity(entry.key), entry.signature, entry.compressed, cwd)

    def age(self, found: Found) -> tuple[int | str, ...]:
        """Return the place of a store among those that may hold one session: what the richest says of it counts."""
        stores = ("globalStorage/", "workspaceStorage/", "chats/", "acp-sessions/", "projects/")
        return (next(n for n, store in enumerate(stores) if found.key.startswith(store)),)

    def parser(self, stream: Stream, state: Json = None) -> Parser:
        if stream.key.endswith(".vscdb"):
            return StateParser(state)
        if stream.form is Form.ROWS:
            return _cursor_chat.parser(stream.key.split("/")[-2], state)
        return _cursor_transcript.parser(stream.key, state)

    def rows(self, found: Found, state: Json, allows: Allows = everywhere) -> Iterator[bytes]:
        changed = changed_rows if found.key.endswith(".vscdb") else changed_messages
        return changed(found.path, state, allows)

    def resume(self, session: SessionId) -> Sequence[str] | None:
        """Return nothing: only a session of the command line can be resumed by one, and its id does not tell."""
        return None


def _said(env: Mapping[str, str], key: str) -> str:
    return env.get(key, "").strip()


def _identity(key: str) -> str:
    """Return what stays when a project's folder gets another name: a transcript's own place in it."""
    return key.split("/", 2)[2] if key.startswith("projects/") else key


ADAPTER = Cursor()
