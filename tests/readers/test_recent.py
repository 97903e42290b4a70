"""Files that were written lately are found without a look at what rests."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from quoth.readers import tree
from quoth.readers.database import is_database

PATTERNS = ("logs/**/*.jsonl", "*.db")
LATER = time.time() + 10_000  # seconds: whatever a test writes now is older


def write(path: Path, *, at: float | None = None) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"{}\n")
    if at is not None:
        os.utime(path, (at, at))
    return path


def recent(root: Path, since: float = 0) -> set[str]:
    found = tree.recent(root, PATTERNS, since_ns=int(since * 1_000_000_000))
    return {path.relative_to(root).as_posix() for path in found}


@pytest.mark.req("ORI-65")
def test_of_the_files_that_match_those_are_found_that_were_written_since(tmp_path: Path) -> None:
    write(tmp_path / "logs/a.jsonl", at=LATER)
    write(tmp_path / "logs/deep/er/b.jsonl.zst", at=LATER)
    write(tmp_path / "logs/c.txt", at=LATER)
    write(tmp_path / "other/d.jsonl", at=LATER)
    write(tmp_path / "logs/old.jsonl")
    assert recent(tmp_path, LATER - 1) == {"logs/a.jsonl", "logs/deep/er/b.jsonl.zst"}
    assert recent(tmp_path, LATER + 1) == set()


def test_a_file_that_was_put_there_with_an_old_time_is_found(tmp_path: Path) -> None:
    write(tmp_path / "logs/copied.jsonl", at=1_000_000_000)
    assert recent(tmp_path, time.time() - 600) == {"logs/copied.jsonl"}


def test_a_database_counts_as_written_when_its_log_was(tmp_path: Path) -> None:
    write(tmp_path / "x.db")
    write(tmp_path / "x.db-wal", at=LATER)
    write(tmp_path / "x.db-shm", at=LATER)
    assert recent(tmp_path, LATER - 1) == {"x.db"}


def test_a_root_may_be_a_file_or_nothing(tmp_path: Path) -> None:
    file = write(tmp_path / "x.db", at=LATER)
    assert list(tree.recent(file, PATTERNS, since_ns=0)) == [file]
    assert list(tree.recent(file, PATTERNS, since_ns=int((LATER + 1) * 1_000_000_000))) == []
    assert list(tree.recent(tmp_path / "none", PATTERNS, since_ns=0)) == []


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="the system has no pipes with a name")
def test_links_and_pipes_are_no_files(tmp_path: Path) -> None:
    write(tmp_path / "elsewhere/a.jsonl")
    (tmp_path / "logs").mkdir()
    (tmp_path / "logs/link.jsonl").symlink_to(tmp_path / "elsewhere/a.jsonl")
    (tmp_path / "logs/folder").symlink_to(tmp_path / "elsewhere")
    os.mkfifo(tmp_path / "logs/pipe.jsonl")
    assert recent(tmp_path) == set()


def test_a_database_is_told_by_its_first_bytes(tmp_path: Path) -> None:
    real, fake = tmp_path / "real", tmp_path / "fake"
    real.write_bytes(b"SQLite format 3\0rest")
    fake.write_bytes(b"SQLite")
    assert [is_database(path) for path in (real, fake, tmp_path, tmp_path / "none")] == [True, False, False, False]
