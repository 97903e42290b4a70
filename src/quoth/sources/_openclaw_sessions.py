"""Find what OpenClaw says of its sessions as a whole: in an agent's database, and before 2026.8 in `sessions.json`.

Of both only the columns and keys below are read: prompts, routes and account names stand there, too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, Protocol, TypeAlias, cast

import orjson

from quoth.core.errors import ReadFailed
from quoth.core.ids import SessionId, digest16
from quoth.core.model import Fact, Json, Opened, Titled
from quoth.core.names import printable_path
from quoth.core.ports import Allows, everywhere
from quoth.readers.compressed import chunks
from quoth.readers.log_head import first_cwd
from quoth.sources._entries_session import session_of
from quoth.sources._values import Record, is_name, milliseconds, number, one_line, text

WINDOWS, LISTED = "session_windows", "sessions.json"
ARCHIVE = "session-sqlite-import-archive"

_NODES = "session_nodes"
_OF_WINDOW = ("session_id", "session_key", "display_name", "updated_at")
_OF_NODE = ("label", "display_name", "updated_at")
_OF_ENTRY = ("sessionId", "label", "displayName", "subject")
_PASSING = frozenset({"rowid", "updated_at"})  # change without anything being said
_LONGEST = 2_000  # characters of one value
_LARGEST = 256 << 20
_MOST_KNOWN = 2_000
_TITLE_LENGTH = 1_000


Row: TypeAlias = tuple[Any, ...]  # SQLite's columns hold values of any type


class Database(Protocol):
    """What is asked of an opened database."""

    def execute(self, statements: str, bindings: tuple[int | str, ...] = (), /) -> Iterable[Row]: ...


@dataclass(slots=True)
class Known:
    """What was seen of sessions: how far, and what was said of those that were touched last."""

    row: int = 0
    at: int = 0
    digests: dict[str, str] = field(default_factory=dict)

    def state(self) -> Json:
        return {"row": self.row, "at": self.at, "digests": cast(Json, dict(self.digests))}

    def is_news(self, found: Record) -> bool:
        row, at = number(found, "rowid"), milliseconds(found, "updated_at")
        is_touched = (row or 0) > self.row or (at or 0) > self.at or (row is None and at is None)
        return is_touched and self.digests.get(_key(found)) != _digest(found)

    def saw(self, found: Record) -> None:
        self.row = max(self.row, number(found, "rowid") or 0)
        self.at = max(self.at, milliseconds(found, "updated_at") or 0)
        self.digests.pop(_key(found), None)
        self.digests[_key(found)] = _digest(found)
        if len(self.digests) > _MOST_KNOWN:
            del self.digests[next(iter(self.digests))]


def known(state: object) -> Known:
    memory: Record = state if isinstance(state, dict) else {}
    digests = memory.get("digests")
    pairs = digests.items() if isinstance(digests, dict) else ()
    return Known(number(memory, "row") or 0, number(memory, "at") or 0, {str(k): str(v) for k, v in pairs})


def admission(allows: Allows, directory: Callable[[str], str | None]) -> Callable[[str], bool]:
    """Return what tells of a session whether it may be read; each is looked into once."""
    return cache(lambda session: allows is everywhere or allows(directory(session)))


def windows(database: Database, seen: Known, is_allowed: Callable[[str], bool]) -> Iterator[bytes]:
    """Yield, as JSON lines, what the database says anew of sessions; those touched last come last."""
    window = [column for column in _OF_WINDOW if column in columns_of(database, WINDOWS)]
    if not {"session_id", "session_key"} <= set(window):
        return
    node = [column for column in _OF_NODE if column in columns_of(database, _NODES)]
    names = ["rowid", *window, *(f"node_{column}" for column in node)]
    values = [*(f"w.{column}" for column in window), *(f"n.{column}" for column in node)]
    joined = f"LEFT JOIN {_NODES} n ON n.session_key = w.session_key" if node else ""
    order = f"ORDER BY {'w.updated_at, ' if 'updated_at' in window else ''}w.rowid"
    # As bytes, because text in a database need not be valid.
    listed = ", ".join(f"CAST(substr({value}, 1, {_LONGEST}) AS BLOB)" for value in values)
    for row in database.execute(f"SELECT w.rowid, {listed} FROM {WINDOWS} w {joined} {order}"):
        found = {"table": WINDOWS, **_row(dict(zip(names, row, strict=True)))}
        if seen.is_news(found) and is_allowed(text(found, "session_id")):
            yield orjson.dumps(found)


def listed(path: Path, state: Json, allows: Allows = everywhere, *, is_compressed: bool) -> Iterator[bytes]:
    """Yield, as JSON lines, the entries of `sessions.json` that say something new.

    Raises:
        ReadFailed: the list is no JSON, or larger than any.
    """
    seen = known(state.get("sessions") if isinstance(state, dict) else None)
    is_allowed = admission(allows, lambda session: _directory(path.parent, session))
    entries = [
        {"table": LISTED, "session_key": key[:_LONGEST], "updated_at": milliseconds(entry, "updatedAt"), **_some(entry)}
        for key, entry in _entries(path, is_compressed).items()
        if isinstance(entry, dict)
    ]
    for found in sorted(entries, key=lambda found: milliseconds(found, "updated_at") or 0):
        if seen.is_news(found) and is_allowed(text(found, "sessionId")):
            yield orjson.dumps(found)


def _directory(folder: Path, session: str) -> str | None:
    """Return the directory that a session's file names, beside the list or where a migration put it."""
    for place in (folder, folder.with_name(ARCHIVE)) if is_name(session) else ():
        for file in sorted(place.glob(f"{session}*.jsonl*")):
            if cwd := first_cwd(file, is_compressed=file.suffix == ".zst"):
                return cwd
    return None


def facts(found: Record, number: int) -> Iterator[Fact]:
    """Yield what a row says of its session: that it is there, and what it is called."""
    session = SessionId(_session(found))
    if not session:
        return
    yield Opened(session)
    named = ("node_label", "label", "node_display_name", "display_name", "displayName", "subject")
    if title := next((title for key in named if (title := one_line(found, key))), ""):
        yield Titled(session, title[:_TITLE_LENGTH], 1, number)


def columns_of(database: Database, table: str) -> set[str]:
    return {str(row[1]) for row in database.execute(f"PRAGMA table_info({table})")}


def as_text(value: object) -> str:
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else "" if value is None else str(value)


def _row(found: Mapping[str, object]) -> dict[str, object]:
    """Return a row's texts, and when it, or what it belongs to, was last touched."""
    instants = [as_text(found.get(key)) for key in ("updated_at", "node_updated_at")]
    texts = {key: as_text(value) for key, value in found.items() if value is not None and key != "rowid"}
    touched = max((int(instant) for instant in instants if instant.isdecimal()), default=0)
    texts.pop("node_updated_at", None)
    return {**texts, "rowid": found["rowid"], "updated_at": touched}


def _entries(path: Path, is_compressed: bool) -> Mapping[str, object]:
    whole = bytearray()
    for chunk in chunks(path, compressed=is_compressed):
        whole += chunk
        if len(whole) > _LARGEST:
            raise ReadFailed(printable_path(str(path)), "too_large")
    try:
        found = orjson.loads(whole)
    except ValueError as error:  # while it is being written; the next pass sees it whole
        raise ReadFailed(printable_path(str(path)), "not_json") from error
    return found if isinstance(found, dict) else {}


def _some(entry: Record) -> dict[str, str]:
    return {key: text(entry, key)[:_LONGEST] for key in _OF_ENTRY if text(entry, key)}


def _session(found: Record) -> str:
    return session_of(text(found, "session_id") or text(found, "sessionId"))


def _key(found: Record) -> str:
    return _session(found) or text(found, "session_key")[:200]


def _digest(found: Record) -> str:
    said = {key: value for key, value in found.items() if key not in _PASSING}
    return digest16(orjson.dumps(said, option=orjson.OPT_SORT_KEYS))[:8]
