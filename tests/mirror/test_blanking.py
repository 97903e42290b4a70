"""Blanking overwrites chosen lines for ever; nothing else of a stream changes, and nobody who reads it can tell."""

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
    blank_and_die_at,
    blank_line_by_line,
    blank_with_file_limit,
    content,
    every_third,
    read_until_blank,
    start,
    thinned,
)
from quoth.core.errors import NewerFormat
from quoth.core.model import Line
from quoth.mirror.files import MirrorFiles
from quoth.readers.compressed import chunks

LOG = st.lists(st.sampled_from([b"\n", b"\r\n", b"a", b"\xff\0", b"word " * 9]), max_size=30).map(b"".join)
CHOSEN = st.sets(st.integers(1, 12))  # numbers of lines


def _files(home: Path) -> dict[str, bytes]:
    """Return what every file of the mirror holds, frames decompressed."""
    return {
        path.name: b"".join(chunks(path, compressed=True)) if path.suffix == ".zst" else path.read_bytes()
        for path in (home / NAME).parent.iterdir()
    }


def _spaces(line: Line) -> bytes:
    return b" " * len(line.data)


@pytest.fixture(scope="module")
def fresh(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("mirrors") / "home"


@pytest.mark.req("INV-5")
@given(LOG, st.integers(1, 80), st.tuples(CHOSEN, CHOSEN), LOG)
def test_chosen_lines_are_blank_and_every_other_byte_stays(
    fresh: Path, data: bytes, frame_size: int, both: tuple[set[int], set[int]], more: bytes
) -> None:
    first, second = both
    shutil.rmtree(fresh, ignore_errors=True)
    mirror, reader = MirrorFiles(fresh, frame_size=frame_size), MirrorFiles(fresh, frame_size=frame_size)
    mirror.append(NAME, [data])
    assert b"".join(reader.read(NAME)) == data
    for chosen in (first, second):
        mirror.blank(NAME, lambda line, chosen=chosen: _spaces(line) if line.number in chosen else None)  # type: ignore[misc]
    wanted = b"\n".join(
        b" " * len(line) if number in first | second else line for number, line in enumerate(data.split(b"\n"), 1)
    )
    assert mirror.append(NAME, [more]) == len(data) + len(more)
    for each in (mirror, reader, MirrorFiles(fresh)):
        assert b"".join(each.read(NAME)) == wanted + more
        assert each.check(NAME) == []
    inside = {place for begin, end in mirror.blanks(NAME) for place in range(begin, end)}
    assert {place for place in range(len(data)) if data[place] != wanted[place]} <= inside
    assert list(mirror.names()) == ([NAME] if data + more else [])


@pytest.mark.req("INV-5")
def test_no_file_holds_the_old_bytes(home: Path) -> None:
    mirror = MirrorFiles(home, frame_size=FRAME)
    lines = [f"line {n} says quillwort {n}".encode() for n in range(60)]
    mirror.append(NAME, [b"\n".join(lines)])
    assert mirror.blank(NAME, lambda line: _spaces(line) if b"quillwort 7" in line.data else None) == 1
    assert mirror.blank(NAME, lambda line: _spaces(line) if b"quillwort 59" in line.data else None) == 1
    assert not any(b"quillwort 7\n" in held or b"quillwort 59" in held for held in _files(home).values())
    assert {path.suffix for path in (home / NAME).parent.iterdir()} == {".zst", ".tail", ".g0"}
    assert mirror.line(NAME, 8) == b" " * len(lines[7])
    assert mirror.line(NAME, 9) == lines[8]
    assert mirror.is_blanked(NAME, 8, 8)
    assert not mirror.is_blanked(NAME, 9, 9)
    assert mirror.is_blanked(NAME, 1, 20)


@pytest.mark.req("INV-5")
def test_nothing_chosen_changes_no_file(home: Path) -> None:
    mirror = MirrorFiles(home, frame_size=FRAME)
    mirror.append(NAME, [content(0, 1000)])
    before = {path: path.stat().st_ino for path in (home / NAME).parent.iterdir()}
    assert mirror.blank(NAME, lambda line: line.data) == 0
    assert mirror.blank("raw/demo/nobody/wrote.jsonl", _spaces) == 0
    assert {path: path.stat().st_ino for path in (home / NAME).parent.iterdir()} == before


def test_a_line_that_would_move_others_is_refused(home: Path) -> None:
    mirror = MirrorFiles(home)
    mirror.append(NAME, [b"some line\n"])
    for wrong in (b"", b"some\nline"):
        with pytest.raises(ValueError, match="as long as it was"):
            mirror.blank(NAME, lambda line, wrong=wrong: wrong)  # type: ignore[misc]
    assert held(home) == b"some line\n"


@pytest.mark.req("ARC-12")
def test_a_newer_list_of_blank_ranges_is_refused_and_a_damaged_one_told(home: Path) -> None:
    mirror = MirrorFiles(home)
    mirror.append(NAME, [b"some line\n"])
    mirror.blank(NAME, _spaces)
    (home / f"{NAME}.g0").write_text('{"format": 2}\n')
    with pytest.raises(NewerFormat):
        mirror.blanks(NAME)
    (home / f"{NAME}.g0").write_text("nothing of ours\n")
    assert len(mirror.check(NAME)) == 1


@posix
@pytest.mark.req("INV-2", "INV-5")
def test_a_kill_before_any_line_of_the_code_that_blanks_is_harmless(home: Path, tmp_path: Path) -> None:
    size = FRAME + 60
    was, will_be = content(0, size), thinned(content(0, size))
    MirrorFiles(home, frame_size=FRAME).append(NAME, [was])
    MirrorFiles(home, frame_size=FRAME).append(OTHER, [was])
    seen: list[dict[str, bytes]] = []
    for killed in killed_before_each_line(blank_and_die_at, home, tmp_path):
        kept = held(killed)
        assert all(byte in pair for byte, *pair in zip(kept, was, will_be, strict=True))
        ranges = MirrorFiles(killed).blanks(NAME)
        differing = {place for place in range(size) if kept[place] != was[place]}
        assert differing <= {place for begin, end in ranges for place in range(begin, end)}
        if (left := _files(killed)) not in seen:
            seen.append(left)
            _goes_on(killed, was, will_be)
    assert len(seen) >= 8, "kills hit before and after each of the writes"


def _goes_on(home: Path, was: bytes, will_be: bytes) -> None:
    """Append to what a dead process left, and blank again; nothing of its work is in the way or stays."""
    more = content(len(was), len(was) + FRAME)
    MirrorFiles(home, frame_size=FRAME).append(NAME, [more])
    MirrorFiles(home, frame_size=FRAME).blank(NAME, lambda line: every_third(line) if line.number < 1_000 else None)
    whole = thinned(was + more)
    assert held(home) == whole
    assert whole.startswith(will_be[: will_be.rindex(b"\n")])
    assert {path.suffix for path in (home / NAME).parent.iterdir()} == {".zst", ".tail", ".g0"}


@posix
@pytest.mark.req("INV-5", "INV-6", "ARC-11")
@pytest.mark.parametrize("limit", [1, 120, 300])
def test_a_full_disk_leaves_every_byte_as_it_was_or_blank_and_nothing_beside(home: Path, limit: int) -> None:
    was = content(0, 2 * FRAME + 200)
    MirrorFiles(home, frame_size=FRAME).append(NAME, [was])
    assert answer_of(blank_with_file_limit, home, limit, channel_at=2) == "store_failed"
    assert all(byte in pair for byte, *pair in zip(held(home), was, thinned(was), strict=True))
    assert not {path.suffix for path in (home / NAME).parent.iterdir()} - {".zst", ".tail", ".g0"}
    MirrorFiles(home, frame_size=FRAME).blank(NAME, every_third)
    assert held(home) == thinned(was)


@pytest.mark.req("INV-2", "INV-5")
def test_readers_meanwhile_see_each_byte_as_it_was_or_blank(home: Path) -> None:
    size = 4 * FRAME + 99
    MirrorFiles(home, frame_size=FRAME).append(NAME, [content(0, size)])
    readers = [start(read_until_blank, home, seed) for seed in (1, 2)]
    writer = start(blank_line_by_line, home, 3)
    for process in (writer, *readers):
        process.join(60)
    assert [process.exitcode for process in (writer, *readers)] == [0, 0, 0]
    assert held(home) == thinned(content(0, size))
