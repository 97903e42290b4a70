"""Kill the writer of a mirror anywhere: what it acknowledged is there once, and the next writer goes on."""

from __future__ import annotations

import random
import shutil
from pathlib import Path

import pytest

from mirror.killing import held, killed_before_each_line, posix
from mirror.processes import (
    FRAME,
    NAME,
    answer_of,
    append_all,
    append_and_die_at,
    append_until_killed,
    append_with_file_limit,
    channel,
    content,
    read_until,
    start,
)
from quoth.mirror.files import MirrorFiles


def _goes_on(home: Path) -> None:
    """Append to what a dead writer left."""
    mirror = MirrorFiles(home, frame_size=FRAME)
    size = mirror.size(NAME)
    assert mirror.append(NAME, [content(size, size + FRAME + 7)]) == size + FRAME + 7
    assert held(home) == content(0, size + FRAME + 7)
    leftovers = [path.name for path in (home / NAME).parent.iterdir() if path.suffix not in {".zst", ".tail"}]
    assert leftovers == []


@posix
@pytest.mark.req("INV-2", "ARC-1")
def test_a_hundred_kills_at_random_points_lose_and_double_nothing(home: Path) -> None:
    chosen = random.Random(5)
    acknowledged = 0
    for seed in range(100):
        ours, theirs = channel()
        writer = start(append_until_killed, home, seed, theirs)
        theirs.close()
        for _ in range(chosen.randrange(12)):
            acknowledged = ours.recv()
        writer.kill()
        try:
            while True:
                acknowledged = ours.recv()
        except EOFError:
            ours.close()
        writer.join()
        kept = held(home)
        assert len(kept) >= acknowledged, f"kill {seed} lost acknowledged bytes"
        assert kept == content(0, len(kept)), f"kill {seed} changed bytes"
        acknowledged = len(kept)
    _goes_on(home)


@posix
@pytest.mark.req("INV-2", "ARC-1")
def test_a_kill_before_any_line_of_the_code_that_appends_is_harmless(home: Path, tmp_path: Path) -> None:
    before, more = 3 * FRAME + 200, 1000  # one frame takes over the tail, others follow, and a new tail begins
    MirrorFiles(home, frame_size=FRAME).append(NAME, [content(0, before - 100)])
    MirrorFiles(home, frame_size=FRAME).append(NAME, [content(before - 100, before)])
    sizes: list[int] = []
    for killed in killed_before_each_line(append_and_die_at, home, tmp_path, before, more):
        kept = held(killed)
        assert kept == content(0, len(kept)), f"a kill before line {len(sizes) + 1} changed bytes"
        sizes.append(len(kept))
        _goes_on(killed)
    assert sizes == sorted(sizes)
    assert sizes[0] == before
    assert sizes[-1] == before + more
    assert len(set(sizes)) > 4


@pytest.mark.req("INV-2", "ARC-1")
def test_a_frame_torn_at_any_byte_is_passed_over_and_written_again(home: Path, tmp_path: Path) -> None:
    mirror = MirrorFiles(home, frame_size=FRAME)
    mirror.append(NAME, [content(0, 2 * FRAME)])
    frames = home / f"{NAME}.zst"
    whole = frames.read_bytes()
    mirror.append(NAME, [content(2 * FRAME, 3 * FRAME)])
    torn_frame = frames.read_bytes()[len(whole) :]
    for length in range(len(torn_frame)):
        torn = tmp_path / "torn"
        shutil.copytree(home, torn)
        (torn / f"{NAME}.zst").write_bytes(whole + torn_frame[:length])
        assert held(torn) == content(0, 2 * FRAME)
        _goes_on(torn)
        shutil.rmtree(torn)


@pytest.mark.req("INV-2")
def test_zeros_that_a_power_cut_left_behind_the_last_frame_are_cut_off(home: Path) -> None:
    MirrorFiles(home, frame_size=FRAME).append(NAME, [content(0, 2 * FRAME)])
    with (home / f"{NAME}.zst").open("ab") as file:
        file.write(bytes(5000))
    assert held(home) == content(0, 2 * FRAME)
    _goes_on(home)


@pytest.mark.req("INV-2")
def test_what_an_old_hand_over_left_never_hides_a_tail(home: Path) -> None:
    mirror = MirrorFiles(home, frame_size=FRAME)
    mirror.append(NAME, [content(0, 10)])
    for stop in range(FRAME, 4 * FRAME):
        (home / f"{NAME}.tail.{stop}").touch()
    mirror.append(NAME, [content(10, 2 * FRAME + 30)])
    assert held(home) == content(0, 2 * FRAME + 30)
    _goes_on(home)


@pytest.mark.req("INV-2", "ARC-2")
def test_readers_beside_a_writer_never_see_a_wrong_byte(home: Path) -> None:
    total = 400 * FRAME
    readers = [start(read_until, home, total, seed) for seed in (1, 2)]
    writer = start(append_all, home, total, 3)
    for process in (writer, *readers):
        process.join(60)
    assert [process.exitcode for process in (writer, *readers)] == [0, 0, 0]
    assert held(home) == content(0, total)


@posix
@pytest.mark.req("INV-2", "INV-6", "ARC-11")
@pytest.mark.parametrize("limit", [0, 1, 100, 199, 200, 300, 555, 700, 1100, 9000])
def test_a_full_disk_is_told_and_keeps_what_was_acknowledged(home: Path, limit: int) -> None:
    before = 2 * FRAME + 200
    MirrorFiles(home, frame_size=FRAME).append(NAME, [content(0, before - 150)])
    MirrorFiles(home, frame_size=FRAME).append(NAME, [content(before - 150, before)])
    outcome, size = answer_of(append_with_file_limit, home, limit, before, 3000, channel_at=4)
    assert held(home) == content(0, size)
    assert outcome == ("done" if limit == 9000 else "store_failed")
    assert size == before + 3000 if outcome == "done" else before <= size < before + 3000
    _goes_on(home)
