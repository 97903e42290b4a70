"""Make and judge the folder that holds a store, before anything is written there, and lock it for ingestion."""

from __future__ import annotations

import errno
import os
import re
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from quoth.core.errors import HomeRefused
from quoth.core.names import printable_path
from quoth.mirror.durable import make_folder, only_process

_MOUNTS = Path("/proc/self/mounts")
_NETWORK = {
    "afs",
    "beegfs",
    "ceph",
    "cifs",
    "coda",
    "davfs",
    "davfs2",
    "gcsfuse",
    "gfs2",
    "glusterfs",
    "gpfs",
    "lustre",
}
_NETWORK |= {"ncpfs", "nfs", "nfs4", "ocfs2", "rclone", "s3fs", "smb", "smb2", "smb3", "smbfs", "smbnetfs", "sshfs"}
_SHARED = {"9p", "drvfs", "prl_fs", "vboxsf", "virtiofs", "vmhgfs-fuse"}  # with the host of a virtual machine
_CLOUD = re.compile(
    r"(?i)(^|/)("
    r"dropbox( \([^/]*\))?|onedrive( ?- ?[^/]*)?|google ?drive(-[^/]*)?|my drive|icloud ?drive|box( sync)?"
    r"|library/(mobile documents|cloudstorage)|nextcloud|owncloud|pcloud ?drive|megasync|yandex\.disk"
    r")(/|$)"
)
_OURS = re.compile(
    r"(raw|locks|observations\.jsonl|state\.db|ledger\.db|index-\d+\.db|config\.toml|store\.key|types|\.write-.*)($|[-.])"
)
# Every name that a store gives to something right in its home; `quoth purge --all` removes these and nothing else.
_MADE = re.compile(
    r"raw|locks|types|store\.key|config\.toml|observations\.jsonl(\.[0-9a-f]{8})?|vectors-[^/]*\.bin|\.write-.*"
    r"|(state|ledger|index-\d+)\.db(\.new)?(-wal|-shm|-journal)?|\.(config\.toml|store\.key)-.*"
)
_LITTLE_SPACE = 200 * 1024 * 1024
_FULL = {errno.ENOSPC, getattr(errno, "EDQUOT", errno.ENOSPC)}
_REMEDY = "Set QUOTH_HOME to a folder on a local disk that you can write to."


@dataclass(frozen=True, slots=True)
class HomeWarning:
    """Something about the home that may do harm later. `code` is stable."""

    code: str
    message: str
    remedy: str


def open_home(home: Path, *, allow_network: bool = False, mounts: Path = _MOUNTS) -> list[HomeWarning]:
    """Create the home where it is missing, and return what is doubtful about it.

    Raises:
        HomeRefused: it is on a network file system (unless allowed), can't be written, or something else is there.
            Nothing was written then.
    """
    warnings = [*_network(home, allow_network, mounts), *_cloud(home)]
    _demand_ours(home)
    _make(home)
    return [*warnings, *_closed(home), *_writable(home), *_space(home)]


def is_made(name: str) -> bool:
    """Tell whether a name in a home is one that a store gives."""
    return _MADE.fullmatch(name) is not None


@contextmanager
def ingest_lock(home: Path, *, wait: float = 60) -> Iterator[None]:
    """Be the only process that reads logs into this home.

    Raises:
        Busy: another process was at it for longer than `wait` seconds.
        StoreFailed: the home can't be written.
    """
    with only_process(home, "ingest.lock", "reading the logs", wait=wait):
        yield


def file_system(path: Path, table: str) -> str | None:
    """Return the type of the file system a real path is on, by the text of a table of mounts; None when unknown."""
    best, found = -1, None
    for line in table.splitlines():
        _, point, kind, *_ = [*line.split(" "), "", "", ""]
        point = re.sub(r"\\([0-7]{3})", lambda match: chr(int(match[1], 8)), point)
        covers = path == Path(point) or Path(point) in path.parents
        if point.startswith("/") and covers and len(point) >= best:  # of two mounts on one point the later one shows
            best, found = len(point), kind
    return found


def _network(home: Path, allowed: bool, mounts: Path) -> Iterator[HomeWarning]:
    try:
        table = mounts.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return
    kind = (file_system(Path(os.path.realpath(home)), table) or "").removeprefix("fuse.")
    if kind in _NETWORK and not allowed:
        raise _refused(home, f"it is on a network file system ({kind}), where locks can't be trusted")
    if kind in _NETWORK:
        yield HomeWarning("network", f"The home is on a network file system ({kind}); locks can't be trusted.", _REMEDY)
    if kind in _SHARED:
        yield HomeWarning(
            "shared",
            f"The home is on a file system shared with the host of this machine ({kind}); its locks end at the border.",
            "Use the home from one side only, or set QUOTH_HOME to a folder on a disk of this machine.",
        )


def _cloud(home: Path) -> Iterator[HomeWarning]:
    if match := _CLOUD.search(Path(os.path.realpath(home)).as_posix()):
        yield HomeWarning(
            "cloud",
            f"The home is inside {match[2]}, which synchronises files one by one and can tear a database apart.",
            _REMEDY,
        )


def _demand_ours(home: Path) -> None:
    """Refuse a folder of somebody else, such as the person's own home: it would be closed to others and written to."""
    try:
        held = {entry.name for entry in home.iterdir()} if home.is_dir() else set()
    except OSError:
        return  # what can't be listed is refused for that reason further on
    if held and not any(_OURS.match(name) for name in held):
        raise _refused(home, "it holds other things and no store")


def _make(home: Path) -> None:
    if not home.is_dir() and (home.exists() or home.is_symlink()):
        raise _refused(home, "something that is no folder has its name")
    try:
        make_folder(home)
    except OSError as error:
        raise _refused(home, f"it can't be made ({_reason(error)})") from error


def _closed(home: Path) -> Iterator[HomeWarning]:
    """Close the home to everyone but its owner."""
    if os.name != "posix" or not home.stat().st_mode & 0o077:
        return
    with suppress(OSError):
        home.chmod(0o700)
    if home.stat().st_mode & 0o077:
        yield HomeWarning("readable", "Other people on this machine can read the home.", f"Run: chmod 700 '{home}'")


def _writable(home: Path) -> Iterator[HomeWarning]:
    try:
        descriptor, name = tempfile.mkstemp(prefix=".write-", dir=home)
    except OSError as error:
        if error.errno in _FULL:
            yield HomeWarning("disk_full", "The disk of the home is full.", "Free some space; nothing stored is lost.")
            return
        raise _refused(home, f"it can't be written ({_reason(error)})") from error
    os.close(descriptor)
    os.unlink(name)


def _space(home: Path) -> Iterator[HomeWarning]:
    free = shutil.disk_usage(home).free
    if free < _LITTLE_SPACE:
        yield HomeWarning("disk_low", f"The disk of the home has only {free // 1024**2} MiB left.", "Free some space.")


def _refused(home: Path, why: str) -> HomeRefused:
    return HomeRefused(printable_path(str(home)), why, _REMEDY)


def _reason(error: OSError) -> str:
    return (error.strerror or type(error).__name__).lower()
