"""Logs that are cut or changed in place: nothing that was said is lost, and nothing is shown twice."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import codex_logs as codex
from indexing import NOON
from quoth.mirror.files import MirrorFiles
from services.archive import Archive

_LOG = [
    codex.meta(),
    codex.user_item("10:00:01.000", "Where is the port set?"),
    codex.user_event("10:00:01.001", "Where is the port set?"),
    codex.model_event("10:00:02.000", "In server.toml."),
    codex.model_item("10:00:02.001", "In server.toml."),
    codex.user_item("10:00:03.000", "Raise it by one."),
    codex.user_event("10:00:03.001", "Raise it by one."),
]
_SAID = ["Where is the port set?", "In server.toml.", "Raise it by one."]


@pytest.mark.req("ARC-2", "ARC-6")
@pytest.mark.parametrize("kept", range(1, len(_LOG)))
def test_a_log_of_codex_that_is_cut_behind_any_line_shows_what_was_said_once(archive: Archive, kept: int) -> None:
    codex.write(archive.codex, *_LOG)
    archive.sync()
    codex.write(archive.codex, *_LOG[:kept])
    archive.sync()
    assert archive.spoken() == _SAID
    codex.write(archive.codex, *_LOG[:kept], codex.user_event("10:05:00.000", "Is it done?"))
    archive.sync()
    answers = archive.answers()
    assert archive.spoken() == [*_SAID, "Is it done?"]
    archive.rebuild()
    assert archive.answers() == answers


def _large(archive: Archive) -> list[bytes]:
    """Return the lines of a log that is too large to be compared whole whenever it grows."""
    return archive.records([f"{n} loaves of {'rye ' * 60}" for n in range(2_400)])


def _rest(log: Path) -> None:
    os.utime(log, ns=(0, NOON * 1_000_000 + log.stat().st_size))


@pytest.mark.req("ARC-1", "ARC-7")
def test_a_log_that_is_changed_in_its_middle_and_grows_begins_a_generation(archive: Archive) -> None:
    log, lines = archive.log(), archive.records([f"{n} loaves of {'rye ' * 60}" for n in range(300)])
    log.write_bytes(b"".join(lines))
    archive.sync()
    with log.open("r+b") as file:
        file.seek(sum(map(len, lines[:137])))
        file.write(lines[137].replace(b"rye", b"RYE"))
        file.seek(0, os.SEEK_END)
        file.write(archive.record("And one more.", n=9_000))
    archive.sync()
    assert any(text.startswith("137 loaves of RYE") for text in archive.spoken())
    assert sorted(name.endswith(".g2") for name in MirrorFiles(archive.home).names()) == [False, True]


@pytest.mark.req("ARC-1", "ARC-7")
def test_a_large_log_that_was_changed_between_the_spots_is_found_out_before_it_is_sealed(archive: Archive) -> None:
    log, lines = archive.log(), _large(archive)
    log.write_bytes(b"".join(lines))
    archive.sync()
    with log.open("r+b") as file:
        file.seek(sum(map(len, lines[:1_037])))
        file.write(lines[1_037].replace(b"rye", b"RYE"))
        file.seek(0, os.SEEK_END)
        file.writelines(archive.records([f"{n} rolls" for n in range(20)], first=9_000))
    _rest(log)
    archive.sync()
    archive.sync()
    (found,) = archive.search('"1037 loaves"')
    assert "RYE" in found["text"]
    mirror = MirrorFiles(archive.home)
    held = {name: b"".join(mirror.read(name)) for name in mirror.names()}
    assert sorted(name.endswith(".g2") for name in held) == [False, True]
    assert held[next(name for name in held if name.endswith(".g2"))] == log.read_bytes()
    archive.sync()
    archive.sync()
    assert len(list(mirror.names())) == 2
    assert sum(path.stat().st_size for path in (archive.home / "raw").rglob("*.tail")) == 0, "both are sealed now"
