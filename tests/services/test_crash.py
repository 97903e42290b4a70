"""Processes that are killed, run side by side, or find no room: nothing acknowledged is lost or there twice."""

from __future__ import annotations

import random
import resource
import signal
from contextlib import suppress
from pathlib import Path

import pytest

from children import begin, child, ended, killed, needs_fork
from quoth.core.errors import Busy, StoreFailed
from services.archive import Archive

KILLS = 200


def talk(archive: Archive, first: int, count: int) -> bytes:
    return b"".join(archive.records((f"sentence {first + i} of the day" for i in range(count)), first=first))


@needs_fork
@pytest.mark.req("INV-2", "ARC-2")
def test_killing_ingestion_at_any_point_loses_nothing_and_repeats_nothing(tmp_path: Path) -> None:
    archive, seen, rng = Archive(tmp_path, "killed"), 0, random.Random(7)
    deaths = 0
    for attempt in range(KILLS):
        with archive.log().open("ab") as log:
            log.write(talk(archive, 1 + attempt * 3, 3))
        deaths += killed(child(archive.sync, kill_after=rng.uniform(0.0005, 0.03)))
        if attempt % 40 == 39:  # what was answered once must never go away
            now = len(archive.spoken()) if (archive.home / "observations.jsonl").exists() else 0
            assert now >= seen
            seen = now
    assert deaths > KILLS // 4, "the kills must hit"
    archive.sync()
    once = Archive(tmp_path, "once")
    once.sync()
    assert archive.answers()["events"] == once.answers()["events"]
    assert len(archive.spoken()) == min(500, KILLS * 3)


@needs_fork
@pytest.mark.req("INV-2")
def test_killing_a_rebuild_leaves_the_old_index_or_the_new_one(tmp_path: Path) -> None:
    archive, rng = Archive(tmp_path), random.Random(11)
    archive.log().write_bytes(talk(archive, 1, 400))
    archive.sync()
    before = archive.answers()
    deaths = sum(killed(child(archive.rebuild, kill_after=rng.uniform(0.001, 0.06))) for _ in range(30))
    assert deaths > 5
    assert archive.answers() == before
    archive.rebuild()
    assert archive.answers() == before


@needs_fork
@pytest.mark.req("ARC-2", "INV-2")
def test_processes_that_ingest_at_once_make_one_archive(tmp_path: Path) -> None:
    archive = Archive(tmp_path)
    for number in range(6):
        session = f"6b1c2f6e-8f0a-4d7e-9d55-3a1c5e0f7a{number:02}"
        archive.log(session).write_bytes(
            b"".join(
                archive.records((f"process {number} says {i}" for i in range(60)), first=number * 100, session=session)
            )
        )

    def sync() -> None:
        with suppress(Busy):
            archive.sync()

    assert [ended(pid) for pid in [begin(sync) for _ in range(4)]] == [0, 0, 0, 0]
    assert len(archive.spoken()) == 360
    assert len(set(archive.spoken())) == 360


@needs_fork
@pytest.mark.req("ARC-11", "INV-6", "INV-2")
@pytest.mark.parametrize("limit", [4_000, 40_000, 90_000, 150_000])
def test_a_full_disk_is_an_error_and_loses_nothing(tmp_path: Path, limit: int) -> None:
    archive = Archive(tmp_path)
    archive.log().write_bytes(talk(archive, 1, 20))
    archive.sync()
    before = archive.spoken()
    with archive.log().open("ab") as log:
        log.write(talk(archive, 21, 400))

    def full() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
        with pytest.raises(StoreFailed):
            archive.sync()

    assert child(full) == 0
    assert archive.spoken()[: len(before)] == before
    archive.sync()
    assert len(archive.spoken()) == 420
