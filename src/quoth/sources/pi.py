"""Read the sessions of Pi: one file each, in which the conversation is a tree.

`_entries_session` states the rule of ids.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from quoth.core.ids import SessionId, SourceId
from quoth.core.model import Form, Found, Json, Kind, Knowledge, Role, Skipped, Stream
from quoth.core.ports import Allows, Parser, everywhere
from quoth.readers import tree
from quoth.sources._entries import Asked
from quoth.sources._entries_log import LogParser
from quoth.sources._values import Record

SOURCE = SourceId("pi")

_PATTERNS = (
    "sessions/**/*.jsonl",
    "????-??-??T??-??-??-???Z_*.jsonl",  # some versions forgot the folder; also all of a folder for sessions alone
    "--*/*.jsonl",
)
# Put in front of what the person typed: the skill or the files that they named.
_GLUED = re.compile(r"\s*<(skill|file) name=\"[^\"<>\n]*\"[^<>\n]*>.*?</\1>\s*", re.DOTALL)


class PiWords:
    """How Pi writes what was said; it puts little into the person's mouth."""

    def asked(self, message: Record, whole: str) -> Asked:
        position = 0
        while match := _GLUED.match(whole, position):
            position = match.end()
        return Asked(whole[position:], whole[:position].strip())

    def answered(self, message: Record, words: str) -> tuple[Role, Kind]:
        return Role.ASSISTANT, Kind.MESSAGE


class Pi:
    """The adapter of Pi."""

    knowledge = Knowledge(
        agent="Pi",
        root="~/.pi/agent",
        environment=("PI_CODING_AGENT_DIR", "PI_CODING_AGENT_SESSION_DIR"),
        paths=_PATTERNS,
        versions=("session format 1 to 3",),
        observed="2026-03",
        kept="no limit; a file is rewritten as a whole when its format is migrated",
        never_read=("auth.json", "settings.json", "models.json"),
        gaps=(
            "A session without an answer is not on the disk yet.",
            "Neither the version of Pi nor the branch is in the log.",
            "The `sessionDir` of settings.json is not followed, only PI_CODING_AGENT_SESSION_DIR.",
            "What a prompt template was expanded to counts as the person's words.",
            "Programs derived from Pi that keep a home of their own are not read.",
        ),
    )

    def roots(self, env: Mapping[str, str], home: Path) -> Sequence[Path]:
        named = [env.get(variable, "").strip() for variable in self.knowledge.environment]
        agent = _path(named[0], home) if named[0] else home / ".pi" / "agent"
        return list(dict.fromkeys([agent, *([_path(named[1], home)] if named[1] else [])]))

    def find(self, root: Path) -> Iterator[Found | Skipped]:
        for entry in tree.find(root, _PATTERNS):
            if isinstance(entry, Skipped):
                yield entry
            else:
                identity = entry.key.rpartition("/")[2].removesuffix(".jsonl")
                yield Found(entry.key, entry.path, Form.LOG, identity, entry.signature, entry.compressed)

    def age(self, found: Found) -> tuple[int | str, ...]:
        """Return the file's name: it begins with when the session was begun, so an original comes before its forks."""
        return (found.identity,)

    def parser(self, stream: Stream, state: Json = None) -> Parser:
        return LogParser(SOURCE, PiWords(), stream, state)

    def rows(self, found: Found, state: Json, allows: Allows = everywhere) -> Iterator[bytes]:
        """Yield nothing: Pi keeps no database."""
        return iter(())

    def resume(self, session: SessionId) -> Sequence[str] | None:
        return ("pi", "--session", session)


def _path(said: str, home: Path) -> Path:
    return home / said[2:] if said.startswith("~/") else home if said == "~" else Path(said)


ADAPTER = Pi()
