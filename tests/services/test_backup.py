"""A backup is whole or not there, private, and checked file by file before anything of it is used."""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from quoth.core.errors import BackupRefused, Busy, NewerFormat, QuothError, StoreFailed
from quoth.core.ids import entry_id
from quoth.core.ledger.operations import Destroy
from quoth.core.model import Exclusion
from quoth.mirror.files import MirrorFiles
from quoth.mirror.journal import JournalFile
from quoth.services.backup import Backup, Restore
from quoth.storage._state import StateFile
from services.archive import Archive
from services.remembering import PERSON, append, begun, correct, forget, remember, verify

NAME = "raw/codex/sessions-1234abcd/2026/сессия.jsonl"


class Stopped:
    def now(self) -> int:
        return 1_790_000_000_000


@pytest.fixture
def state(home: Path) -> Iterator[StateFile]:
    home.mkdir(mode=0o700)
    opened = StateFile(home / "state.db")
    yield opened
    opened.close()


@pytest.fixture
def backup(home: Path, state: StateFile) -> Backup:
    """Return the backup of a home with one mirrored log, a journal, a decision and settings."""
    MirrorFiles(home).append(NAME, [b'{"a": 1}\n', b'{"b": "\xd0\xb6"}\n'])
    JournalFile(home).device()
    state.exclude(Exclusion("folder", "/src/客户"))
    (home / "config.toml").write_text("# mine\n")
    (home / "store.key").write_bytes(b"k" * 32)
    (home / "index-1.db").write_bytes(b"made again")
    (home / "locks").mkdir()
    return Backup(home, state, Stopped(), nullcontext, lambda: None)


@pytest.fixture
def restore(tmp_path: Path) -> Restore:
    return Restore(tmp_path / "restored", renew=lambda folder: JournalFile(folder).renew(), rebuild=lambda: 7)


def _files(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def _edit(folder: Path, change: Callable[[dict[str, Any]], None]) -> None:
    manifest = json.loads((folder / "manifest.json").read_bytes())
    change(manifest)
    (folder / "manifest.json").write_text(json.dumps(manifest))


@pytest.mark.req("QUO-13")
def test_a_restored_home_has_the_same_bytes_under_a_device_id_of_its_own(
    backup: Backup, restore: Restore, tmp_path: Path
) -> None:
    made = backup.run(tmp_path / "backup")
    assert sorted(_files(tmp_path / "backup")) == sorted(
        ["manifest.json", "config.toml", "observations.jsonl", f"{NAME}.tail", "state.db", "store.key"]
    )
    restored = restore.run(tmp_path / "backup")
    assert (restored.files, restored.bytes, restored.events) == (made.files, made.bytes, 7)
    old, new = JournalFile(backup.home), JournalFile(restore.home)
    assert b"".join(MirrorFiles(restore.home).read(NAME)) == b"".join(MirrorFiles(backup.home).read(NAME)) != b""
    assert new.device()[0] != old.device()[0]
    assert _files(restore.home)["observations.jsonl"].startswith(_files(backup.home)["observations.jsonl"])
    state = StateFile(restore.home / "state.db")
    assert state.exclusions() == [Exclusion("folder", "/src/客户")]
    state.close()


@pytest.mark.req("QUO-13", "INV-1")
def test_a_restored_archive_answers_as_the_old_one_did_and_goes_on(archive: Archive, tmp_path: Path) -> None:
    archive.log().write_bytes(b"".join(archive.records(["hello", "hi", "привет", "你好"])))
    archive.sync()
    archive.log().write_bytes(b"".join(archive.records(["another life", "yes"], first=20)))
    archive.sync()
    archive.ask(lambda kernel: kernel.exclude.add("pattern", "*.tmp"))
    made = archive.ask(lambda kernel: kernel.backup.run(tmp_path / "backup"))
    other = Archive(tmp_path, "restored")
    restored = other.ask(lambda kernel: kernel.restore.run(tmp_path / "backup"))
    assert restored.files == made.files
    assert _answers(other) == _answers(archive)
    assert other.ask(lambda kernel: kernel.exclude.list()) == archive.ask(lambda kernel: kernel.exclude.list())
    assert other.sync().events == 0
    with archive.log().open("ab") as log:
        log.write(archive.record("more", n=30))
    assert (other.sync().events, archive.sync().events) == (1, 1)
    assert _answers(other) == _answers(archive)


def _answers(archive: Archive) -> str:
    """Return everything the archive answers; only the place of the mirror may differ."""
    return json.dumps(archive.answers()).replace(str(archive.home), "HOME")


@pytest.mark.req("SEC-1", "QUO-13")
def test_backups_and_restored_homes_are_readable_by_their_owner_alone(
    backup: Backup, restore: Restore, tmp_path: Path
) -> None:
    before = os.umask(0)
    try:
        backup.run(tmp_path / "new" / "backup")
        restore.run(tmp_path / "new" / "backup")
    finally:
        os.umask(before)
    for folder in (tmp_path / "new", restore.home):
        modes = {stat.S_IMODE(path.stat().st_mode) for path in [folder, *folder.rglob("*")] if path.is_dir()}
        assert modes == {0o700}
        assert {stat.S_IMODE(path.stat().st_mode) for path in folder.rglob("*") if path.is_file()} == {0o600}


def test_half_a_line_at_the_end_of_the_journal_is_left_out(backup: Backup, tmp_path: Path) -> None:
    whole = (backup.home / "observations.jsonl").read_bytes()
    with (backup.home / "observations.jsonl").open("ab") as journal:
        journal.write(b'{"k": "pla')
    backup.run(tmp_path / "backup")
    assert (tmp_path / "backup/observations.jsonl").read_bytes() == whole


def test_a_backup_waits_for_ingestion_and_says_when_that_takes_too_long(backup: Backup, tmp_path: Path) -> None:
    @contextmanager
    def taken() -> Iterator[None]:
        raise Busy("reading the logs")
        yield

    with pytest.raises(Busy):
        replace(backup, lock=taken).run(tmp_path / "backup")
    assert not [entry for entry in tmp_path.iterdir() if "backup" in entry.name]


@pytest.mark.parametrize("place", ["quoth/inside", "quoth", ".", "full", "file"])
def test_a_folder_that_is_in_use_or_mixed_with_the_home_is_refused(backup: Backup, tmp_path: Path, place: str) -> None:
    (tmp_path / "full").mkdir()
    (tmp_path / "full/mine").write_text("mine")
    (tmp_path / "file").write_text("mine")
    before = _files(tmp_path)
    with pytest.raises(BackupRefused):
        backup.run(tmp_path / place)
    assert _files(tmp_path).keys() == before.keys()


def test_a_home_that_has_read_nothing_can_be_backed_up_and_restored(
    home: Path, state: StateFile, restore: Restore, tmp_path: Path
) -> None:
    assert Backup(home, state, Stopped(), nullcontext, lambda: None).run(tmp_path / "backup").files == 1
    assert restore.run(tmp_path / "backup").files == 1


def test_an_empty_folder_can_take_a_backup_and_an_empty_home_a_restore(
    backup: Backup, restore: Restore, tmp_path: Path
) -> None:
    (tmp_path / "backup").mkdir()
    (restore.home / "locks").mkdir(parents=True)
    (restore.home / "locks/ingest.lock").touch()
    backup.run(tmp_path / "backup")
    assert restore.run(tmp_path / "backup").files == 5


@pytest.mark.req("QUO-13")
def test_a_home_that_holds_something_is_never_restored_into(backup: Backup, restore: Restore, tmp_path: Path) -> None:
    backup.run(tmp_path / "backup")
    restore.home.mkdir()
    (restore.home / "observations.jsonl").write_text("mine\n")
    with pytest.raises(BackupRefused, match="not empty"):
        restore.run(tmp_path / "backup")
    assert _files(restore.home) == {"observations.jsonl": b"mine\n"}


@pytest.mark.req("INV-6", "QUO-13")
@pytest.mark.parametrize("name", [f"{NAME}.tail", "state.db", "manifest.json"])
@pytest.mark.parametrize("harm", ["change", "cut", "remove", "link"])
def test_a_damaged_backup_is_refused_and_nothing_is_restored(
    backup: Backup, restore: Restore, tmp_path: Path, name: str, harm: str
) -> None:
    backup.run(tmp_path / "backup")
    victim = tmp_path / "backup" / name
    data = victim.read_bytes()
    victim.unlink()
    match harm:
        case "change":
            victim.write_bytes(data[:-1] + bytes([data[-1] ^ 1]))
        case "cut":
            victim.write_bytes(data[:-1])
        case "link":
            (tmp_path / "elsewhere").write_bytes(data)
            victim.symlink_to(tmp_path / "elsewhere")
    with pytest.raises(BackupRefused):
        restore.run(tmp_path / "backup")
    assert not restore.home.exists()
    assert not list(tmp_path.glob(".*"))


@pytest.mark.parametrize(
    "path",
    [
        "../evil",
        "/etc/passwd",
        "raw/../../evil",
        "raw//x",
        "raw/./x",
        "raw",
        "index-1.db",
        "locks/x",
        "",
        "raw\\x",
        "C:/x",
        "raw/C:x",
        "types",
        "types/../evil",
        "ledger.db/x",
        "raw/\x00",
        "Raw/x",
        "manifest.json",
    ],
)
def test_a_backup_that_names_a_file_outside_a_home_is_refused(
    backup: Backup, restore: Restore, tmp_path: Path, path: str
) -> None:
    backup.run(tmp_path / "backup")
    (tmp_path / "evil").write_text("x")
    _edit(tmp_path / "backup", lambda manifest: manifest["files"][0].update(path=path))
    with pytest.raises(BackupRefused, match="names files that no store has"):
        restore.run(tmp_path / "backup")
    assert not restore.home.exists()


def test_a_folder_of_a_backup_that_is_a_link_is_refused(backup: Backup, restore: Restore, tmp_path: Path) -> None:
    backup.run(tmp_path / "backup")
    (tmp_path / "backup/raw").rename(tmp_path / "elsewhere")
    (tmp_path / "backup/raw").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(BackupRefused, match="link"):
        restore.run(tmp_path / "backup")


@pytest.mark.parametrize("content", [b"", b"[]", b"{}", b'{"format": 1, "files": [1]}', b"[" * 100_000, b"\xff"])
def test_a_list_that_is_no_list_is_refused(restore: Restore, tmp_path: Path, content: bytes) -> None:
    (tmp_path / "backup").mkdir()
    (tmp_path / "backup/manifest.json").write_bytes(content)
    with pytest.raises(BackupRefused):
        restore.run(tmp_path / "backup")


@pytest.mark.req("ARC-12")
def test_a_backup_of_a_newer_program_is_refused(backup: Backup, restore: Restore, tmp_path: Path) -> None:
    backup.run(tmp_path / "backup")
    _edit(tmp_path / "backup", lambda manifest: manifest.update(format=2))
    with pytest.raises(NewerFormat):
        restore.run(tmp_path / "backup")


def test_a_list_that_names_a_file_twice_is_refused(backup: Backup, restore: Restore, tmp_path: Path) -> None:
    backup.run(tmp_path / "backup")
    _edit(tmp_path / "backup", lambda manifest: manifest["files"].append(manifest["files"][0]))
    with pytest.raises(BackupRefused):
        restore.run(tmp_path / "backup")


@pytest.mark.req("INV-6")
def test_a_place_that_cannot_be_written_is_an_error_in_words(backup: Backup, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine")
    with pytest.raises(StoreFailed, match="backup"):
        backup.run(tmp_path / "file/backup")


@pytest.mark.req("INV-6")
def test_a_restore_that_fails_half_way_leaves_no_home(backup: Backup, restore: Restore, tmp_path: Path) -> None:
    def broken(folder: Path) -> None:
        raise StoreFailed("Writing the journal of observations", "no space left on device")

    backup.run(tmp_path / "backup")
    with pytest.raises(QuothError):
        replace(restore, renew=broken).run(tmp_path / "backup")
    assert not restore.home.exists()
    assert not list(tmp_path.glob(".*"))


# --- memory ---


@pytest.fixture
def remembering(tmp_path: Path) -> Archive:
    """Return an archive that remembers, has corrected and forgotten, and has a type of its own."""
    archive = begun(tmp_path)
    entry = remember(archive, "Staging runs PostgreSQL 16.", "moved staging to PostgreSQL 16")
    correct(archive, entry, "Staging runs PostgreSQL 17.", reason="it was upgraded")
    forget(archive, remember(archive, "The kraken sleeps."))
    (archive.home / "types").mkdir(mode=0o700)
    (archive.home / "types/ritual.yaml").write_text("kind: memory\ndescription: What is done every week.\n")
    remember(archive, "Bread on Fridays.", type="ritual")
    return archive


def _memory(archive: Archive) -> tuple[object, ...]:
    """Return everything that is remembered, as the index and the service show it."""

    def rows(kernel: Any) -> list[Any]:
        kernel.memory.catch_up()
        return list(kernel.memory.entries.all())

    tombstones = archive.ask(lambda kernel: kernel.forget.tombstones())
    return archive.ask(rows), tombstones, verify(archive)


@pytest.mark.req("QUO-13", "INV-5", "ORI-69")
def test_a_restored_home_remembers_what_the_old_one_did_and_goes_on_in_a_series_of_its_own(
    remembering: Archive, tmp_path: Path
) -> None:
    remembering.ask(lambda kernel: kernel.backup.run(tmp_path / "backup"))
    other = Archive(tmp_path, "restored")
    other.ask(lambda kernel: kernel.restore.run(tmp_path / "backup"))
    assert _memory(other) == _memory(remembering)
    remember(other, "Written after the restore.", "change the connection strings", type="ritual")
    remember(remembering, "Written in the old home.")
    series = [dict(archive.ask(lambda kernel: kernel.ledger.series())) for archive in (remembering, other)]
    assert [sorted(each.values()) for each in series] == [[6], [1, 5]]
    found = verify(other)
    assert (found["ok"], found["citations"], found["elsewhere"]) == (True, 2, 0)
    sent = [each for device in series[0] for each in remembering.ask(lambda k, d=device: k.ledger.records(d, after=0))]
    received = other.ask(lambda kernel: kernel.ledger.receive(sent, now=1_900_000_000_000))
    assert (received.refused, len(received.added)) == ((), 1)
    assert verify(other)["ok"] is True


@pytest.mark.req("QUO-13", "SEC-1")
def test_the_ledger_the_key_and_the_types_are_in_a_backup(remembering: Archive, tmp_path: Path) -> None:
    remembering.ask(lambda kernel: kernel.backup.run(tmp_path / "backup"))
    files = _files(tmp_path / "backup")
    assert {"ledger.db", "store.key", "types/ritual.yaml"} <= files.keys()
    assert files["store.key"] == (remembering.home / "store.key").read_bytes()
    modes = {stat.S_IMODE(path.stat().st_mode) for path in (tmp_path / "backup").rglob("*") if path.is_file()}
    assert modes == {0o600}


@pytest.mark.req("QUO-13")
def test_a_backup_while_somebody_remembers_is_whole(remembering: Archive, tmp_path: Path) -> None:
    writer = remembering.kernel()
    try:
        with writer.memory.deciding():
            writer.remember.run("Not yet there.", by=PERSON, uncited="by hand")
            remembering.ask(lambda kernel: kernel.backup.run(tmp_path / "backup"))
    finally:
        writer.close()
    other = Archive(tmp_path, "restored")
    other.ask(lambda kernel: kernel.restore.run(tmp_path / "backup"))
    texts = [row.version.statement.text for row in _memory(other)[0] if row.version.statement]  # type: ignore[attr-defined]
    assert "Not yet there." not in texts
    assert verify(other)["ok"] is True


@pytest.mark.req("INV-5")
def test_nothing_that_was_destroyed_is_in_a_backup(remembering: Archive, tmp_path: Path) -> None:
    entry = entry_id(bytes.fromhex(remember(remembering, "Words of a basilisk.")[4:]))
    append(remembering, Destroy(entries=(entry,)))
    remembering.ask(lambda kernel: kernel.backup.run(tmp_path / "backup"))
    assert b"basilisk" not in (tmp_path / "backup/ledger.db").read_bytes()


@pytest.mark.req("QUO-13", "INV-6")
@pytest.mark.parametrize("name", ["ledger.db", "store.key"])
def test_a_damaged_memory_in_a_backup_is_refused(remembering: Archive, tmp_path: Path, name: str) -> None:
    remembering.ask(lambda kernel: kernel.backup.run(tmp_path / "backup"))
    victim = tmp_path / "backup" / name
    victim.write_bytes(victim.read_bytes()[:-1] + b"?")
    other = Archive(tmp_path, "restored")
    with pytest.raises(BackupRefused, match=name):
        other.ask(lambda kernel: kernel.restore.run(tmp_path / "backup"))
