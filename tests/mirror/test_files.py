"""The mirror gives back exactly what was appended, by bytes and by lines, however it was cut and stored."""

from __future__ import annotations

import os
import re
import shutil
import signal
import stat
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mirror.processes import NAME, answer_of, append_there, as_nobody, mirror_large_log, peak_of, read_there
from quoth.core.errors import MirrorDamaged, NewerFormat, ReadFailed, StoreFailed
from quoth.core.names import mirror_name
from quoth.mirror.files import MirrorFiles
from quoth.readers.compressed import chunks

# Everything that other programs take for the end of a line, and some that look like our own files.
ODD = [
    b"\n",
    b"\r",
    b"\r\n",
    b"\x0b",
    b"\x0c",
    b"\x1c",
    b"\x85",
    "\u2028\u2029\x85".encode(),
    b"\0",
    b"\x28\xb5\x2f\xfd",
]
BYTES = st.lists(st.one_of(st.binary(max_size=40), st.sampled_from(ODD)), max_size=12).map(b"".join)
APPENDS = st.lists(st.lists(BYTES, max_size=4), max_size=8)


def _lines(data: bytes) -> list[tuple[int, bytes, int]]:
    """Number the complete lines by LF alone, with the offset behind each."""
    ends = [match.end() for match in re.finditer(b"\n", data)]
    starts = [0, *ends]
    return [(n, data[start : end - 1], end) for n, (start, end) in enumerate(zip(starts, ends, strict=False), 1)]


def _read_lines(mirror: MirrorFiles, **where: int) -> list[tuple[int, bytes, int]]:
    return [(line.number, line.data, end) for line, end in mirror.lines(NAME, **where)]


@pytest.fixture(scope="module")
def fresh(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("mirrors")


def _appended(home: Path, appends: Sequence[Sequence[bytes]], frame_size: int) -> tuple[MirrorFiles, bytes]:
    shutil.rmtree(home, ignore_errors=True)
    mirror = MirrorFiles(home, frame_size=frame_size)
    for pieces in appends:
        mirror.append(NAME, iter(pieces))
    return mirror, b"".join(piece for pieces in appends for piece in pieces)


@pytest.mark.req("ARC-1", "ARC-3")
@given(APPENDS, st.integers(1, 80), st.integers(0, 200), st.integers(0, 200))
def test_any_bytes_read_back_exactly_whatever_the_chunks(
    fresh: Path, appends: list[list[bytes]], frame_size: int, start: int, length: int
) -> None:
    mirror, data = _appended(fresh / "bytes", appends, frame_size)
    for reader in (mirror, MirrorFiles(fresh / "bytes")):
        assert reader.size(NAME) == len(data)
        assert b"".join(reader.read(NAME)) == data
        assert b"".join(reader.read(NAME, start)) == data[start:]
        assert b"".join(reader.read(NAME, start, start + length)) == data[start : start + length]
        assert reader.check(NAME) == []


@pytest.mark.req("ARC-1", "ARC-3")
@given(APPENDS, st.integers(1, 80), st.data())
def test_lines_end_at_lf_alone_and_can_be_read_from_anywhere(
    fresh: Path, appends: list[list[bytes]], frame_size: int, data: st.DataObject
) -> None:
    mirror, held = _appended(fresh / "lines", appends, frame_size)
    lines = _lines(held)
    assert _read_lines(mirror) == lines
    if not lines:
        return
    first = data.draw(st.integers(1, len(lines)))
    last = data.draw(st.integers(first, len(lines)))
    before = lines[first - 2][2] if first > 1 else 0
    assert _read_lines(mirror, offset=before, number=first - 1) == lines[first - 1 :]
    assert mirror.line(NAME, first, last) == b"\n".join(line for _, line, _ in lines[first - 1 : last])


@pytest.mark.req("ARC-1")
@settings(max_examples=30)
@given(APPENDS, st.integers(1, 80), st.integers(1, 80))
def test_a_mirror_begun_with_one_frame_size_goes_on_with_another(
    fresh: Path, appends: list[list[bytes]], one: int, other: int
) -> None:
    _, data = _appended(fresh / "sizes", appends, one)
    mirror = MirrorFiles(fresh / "sizes", frame_size=other)
    mirror.append(NAME, [b"more\n" * 9])
    assert b"".join(mirror.read(NAME)) == data + b"more\n" * 9


@pytest.mark.req("ARC-1")
def test_any_zstd_program_prints_the_frames(home: Path) -> None:
    mirror = MirrorFiles(home, frame_size=100)
    mirror.append(NAME, [b"".join(b"line %d\n" % n for n in range(1000))])
    frames, tail = home / f"{NAME}.zst", home / f"{NAME}.tail"
    expected = b"".join(mirror.read(NAME))
    assert b"".join(chunks(frames, compressed=True)) + tail.read_bytes() == expected
    if zstdcat := shutil.which("zstdcat"):
        printed = subprocess.run([zstdcat, str(frames)], capture_output=True, check=True)
        assert printed.stdout + tail.read_bytes() == expected


def test_a_stream_nobody_wrote_is_empty(home: Path) -> None:
    mirror = MirrorFiles(home)
    assert mirror.size(NAME) == 0
    assert list(mirror.read(NAME)) == []
    assert list(mirror.lines(NAME)) == []
    assert mirror.check(NAME) == []
    assert list(mirror.names()) == []


@pytest.mark.req("ARC-3")
def test_what_follows_the_last_lf_is_no_complete_line_but_can_be_asked_for(home: Path) -> None:
    mirror = MirrorFiles(home)
    mirror.append(NAME, [b"one\ntwo"])
    assert _read_lines(mirror) == [(1, b"one", 4)]
    assert mirror.line(NAME, 2) == b"two"
    mirror.append(NAME, [b" is whole\n"])
    assert _read_lines(mirror, offset=4, number=1) == [(2, b"two is whole", 17)]


@pytest.mark.parametrize(("first", "last"), [(0, 0), (2, 1), (3, 3), (1, 3), (99, 99)])
def test_lines_that_are_not_there_are_refused(home: Path, first: int, last: int) -> None:
    mirror = MirrorFiles(home)
    mirror.append(NAME, [b"one\ntwo\n"])
    with pytest.raises(MirrorDamaged, match="lines"):
        mirror.line(NAME, first, last)


@pytest.mark.req("ARC-1")
def test_two_instances_see_what_the_other_appended(home: Path) -> None:
    one, two = MirrorFiles(home, frame_size=50), MirrorFiles(home, frame_size=50)
    for n in range(30):
        (one if n % 2 else two).append(NAME, [b"%d and some more\n" % n])
        assert one.size(NAME) == two.size(NAME)
    assert (
        b"".join(one.read(NAME)) == b"".join(two.read(NAME)) == b"".join(b"%d and some more\n" % n for n in range(30))
    )


@pytest.mark.req("ARC-1")
def test_roots_with_the_same_relative_path_and_keys_like_our_own_files_stay_apart(home: Path) -> None:
    mirror = MirrorFiles(home, frame_size=4)
    keys = ["a", "a.zst", "a.tail", "a.g2", "a.tail.4", "a.tail/b", "a.zst/b", "ab\nc", "d/\x1b[31m", "CON", "x" * 300]
    names = [mirror_name("demo", root, key, g) for root in ("r-1", "r-2") for key in keys for g in (1, 2)]
    for name in names:
        mirror.append(name, [name.encode(), b"\n"])
    assert list(mirror.names()) == sorted(names)
    assert [b"".join(mirror.read(name)) for name in names] == [name.encode() + b"\n" for name in names]


@pytest.mark.req("ARC-3")
def test_a_reader_that_fails_leaves_what_it_gave_before(home: Path) -> None:
    def torn() -> Iterator[bytes]:
        yield b"what was there\n"
        raise ReadFailed("/logs/torn.jsonl.zst", "torn")

    mirror = MirrorFiles(home)
    with pytest.raises(ReadFailed):
        mirror.append(NAME, torn())
    assert b"".join(mirror.read(NAME)) == b"what was there\n"


# --- damage


@pytest.mark.req("INV-6", "ARC-1")
def test_every_changed_byte_of_the_frames_is_found(home: Path) -> None:
    MirrorFiles(home, frame_size=64).append(NAME, [b"".join(b"line %d\n" % n for n in range(30))])
    frames = home / f"{NAME}.zst"
    sound = frames.read_bytes()
    for position in range(len(sound)):
        damaged = bytearray(sound)
        damaged[position] ^= 0x41
        frames.write_bytes(damaged)
        try:
            problems = MirrorFiles(home, frame_size=64).check(NAME)
        except NewerFormat:
            continue
        assert problems, f"a change at byte {position} went unseen"


@pytest.mark.req("INV-6")
@pytest.mark.parametrize("damage", [b"\0" * 84, b"\xff" * 84])
def test_damage_in_the_middle_is_told_and_never_cut_off(home: Path, damage: bytes) -> None:
    mirror = MirrorFiles(home, frame_size=64)
    mirror.append(NAME, [b"x" * 640])
    frames = home / f"{NAME}.zst"
    sound = frames.read_bytes()
    frames.write_bytes(sound[: len(sound) // 10 * 5] + damage + sound[len(sound) // 10 * 5 + len(damage) :])
    before = frames.read_bytes()
    with pytest.raises(MirrorDamaged, match="quoth doctor"):
        MirrorFiles(home, frame_size=64).append(NAME, [b"y" * 100])
    with pytest.raises(MirrorDamaged):
        list(MirrorFiles(home, frame_size=64).read(NAME))
    assert frames.read_bytes() == before


@pytest.mark.req("ARC-12")
def test_frames_of_a_newer_program_are_refused_unchanged(home: Path) -> None:
    MirrorFiles(home, frame_size=64).append(NAME, [b"x" * 64])
    frames = home / f"{NAME}.zst"
    newer = frames.read_bytes().replace(b"QTHF\x01", b"QTHF\x02")
    frames.write_bytes(newer)
    with pytest.raises(NewerFormat, match="format 2"):
        MirrorFiles(home).append(NAME, [b"y"])
    with pytest.raises(NewerFormat):
        MirrorFiles(home).size(NAME)
    assert frames.read_bytes() == newer


# --- what the system says


@pytest.mark.req("SEC-1")
@pytest.mark.skipif(os.name != "posix", reason="modes are a thing of POSIX")
def test_files_and_folders_are_for_their_owner_alone(home: Path) -> None:
    before = os.umask(0)
    try:
        mirror = MirrorFiles(home, frame_size=10)
        mirror.append(NAME, [b"0123456789abc"])
        mirror.append(NAME, [b"0123456789abc"])
    finally:
        os.umask(before)
    modes = {stat.S_IMODE(path.stat().st_mode): path.is_dir() for path in [home, *home.rglob("*")]}
    assert modes == {0o700: True, 0o600: False}


@pytest.fixture
def shared() -> Iterator[Path]:
    """Return a folder that other users can reach; those of the test runner are closed."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        yield Path(folder)


@pytest.mark.req("INV-6", "ARC-11")
@pytest.mark.skipif(not hasattr(os, "getuid"), reason="needs another user")
def test_a_mirror_that_can_not_be_written_is_a_failure_in_words_and_can_be_read(shared: Path) -> None:
    MirrorFiles(shared, frame_size=10).append(NAME, [b"0123456789abc"])
    for path in shared.rglob("*"):
        path.chmod(0o555 if path.is_dir() else 0o444)
    assert answer_of(as_nobody, append_there, shared, b"more", channel_at=1) == "store_failed"
    assert answer_of(as_nobody, append_there, shared, b"0123456789", channel_at=1) == "store_failed"
    assert answer_of(as_nobody, read_there, shared, channel_at=1) == b"0123456789abc"
    (shared / f"{NAME}.tail").chmod(0)
    assert answer_of(as_nobody, read_there, shared, channel_at=1) == "store_failed"


@pytest.mark.req("INV-6")
def test_a_file_where_a_folder_must_be_is_a_failure_in_words(home: Path) -> None:
    home.mkdir()
    (home / "raw").write_bytes(b"")
    with pytest.raises(StoreFailed, match=re.escape(NAME)):
        MirrorFiles(home).append(NAME, [b"x"])


@pytest.mark.req("ARC-3")
@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="needs the peak of memory of a process")
def test_a_sixty_megabyte_line_and_a_log_of_them_need_memory_for_three_lines(home: Path) -> None:
    grown = answer_of(peak_of, mirror_large_log, home, 60_000_000, 4, channel_at=1)
    assert grown < 3.3 * 60_000_000


def test_everything_appended_can_be_forced_onto_the_disk(home: Path) -> None:
    mirror = MirrorFiles(home, frame_size=10)
    for n in range(70):
        mirror.append(f"raw/demo/r/{n}", [b"0123456789abc"])
    mirror.sync()
    (home / "raw/demo/r/0.tail").unlink()
    mirror.sync()  # nothing is left to force, so the missing file is not looked for
    mirror.append("raw/demo/r/1", [b"x"])
    (home / "raw/demo/r/1.tail").unlink()
    with pytest.raises(StoreFailed):
        mirror.sync()


@pytest.mark.req("INV-2")
def test_what_could_not_be_forced_is_forced_again(tmp_path: Path) -> None:
    mirror = MirrorFiles(tmp_path)
    mirror.append(NAME, [b"a line\n"])
    tail = tmp_path / f"{NAME}.tail"
    work, aside = mirror.forcing(), tail.with_name("aside")
    tail.rename(aside)
    with pytest.raises(StoreFailed):
        work()
    with pytest.raises(StoreFailed):
        mirror.sync()
    aside.rename(tail)
    mirror.sync()
    tail.rename(aside)
    mirror.sync()  # nothing is left to force
