"""Doctor finds what is wrong in every part, keeps its hands off, and mends only what loses nothing."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

import apsw
import pytest

from quoth.core.errors import NewerFormat
from quoth.core.ids import EntryId
from quoth.core.ledger.operations import Destroy, Judge, Verdict
from quoth.services._findings import Check
from services.archive import Archive
from services.remembering import append, correct, remember, tamper


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


@pytest.mark.skipif(sys.platform == "win32", reason="no limit of that kind")
@pytest.mark.req("INV-6", "QUO-9")
def test_on_a_full_disk_nobody_is_told_to_put_an_old_copy_in_the_place_of_what_is_sound(archive: Archive) -> None:
    remember(archive, "The pantry is in the cellar.")
    with _full_disk():
        checks = archive.ask(lambda kernel: kernel.doctor.run())
    found = {check.id: check for check in checks}
    assert {found[name].status for name in ("state", "index", "ledger")} == {"fail"}
    assert not [check for check in checks if check.remedy and ("backup" in check.remedy or "rebuild" in check.remedy)]


@contextmanager
def _full_disk() -> Iterator[None]:
    """Let no file grow; SQLite can't make what its processes share then."""
    import resource

    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


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


# --- memory ---


@pytest.fixture
def remembering(archive: Archive) -> Archive:
    """Return an archive that remembers something with the words it comes from."""
    entry = remember(archive, "It was said.", "hello")
    correct(archive, entry, "It was said in Russian too.", reason="so it was")
    return archive


@pytest.mark.req("QUO-9")
def test_a_sound_memory_passes_and_is_not_changed(remembering: Archive) -> None:
    before = _bytes(remembering)
    assert _wrong(remembering, deep=True) == {}
    assert _bytes(remembering) == before
    found = _examine(remembering)
    assert "2 operations" in found["ledger:shown"].message
    assert found["key"].status == found["ledger"].status == "pass"


@pytest.mark.req("QUO-9", "INV-2")
def test_an_index_that_is_behind_the_ledger_is_told_and_caught_up_by_fix(remembering: Archive) -> None:
    entry = EntryId(remember(remembering, "It was negated."))
    append(remembering, Judge(Verdict.NEGATE, entry, entry))  # as by a process that was killed before it went on
    found = _examine(remembering)["ledger:behind"]
    assert (found.status, "1 operation" in found.message) == ("warn", True)
    assert _wrong(remembering, fix=True) == {}


@pytest.mark.req("INV-6")
def test_a_ledger_that_lost_operations_fails(remembering: Archive) -> None:
    tamper(remembering.home / "ledger.db", "DELETE FROM operations WHERE number = 2")
    found = _examine(remembering)["ledger:short"]
    assert (found.status, found.remedy) == ("fail", "Restore ledger.db from a backup, then run `quoth rebuild`.")


@pytest.mark.req("INV-6")
def test_a_ledger_that_is_missing_fails_and_no_new_one_is_made(remembering: Archive) -> None:
    for path in remembering.home.glob("ledger.db*"):
        path.unlink()
    assert _wrong(remembering) == {"ledger:lost": "fail"}
    assert not (remembering.home / "ledger.db").exists()


@pytest.mark.req("INV-6")
def test_a_ledger_that_is_no_database_fails_in_words(remembering: Archive) -> None:
    for path in remembering.home.glob("ledger.db*"):
        path.unlink()
    (remembering.home / "ledger.db").write_bytes(b"no database" * 500)
    (remembering.home / "ledger.db").chmod(0o600)
    found = _examine(remembering)["ledger"]
    assert (found.status, found.remedy) == ("fail", "Restore ledger.db from a backup.")


@pytest.mark.req("ARC-12", "ORI-69")
def test_a_ledger_of_a_newer_program_is_a_sentence_and_left_alone(remembering: Archive) -> None:
    db = apsw.Connection(str(remembering.home / "ledger.db"))
    db.pragma("user_version", 99)
    db.close()
    found = _examine(remembering)["ledger"]
    assert found.message.startswith("The ledger has format 99")
    assert (found.status, found.remedy) == ("fail", "Upgrade Quoth.")
    with pytest.raises(NewerFormat):
        remembering.ask(lambda kernel: kernel.verify.run())


@pytest.mark.req("INV-5")
def test_a_changed_ledger_is_found_by_a_deep_look(remembering: Archive) -> None:
    tamper(remembering.home / "ledger.db", "UPDATE operations SET actor = 'somebody' WHERE number = 1")
    assert _wrong(remembering) == {}
    assert _wrong(remembering, deep=True) == {"ledger:chain": "fail"}


@pytest.mark.req("INV-5")
def test_bytes_of_what_was_destroyed_are_told_and_scrubbed_by_fix(remembering: Archive) -> None:
    entry = remember(remembering, "Words of a basilisk.")
    append(remembering, Destroy(entries=(EntryId(entry),)))
    remembering.ask(lambda kernel: kernel.memory.catch_up())
    assert _wrong(remembering) == {"ledger:unscrubbed": "warn"}
    assert _wrong(remembering, fix=True) == {}
    assert b"basilisk" not in (remembering.home / "ledger.db").read_bytes()


@pytest.mark.req("INV-6")
def test_a_lost_or_broken_key_fails_and_no_new_one_is_made(remembering: Archive) -> None:
    key = remembering.home / "store.key"
    key.write_bytes(b"short")
    assert _wrong(remembering) == {"key": "fail"}
    key.unlink()
    found = _examine(remembering)["key"]
    assert (found.status, found.remedy) == ("fail", "Restore store.key from a backup.")
    assert not key.exists()


def test_a_key_that_nothing_was_made_with_may_be_missing(archive: Archive) -> None:
    remember(archive, "Nothing is cited.")
    (archive.home / "store.key").unlink(missing_ok=True)
    assert _wrong(archive) == {}
