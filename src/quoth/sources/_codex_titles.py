"""Read what Codex calls its threads: `session_index.jsonl` and the table `threads` of its state database."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import orjson

from quoth.core.errors import ReadFailed
from quoth.core.ids import SessionId, line_digest
from quoth.core.model import Fact, Json, Line, Stream, Titled, Unread
from quoth.core.names import printable_path
from quoth.core.ports import Allows, everywhere
from quoth.readers.database import open_readonly
from quoth.readers.jsonl import Broken, Record, records
from quoth.sources._codex_files import schema_of
from quoth.sources._codex_rollout import TITLE_WEIGHT
from quoth.sources._values import name, one_line, text

# The only columns that are ever read; `title` is judged by the first message, which it often repeats.
_COLUMNS = ("id", "title", "name", "first_user_message", "archived")
_LONGEST = 4_000  # characters of one column


class IndexParser:
    """Reads `session_index.jsonl`; the last line about a thread counts."""

    def feed(self, line: Line) -> Iterator[Fact]:
        for record in records(line.data):
            yield from _titled(record, line.number)

    def state(self) -> Json:
        return None


def _titled(record: Record | Broken, number: int) -> Iterator[Fact]:
    if isinstance(record, Broken):
        yield Unread(number, "unparsable", record.reason)
    elif not name(record, "id") or "thread_name" not in record:
        yield Unread(number, "unknown", "session_index")
    elif title := one_line(record, "thread_name"):
        yield Titled(SessionId(name(record, "id")), title, TITLE_WEIGHT, number)


class ThreadsParser:
    """Reads mirrored rows of `threads`. A name outweighs the index, a title made by the program does not."""

    def __init__(self, stream: Stream, state: Json = None) -> None:
        self._schema = schema_of(stream.key) or 0
        self._digests = _digests(state)

    def feed(self, line: Line) -> Iterator[Fact]:
        for record in records(line.data):
            if isinstance(record, Broken):
                yield Unread(line.number, "unparsable", record.reason)
            elif thread := name(record, "id"):
                self._digests[text(record, "id")] = line_digest(line.data)[:8]
                yield from self._title(record, SessionId(thread), line.number)
            else:
                yield Unread(line.number, "unknown", "threads")

    def _title(self, row: Record, thread: SessionId, number: int) -> Iterator[Fact]:
        if given := one_line(row, "name"):
            yield Titled(thread, given, TITLE_WEIGHT + self._schema, number)
        elif (made := one_line(row, "title")) and not _repeats(made, one_line(row, "first_user_message")):
            yield Titled(thread, made, min(self._schema, TITLE_WEIGHT - 1), number)

    def state(self) -> Json:
        return dict(self._digests)


def changed_rows(path: Path, state: Json, allows: Allows = everywhere) -> Iterator[bytes]:
    """Yield the rows of `threads` that are not as the parser last saw them, as JSON lines, where `cwd` is allowed.

    Raises:
        ReadFailed: the database is locked, damaged, or has no such table.
    """
    known = _digests(state)
    with open_readonly(path) as database:
        present = {str(row[1]) for row in database.execute("PRAGMA table_info(threads)")}
        columns = [column for column in _COLUMNS if column in present]
        if "id" not in columns:
            raise ReadFailed(printable_path(str(path)), "unknown_schema")
        # As bytes, because text in a database need not be valid.
        read = (f"substr({column}, 1, {_LONGEST})" for column in columns)
        values = ", ".join(f"CAST({value} AS BLOB)" for value in (*read, "cwd" if "cwd" in present else "NULL"))
        for *row, cwd in database.execute(f"SELECT {values} FROM threads ORDER BY id"):
            found = {column: _text(value) for column, value in zip(columns, row, strict=True) if value is not None}
            written = orjson.dumps(found)
            is_news = found.get("id") and known.get(found["id"]) != line_digest(written)[:8]
            if is_news and allows(None if cwd is None else _text(cwd) or None):
                yield written


def _text(value: object) -> str:
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)


def _digests(state: Json) -> dict[str, Json]:
    return dict(state) if isinstance(state, dict) else {}


def _repeats(title: str, prompt: str) -> bool:
    """Tell whether a title is but the first message, or the beginning of it."""
    return bool(prompt) and prompt.startswith(title.rstrip(".… "))
