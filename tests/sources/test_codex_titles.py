"""What Codex calls its threads."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

import feeding
from codex_logs import (
    CHILD,
    PARENT,
    THREAD,
    event,
    meta,
    titles,
    write,
)
from quoth.core.errors import ReadFailed
from quoth.core.model import Form, Json, Line
from quoth.sources.codex import ADAPTER

# --- titles ---------------------------------------------------------------------------------------------------------


def _database(
    home: Path, number: int, rows: Sequence[Sequence[object]], columns: str = "title, name, first_user_message"
) -> Path:
    home.mkdir(exist_ok=True)
    path = home / f"state_{number}.sqlite"
    with closing(sqlite3.connect(path)) as database:
        database.execute(f"CREATE TABLE threads(id TEXT, {columns}, secret TEXT DEFAULT 'never-read')")
        marks = ", ".join("?" * (len(columns.split(",")) + 1))
        database.executemany(f"INSERT INTO threads(id, {columns}) VALUES({marks})", rows)
        database.commit()
    return path


def _emptied(path: Path) -> None:
    with closing(sqlite3.connect(path)) as database:
        database.execute("DROP TABLE threads")
        database.commit()


def _rows(home: Path, state: Json = None) -> tuple[list[bytes], Any]:
    file = next(found for found in feeding.found("codex", home)[0] if found.form is Form.ROWS)
    parser = ADAPTER.parser(feeding.stream("codex", file), state)
    rows = list(ADAPTER.rows(file, state))
    for number, row in enumerate(rows, 1):
        list(parser.feed(Line(number, row)))
    return rows, parser.state()


@pytest.mark.parametrize(
    ("title", "name", "prompt", "shown"),
    [
        ("Cart totals", "", "Why do the totals differ?", "Cart totals"),
        ("Why do the totals", "", "Why do the totals differ?", None),
        ("Why do the totals…", "", "Why do the\ntotals differ?", None),
        ("Why do the totals differ?", "", "Why do the totals differ?", None),
        ("Why do the totals differ?", "Totals", "Why do the totals differ?", "Totals"),
        ("", None, "Why?", None),
        (None, None, None, None),
        ("Cart totals", "", "", "Cart totals"),
    ],
)
def test_a_title_that_repeats_the_prompt_is_none(
    tmp_path: Path, title: str | None, name: str | None, prompt: str | None, shown: str | None
) -> None:
    _database(tmp_path, 5, [(THREAD, title, name, prompt)])
    assert titles(tmp_path) == ({THREAD: shown} if shown else {})


def test_a_given_name_outweighs_the_index_and_the_index_a_made_title(tmp_path: Path) -> None:
    _database(tmp_path, 5, [(THREAD, "Made", "", "p"), (PARENT, "Made", "Given", "p")])
    _database(
        tmp_path, 4, [(THREAD, "Stale", "", "p"), (PARENT, "Stale", "Stale name", "p"), (CHILD, "Only here", "", "p")]
    )
    index = [
        {"id": THREAD, "thread_name": "First"},
        {"id": THREAD, "thread_name": "Last"},
        {"id": PARENT, "thread_name": "Index"},
    ]
    write(tmp_path, *index, key="session_index.jsonl")
    assert titles(tmp_path) == {THREAD: "Last", PARENT: "Given", CHILD: "Only here"}


def test_only_changed_rows_of_the_needed_columns_are_read(tmp_path: Path) -> None:
    path = _database(tmp_path, 5, [(THREAD, "One", "", "p"), (PARENT, "Two", "", "p")])
    rows, state = _rows(tmp_path)
    assert [set(json.loads(row)) for row in rows] == [{"id", "title", "name", "first_user_message"}] * 2
    assert b"never-read" not in b"".join(rows)
    assert _rows(tmp_path, json.loads(json.dumps(state)))[0] == []
    with closing(sqlite3.connect(path)) as database:
        database.execute("UPDATE threads SET title = 'Changed' WHERE id = ?", (PARENT,))
        database.commit()
    rows, _ = _rows(tmp_path, json.loads(json.dumps(state)))
    assert [json.loads(row)["title"] for row in rows] == ["Changed"]


@pytest.mark.req("ARC-5")
def test_a_database_with_other_columns_or_invalid_text_is_read_as_far_as_it_goes(tmp_path: Path) -> None:
    _database(tmp_path, 5, [(THREAD, b"Ca\xffrt")], columns="title")
    assert titles(tmp_path) == {THREAD: "Ca�rt"}


@pytest.mark.req("ARC-5")
@pytest.mark.parametrize(
    ("damage", "reason"),
    [
        (lambda path: path.write_bytes(b"SQLite format 3\0" + b"rubble" * 900), "damaged"),
        (lambda path: path.write_bytes(b"no database at all, but long enough" * 40), "damaged"),
        (_emptied, "unknown_schema"),
    ],
    ids=["corrupt", "no database", "no such table"],
)
def test_a_database_that_cannot_be_read_fails_with_a_reason(
    tmp_path: Path, damage: Callable[[Path], object], reason: str
) -> None:
    path = _database(tmp_path, 5, [])
    damage(path)
    with pytest.raises(ReadFailed) as failed:
        _rows(tmp_path)
    assert failed.value.reason == reason


@pytest.mark.req("ARC-5")
def test_a_row_written_while_the_agent_has_the_database_open_is_seen(tmp_path: Path) -> None:
    path = _database(tmp_path, 5, [])
    with closing(sqlite3.connect(path)) as agent:
        agent.execute("PRAGMA journal_mode = WAL")
        agent.execute("INSERT INTO threads(id, title, name) VALUES(?, 'Fresh', '')", (THREAD,))
        agent.commit()
        assert titles(tmp_path) == {THREAD: "Fresh"}


def test_a_renaming_told_in_the_log_gives_a_title(tmp_path: Path) -> None:
    write(tmp_path, meta(), event("10:00:01.000", "thread_name_updated", thread_id=THREAD, thread_name="Cart\ntotals"))
    assert titles(tmp_path) == {THREAD: "Cart totals"}
