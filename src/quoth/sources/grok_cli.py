"""Read the sessions of the community's grok-cli, which keeps them in a database in the folder of Grok Build.

It is a source of its own: another program, other sessions, another command that resumes them. Ids are frozen; they are
stored in citations. After `grok-cli:` stands

- `<session>:<seq>` for the first part of a message's content, `<session>:<seq>#<n>` for the part at position n from 0,
  whatever the parts are;
- `<session>:compaction:<id>` for the summary that a compaction made.

An id or number that the agent gave counts when it is made of up to 100 ASCII letters, digits, `_`, `.` and `-`; a row
without one is counted as unknown.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from quoth.core.ids import SessionId
from quoth.core.model import Form, Found, Json, Knowledge, Skipped, Stream
from quoth.core.ports import Allows, Parser, everywhere
from quoth.readers import tree
from quoth.sources import _grok_cli_parser
from quoth.sources._grok_cli_rows import changed_rows

_DATABASE = "grok.db"


class GrokCli:
    knowledge = Knowledge(
        agent="grok-cli (community)",
        root="~/.grok",
        environment=(),
        paths=(_DATABASE,),
        versions=("sources of 1.1.7",),
        observed="2026-05",
        kept="no limit",
        never_read=("user-settings.json", "models/**", "delegations/**", "schedules/**", "daemon.pid"),
        gaps=(
            "A turn is written at its end; what was aborted before any answer is nowhere.",
            "The transcripts of delegations (`delegations/`) are not read.",
            "The tables `tool_calls` and `tool_results` repeat the messages; they are not read.",
            "The agent writes neither its version nor a branch.",
        ),
    )

    def roots(self, env: Mapping[str, str], home: Path) -> Sequence[Path]:
        """Return `~/.grok`; `GROK_HOME` is a variable of Grok Build alone."""
        return [home / ".grok"]

    def find(self, root: Path) -> Iterator[Found | Skipped]:
        for entry in tree.find(root, (_DATABASE,)):
            if isinstance(entry, Skipped):
                yield entry
            elif not entry.compressed:
                yield Found(entry.key, entry.path, Form.ROWS, entry.key, entry.signature)

    def age(self, found: Found) -> tuple[int | str, ...]:
        return (0,)

    def parser(self, stream: Stream, state: Json = None) -> Parser:
        return _grok_cli_parser.parser(state)

    def rows(self, found: Found, state: Json, allows: Allows = everywhere) -> Iterator[bytes]:
        return changed_rows(found.path, state, allows)

    def resume(self, session: SessionId) -> Sequence[str] | None:
        return ("grok", "--session", session)


ADAPTER = GrokCli()
