"""Antigravity in the editor, as an application and on the command line (`agy`): the transcripts it keeps in the clear.

Ids are frozen; they are stored in citations. After `antigravity:<conversation>:` stands

- `<step_index>` for the words or the result of a step, `<step_index>#<n>` for the call at position n from 0,
  `<step_index>:thinking` for what the model thought, `<step_index>:context` for what stands around the words;
- instead of a missing index the hash of the step's source, type, `created_at` as written and content
  (`core.ids.digest16`).

A step written again is a revision. The conversation is named by its folder, the only place that says its id.

Conversations are also kept encrypted, or as messages of an undocumented format. Those that have no transcript can't be
read and are told as skipped. Gemini CLI shares the folder `~/.gemini`; its part is another source.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from quoth.core.ids import SessionId
from quoth.core.model import Form, Found, Json, Knowledge, Skipped, Stream
from quoth.core.names import printable_path
from quoth.core.ports import Allows, Parser, everywhere
from quoth.readers import tree
from quoth.readers.tree import Entry
from quoth.sources import _antigravity_parser
from quoth.sources._antigravity_parser import HistoryParser
from quoth.sources._values import is_name

_LOGS = "antigravity*/brain/*/.system_generated/logs"
_FULL, _SHORT = "transcript_full.jsonl", "transcript.jsonl"
_HISTORY = "antigravity*/history.jsonl"
_STORES = {".pb": "encrypted", ".db": "undocumented_format"}


class Antigravity:
    knowledge = Knowledge(
        agent="Antigravity",
        root="~/.gemini",
        environment=(),
        paths=(f"{_LOGS}/{_FULL}", f"{_LOGS}/{_SHORT}", _HISTORY),
        versions=("agy 1.0.4", "agy 1.1.19", "agy 1.2.6"),
        observed="2026-09",
        kept="no limit known; a transcript may be written anew, and results are filled in later",
        never_read=(
            "oauth_creds.json",
            "google_accounts.json",
            "antigravity*/conversations/*",  # encrypted, or of an undocumented format
            "antigravity*/settings.json",
            "antigravity*/cache/**",
            "tmp/**",  # another source
        ),
        gaps=(
            "What only `conversations/*.pb` (encrypted) or `*.db` (undocumented) hold is told as skipped.",
            "`transcript.jsonl`, which shortens long results, is read only where there is no `transcript_full.jsonl`.",
            "Titles are in `conversation_summaries.db`, whose format is not known.",
            "Artifacts (`brain/*/*.md`) and rules are not read yet.",
            "The folder is named by the command line's `history.jsonl`, else by the first command that was run.",
            "A tool's result that is the last line is told once the response before it, or any later one, is written.",
            "What a subagent was told counts as the person's words where its own transcript says so.",
            "After going back, a step with a number used before replaces the older words; the mirror keeps both.",
        ),
        unreadable=(
            ("antigravity*/conversations/*.pb", "encrypted; read is the transcript beside it, where there is one"),
            ("antigravity*/conversations/*.db", "messages of an undocumented format; as above"),
        ),
    )

    def roots(self, env: Mapping[str, str], home: Path) -> Sequence[Path]:
        return [home / ".gemini"]

    def find(self, root: Path) -> Iterator[Found | Skipped]:
        """List the fullest transcript of each conversation, and what can't be read of those without one."""
        stores = tuple(f"antigravity*/conversations/*{suffix}" for suffix in _STORES)
        listed = list(tree.find(root, (*self.knowledge.paths, *stores)))
        entries = {entry.key: entry for entry in listed if isinstance(entry, Entry)}
        readable = {
            _conversation(key) for key, entry in entries.items() if _is_transcript(key) and entry.signature.size
        }
        yield from (entry for entry in listed if isinstance(entry, Skipped))
        for key, entry in entries.items():
            if reason := _STORES.get(key[-3:]):
                if _conversation(key) not in readable:
                    yield Skipped(printable_path(str(entry.path)), reason)
            elif not _is_repeated(key, entries):
                yield Found(key, entry.path, Form.LOG, _identity(key), entry.signature, entry.compressed)

    def age(self, found: Found) -> tuple[int | str, ...]:
        """Put the history first: the folder it names outweighs that of a command."""
        return (int(_is_transcript(found.key)),)

    def parser(self, stream: Stream, state: Json = None) -> Parser:
        if not _is_transcript(stream.key):
            return HistoryParser()
        conversation = _conversation(stream.key)[1]
        printable = conversation if is_name(conversation) else re.sub(r"[^A-Za-z0-9_.-]+", "-", f"file-{conversation}")
        return _antigravity_parser.parser(printable[:100], state)

    def rows(self, found: Found, state: Json, allows: Allows = everywhere) -> Iterator[bytes]:
        """Yield nothing: no database of Antigravity is read."""
        return iter(())

    def resume(self, session: SessionId) -> Sequence[str] | None:
        return ("agy", "--conversation", session)


def _is_transcript(key: str) -> bool:
    return key.endswith((f"/{_FULL}", f"/{_SHORT}"))


def _is_repeated(key: str, entries: Mapping[str, Entry]) -> bool:
    """Tell whether a shortened transcript stands beside the full one."""
    folder, _, file = key.rpartition("/")
    return file == _SHORT and f"{folder}/{_FULL}" in entries


def _conversation(key: str) -> tuple[str, str]:
    """Return the application's folder and the id of the conversation that a file belongs to."""
    parts = key.split("/")
    return parts[0], parts[2].removesuffix(".pb").removesuffix(".db") if len(parts) > 2 else ""


def _identity(key: str) -> str:
    """Return what stays when an application's folder is renamed."""
    return key.partition("/")[2] if _is_transcript(key) else key


ADAPTER = Antigravity()
