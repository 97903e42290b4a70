"""Read the sessions of ZCode, which keeps them in a database derived from that of OpenCode.

Ids are frozen; they are stored in citations. After `zcode:` stands the id of the part, the same with `:out` for the
result of a call, `<message>` for words that stand in a message itself, and `<message>:error` for what went wrong with
an answer. An id the agent gave counts when it is made of up to 100 ASCII letters, digits, `_`, `.` and `-`; of any
other the first 16 hex digits of the hash by `core.ids.digest16` stand for it.

`memory:<key>:<hash>` is one version of a memory file: its path below the folder, or the hash of that where it is long
or not plain ASCII, and the first 16 hex digits of the SHA-256 of its bytes without one LF at the end.

A message that a fork copied, or that was imported from another agent's log, is mirrored, but counts where it was said.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from quoth.core.ids import SessionId, SourceId
from quoth.core.model import Form, Found, Json, Knowledge, MemoryFile, Skipped, Stream
from quoth.core.names import printable_path
from quoth.core.ports import Allows, Parser, everywhere
from quoth.readers.tree import find
from quoth.sources import _parts_parser as rows
from quoth.sources import _parts_passes as passes
from quoth.sources._memory_file import TYPES, Family, MemoryFiles
from quoth.sources._parts_memory import Head, Owner
from quoth.sources._parts_words import Piece, Speaker
from quoth.sources._values import Record, inner, text
from quoth.sources._zcode_rows import ZCodeLayout

_DATABASE = "cli/db/db.sqlite"
_MEMORY = MemoryFiles(
    SourceId("zcode"),
    (
        Family(("AGENTS.md",), "rule", is_instruction=True),
        Family(
            ("cli/memories/projects/*/memory/*.md",),
            types=TYPES,
            digest=r"-([0-9a-f]{16})/memory/",  # the folder's name ends in the hash of the directory
        ),
    ),
)
_FORKS = frozenset({"fork", "selection_side_chat"})
# What a title is worth by where it comes from; the first input is what the person said, and no title.
_TITLES = {"custom": 3, "generated": 2, "first_input": 0}
_BY_PROGRAM = frozenset({"compact_summary", "timeline_event"})


class ZCodeRules:
    source = SourceId("zcode")

    def kin(self, found: rows.Found) -> rows.Kin:
        parent, session = found.id("parent_id", "parentID"), found.id("id", "id")
        is_fork = text(found.row, "task_type") in _FORKS
        is_child = (bool(parent) and not is_fork) or session.startswith("sess_subagent_")
        return rows.Kin(is_child, parent if is_fork else "", _TITLES.get(text(found.row, "title_source"), 1))

    def speaker(self, head: Head, message: Record) -> Speaker:
        meaning = inner(message, "semantics")
        if text(meaning, "transcriptVisibility") == "hidden" or text(meaning, "kind") in _BY_PROGRAM:
            return Speaker.PROGRAM
        if text(message, "role") != "user":
            return Speaker.PROGRAM if message.get("summary") is True else Speaker.MODEL
        if origin := text(meaning, "origin"):
            return Speaker.PERSON if origin == "real_user" else Speaker.PROGRAM
        is_put = message.get("synthetic") is True or text(message, "visibility") == "model-only"
        return Speaker.PROGRAM if is_put or head.is_child else Speaker.PERSON

    def part_id(self, owner: Owner, native: str, part: Record) -> str:
        return native

    def part_time(self, owner: Owner, found: rows.Found) -> int | None:
        return found.created or owner.time

    def whole(self, found: rows.Found, head: Head) -> list[Piece] | None:
        """Return nothing: messages and their parts are told apart."""
        return None


class ZCode:
    """The adapter of ZCode."""

    knowledge = Knowledge(
        agent="ZCode",
        root="~/.zcode",
        environment=("ZCODE_STORAGE_DIR", "ZCODE_SESSION_DB_PATH"),
        paths=(_DATABASE, "v2/tasks-index.sqlite", *_MEMORY.patterns),
        versions=("3.3", "3.4"),
        observed="2026-10",
        kept="no limit; rows are written again while an answer grows",
        never_read=("**/config.json", "**/credentials*", "cli/rollout/**", "cli/log/**", "cli/agents/**"),
        gaps=(
            "`AGENTS.md` inside repositories is not read.",
            "The folder of a project's memory is named by a hash: that of an excluded project is read when no session "
            "and no exclusion names its directory.",
            "Of the databases only sessions, messages, parts and the index of tasks are read, and only known columns.",
            "A session that was imported counts from where the person went on with it; when the other agent's own log "
            "was never read, what came before stands in the mirror alone.",
            "Older versions of the editor wrote `projects/*/*.jsonl`, which are not read.",
            "The git branch is not stored.",
        ),
    )

    def roots(self, env: Mapping[str, str], home: Path) -> Sequence[Path]:
        """Return the home of ZCode, that of its beta channel when there is one, and a database named by itself."""
        said = env.get("ZCODE_STORAGE_DIR", "").strip()
        beta = home / ".zcode-beta"
        named = env.get("ZCODE_SESSION_DB_PATH", "").strip()
        main = Path(said) if said else home / ".zcode"
        database = [Path(named)] if named and Path(named) != main / _DATABASE else []
        return [main, *([beta] if beta.is_dir() else []), *database]

    def find(self, root: Path) -> Iterator[Found | Skipped]:
        if (database := passes.single(root)) is not None:
            yield database
            return
        for entry in find(root, (_DATABASE, *_MEMORY.patterns)):
            if isinstance(entry, Skipped):
                yield entry
            elif _MEMORY.memory_file(entry.key):
                yield from _MEMORY.found(entry)
            elif entry.compressed:
                yield Skipped(printable_path(str(entry.path)), "compressed")
            else:
                yield Found(entry.key, entry.path, Form.ROWS, entry.key, entry.signature)

    def age(self, found: Found) -> tuple[int | str, ...]:
        return (found.identity,)

    def parser(self, stream: Stream, state: Json = None) -> Parser:
        if _MEMORY.memory_file(stream.key):
            return _MEMORY.parser(stream, state)
        return rows.parser(ZCodeRules(), state)

    def memory_file(self, key: str) -> MemoryFile | None:
        return _MEMORY.memory_file(key)

    def rows(self, found: Found, state: Json, allows: Allows = everywhere) -> Iterator[bytes]:
        return passes.changed_rows(found, rows.progress_in(state), ZCodeLayout, allows)

    def resume(self, session: SessionId) -> Sequence[str] | None:
        return None if session.startswith("sess_subagent_") else ("zcode", "--resume", session)


ADAPTER = ZCode()
