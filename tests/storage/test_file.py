"""The file of an index: made, shared, refused, damaged."""

from __future__ import annotations

import multiprocessing
import stat
import threading
from pathlib import Path

import apsw
import pytest

from indexing import EVERYTHING, batch, event, filled, found, opened, stream, write_alone
from quoth.core.errors import Failed, NewerFormat, StoreFailed
from quoth.core.model import Unread
from quoth.storage.sqlite import ENGINE, SCHEMA

PAGE = {"limit": 100, "offset": 0}


@pytest.mark.req("SEC-1")
def test_only_the_person_may_read_the_file(tmp_path: Path) -> None:
    index = opened(tmp_path)
    filled(index, "secret")
    assert {stat.S_IMODE(path.stat().st_mode) for path in tmp_path.iterdir()} == {0o600}
    index.close()


def test_a_closed_index_is_one_file_with_everything_in_it(tmp_path: Path) -> None:
    index = opened(tmp_path)
    filled(index, "kept")
    index.close()
    assert [path.name for path in tmp_path.iterdir()] == ["index.db"]
    again = opened(tmp_path)
    assert found(again, "kept") == ["kept"]
    again.close()


def test_reading_only_neither_makes_nor_changes_a_file(tmp_path: Path) -> None:
    with pytest.raises(StoreFailed):
        ENGINE.open(tmp_path / "none.db", read_only=True)
    assert list(tmp_path.iterdir()) == []
    index = opened(tmp_path)
    filled(index, "kept")
    reader = ENGINE.open(tmp_path / "index.db", read_only=True)
    assert found(reader, "kept") == ["kept"]
    with pytest.raises(StoreFailed, match="can't be written"):
        reader.put([batch(stream(), event("e9"))])
    reader.close()
    index.close()


@pytest.mark.req("ARC-12")
def test_a_newer_schema_is_refused_and_left_as_it_is(tmp_path: Path) -> None:
    opened(tmp_path).close()
    path = tmp_path / "index.db"
    db = apsw.Connection(str(path))
    db.execute("UPDATE metadata SET value = ? WHERE key = 'schema'", (SCHEMA + 1,))
    db.close()
    before = path.read_bytes()
    with pytest.raises(NewerFormat):
        opened(tmp_path)
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    "content", [b"not a database, but long enough to look at" * 100, b"SQLite format 3\0" + b"\xff" * 5_000]
)
def test_a_damaged_file_is_said_in_a_sentence(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "index.db").write_bytes(content)
    with pytest.raises(StoreFailed, match="rebuild"):
        opened(tmp_path)
    assert (tmp_path / "index.db").read_bytes() == content


def test_another_programs_database_is_no_index(tmp_path: Path) -> None:
    db = apsw.Connection(str(tmp_path / "index.db"))
    db.execute("CREATE TABLE theirs(x)")
    db.close()
    with pytest.raises(StoreFailed, match="no index"):
        opened(tmp_path)


def test_damage_is_found_by_a_check(tmp_path: Path) -> None:
    index = opened(tmp_path)
    filled(index, *(f"word{n} " * 50 for n in range(300)))
    assert index.check() == []
    index.close()
    path = tmp_path / "index.db"
    content = bytearray(path.read_bytes())
    content[len(content) // 2 : len(content) // 2 + 9_000] = b"\xaa" * 9_000
    path.write_bytes(content)
    try:
        index = opened(tmp_path)
    except StoreFailed:
        return
    try:
        assert index.check() != []
    except StoreFailed as failed:
        assert "rebuild" in str(failed)  # noqa: PT017 - both are right: what SQLite meets first is up to it
    index.close()


def test_a_full_disk_undoes_the_batch_and_says_so(tmp_path: Path) -> None:
    index = opened(tmp_path)
    filled(index, "kept")
    db = apsw.Connection(str(tmp_path / "index.db"))
    pages = db.pragma("page_count")
    db.close()
    index._db._db.pragma("max_page_count", pages)  # type: ignore[attr-defined] # as a full disk stops the file from growing
    big = batch(
        stream(), *(event(f"n{n}", f"word{n} " * 500, line=n) for n in range(2, 200)), unread=[Unread(9, "unknown")]
    )
    with pytest.raises(StoreFailed, match="disk is full"):
        index.put([big])
    index._db._db.pragma("max_page_count", 1 << 30)  # type: ignore[attr-defined]
    assert found(index, "word5") == []
    assert index.put([big]) == [198]
    index.settle()
    assert found(index, "kept") == ["kept"]
    assert [row.events for row in index.sessions(EVERYTHING, **PAGE)] == [199]
    assert [coverage.unknown for coverage in index.coverage()] == [{"": 1}]
    index.close()


def test_a_failure_holds_no_word_of_a_text(tmp_path: Path) -> None:
    index = opened(tmp_path)
    index.close()
    with pytest.raises(Failed) as failure:
        found(index, "hunter2")
    assert "hunter2" not in str(failure.value)


def test_threads_share_an_index(tmp_path: Path) -> None:
    index = opened(tmp_path)
    failures: list[BaseException] = []

    def work(rank: int) -> None:
        try:
            for line in range(1, 20):
                index.put([batch(stream(rank, key=str(rank)), event(f"{rank}-{line}", f"from {rank}", line=line))])
                found(index, f"from {rank}")
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=work, args=(rank,)) for rank in range(1, 5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert failures == []
    assert len(found(index, "from")) == 76
    index.close()


@pytest.mark.req("ARC-2")
def test_processes_that_begin_together_lose_nothing(tmp_path: Path) -> None:
    context = multiprocessing.get_context("spawn")
    barrier = context.Barrier(4)
    processes = [
        context.Process(target=write_alone, args=(tmp_path / "index.db", rank, barrier)) for rank in range(1, 5)
    ]
    for process in processes:
        process.start()
    for process in processes:
        process.join(60)
    assert [process.exitcode for process in processes] == [0] * 4
    index = opened(tmp_path)
    assert len(found(index, "from")) == 40
    assert index.check() == []
    index.close()
