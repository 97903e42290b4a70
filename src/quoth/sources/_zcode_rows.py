"""How ZCode uses its database, and which of its messages are copies.

A fork copies messages under new ids and says of each which one it was. A session that was imported from another agent
repeats what that agent's own log holds; its messages may say so, and `v2/tasks-index.sqlite` knows which these are.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import orjson

from quoth.core.errors import ReadFailed
from quoth.readers.database import open_readonly
from quoth.sources import _parts_query as sql
from quoth.sources._parts_store import Store, Stored, Value, as_value, text_of

_TASKS = ("task_id", "migration_source", "forked_from_task_id", "title", "title_overridden", "deleted")
_OF_OTHERS = frozenset({"import", "migration"})
_SAYS_SO = re.compile(rb'"origin"\s*:\s*"(?:import|migration)"')
_ORDER = ("sequence", "time_created")


class ZCodeLayout:
    tables: Sequence[str] = ("session", "message", "part")
    heads: Sequence[str] = ("session",)

    def __init__(self, path: Path) -> None:
        self._index = path.parents[2] / "v2" / "tasks-index.sqlite" if len(path.parents) > 2 else None
        self._tasks: Mapping[str, Mapping[str, Value]] | None = None

    def is_known(self, store: Store) -> bool:
        return store.has("message", "part")

    def query(self, store: Store, *, whole: bool) -> str:
        numbered = [_order(store, table, name) for table, name in (("message", "m"), ("part", "p"))]
        order = sql.Order(numbered[0], [*numbered[1], "p.id"])
        selects = sql.branches(store, self.heads, order, whole=whole)
        return sql.sorted_by_session(selects, len(self.heads), changed="SELECT NULL" if whole else sql.changed(store))

    def context(self, store: Store, head: Stored) -> Iterator[bytes]:
        if task := self._task(text_of(head.row, "id")):
            yield orjson.dumps({"type": "task", "row": task})

    def copies(self, store: Store, head: Stored, first: Stored) -> Mapping[tuple[str, int], str]:
        session = text_of(head.row, "id")
        if self._task(session).get("migration_source") or _SAYS_SO.search(first.data or b""):
            return {("message", rowid): "" for rowid in _imported(store, session, head)}
        if b"forkOrigin" in (first.data or b""):
            return {("message", rowid): origin for rowid, origin in _forked(store, session)}
        return {}

    def _task(self, session: str) -> Mapping[str, Value]:
        if self._tasks is None:
            self._tasks = _tasks(self._index) if self._index else {}
        return self._tasks.get(session, {})


def _order(store: Store, table: str, name: str) -> list[str]:
    columns = [f"{name}.{column}" if column in store.columns(table) else "NULL" for column in _ORDER]
    return [f"{columns[0]} IS NULL", *columns]


def _forked(store: Store, session: str) -> Iterator[tuple[int, str]]:
    """Yield the messages that say they are copies of one that is still there."""
    origin = "CASE WHEN json_valid(data) THEN json_extract(data, '$.metadata.forkOrigin.%s') END"
    copied = (
        f"SELECT m.rowid, CAST(o.session_id AS BLOB) FROM (SELECT rowid, {origin % 'messageId'} AS origin FROM message "
        "WHERE session_id = ?) AS m JOIN message AS o ON o.id = m.origin WHERE o.session_id <> ?"
    )
    for rowid, found in store.rows(copied, session, session):
        if isinstance(rowid, int):
            yield rowid, str(found)


def _imported(store: Store, session: str, head: Stored) -> Iterator[int]:
    """Yield the messages up to where the person went on with an imported session in ZCode."""
    order = ", ".join(column.removeprefix("m.") for column in _order(store, "message", "m"))
    origin = "CASE WHEN json_valid(data) THEN json_extract(data, '$.semantics.origin') END"
    begun = head.row.get("time_created")
    is_own = False
    created = store.one_of("message", "time_created")
    query = f"SELECT rowid, {created}, {origin} FROM message WHERE session_id = ? ORDER BY {order}, rowid"
    for rowid, time, said in store.rows(query, session):
        is_older = isinstance(time, int) and isinstance(begun, int) and time < begun
        is_own = (is_own or said == "real_user") and not (is_older or said in _OF_OTHERS)
        if isinstance(rowid, int) and not is_own:
            yield rowid


def _tasks(path: Path) -> Mapping[str, Mapping[str, Value]]:
    """Return what the index says of its tasks, by session; nothing when there is none that we can read.

    Raises:
        ReadFailed: somebody is writing it just now.
    """
    try:
        with open_readonly(path) as database:
            present = {str(row[1]) for row in database.execute("PRAGMA table_info(tasks)")}
            columns = [column for column in _TASKS if column in present]
            if "task_id" not in columns:
                return {}
            values = ", ".join(f"CAST({column} AS BLOB)" for column in columns)
            rows = database.execute(f"SELECT {values} FROM tasks WHERE {_is_of_interest(columns)}")
            named = (dict(zip(columns, map(as_value, row), strict=True)) for row in rows)
            return {str(task["task_id"]): task for task in named}
    except ReadFailed as failure:
        if failure.reason in {"locked", "changed_while_read"}:
            raise
        return {}
    except OSError:
        return {}


def _is_of_interest(columns: Sequence[str]) -> str:
    tests = {"migration_source": "coalesce(migration_source, '') <> ''", "title_overridden": "title_overridden = 1"}
    return " OR ".join(test for column, test in tests.items() if column in columns) or "0"
