"""A home is made for its owner alone, refused where it can't work, and warned of where it may come to harm."""

from __future__ import annotations

import os
import stat
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from mirror.processes import answer_of, as_nobody, channel, hold_ingest_lock, lock_there, make_home, start
from quoth.core.errors import Busy, HomeRefused
from quoth.mirror.home import file_system, ingest_lock, open_home

POSIX = pytest.mark.skipif(os.name != "posix", reason="modes and users are a thing of POSIX")


@pytest.fixture
def mounts(tmp_path: Path) -> Path:
    """Return a table of mounts with one ordinary disk."""
    table = tmp_path / "mounts"
    table.write_text("/dev/sda1 / ext4 rw 0 0\n")
    return table


def _mount(mounts: Path, point: Path, kind: str) -> None:
    escaped = str(point).replace(" ", "\\040")
    mounts.write_text(f"{mounts.read_text()}server:/share {escaped} {kind} rw 0 0\n")


@POSIX
@pytest.mark.req("SEC-1")
def test_a_new_home_and_its_missing_parents_are_for_the_owner_alone(tmp_path: Path, mounts: Path) -> None:
    before = os.umask(0)
    try:
        assert open_home(tmp_path / "new" / "quoth", mounts=mounts) == []
    finally:
        os.umask(before)
    assert [stat.S_IMODE((tmp_path / p).stat().st_mode) for p in ("new", "new/quoth")] == [0o700, 0o700]
    assert list((tmp_path / "new/quoth").iterdir()) == []


@POSIX
@pytest.mark.req("SEC-1")
def test_an_existing_home_is_closed_to_others(home: Path, mounts: Path) -> None:
    home.mkdir()
    home.chmod(0o755)
    assert open_home(home, mounts=mounts) == []
    assert stat.S_IMODE(home.stat().st_mode) == 0o700


@pytest.mark.req("ARC-11")
def test_a_file_or_a_dead_link_in_its_place_is_refused(tmp_path: Path, mounts: Path) -> None:
    (tmp_path / "file").write_text("mine")
    (tmp_path / "dead").symlink_to(tmp_path / "nowhere")
    for name in ("file", "dead", "file/below"):
        with pytest.raises(HomeRefused, match="QUOTH_HOME"):
            open_home(tmp_path / name, mounts=mounts)
    assert (tmp_path / "file").read_text() == "mine"
    assert not (tmp_path / "nowhere").exists()


@pytest.mark.req("ARC-11")
@pytest.mark.parametrize("kind", ["nfs", "nfs4", "cifs", "smb3", "fuse.sshfs", "fuse.rclone", "davfs"])
def test_a_home_on_a_network_file_system_is_refused_before_anything_is_made(
    tmp_path: Path, mounts: Path, kind: str
) -> None:
    share = tmp_path / "my share"
    share.mkdir()
    _mount(mounts, share.resolve(), kind)
    with pytest.raises(HomeRefused, match="network file system"):
        open_home(share / "deep" / "quoth", mounts=mounts)
    assert list(share.iterdir()) == []
    (warning,) = open_home(share / "deep" / "quoth", allow_network=True, mounts=mounts)
    assert warning.code == "network"


@pytest.mark.req("ARC-11")
def test_a_link_into_a_network_file_system_is_refused_too(tmp_path: Path, mounts: Path) -> None:
    share = tmp_path / "share"
    share.mkdir()
    _mount(mounts, share.resolve(), "nfs4")
    (tmp_path / "link").symlink_to(share)
    with pytest.raises(HomeRefused):
        open_home(tmp_path / "link" / "quoth", mounts=mounts)


@pytest.mark.req("ARC-11")
def test_a_disk_mounted_inside_a_network_file_system_is_fine(tmp_path: Path, mounts: Path) -> None:
    disk = tmp_path / "share" / "disk"
    disk.mkdir(parents=True)
    _mount(mounts, (tmp_path / "share").resolve(), "nfs4")
    _mount(mounts, disk.resolve(), "xfs")
    assert open_home(disk / "quoth", mounts=mounts) == []


@pytest.mark.req("ARC-11")
def test_a_file_system_shared_with_a_host_is_warned_of(tmp_path: Path, mounts: Path) -> None:
    _mount(mounts, tmp_path.resolve(), "9p")
    (warning,) = open_home(tmp_path / "quoth", mounts=mounts)
    assert warning.code == "shared"
    assert "9p" in warning.message


def test_without_a_table_of_mounts_the_kind_of_disk_is_not_judged(tmp_path: Path) -> None:
    assert open_home(tmp_path / "quoth", mounts=tmp_path / "none") == []


@pytest.mark.parametrize(
    ("path", "kind"),
    [("/home/a", "ext4"), ("/home/net", "nfs"), ("/home/net/x", "nfs"), ("/home/network", "ext4"), ("/over", "tmpfs")],
)
def test_the_deepest_and_latest_mount_counts(path: str, kind: str) -> None:
    table = "a / ext4 rw\nb /home/net nfs rw\nc /over xfs rw\nc /over tmpfs rw\nbroken\nd relative zfs\n"
    assert file_system(Path(path), table) == kind
    assert file_system(Path(path), "") is None


@pytest.mark.req("ARC-11")
@pytest.mark.parametrize(
    "folder",
    [
        "Dropbox",
        "Dropbox (Work)",
        "OneDrive",
        "OneDrive - Contoso",
        "Google Drive",
        "GoogleDrive-me@example.org",
        "Library/Mobile Documents/com~apple~CloudDocs",
        "Library/CloudStorage/Box-Box",
        "Nextcloud/deep/er",
    ],
)
def test_a_folder_that_is_synchronised_is_warned_of(tmp_path: Path, mounts: Path, folder: str) -> None:
    (warning,) = open_home(tmp_path / folder / "quoth", mounts=mounts)
    assert warning.code == "cloud"
    assert "QUOTH_HOME" in warning.remedy


@pytest.mark.parametrize("folder", ["dropbox-notes", "boxes", "my-onedrive", "library"])
def test_a_folder_that_only_sounds_synchronised_is_fine(tmp_path: Path, mounts: Path, folder: str) -> None:
    assert open_home(tmp_path / folder / "quoth", mounts=mounts) == []


@pytest.fixture
def foreign() -> Iterator[Path]:
    """Return a folder of ours that another user can enter and not write."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        yield Path(folder)


@POSIX
@pytest.mark.req("INV-6", "ARC-11")
def test_a_home_that_can_not_be_made_or_written_is_refused(foreign: Path) -> None:
    (foreign / "there").mkdir(mode=0o755)
    (foreign / "there").chmod(0o755 if os.getuid() == 0 else 0o555)
    foreign.chmod(0o755 if os.getuid() == 0 else 0o555)
    assert answer_of(as_nobody, make_home, foreign / "new", channel_at=1) == "home_refused"
    assert answer_of(as_nobody, make_home, foreign / "there", channel_at=1) == "home_refused"
    assert answer_of(as_nobody, lock_there, foreign / "there", channel_at=1) == "store_failed"
    foreign.chmod(0o755)
    assert [path.name for path in foreign.rglob("*")] == ["there"]


@pytest.mark.req("ARC-2")
def test_only_one_process_holds_the_ingest_lock_and_a_killed_one_lets_go(home: Path) -> None:
    ours, theirs = channel()
    other = start(hold_ingest_lock, home, theirs)
    assert ours.recv() == "held"
    with pytest.raises(Busy, match="reading the logs"), ingest_lock(home, wait=0):
        pass
    other.kill()
    other.join()
    ours.close()
    theirs.close()
    with ingest_lock(home, wait=0):
        if os.name == "posix":
            assert stat.S_IMODE((home / "locks" / "ingest.lock").stat().st_mode) == 0o600
            assert stat.S_IMODE((home / "locks").stat().st_mode) == 0o700


@pytest.mark.req("ARC-11")
@pytest.mark.parametrize("held", [["auth.json"], ["sessions", "config.json"], [".bashrc", "Documents"]])
def test_a_folder_that_holds_other_things_and_no_store_is_refused_and_left_alone(
    tmp_path: Path, held: list[str]
) -> None:
    folder = tmp_path / "folder"
    folder.mkdir(mode=0o755)
    for name in held:
        (folder / name).write_text("theirs")
    before = folder.stat().st_mode
    with pytest.raises(HomeRefused, match="holds other things"):
        open_home(folder)
    assert sorted(path.name for path in folder.iterdir()) == sorted(held)
    assert folder.stat().st_mode == before


@pytest.mark.parametrize("held", [["config.toml"], ["locks"], ["observations.jsonl", "notes.txt"], ["index-1.db-wal"]])
def test_a_folder_with_a_part_of_a_store_is_a_home(tmp_path: Path, held: list[str]) -> None:
    for name in held:
        (tmp_path / name).write_bytes(b"")
    open_home(tmp_path)
