"""Build the query that brings sessions, messages and parts into the order in which they were said.

It never looks for parts by their message, which not every database has an index for: messages are looked up for parts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from quoth.sources._parts_store import Store

_NO_HEAD = "(SELECT NULL AS id, NULL AS rowid, NULL AS time_created WHERE 0)"
_WIDTH = 4  # columns that tell the order inside a session, and again inside a message


@dataclass(frozen=True, slots=True)
class Order:
    """What sorts messages and parts, as SQL over `m` and `p`."""

    messages: Sequence[str]
    parts: Sequence[str]


def heads(store: Store, tables: Sequence[str], session: str) -> tuple[str, str, str]:
    """Return when a session began, its row ids in the tables of sessions, and the joins that find them."""
    names = [f"s{nth}" for nth in range(len(tables))]
    joins = (
        f"LEFT JOIN {table if store.has(table) else _NO_HEAD} AS {name} ON {name}.id = {session}"
        for table, name in zip(tables, names, strict=True)
    )
    stamps = [
        f"{name}.time_created"
        for table, name in zip(tables, names, strict=True)
        if "time_created" in store.columns(table)
    ]
    began = f"-coalesce(CAST(coalesce({', '.join([*stamps, 'NULL', '0'])}) AS INTEGER), 0)"
    return began, ", ".join(f"{name}.rowid" for name in names), " ".join(joins)


def changed(store: Store) -> str:
    """Return a query for the ids of messages that changed, or one of whose parts did."""
    queries = (
        f"SELECT {key} FROM {table} WHERE {store.written_since(table)} OR rowid > :{table}_rows"
        for table, key in (("message", "id"), ("part", "message_id"))
    )
    return " UNION ".join(queries)


def branches(store: Store, tables: Sequence[str], order: Order, *, whole: bool, only: str = "1") -> list[str]:
    """Return the selects for messages and for parts; `only` is a condition on `m`."""
    owner = "coalesce(m.session_id, p.session_id)" if "session_id" in store.columns("part") else "m.session_id"
    parts = "part AS p LEFT JOIN message AS m ON m.id = p.message_id"
    of_message, of_part = (
        (_wanted("m.id", "m", "message"), _wanted("p.message_id", "p", "part")) if not whole else ("1", "1")
    )
    return [
        select(store, tables, order, session="m.session_id", source="message AS m", only=f"{of_message} AND {only}"),
        select(store, tables, order, session=owner, source=parts, part="p.rowid", only=f"{of_part} AND {only}"),
    ]


def _wanted(key: str, name: str, table: str) -> str:
    """Return a condition for rows of changed messages, and for new rows that name none."""
    return f"({key} IN (SELECT id FROM changed) OR ({key} IS NULL AND {name}.rowid > :{table}_rows))"


def select(
    store: Store,
    tables: Sequence[str],
    order: Order,
    *,
    session: str,
    source: str,
    only: str,
    part: str = "NULL",
    table: str = "message",
) -> str:
    began, rowids, joins = heads(store, tables, session)
    own = ["NULL"] * _WIDTH if part == "NULL" else order.parts
    places = ", ".join([*_filled(order.messages), "m.rowid", part, *_filled(own)])
    columns = f"{began}, CAST(coalesce({session}, '') AS BLOB), {rowids}, '{table}', m.rowid, {part}, {places}"
    return f"SELECT {columns} FROM {source} {joins} WHERE {only}"


def sorted_by_session(selects: Sequence[str], heads: int, *, changed: str) -> str:
    """Join selects into one query."""
    told = ["began", "session", *(f"head{nth}" for nth in range(heads)), "kind", "owner", "part"]
    orders = [f"m{nth}" for nth in range(_WIDTH + 1)] + [f"p{nth}" for nth in range(_WIDTH + 1)]
    # Of a message the row itself comes first: its `p0`, the row id of a part, is null.
    sorting = ["began", "session", *orders[: _WIDTH + 1], "kind", "p0 IS NOT NULL", *orders[_WIDTH + 2 :], "p0"]
    both = f"both({', '.join([*told, *orders])}) AS ({' UNION ALL '.join(selects)})"
    return (
        f"WITH changed(id) AS MATERIALIZED ({changed}), {both} SELECT {', '.join(told)} FROM both "
        f"WHERE (began, session) > (:began, :session) ORDER BY {', '.join(sorting)}"
    )


def _filled(order: Sequence[str]) -> list[str]:
    return [*order, *["NULL"] * (_WIDTH - len(order))]
