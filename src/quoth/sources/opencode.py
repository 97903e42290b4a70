"""Read the sessions of OpenCode: the database of 2.x, that of 1.2 and later, and the tree of files before it.

Ids are frozen; they are stored in citations. They hold whichever of the three stores a message is read from, because
OpenCode kept its message ids when it moved from one to the next. After `opencode:` stands

- `<message>` for what a user message says; of a 2.x message that is no answer, for the message itself;
- `<message>#<n>` for a block of an answer, counted from 0 over text, reasoning and tool calls in their order, and the
  same with `:out` for the result of the call;
- `<message>:file<n>` for a file given with a 2.x message, `<message>:error` for what went wrong with an answer;
- `<part>` for everything else that was a part before 2.0: what a program added, files, patches, marks.

An id the agent gave counts when it is made of up to 100 ASCII letters, digits, `_`, `.` and `-`; of any other the
first 16 hex digits of the hash by `core.ids.digest16` stand for it.

A session with a parent is that of a subagent: what is said to it was said by the model.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from quoth.core.ids import SessionId, SourceId
from quoth.core.model import Form, Found, Json, Knowledge, Role, Skipped, Stream
from quoth.core.names import printable_path
from quoth.core.ports import Allows, Parser, everywhere
from quoth.readers.tree import find
from quoth.sources import _opencode_messages as messages
from quoth.sources import _opencode_tree as tree
from quoth.sources import _parts_parser as rows
from quoth.sources import _parts_passes as passes
from quoth.sources._opencode_rows import OpenCodeLayout
from quoth.sources._parts_memory import Head, Owner
from quoth.sources._parts_words import BLOCKS, Piece, Speaker, is_ordinary
from quoth.sources._values import Record, text

_DATABASES = ("opencode.db", "opencode-*.db")
_DEFAULT_TITLE = re.compile(r"(New|Child) session - \d{4}-\d\d-\d\dT")


class OpenCodeRules:
    source = SourceId("opencode")

    def kin(self, found: rows.Found) -> rows.Kin:
        is_made_up = _DEFAULT_TITLE.match(found.said("title", "title")) is not None
        is_child = bool(found.said("parent_id", "parentID"))
        return rows.Kin(is_child, text(found.row, "fork_session_id"), 0 if is_made_up else 1)

    def speaker(self, head: Head, message: Record) -> Speaker:
        if text(message, "role") == "user":
            return Speaker.PROGRAM if head.is_child else Speaker.PERSON
        return Speaker.PROGRAM if message.get("summary") is True else Speaker.MODEL

    def part_id(self, owner: Owner, native: str, part: Record) -> str:
        kind = text(part, "type")
        if owner.role is Role.USER:
            return owner.message if kind == "text" and is_ordinary(part) and not owner.texts else native
        return f"{owner.message}#{owner.blocks}" if owner.message and kind in BLOCKS else native

    def part_time(self, owner: Owner, found: rows.Found) -> int | None:
        """Return when the message was begun: a row may say when it was brought from the tree into the database."""
        return owner.time or found.created

    def whole(self, found: rows.Found, head: Head) -> list[Piece] | None:
        message = found.id("id", "id")
        if text(found.record, "type") != "session_message" or not message:
            return None
        return list(messages.pieces(text(found.row, "type"), message, found.payload, is_child=head.is_child))


class OpenCode:
    """The adapter of OpenCode."""

    knowledge = Knowledge(
        agent="OpenCode",
        root="~/.local/share/opencode",
        environment=("XDG_DATA_HOME", "OPENCODE_DB"),
        paths=(*_DATABASES, *tree.PATTERNS, "storage/message/*/*.json", "storage/part/*/*.json"),
        versions=("1.1 (tree of files)", "1.2 to 1.18", "2.0"),
        observed="2026-10",
        kept="no limit",
        never_read=("auth.json", "account*.json", "log/**", "snapshot/**", "storage/session_diff/**"),
        gaps=(
            "`AGENTS.md` files are not read yet.",
            "Of a database only the tables of sessions, messages and parts are read, and of these only known columns.",
            "The tree of files from before mid-2025 (`storage/session/info`, `project/*/storage`) is not read.",
            "A fork made before 2.0 names no origin; a message that is older than its session and was said at the same "
            "instant in an older one counts as a copy.",
            "What the person said inside a subagent's session counts as instructions of the agent.",
            "The git branch is not stored.",
        ),
    )

    def roots(self, env: Mapping[str, str], home: Path) -> Sequence[Path]:
        """Return the data folder, and the database that `OPENCODE_DB` names when it is none of that folder."""
        said = env.get("XDG_DATA_HOME", "").strip()
        data = (Path(said) if said else home / ".local" / "share") / "opencode"
        local = env.get("LOCALAPPDATA", "").strip()  # of Windows; both places were reported
        others = [folder for folder in [Path(local) / "opencode"] if local and folder.is_dir()]
        named = env.get("OPENCODE_DB", "").strip()
        database = [data / named] if named and named != ":memory:" and not _is_usual(data, data / named) else []
        return [data, *others, *database]

    def find(self, root: Path) -> Iterator[Found | Skipped]:
        if (database := passes.single(root)) is not None:
            yield database
            return
        for entry in find(root, (*_DATABASES, *tree.PATTERNS)):
            if isinstance(entry, Skipped):
                yield entry
            elif entry.compressed:
                yield Skipped(printable_path(str(entry.path)), "compressed")
            elif entry.key.endswith(".db"):
                yield Found(entry.key, entry.path, Form.ROWS, entry.key, entry.signature)
            else:
                yield tree.found(entry)

    def age(self, found: Found) -> tuple[int | str, ...]:
        """Return first the tree, from which the database was made, then the database, then those of other channels."""
        return (0 if found.key.endswith(".json") else 1 if found.key == _DATABASES[0] else 2, found.identity)

    def parser(self, stream: Stream, state: Json = None) -> Parser:
        return rows.parser(OpenCodeRules(), state)

    def rows(self, found: Found, state: Json, allows: Allows = everywhere) -> Iterator[bytes]:
        known = rows.progress_in(state)
        if found.key.endswith(".json"):
            return tree.changed_rows(found.path, known, allows)
        return passes.changed_rows(found, known, OpenCodeLayout, allows)

    def resume(self, session: SessionId) -> Sequence[str] | None:
        return ("opencode", "--session", session)


def _is_usual(data: Path, database: Path) -> bool:
    return database.parent == data and (database.name == _DATABASES[0] or database.match(_DATABASES[1]))


ADAPTER = OpenCode()
