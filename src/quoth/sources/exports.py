"""Read conversations that a person exported: the archives of ChatGPT and Claude, and texts of any program.

Ids are frozen; they are stored in citations. After `exports:` stands

- `chatgpt:<message>` for what a message says, `chatgpt:<message>:attachments` for what was attached to it;
- `claude:<message>` for the first text of a message, `claude:<message>#<n>` for the block at position n from 0 that is
  another one, `claude:<message>:attachment<n>` and `claude:<message>:files` for what was attached to it;
- `text:<session>:<hash>` for a part of a Markdown or text file. The hash is the first 16 hex digits of SHA-256 over
  role, kind and words, each preceded by its length in 8 big-endian bytes (`core.ids.digest16`), and `#<n>` for the n-th
  that is equal. The session is `text-` and the same hash over the first question and the first answer, so that
  renaming a file, or exporting the longer conversation again, changes no id.

A message id that the archive gave counts when it is made of up to 100 ASCII letters, digits, `_`, `.` and `-`; of any
other, or none, the hash by `core.ids.digest16` over conversation and message as compact JSON stands for it.

One source and not one for each program: both call their file `conversations.json`, a text does not say at all whose it
is, and a person has one folder of downloads, one variable to name it and one name to take it out. An export is read as
rows, one for each message, also from inside its ZIP file: so a file of any size is read in bounded memory, an event's
line is its own message, and of a newer export in the same place only conversations that changed are kept again.
Branches that were left were said and stay.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from quoth.core.ids import SessionId
from quoth.core.model import Form, Found, Json, Knowledge, Skipped, Stream
from quoth.core.names import printable_path
from quoth.core.ports import Allows, Parser, everywhere
from quoth.readers import tree
from quoth.sources import _exports_parser
from quoth.sources._exports_files import ARCHIVES, JSON, LARGEST_TEXT, TEXTS, changed_rows

_VARIABLE = "QUOTH_EXPORTS"
_USUAL = "quoth-exports"  # in sight: a person puts files there by hand
_PATTERNS = (*JSON, *ARCHIVES, *TEXTS)
_NOT_EXPORTED = ("readme.", "license.", "changelog.")


class Exports:
    """The adapter of exported conversations."""

    knowledge = Knowledge(
        agent="Exported conversations (ChatGPT, Claude, Markdown)",
        root=f"~/{_USUAL}",
        environment=(_VARIABLE,),
        paths=_PATTERNS,
        versions=(
            "ChatGPT: 2023 to 2026, whole and in numbered parts",
            "Claude: 2024 to 2026",
            "`/export` of Claude Code 1.x and 2.1",
        ),
        observed="2026-04",
        kept="as long as you keep the files; they are made by hand, a newer one holds the older ones",
        never_read=(
            "user.json",  # name, e-mail address, telephone number
            "users.json",
            "user_settings.json",
            "chat.html",
            "message_feedback.json",
            "shared_conversations.json",
            "memories.json",
            "projects.json",
            "every other member of a ZIP file, and archives inside archives",
        ),
        gaps=(
            "The forms are those that others describe in public; few real exports were looked at.",
            "Images, sounds and files are named, not kept.",
            "Which branch of a conversation was the last is not shown; all of them are kept.",
            "Texts are read as ChatGPT, Claude and their usual exporters write them: `# User`, `**User:**`,"
            " `You said:`, `User:`, Claude Code's `/export`. Of others only the text file is counted.",
            "Texts name no times but sometimes a day; their events have the time of the file.",
            "Line breaks that a terminal made in `/export` stay.",
            "Markdown inside a ZIP file is not read.",
            "Memories, projects and custom instructions outside conversations are not read.",
            "What was exported from an agent whose own logs are read, too, is there twice.",
            "A conversation over 64 MB and a text over 16 MB are told and not read.",
        ),
    )

    def roots(self, env: Mapping[str, str], home: Path) -> Sequence[Path]:
        """Return the folders of `QUOTH_EXPORTS`, one or several as in `PATH`, else `quoth-exports` in the home."""
        named = env.get(_VARIABLE, "").strip()
        paths = [part.strip() for part in named.split(os.pathsep)]
        return list(dict.fromkeys(_path(part, home) for part in paths if part)) or [home / _USUAL]

    def find(self, root: Path) -> Iterator[Found | Skipped]:
        for entry in tree.find(root, _PATTERNS):
            if isinstance(entry, Skipped):
                yield entry
                continue
            base = entry.key.rpartition("/")[2]
            is_text = not base.lower().endswith((".json", ".zip"))
            if is_text and entry.signature.size > LARGEST_TEXT:
                yield Skipped(printable_path(str(entry.path)), "too_large")
            elif not base.lower().startswith(_NOT_EXPORTED):
                # Every export calls its file alike; a text has a name of its own, which a move keeps.
                identity = base if is_text else entry.key
                yield Found(entry.key, entry.path, Form.ROWS, identity, entry.signature, entry.compressed)

    def age(self, found: Found) -> tuple[int | str, ...]:
        """Return nothing: when an export was made does not tell which of two owns what both hold."""
        return ()

    def parser(self, stream: Stream, state: Json = None) -> Parser:
        return _exports_parser.parser(state)

    def rows(self, found: Found, state: Json, allows: Allows = everywhere) -> Iterator[bytes]:
        return changed_rows(found, _exports_parser.completed(state))

    def resume(self, session: SessionId) -> Sequence[str] | None:
        """Return nothing: a conversation goes on where it was held."""
        return None


def _path(said: str, home: Path) -> Path:
    return home / said[2:] if said.startswith(("~/", "~\\")) else home if said == "~" else Path(said)


ADAPTER = Exports()
