"""Find what changed in a database since the last pass over it, and remember how far a pass came.

Almost every row is written again in place while an agent answers, so a row counts as changed by its own `time_updated`,
with an overlap because a transaction is seen later than its rows say, or by a row id that is new. What is said within
the overlap again word for word is left out. A message is told anew as a whole, with its parts, so that its lines stay
together and in order.

The state is what the last line of type `pass` says; such a line comes at the end of a pass, and now and then in a long
one, so that a pass that was stopped goes on behind the last session it finished.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, groupby
from pathlib import Path
from typing import Protocol, TypeAlias

import orjson

from quoth.core.errors import ReadFailed
from quoth.core.ids import digest16
from quoth.core.model import Form, Found, Json
from quoth.core.names import printable_path
from quoth.core.ports import Allows, everywhere
from quoth.readers.database import open_readonly
from quoth.readers.tree import signature
from quoth.sources._parts_store import Store, Stored, text_of
from quoth.sources._values import Record, inner, number

_OVERLAP = 10_000  # milliseconds that a transaction may last
_DAY = 86_400_000
_SLACK = 2_000  # milliseconds by which a clock may go back without anybody having set it
_MOST_RECENT = 500  # messages whose words are remembered
_MANY = 1_000  # rows left out, after which the next pass begins behind them
_STRIDE = 8 << 20  # bytes between two marks of a long pass

Place: TypeAlias = tuple[int, str]  # when a session began, and its id

_EVERYTHING: Place = (2**63 - 1, "")


class Layout(Protocol):
    """How one agent uses such a database."""

    tables: Sequence[str]
    heads: Sequence[str]
    """The tables of sessions among them, the one to believe first."""

    def is_known(self, store: Store) -> bool: ...

    def query(self, store: Store, *, whole: bool) -> str:
        """Return a query for the rows of changed messages in the order in which they were said.

        Its columns: when the session began, negated, so that the newest comes first, its id, its row id in each of
        `heads`, the table of the message, the row id of the message, and that of one of its parts. Its parameters:
        `since`, `<table>_rows` for each table, and the place (`began`, `session`) behind which it starts.
        """

    def context(self, store: Store, head: Stored) -> Iterator[bytes]:
        """Yield lines that belong behind that of a session."""

    def copies(self, store: Store, head: Stored, first: Stored) -> Mapping[tuple[str, int], str]:
        """Return which messages (table and row id) of a session are copies, and of which session, if that is known.

        `first` is the first of its messages that changed. Copies come before what a session says itself.
        """


@dataclass(frozen=True, slots=True)
class Progress:
    """How far the passes before this one came: everything written before `since`, and up to these row ids."""

    since: int | None = None
    rows: Mapping[str, int] = field(default_factory=dict)
    now: int = 0
    recent: Mapping[str, str] = field(default_factory=dict)
    after: Place | None = None
    """Where a pass was stopped; what it had seen and when it began stand in the three fields below."""
    seen: int = 0
    begun: int = 0
    begun_rows: Mapping[str, int] = field(default_factory=dict)

    def json(self) -> Json:
        doing: Json = None
        if self.after:
            rows = dict(self.begun_rows)
            doing = {"after": list(self.after), "seen": self.seen, "now": self.begun, "rows": rows}
        return {
            "since": self.since,
            "rows": dict(self.rows),
            "now": self.now,
            "recent": dict(self.recent),
            "doing": doing,
        }


def progress_of(state: Json) -> Progress:
    memory: Record = state if isinstance(state, dict) else {}
    doing = inner(memory, "doing")
    match doing.get("after"):
        case [int(began), str(session)]:
            after: Place | None = (began, session)
        case _:
            after = None
    return Progress(
        number(memory, "since"),
        _numbers(inner(memory, "rows")),
        number(memory, "now") or 0,
        {key: value for key, value in inner(memory, "recent").items() if isinstance(value, str)},
        after,
        number(doing, "seen") or 0,
        number(doing, "now") or 0,
        _numbers(inner(doing, "rows")),
    )


def single(root: Path) -> Found | None:
    """Return the database that a root is itself; None when it is a folder or nothing."""
    try:
        status = os.lstat(root)
    except OSError:
        return None
    name = printable_path(root.name)
    return Found(name, root, Form.ROWS, name, signature(status)) if stat.S_ISREG(status.st_mode) else None


def mark(state: Json) -> bytes:
    return orjson.dumps({"type": "pass", "state": state})


def changed_rows(
    found: Found, state: Json, layout: Callable[[Path], Layout], allows: Allows = everywhere
) -> Iterator[bytes]:
    """Yield changed rows as JSON lines. Sessions whose directory is not allowed are passed over.

    Raises:
        ReadFailed: the database is locked, damaged, or has none of the tables.
    """
    path = found.path
    pass_ = _Pass(layout(path), progress_of(state), _written_at(found), allows)
    try:
        with open_readonly(path) as database:
            store = Store(database)
            if not pass_.layout.is_known(store):
                raise ReadFailed(printable_path(str(path)), "unknown_schema")
            database.execute("BEGIN")  # one picture of all tables
            yield from pass_.lines(store)
    except ReadFailed as failure:
        if failure.reason == "changed_while_read":
            yield mark(state)  # what was seen may be half of one picture and half of another
        raise
    if pass_.is_worth_a_mark:
        yield mark(pass_.done().json())


def _written_at(found: Found) -> int:
    """Return when a database was last written, by the clock of its machine; or put there with an older time on it."""
    return max(found.signature.mtime_ns, found.signature.ctime_ns) // 1_000_000


class _Pass:
    def __init__(self, layout: Layout, before: Progress, now: int, allows: Allows) -> None:
        self.layout = layout
        self._allows = allows
        self._before = before
        self._seen = before.seen
        self._begun = before.begun if before.after else now
        self._rows: Mapping[str, int] = before.begun_rows
        self._now = now
        self._fresh: dict[str, tuple[int, str]] = {}
        self._told: set[tuple[str, int]] = set()
        self._size = self._marked = self._passed_over = 0

    @property
    def is_worth_a_mark(self) -> bool:
        is_news = self._size > 0 or self._passed_over >= _MANY
        return is_news or self._before.since is None or self._before.after is not None

    def lines(self, store: Store) -> Iterator[bytes]:
        if not self._before.after:
            self._rows = {table: store.last(table) for table in self.layout.tables}
        for line in self._lines(store):
            self._size += len(line)
            yield line

    def done(self) -> Progress:
        """Return what the next pass has to know."""
        since = max(self._before.since or 0, self._seen)
        since = min(since, self._begun) if self._begun else since
        recent = {key: digest for key, (stamp, digest) in _newest(self._fresh) if stamp >= since - _OVERLAP}
        return Progress(since, self._rows, self._begun, recent)

    def _lines(self, store: Store) -> Iterator[bytes]:
        values = self._values(store)
        began, session = self._before.after or _EVERYTHING
        query = self.layout.query(store, whole=self._before.since is None)
        rows = store.db.execute(query, {**values, "began": -began, "session": session.encode()})
        for (began, session), group in groupby(rows, key=lambda row: (row[0], row[1])):
            yield from self._session(store, group)
            if self._size - self._marked >= _STRIDE:
                self._marked = self._size
                yield mark(self._stopped(-began, session.decode("utf-8", "replace")).json())
        yield from self._heads(store, values)

    def _values(self, store: Store) -> dict[str, int | str]:
        """Return what the query is asked with. Row ids may have been taken away at the end, or given anew."""
        since = self._before.since or 0
        if self._now < self._before.now - _SLACK:  # the clock was set back
            since = min(since, self._now) - _DAY
        rows = {
            f"{table}_rows": min(self._before.rows.get(table, 0), store.last(table)) for table in self.layout.tables
        }
        return {"since": since - _OVERLAP, **rows}

    def _stopped(self, began: int, session: str) -> Progress:
        before = self._before
        place = (began, session)
        return Progress(
            before.since, before.rows, before.now, before.recent, place, self._seen, self._begun, self._rows
        )

    def _session(self, store: Store, rows: Iterator[tuple[object, ...]]) -> Iterator[bytes]:
        begin = next(rows)
        rows = chain([begin], rows)
        heads = self._heads_at(store, begin[2:-3])
        if not all(map(self._is_allowed, heads)):
            self._pass_over(store, rows)
            return
        head = heads[0] if heads else None
        copies: Mapping[tuple[str, int], str] | None = None
        for (table, owner), group in groupby(rows, key=lambda row: (str(row[-3]), row[-2])):
            members = list(group)
            if copies is None:
                first = store.fetch(table, owner) if isinstance(owner, int) else None
                copies = self.layout.copies(store, head, first) if head and first else {}
            parts = [row[-1] for row in members if isinstance(row[-1], int)]
            lines = self._message(store, table, owner, parts, copies)
            if lines and head and (head.table, head.rowid) not in self._told:
                yield from self._told_head(store, head)
            yield from lines

    def _heads_at(self, store: Store, rowids: Sequence[object]) -> Sequence[Stored]:
        rows = zip(self.layout.heads, rowids, strict=True)
        found = (store.fetch(table, rowid) for table, rowid in rows if isinstance(rowid, int))
        return [head for head in found if head]

    def _is_allowed(self, head: Stored) -> bool:
        return self._allows(text_of(head.row, "directory") or None)

    def _pass_over(self, store: Store, rows: Iterator[tuple[object, ...]]) -> None:
        """Take note of when rows were written that are left out, so that the next pass need not look at them."""
        for *_, table, owner, part in rows:
            self._passed_over += 1
            for name, rowid in ((str(table), owner), ("part", part)):
                if isinstance(rowid, int):
                    self._saw(store.written_at(name, rowid))

    def _told_head(self, store: Store, head: Stored) -> Iterator[bytes]:
        self._told.add((head.table, head.rowid))
        line = head.line()
        self._is_news(f"{head.table}:{head.rowid}", [line], head.written_at)
        yield line
        yield from self.layout.context(store, head)

    def _message(
        self, store: Store, table: str, owner: object, parts: Sequence[int], copies: Mapping[tuple[str, int], str]
    ) -> list[bytes]:
        """Return the lines of a message and its parts; nothing when they are as they were."""
        stored = [found for rowid in parts if (found := store.fetch("part", rowid))]
        lines = [part.line() for part in stored]
        if isinstance(owner, int) and (message := store.fetch(table, owner)):
            copy = copies.get((table, owner))
            more: dict[str, object] = {} if copy is None else {"copy": copy}
            lines.insert(0, message.line(**more, **({"parts": len(parts)} if table == "message" else {})))
            stored.append(message)
        key = f"{table}:{owner}" if isinstance(owner, int) else f"part:{parts[:1]}"
        stamp = max((found.written_at for found in stored), default=0)
        return lines if self._is_news(key, lines, stamp) else []

    def _heads(self, store: Store, values: Mapping[str, int | str]) -> Iterator[bytes]:
        """Yield the sessions that changed while nothing was said in them: a new title, mostly."""
        for table in self.layout.heads:
            if not store.has(table):
                continue
            changed = f"SELECT rowid FROM {table} WHERE {store.written_since(table)} OR rowid > :rows ORDER BY rowid"
            rows = 0 if self._before.since is None else values[f"{table}_rows"]
            for (rowid,) in store.db.execute(changed, {"since": values["since"], "rows": rows}):
                if (table, rowid) in self._told or not (head := store.fetch(table, rowid)):
                    continue
                if self._is_allowed(head):
                    line = head.line()
                    if self._is_news(f"{table}:{rowid}", [line], head.written_at):
                        yield line

    def _saw(self, stamp: int) -> None:
        if stamp <= self._now + _OVERLAP:  # a clock that was ahead must not hide what comes after
            self._seen = max(self._seen, stamp)

    def _is_news(self, key: str, lines: Sequence[bytes], stamp: int) -> bool:
        self._saw(stamp)
        if stamp < self._seen - _OVERLAP and key not in self._before.recent:
            return True
        digest = digest16(*lines)[:8]
        self._fresh[key] = stamp, digest
        if len(self._fresh) > 2 * _MOST_RECENT:
            self._fresh = dict(_newest(self._fresh))
        return self._before.recent.get(key) != digest


def _newest(fresh: Mapping[str, tuple[int, str]]) -> list[tuple[str, tuple[int, str]]]:
    return sorted(fresh.items(), key=lambda item: -item[1][0])[:_MOST_RECENT]


def _numbers(record: Record) -> dict[str, int]:
    return {key: value for key, value in record.items() if isinstance(value, int)}
