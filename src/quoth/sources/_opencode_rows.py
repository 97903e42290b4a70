"""How OpenCode uses its database: two generations of tables, one of which may repeat the other.

Since 2.0 a session is in `session_v2` and its messages are in `session_message`; the older tables stay as they were.
What was brought over keeps its ids. A session that only the older table knows has its messages there, even when newer
ones beside them repeat it (1.18); of a session that both know the newer messages count, and the older ones that were
not brought over.

A fork copies messages under new ids. Since 2.0 the session says of which one; before, only the times tell: a message
that is older than its session, and was said at the same instant in an older one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from quoth.sources import _parts_query as sql
from quoth.sources._opencode_messages import CLEARED
from quoth.sources._parts_store import Store, Stored, as_value, text_of

# Where an older message belongs that was not brought over: before the first one that was said later.
_BETWEEN = (
    "coalesce((SELECT min(seq) - 0.5 FROM session_message AS x "
    "WHERE x.session_id = m.session_id AND x.time_created > m.time_created), 9e18)"
)

# Results that were cleared to save room still stand in the older tables; there both are read, and have the same ids.
_WHOLE = f"SELECT id FROM session_message WHERE coalesce(instr(data, '{CLEARED}'), 0) = 0"


class OpenCodeLayout:
    tables: Sequence[str] = ("session_v2", "session", "session_message", "message", "part")
    heads: Sequence[str] = ("session_v2", "session")

    def __init__(self, path: Path) -> None:
        self._path = path

    def is_known(self, store: Store) -> bool:
        return store.has("message", "part") or store.has("session_message")

    def query(self, store: Store, *, whole: bool) -> str:
        older = store.has("message", "part")
        selects = [*self._older(store, whole=whole)] if older else []
        if store.has("session_message"):
            selects.append(self._newer(store, whole=whole))
        changed = "SELECT NULL" if whole or not older else sql.changed(store)
        return sql.sorted_by_session(selects, len(self.heads), changed=changed)

    def _older(self, store: Store, *, whole: bool) -> list[str]:
        position, only = "0", "1"
        if store.has("session_v2", "session_message"):
            both = "m.session_id IN (SELECT id FROM session_v2)"
            only = f"coalesce(NOT ({both} AND m.id IN ({_WHOLE})), 1)"
            if "seq" in store.columns("session_message"):
                position = f"CASE WHEN {both} THEN {_BETWEEN} ELSE 0 END"
        messages = [position, _column(store, "message", "m", "time_created"), "m.id"]
        return sql.branches(store, self.heads, sql.Order(messages, ["p.id"]), whole=whole, only=only)

    def _newer(self, store: Store, *, whole: bool) -> str:
        table = "session_message"
        tests = [] if whole else [f"({store.written_since(table, name='m')} OR m.rowid > :{table}_rows)"]
        if store.has("message", "part"):
            known = " OR m.session_id IN (SELECT id FROM session_v2)" if store.has("session_v2") else ""
            tests.append(f"(m.session_id NOT IN (SELECT session_id FROM message WHERE session_id IS NOT NULL){known})")
        messages = [_column(store, table, "m", "seq"), _column(store, table, "m", "time_created"), "m.id"]
        return sql.select(
            store,
            self.heads,
            sql.Order(messages, ["NULL"]),
            session="m.session_id",
            source=f"{table} AS m",
            only=" AND ".join(tests) or "1",
            table=table,
        )

    def context(self, store: Store, head: Stored) -> Iterator[bytes]:
        return iter(())

    def copies(self, store: Store, head: Stored, first: Stored) -> Mapping[tuple[str, int], str]:
        origin = text_of(head.row, "fork_session_id")
        if origin and any(store.rows("SELECT 1 FROM session_v2 WHERE id = ?", origin)):
            return {("session_message", rowid): origin for rowid in _copied(store, head)}
        if _is_before(first, head):
            return {(first.table, rowid): origin for rowid, origin in _repeated(store, first.table, head)}
        return {}


def _is_before(message: Stored, head: Stored) -> bool:
    said, began = message.row.get("time_created"), head.row.get("time_created")
    return isinstance(said, int) and isinstance(began, int) and said < began


def _copied(store: Store, head: Stored) -> Iterator[int]:
    """Yield the messages of a fork that end like copies do, in their own number, or are older than their session."""
    number = "id LIKE '%\\_' || seq ESCAPE '\\'" if "seq" in store.columns("session_message") else "0"
    query = f"SELECT rowid FROM session_message WHERE session_id = ? AND ({number} OR time_created < ?)"
    for (rowid,) in store.rows(query, head.row.get("id"), head.row.get("time_created")):
        if isinstance(rowid, int):
            yield rowid


def _repeated(store: Store, table: str, head: Stored) -> Iterator[tuple[int, str]]:
    query = (
        f"WITH old AS MATERIALIZED (SELECT rowid AS copy, time_created FROM {table} "
        "WHERE session_id = :session AND time_created < :began) "
        f"SELECT old.copy, CAST(o.session_id AS BLOB) FROM {table} AS o "
        "CROSS JOIN old ON old.time_created = o.time_created "
        f"JOIN {head.table} AS s ON s.id = o.session_id "
        "WHERE o.session_id <> :session AND o.time_created >= s.time_created"
    )
    values = {"session": head.row.get("id"), "began": head.row.get("time_created")}
    for rowid, origin in store.db.execute(query, values):
        yield rowid, str(as_value(origin))


def _column(store: Store, table: str, name: str, column: str) -> str:
    return f"{name}.{column}" if column in store.columns(table) else "NULL"
