"""Plain and compressed logs give the same bytes, from anywhere; what is no log is refused without waiting."""

from __future__ import annotations

import os
import random
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quoth.core.errors import ReadFailed
from quoth.readers.compressed import chunks, zstd


def _read(path: Path, *, compressed: bool = True, **options: int) -> bytes:
    return b"".join(chunks(path, compressed=compressed, **options))


def _refusal(path: Path, *, compressed: bool = True, **options: int) -> str:
    with pytest.raises(ReadFailed) as failure:
        _read(path, compressed=compressed, **options)
    assert str(path) in str(failure.value)
    return failure.value.reason


def _read_until_failure(path: Path, **options: int) -> tuple[bytes, str]:
    read = bytearray()
    try:
        for chunk in chunks(path, compressed=True, **options):
            read += chunk
    except ReadFailed as failure:
        return bytes(read), failure.reason
    return bytes(read), ""


@given(st.lists(st.binary(max_size=200), max_size=5), st.integers(0, 600))
def test_several_frames_read_like_the_plain_file_from_any_start(
    tmp_path_factory: pytest.TempPathFactory, parts: list[bytes], start: int
) -> None:
    folder = tmp_path_factory.mktemp("pair")
    plain, packed = folder / "a.jsonl", folder / "a.jsonl.zst"
    plain.write_bytes(b"".join(parts))
    packed.write_bytes(b"".join(map(zstd.compress, parts)))
    assert _read(plain, compressed=False, start=start) == _read(packed, start=start) == b"".join(parts)[start:]


def test_large_files_come_in_small_pieces(tmp_path: Path) -> None:
    data = random.Random(1).randbytes(1_500_000) * 3
    plain, packed = tmp_path / "a", tmp_path / "a.zst"
    plain.write_bytes(data)
    packed.write_bytes(zstd.compress(data[:2_000_000]) + zstd.compress(data[2_000_000:]))
    for path in (plain, packed):
        pieces = list(chunks(path, compressed=path is packed, start=1_234_567))
        assert b"".join(pieces) == data[1_234_567:]
        assert max(map(len, pieces)) <= 1024 * 1024


def test_an_empty_file_has_no_content(tmp_path: Path) -> None:
    (tmp_path / "empty").touch()
    assert _read(tmp_path / "empty") == _read(tmp_path / "empty", compressed=False) == b""


@pytest.mark.req("ARC-4")
@pytest.mark.parametrize("frames", [1, 200])
def test_a_zstd_bomb_is_stopped(tmp_path: Path, frames: int) -> None:
    bomb = tmp_path / "bomb.zst"
    bomb.write_bytes(zstd.compress(bytes(200_000_000 // frames)) * frames)
    read, reason = _read_until_failure(bomb, bomb_size=50_000_000)
    assert reason == "expands_beyond_reason"
    assert len(read) <= 50_000_000


@pytest.mark.req("ARC-4")
def test_a_frame_that_demands_gigabytes_of_memory_is_refused(tmp_path: Path) -> None:
    hungry = tmp_path / "hungry.zst"
    # A frame header alone: magic, no checksum, a window of 2^31 bytes, then the start of a raw block.
    hungry.write_bytes(bytes.fromhex("28b52ffd 00 a8 410000") + b"x" * 8)
    assert _refusal(hungry) == "damaged"


@pytest.mark.req("ARC-3", "ARC-4")
def test_a_torn_or_damaged_file_gives_what_comes_before(tmp_path: Path) -> None:
    data = random.Random(1).randbytes(3_000_000)
    torn, damaged = tmp_path / "torn.zst", tmp_path / "damaged.zst"
    torn.write_bytes(zstd.compress(data)[:2_500_000])
    damaged.write_bytes(zstd.compress(data) + b"no frame")
    for path, reason, least in ((torn, "torn", 2_000_000), (damaged, "damaged", 3_000_000)):
        read, why = _read_until_failure(path)
        assert why == reason
        assert data.startswith(read)
        assert len(read) >= least


@pytest.mark.req("ARC-4")
@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs FIFOs")
def test_what_is_no_file_is_refused_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)  # the path of a socket is limited to about 100 bytes
    os.mkfifo("fifo")
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind("socket")
        (tmp_path / "folder").mkdir()
        for name in ("fifo", "socket", "folder", "/dev/zero"):
            assert _refusal(tmp_path / name, compressed=False) == "not_a_file"


@pytest.mark.req("ARC-4")
def test_a_link_is_not_followed_and_a_vanished_file_is_told(tmp_path: Path) -> None:
    (tmp_path / "secret").write_bytes(b"secret")
    (tmp_path / "link").symlink_to(tmp_path / "secret")
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    assert _refusal(tmp_path / "link", compressed=False) == "link"
    assert _refusal(tmp_path / "loop", compressed=False) == "link"
    assert _refusal(tmp_path / "gone", compressed=False) == "vanished"


def test_the_same_library_is_found_without_importing_anything_else() -> None:
    code = "import sys, quoth.readers.compressed as c; print(sorted({'apsw', 'orjson', 'sqlite3'} & set(sys.modules)))"
    printed = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert printed.stdout.strip() == "[]"
