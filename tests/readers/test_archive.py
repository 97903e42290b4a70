"""Archives are read without being believed: what is no archive, encrypted, damaged or a bomb is told."""

from __future__ import annotations

import os
import zipfile
from pathlib import Path

import pytest

from quoth.core.errors import ReadFailed
from quoth.readers import archive


def packed(path: Path, **members: bytes) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        for name, content in members.items():
            file.writestr(name, content)
    return path


def read(path: Path, bomb_size: int = 1 << 20) -> dict[str, bytes]:
    found = archive.contents(path, lambda name: name.startswith("chat"), bomb_size=bomb_size)
    return {name: b"".join(pieces) for name, pieces in found}


def reason(path: Path) -> str:
    with pytest.raises(ReadFailed) as failed:
        read(path)
    return failed.value.reason


def test_only_members_that_are_wanted_are_read(tmp_path: Path) -> None:
    path = packed(
        tmp_path / "a.zip", **{"deep/chat-2": b"two", "chat-1": b"one", "user": b"never", "../chat-3": b"three"}
    )
    assert read(path) == {"../chat-3": b"three", "chat-1": b"one", "deep/chat-2": b"two"}


@pytest.mark.req("ARC-4")
def test_a_bomb_is_not_unpacked(tmp_path: Path) -> None:
    path = packed(tmp_path / "a.zip", chat=bytes(20 << 20))
    assert path.stat().st_size < 100_000
    assert reason(path) == "expands_beyond_reason"


@pytest.mark.req("ARC-4")
def test_damaged_and_encrypted_archives_are_told(tmp_path: Path) -> None:
    whole = packed(tmp_path / "a.zip", chat=os.urandom(4_000)).read_bytes()
    (tmp_path / "torn.zip").write_bytes(whole[:2_000])
    (tmp_path / "flipped.zip").write_bytes(whole[:1_000] + bytes(100) + whole[1_100:])
    central = whole.index(b"PK\x01\x02")
    (tmp_path / "locked.zip").write_bytes(whole[:6] + b"\1" + whole[7 : central + 8] + b"\1" + whole[central + 9 :])
    (tmp_path / "folder.zip").mkdir()
    (tmp_path / "link.zip").symlink_to(tmp_path / "a.zip")
    names = ("torn", "flipped", "locked", "folder", "link", "missing")
    found = {name: reason(tmp_path / f"{name}.zip") for name in names}
    assert found == {
        "torn": "damaged",
        "flipped": "damaged",
        "locked": "encrypted",
        "folder": "not_a_file",
        "link": "unreadable",
        "missing": "unreadable",
    }
