"""Sealing compresses what waits for a frame, and nobody who reads or appends can tell."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mirror.killing import held, killed_before_each_line, posix
from mirror.processes import (
    FRAME,
    NAME,
    OTHER,
    answer_of,
    append_and_seal_all,
    append_sealed_and_die_at,
    content,
    read_until,
    seal_and_die_at,
    seal_with_file_limit,
    start,
)
from quoth.mirror.files import MirrorFiles
from quoth.readers.compressed import chunks

LOG = st.lists(st.sampled_from([b"\n", b"\r\n", b"a", b"\xff\0", b"word " * 9]), max_size=9).map(b"".join)
LIMIT = st.integers(0, 60)  # bytes from which on something is sealed
STEPS = st.lists(st.one_of(LOG, LIMIT, st.tuples(LOG, LIMIT)), max_size=12)  # append, seal, append sealed


def _raw(home: Path, name: str = NAME) -> int:
    tail = home / f"{name}.tail"
    return tail.stat().st_size if tail.exists() else 0


def _printed(home: Path) -> bytes:
    """Return what any zstd program prints of the frames, and then the tail."""
    frames, tail = home / f"{NAME}.zst", home / f"{NAME}.tail"
    packed = b"".join(chunks(frames, compressed=True)) if frames.exists() else b""
    return packed + (tail.read_bytes() if tail.exists() else b"")


@pytest.fixture(scope="module")
def fresh(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("mirrors") / "home"


@pytest.mark.req("ARC-1", "ARC-3")
@given(STEPS, st.integers(1, 80))
def test_appending_and_sealing_in_any_order_reads_back_exactly(
    fresh: Path, steps: list[bytes | int | tuple[bytes, int]], frame_size: int
) -> None:
    shutil.rmtree(fresh, ignore_errors=True)
    mirror, data = MirrorFiles(fresh, frame_size=frame_size), b""
    for step in steps:
        if isinstance(step, bytes):
            data += step
            assert mirror.append(NAME, [step]) == len(data)
        elif isinstance(step, int):
            assert mirror.seal([NAME], at_least=step) == {NAME: len(data)}
            assert _raw(fresh) < max(1, step)
        else:
            tail, data = _raw(fresh), data + step[0]
            assert mirror.append(NAME, [step[0]], seal_from=step[1]) == len(data)
            assert tail or _raw(fresh) < max(1, step[1])
    lines = data.split(b"\n")[:-1]
    for reader in (mirror, MirrorFiles(fresh)):
        assert (reader.size(NAME), b"".join(reader.read(NAME))) == (len(data), data)
        assert reader.check(NAME) == []
        assert [line.data for line, _ in reader.lines(NAME)] == lines
        assert [reader.line(NAME, number) for number in range(1, len(lines) + 1)] == lines
    assert _printed(fresh) == data


@pytest.mark.req("ARC-1")
def test_sealing_takes_less_room_and_a_second_time_changes_nothing(home: Path) -> None:
    mirror = MirrorFiles(home)
    mirror.append(NAME, [b"the same line again\n" * 1000])
    assert mirror.seal([NAME, "raw/demo/nobody/wrote.jsonl"]) == {NAME: 20_000, "raw/demo/nobody/wrote.jsonl": 0}
    frames = (home / f"{NAME}.zst").read_bytes()
    assert (len(frames) < 1_000, _raw(home)) == (True, 0)
    mirror.seal([NAME])
    assert (home / f"{NAME}.zst").read_bytes() == frames


@pytest.mark.req("ARC-1")
def test_what_is_not_worth_it_stays_raw(home: Path) -> None:
    mirror = MirrorFiles(home)
    mirror.append(NAME, [b"x" * 99])
    assert mirror.seal([NAME], at_least=100) == {NAME: 99}
    assert not (home / f"{NAME}.zst").exists()


@posix
@pytest.mark.req("INV-2", "ARC-1")
def test_a_kill_before_any_line_of_the_code_that_seals_is_harmless(home: Path, tmp_path: Path) -> None:
    sizes = {NAME: 2 * FRAME + 200, OTHER: 150}
    for name, size in sizes.items():
        MirrorFiles(home, frame_size=FRAME).append(name, [content(0, size)])
    assert [_raw(home, name) for name in sizes] == [200, 150]
    seen: list[dict[str, int]] = []
    for killed in killed_before_each_line(seal_and_die_at, home, tmp_path):
        assert {name: held(killed, name) for name in sizes} == {n: content(0, size) for n, size in sizes.items()}
        left = {path.name: path.stat().st_size for path in (killed / NAME).parent.iterdir()}
        if left not in seen:
            seen.append(left)
            shutil.copytree(killed, killed.with_suffix(".again"))
            _goes_on(killed.with_suffix(".again"), sizes, is_sealed_first=True)
            _goes_on(killed, sizes, is_sealed_first=False)
    assert len(seen) == 8, "kills hit before and after each of the seven writes"


@posix
@pytest.mark.req("INV-2", "ARC-1")
def test_a_kill_while_a_stream_begins_sealed_leaves_a_beginning_of_it(home: Path, tmp_path: Path) -> None:
    size, seen = FRAME + 99, set[int]()
    home.mkdir()
    for killed in killed_before_each_line(append_sealed_and_die_at, home, tmp_path, size):
        kept = held(killed)
        assert kept == content(0, len(kept))
        seen.add(len(kept))
        assert MirrorFiles(killed, frame_size=FRAME).append(NAME, [content(len(kept), size)], seal_from=1) == size
        assert held(killed) == content(0, size)
        assert _raw(killed) == 0
    assert seen == {0, FRAME, size}


def _goes_on(home: Path, sizes: dict[str, int], *, is_sealed_first: bool) -> None:
    """Seal or append to what a dead sealer left; nothing of its work is in the way."""
    mirror = MirrorFiles(home, frame_size=FRAME)
    if is_sealed_first:
        assert mirror.seal(sizes) == sizes
    for name, size in sizes.items():
        assert mirror.append(name, [content(size, size + FRAME + 7)]) == size + FRAME + 7
        assert held(home, name) == content(0, size + FRAME + 7)
    assert {path.suffix for path in (home / NAME).parent.iterdir()} == {".zst", ".tail"}


@pytest.mark.req("INV-2", "ARC-2")
def test_readers_beside_a_sealer_never_see_a_wrong_byte(home: Path) -> None:
    total = 150 * FRAME
    readers = [start(read_until, home, total, seed) for seed in (1, 2)]
    writer = start(append_and_seal_all, home, total, 3)
    for process in (writer, *readers):
        process.join(60)
    assert [process.exitcode for process in (writer, *readers)] == [0, 0, 0]
    assert held(home) == content(0, total)


@posix
@pytest.mark.req("INV-2", "INV-6", "ARC-11")
@pytest.mark.parametrize("limit", [0, 1, 100, 230, 400])
def test_a_full_disk_leaves_the_tail_as_it_was_and_the_others_are_sealed(home: Path, limit: int) -> None:
    sizes = {NAME: FRAME - 1, OTHER: 20}
    for name, size in sizes.items():
        MirrorFiles(home, frame_size=FRAME).append(name, [content(0, size)])
    sealed = answer_of(seal_with_file_limit, home, limit, list(sizes), channel_at=3)
    assert sealed == {230: [OTHER], 400: sorted(sizes)}.get(limit, [])
    for name, size in sizes.items():
        assert held(home, name) == content(0, size)
        assert (_raw(home, name) == 0) == (name in sealed)
    _goes_on(home, sizes, is_sealed_first=True)


@pytest.mark.req("INV-6")
def test_a_damaged_stream_is_left_alone_and_the_others_are_sealed(home: Path) -> None:
    mirror = MirrorFiles(home)
    for name in (NAME, OTHER):
        mirror.append(name, [b"some line\n" * 20])
    (home / f"{NAME}.zst").write_bytes(b"this is no frame, and nobody may cut it off")
    assert MirrorFiles(home).seal([NAME, OTHER]) == {OTHER: 200}
    assert (home / f"{NAME}.zst").read_bytes() == b"this is no frame, and nobody may cut it off"
    assert _raw(home) == 200
