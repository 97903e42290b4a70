"""Remember what of a `state.vscdb` is mirrored, in little space whatever its size.

A row that is written again gets a new, higher rowid, so all that is new stands above the *mark*: the highest rowid when
a pass began that was read to its end. Deleted rows free their rowids, so the mark holds only while a row that was seen
still stands where it stood. Of the last rows and sessions a hash is kept, to see those that were changed in place and
to leave out those that were written again unchanged. `_cursor_rows` reads by this, `_cursor_bubbles` fills it from the
lines, so that what counts as read is what the mirror holds.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TypeVar

from quoth.core.ids import digest16, line_digest
from quoth.core.model import Json
from quoth.sources._values import Record, inner, number, text

_ROWS = 256
_SESSIONS = 200
_HASH = 8
_LONGEST = 200  # characters of a key

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class Session:
    """How many bubbles of a session are mirrored, a hash of their ids in order, one of the session's own row, and the
    time of the last bubble."""

    bubbles: int = 0
    chain: str = ""
    seal: str = ""
    time: int | None = None


@dataclass(frozen=True, slots=True)
class Row:
    """Where a row stood, and a hash of what it held."""

    rowid: int
    hashed: str


@dataclass(slots=True)
class Memory:
    """`begun` is the mark of a pass that is not read to its end, `at` the session the first pass has come to.

    `open` is the session whose bubbles are coming; it counts as read when they have come.
    """

    mark: Row | None = None
    begun: Row | None = None
    at: str = ""
    id: str = ""
    open: Session | None = None
    is_child: bool = False
    sessions: dict[str, Session] = field(default_factory=dict)
    rows: dict[str, Row] = field(default_factory=dict)
    lists: dict[str, str] = field(default_factory=dict)

    def begin(self, mark: Row, *, everything: bool) -> None:
        self.begun = mark
        if everything:
            self.mark, self.at = None, ""

    def end(self) -> None:
        self.close()
        self.mark, self.begun, self.at = self.begun, None, ""

    def enter(self, id_: str, session: Session, *, is_child: bool) -> None:
        self.close()
        self.id, self.open, self.is_child = id_, session, is_child
        if self.mark is None:
            self.at = id_

    def close(self) -> None:
        """Count the open session as read."""
        if self.open is not None:
            _keep(self.sessions, self.id, self.open, _SESSIONS)
            self.open = None

    def saw(self, key: str, row: Row) -> None:
        if len(key) <= _LONGEST:
            _keep(self.rows, key, row, _ROWS)

    def state(self) -> Json:
        return {
            "mark": _written(self.mark),
            "begun": _written(self.begun),
            "at": self.at,
            "id": self.id,
            "open": _saved(self.open) if self.open else None,
            "child": self.is_child,
            "sessions": {id_: _saved(session) for id_, session in self.sessions.items()},
            "rows": {key: _written(row) for key, row in self.rows.items()},
            "lists": dict(self.lists),
        }


def remembered(state: Json) -> Memory:
    """Read a state back; what is no state counts as nothing read."""
    said: Record = state if isinstance(state, dict) else {}
    return Memory(
        _row(said.get("mark")),
        _row(said.get("begun")),
        text(said, "at"),
        text(said, "id"),
        _session(said.get("open")),
        said.get("child") is True,
        {id_: session for id_, value in inner(said, "sessions").items() if (session := _session(value))},
        {key: row for key, value in inner(said, "rows").items() if (row := _row(value))},
        {key: value for key, value in inner(said, "lists").items() if isinstance(value, str)},
    )


def chained(chain: str, ids: Iterable[str]) -> str:
    """Go on with a hash of ids in order."""
    for id_ in ids:
        chain = digest16(chain.encode(), id_.encode())
    return chain


def goes_on(session: Session | None, ids: list[str]) -> int:
    """Return how many of the ids are mirrored in this order; none when the order is another now."""
    if session is None or session.bubbles > len(ids):
        return 0
    return session.bubbles if chained("", ids[: session.bubbles]) == session.chain else 0


def row_of(line: bytes, rowid: int) -> Row:
    """Return what is remembered of a line `{"rowid":…,…}`; a row that moved only is the same."""
    return Row(rowid, line_digest(line[line.find(b",") :])[:_HASH])


def seal(*parts: bytes) -> str:
    return digest16(*parts)[:_HASH]


def _keep(kept: dict[str, _T], key: str, value: _T, most: int) -> None:
    kept.pop(key, None)
    kept[key] = value
    if len(kept) > most:
        del kept[next(iter(kept))]


def _written(row: Row | None) -> Json:
    return [row.rowid, row.hashed] if row else None


def _row(value: object) -> Row | None:
    match value:
        case [int(rowid), str(hashed)]:
            return Row(rowid, hashed)
    return None


def _saved(session: Session) -> Json:
    return {"n": session.bubbles, "chain": session.chain, "seal": session.seal, "time": session.time}


def _session(value: object) -> Session | None:
    if not isinstance(value, dict):
        return None
    return Session(number(value, "n") or 0, text(value, "chain"), text(value, "seal"), number(value, "time"))
