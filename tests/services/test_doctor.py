"""Doctor finds what is wrong in every part, keeps its hands off, and mends only what loses nothing."""

from __future__ import annotations

import os
import stat
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from quoth.services._findings import Check
from services.archive import Archive


@pytest.fixture
def archive(tmp_path: Path) -> Archive:
    """Return an archive that has read one log."""
    archive = Archive(tmp_path)
    archive.log().write_bytes(b"".join(archive.records(["hello", "hi", "привет"])))
    archive.sync()
    return archive


def _examine(archive: Archive, *, deep: bool = False, fix: bool = False) -> Mapping[str, Check]:
    checks: Sequence[Check] = archive.ask(lambda kernel: kernel.doctor.run(deep=deep, fix=fix))
    assert len({check.id for check in checks}) == len(checks)
    return {check.id: check for check in checks}


def _wrong(archive: Archive, *, deep: bool = False, fix: bool = False) -> dict[str, str]:
    found = _examine(archive, deep=deep, fix=fix)
    return {check.id: check.status for check in found.values() if check.status != "pass"}


def _bytes(archive: Archive) -> dict[str, bytes]:
    files = (path for path in archive.home.rglob("*") if path.is_file() and not path.name.endswith("-shm"))
    return {str(path): path.read_bytes() for path in files}


def _index(archive: Archive) -> Path:
    (found,) = archive.home.glob("index-*.db")
    return found


@pytest.mark.req("QUO-9")
def test_a_sound_archive_passes_every_check_and_is_not_changed(archive: Archive) -> None:
    before = _bytes(archive)
    assert _wrong(archive, deep=True) == {}
    assert _bytes(archive) == before
    shape = _examine(archive)["index"].shape()
    assert shape == {"id": "index", "status": "pass", "message": "The index is sound.", "remedy": None}


@pytest.mark.req("QUO-9")
def test_a_machine_without_a_store_gets_the_next_step_and_no_store(tmp_path: Path) -> None:
    fresh = Archive(tmp_path)
    found = _examine(fresh)
    assert found["home"].status == "warn"
    assert "quoth sync" in (found["home"].remedy or "")
    assert not fresh.home.exists()


@pytest.mark.req("QUO-9", "ARC-11")
def test_a_place_where_no_store_can_be_made_fails_and_is_left_alone(tmp_path: Path) -> None:
    taken = Archive(tmp_path)
    taken.home.write_text("a file")
    found = _examine(taken)["home"]
    assert (found.status, found.remedy) == ("fail", "Set QUOTH_HOME to a folder on a local disk that you can write to.")
    assert "is no folder" in found.message
    assert taken.home.read_text() == "a file"


@pytest.mark.req("SEC-1", "QUO-9")
def test_files_that_others_can_read_are_found_and_closed_by_fix(archive: Archive) -> None:
    journal = archive.home / "observations.jsonl"
    journal.chmod(0o644)
    (archive.home / "raw").chmod(0o755)
    assert _wrong(archive) == {"permissions": "warn"}
    assert stat.S_IMODE(journal.stat().st_mode) == 0o644
    assert _wrong(archive, fix=True) == {}
    assert stat.S_IMODE(journal.stat().st_mode) == 0o600


@pytest.mark.req("QUO-9", "INV-6")
def test_new_lines_on_the_disk_are_told_from_the_index(archive: Archive) -> None:
    with archive.log().open("ab") as log:
        log.write(archive.record("more", n=9))
    found = _examine(archive)["disk:claude-code"]
    assert found.status == "warn"
    assert "1 file" in found.message
    archive.sync()
    assert _wrong(archive) == {}


@pytest.mark.req("INV-6")
def test_a_damaged_mirror_fails(archive: Archive) -> None:
    archive.log().write_bytes(b"".join(archive.records([f"{n} " * 40_000 for n in range(60)])))
    archive.sync()
    frames = next((archive.home / "raw").rglob("*.zst"))
    data = bytearray(frames.read_bytes())
    data[len(data) // 2] ^= 0xFF
    frames.write_bytes(data)
    assert _wrong(archive, deep=True)["mirror"] == "fail"


@pytest.mark.req("INV-6")
def test_a_mirror_that_lost_bytes_fails(archive: Archive) -> None:
    next((archive.home / "raw").rglob("*.tail")).write_bytes(b"")
    assert _wrong(archive)["mirror:short"] == "fail"


@pytest.mark.req("INV-6")
def test_a_damaged_journal_fails_and_the_other_parts_are_examined(archive: Archive) -> None:
    journal = archive.home / "observations.jsonl"
    first, *rest = journal.read_bytes().splitlines(keepends=True)
    journal.write_bytes(b"".join([first, b"{broken\n", *rest]))
    found = _examine(archive)
    assert found["journal"].status == "fail"
    assert found["state"].status == "pass"


@pytest.mark.req("INV-6")
def test_a_lost_journal_is_told_from_one_that_was_never_there(archive: Archive) -> None:
    (archive.home / "observations.jsonl").unlink()
    found = _examine(archive)["journal"]
    assert (found.status, found.remedy) == ("fail", "Restore observations.jsonl from a backup.")


@pytest.mark.req("QUO-9", "INV-1")
def test_a_damaged_or_missing_index_is_made_again_by_fix(archive: Archive) -> None:
    before = archive.answers()
    index = _index(archive)
    data = bytearray(index.read_bytes())
    data[8192 : 8192 + 6 * 4096] = b"\xff" * (6 * 4096)
    index.write_bytes(data)
    assert _wrong(archive)["index"] == "fail"
    assert "index" not in _wrong(archive, fix=True)
    assert archive.answers() == before
    _index(archive).unlink()
    assert _wrong(archive)["index"] == "warn"
    assert "index" not in _wrong(archive, fix=True)
    assert archive.answers() == before
    archive.sync()
    assert _wrong(archive) == {}


@pytest.mark.req("INV-6")
def test_a_state_that_is_no_database_fails_in_words(archive: Archive) -> None:
    for path in archive.home.glob("state.db*"):
        path.unlink()
    (archive.home / "state.db").write_bytes(b"no database" * 500)
    found = _examine(archive)["state"]
    assert (found.status, found.remedy) == ("fail", "Restore state.db from a backup.")


@pytest.mark.req("QUO-9")
def test_broken_settings_fail_and_a_pause_is_a_warning(archive: Archive) -> None:
    archive.ask(lambda kernel: kernel.pause.pause())
    (archive.home / "config.toml").touch(mode=0o600)
    (archive.home / "config.toml").write_text("[watch")
    wrong = _wrong(archive)
    assert (wrong["config"], wrong["paused"]) == ("fail", "warn")


@pytest.mark.req("QUO-9", "ARC-8")
def test_drift_of_a_format_is_a_warning_that_names_it(archive: Archive) -> None:
    with archive.log().open("ab") as log:
        log.write(b'{"type": "hologram", "version": "9.9.9"}\n{no json\n')
    archive.sync()
    found = _examine(archive)
    assert "hologram" in found["unknown:claude-code"].message
    assert found["unparsable:claude-code"].status == "warn"
    assert f"{archive.log()}:{len(archive.log().read_bytes().splitlines())}" in found["unparsable:claude-code"].message


@pytest.mark.req("INV-6", "ARC-4")
def test_what_was_left_out_is_named_with_its_reason(archive: Archive) -> None:
    os.mkfifo(archive.log("0" * 8 + "-0000-4000-8000-000000000000"))
    archive.sync()
    found = _examine(archive)["skipped:claude-code"]
    assert found.status == "warn"
    assert "not a file" in found.message


@pytest.mark.req("QUO-9")
def test_a_file_in_the_mirror_that_no_observation_names_is_kept_and_told(archive: Archive) -> None:
    stray = archive.home / "raw/codex/sessions-00000000/stray.jsonl.tail"
    stray.parent.mkdir(parents=True, mode=0o700)
    stray.write_bytes(b"{}\n")
    for path in (stray, stray.parent, stray.parent.parent):
        path.chmod(0o700 if path.is_dir() else 0o600)
    assert _wrong(archive, fix=True) == {"mirror:unknown": "warn"}
    assert stray.exists()
