"""The database of an agent is read beside the agent, without waiting long and without leaving a trace."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import apsw
import pytest

from mirror.processes import answer_of, as_nobody
from quoth.core.errors import ReadFailed
from quoth.readers.database import open_readonly
from readers.asking import rows


@pytest.fixture
def path(tmp_path: Path) -> Path:
    (tmp_path / "agent").mkdir()
    return tmp_path / "agent" / "state ?#%41.db"


@pytest.fixture
def agent(path: Path) -> Iterator[apsw.Connection]:
    """Return the connection of an agent that writes in WAL mode and keeps its file open."""
    connection = _agent(path)
    yield connection
    connection.close()


def _agent(path: Path, mode: str = "wal") -> apsw.Connection:
    connection = apsw.Connection(str(path))
    connection.execute(f"PRAGMA journal_mode = {mode}; CREATE TABLE IF NOT EXISTS words(said)").fetchall()
    return connection


def _say(connection: apsw.Connection, *words: str) -> None:
    with connection:
        connection.executemany("INSERT INTO words VALUES (?)", [(word,) for word in words])


def _files(path: Path) -> list[str]:
    return sorted(file.name.removeprefix(path.name) for file in path.parent.iterdir())


def _reason(path: Path, query: str = "SELECT said FROM words") -> str:
    with pytest.raises(ReadFailed) as failure:
        rows(path, query)
    return failure.value.reason


@pytest.mark.req("ARC-5")
def test_what_an_agent_has_committed_and_not_checkpointed_is_read(agent: apsw.Connection, path: Path) -> None:
    _say(agent, "one", "two")
    before = _files(path)
    assert rows(path) == ["one", "two"]
    with agent:
        _say(agent, "not committed")
        assert rows(path) == ["one", "two"]
    assert rows(path) == ["not committed", "one", "two"]
    assert _files(path) == before == ["", "-shm", "-wal"]


@pytest.mark.req("ARC-5")
@pytest.mark.parametrize("mode", ["wal", "delete"])
def test_a_database_nobody_has_open_is_read_without_a_file_beside_it(path: Path, mode: str) -> None:
    connection = _agent(path, mode)
    _say(connection, "one")
    connection.close()
    assert _files(path) == [""]
    before = path.stat()
    with open_readonly(path) as connection:
        assert connection.execute("SELECT said FROM words").fetchall() == [("one",)]
        assert _files(path) == [""]
    assert path.stat().st_mtime_ns == before.st_mtime_ns


@pytest.mark.req("ARC-5")
def test_nothing_can_be_written_through_it(agent: apsw.Connection, path: Path) -> None:
    _say(agent, "one")
    for query in ("DELETE FROM words", "CREATE TABLE other(x)", "VACUUM"):
        assert _reason(path, query) == "unreadable"
    assert rows(path) == ["one"]


@pytest.mark.req("ARC-5")
@pytest.mark.parametrize("left", ["-wal", "-wal and -shm"])
def test_what_a_killed_agent_left_in_its_log_is_read(agent: apsw.Connection, path: Path, left: str) -> None:
    _say(agent, "one")
    dead = path.parent.parent / "dead" / path.name
    shutil.copytree(path.parent, dead.parent)
    if left == "-wal":
        Path(f"{dead}-shm").unlink()
    before = _files(dead)
    assert rows(dead) == ["one"]
    assert _files(dead) == before


@pytest.mark.req("ARC-5")
def test_a_transaction_that_a_killed_agent_left_open_is_not_seen(path: Path) -> None:
    connection = _agent(path, "delete")
    _say(connection, "one")
    connection.execute("PRAGMA cache_size = 1; BEGIN").fetchall()
    _say(connection, *(f"never committed {n}" * 100 for n in range(200)))
    dead = path.parent.parent / "dead" / path.name
    shutil.copytree(path.parent, dead.parent)
    connection.close()
    before = {file.name: file.read_bytes() for file in dead.parent.iterdir()}
    assert _files(dead) == ["", "-journal"]
    assert rows(dead) == ["one"]
    assert {file.name: file.read_bytes() for file in dead.parent.iterdir()} == before


@pytest.mark.req("ARC-5")
def test_a_database_that_stays_locked_is_given_up(path: Path) -> None:
    connection = _agent(path, "delete")
    connection.execute("BEGIN EXCLUSIVE")
    assert _reason(path) == "locked"
    connection.execute("COMMIT")
    assert rows(path) == []
    connection.close()


def _read_while_it_changes(path: Path) -> None:
    with open_readonly(path) as reading:
        reading.execute("SELECT said FROM words").fetchall()
        writer = _agent(path)
        _say(writer, "one")
        writer.close()


@pytest.mark.req("ARC-5")
def test_a_change_that_makes_what_was_read_doubtful_is_told(path: Path) -> None:
    _agent(path).close()
    with pytest.raises(ReadFailed, match="changed while read"):
        _read_while_it_changes(path)
    assert rows(path) == ["one"]


@pytest.mark.req("ARC-5")
@pytest.mark.parametrize("content", [b"no database at all" * 100, b"SQLite format 3\0" + b"\xff" * 2000])
def test_what_is_no_database_is_told(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    assert _reason(path) == "damaged"
    assert _files(path) == [""]


@pytest.mark.req("ARC-5")
def test_a_damaged_page_is_told(path: Path) -> None:
    connection = _agent(path, "delete")
    _say(connection, *("word" * 50 for _ in range(500)))
    connection.close()
    data = bytearray(path.read_bytes())
    data[4096 * 3 :] = b"\xaa" * len(data[4096 * 3 :])
    path.write_bytes(data)
    assert _reason(path) == "damaged"


@pytest.mark.req("ARC-5")
def test_another_schema_is_told(agent: apsw.Connection, path: Path) -> None:
    assert _reason(path, "SELECT heard FROM words") == "unknown_schema"
    assert _reason(path, "SELECT 1 FROM letters") == "unknown_schema"


@pytest.mark.req("ARC-4", "ARC-5")
@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs FIFOs and links")
def test_what_is_no_file_is_refused(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "fifo")
    (tmp_path / "folder").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "folder")
    for name in ("fifo", "folder", "link"):
        assert _reason(tmp_path / name) == "not_a_file"
    assert _reason(tmp_path / "gone") == "vanished"
    assert sorted(file.name for file in tmp_path.iterdir()) == ["fifo", "folder", "link"]


@pytest.mark.req("ARC-5")
@pytest.mark.skipif(not hasattr(os, "getuid"), reason="needs another user")
@pytest.mark.parametrize("is_open", [True, False])
def test_a_folder_we_can_only_read_is_no_hindrance(is_open: bool) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "state.db")
        connection = _agent(path)
        _say(connection, "one")
        if not is_open:
            connection.close()
        for file in path.parent.iterdir():
            file.chmod(0o444)
        Path(folder).chmod(0o555)
        assert answer_of(as_nobody, rows, path, channel_at=1) == ["one"]
        path.chmod(0)
        assert answer_of(as_nobody, rows, path, channel_at=1) == "read_failed"
        Path(folder).chmod(0o755)
        connection.close()
