"""The key of a store: made once, by one process, and never replaced."""

from __future__ import annotations

import os
import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from quoth.core.errors import StoreFailed
from quoth.mirror.key import FILE, SIZE, store_key


@pytest.mark.req("SEC-1")
def test_a_new_store_gets_a_key_that_only_its_owner_reads(tmp_path: Path) -> None:
    old = os.umask(0)
    try:
        key = store_key(tmp_path, is_new=True)
    finally:
        os.umask(old)
    assert len(key) == SIZE
    assert stat.S_IMODE((tmp_path / FILE).stat().st_mode) == 0o600
    assert [path.name for path in tmp_path.iterdir()] == [FILE]


def test_whoever_asks_at_the_same_time_gets_the_same_key(tmp_path: Path) -> None:
    with ThreadPoolExecutor(8) as pool:
        keys = set(pool.map(lambda _: store_key(tmp_path, is_new=True), range(32)))
    assert len(keys) == 1


@pytest.mark.req("INV-6")
def test_a_lost_key_is_never_replaced_by_another(tmp_path: Path) -> None:
    with pytest.raises(StoreFailed, match="put it back from a backup"):
        store_key(tmp_path, is_new=False)
    assert list(tmp_path.iterdir()) == []


def test_a_key_of_another_length_is_none(tmp_path: Path) -> None:
    (tmp_path / FILE).write_bytes(b"short")
    with pytest.raises(StoreFailed, match="does not hold 32 bytes"):
        store_key(tmp_path, is_new=False)
