"""List the files below a folder that match patterns, from directory entries alone; links are never followed."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TypeAlias

from quoth.core.model import Signature, Skipped
from quoth.core.names import printable_path

_SUFFIX = ".zst"
_LOG = "-wal"  # what a database writes ahead stands in a file beside it

_Pattern: TypeAlias = tuple[str, ...]  # the parts of a glob that are still to match
_Patterns: TypeAlias = frozenset[_Pattern]

_NOTHING: _Patterns = frozenset()


@dataclass(frozen=True, slots=True)
class Entry:
    """A regular file. `key` is its path below the root with `/`, without `.zst`, valid Unicode."""

    key: str
    path: Path
    signature: Signature
    compressed: bool


@dataclass(frozen=True, slots=True)
class _Folder:
    path: str
    key: str
    patterns: _Patterns


def find(root: Path, patterns: Sequence[str]) -> Iterator[Entry | Skipped]:
    """List regular files whose key matches a glob (each part by fnmatch, `**` = any depth), sorted by folder.

    A link out of the root, something that is no file where one is expected, and an unreadable folder are told as
    `Skipped`. When a plain file and its `.zst` both exist, the plain one counts.
    """
    pending = [_Folder(str(root), "", frozenset(tuple(pattern.split("/")) for pattern in patterns))]
    real_root = os.path.realpath(root)
    while pending:
        folder = pending.pop()
        try:
            with os.scandir(folder.path) as listed:
                things = sorted(listed, key=lambda thing: thing.name)
        except FileNotFoundError:
            continue
        except OSError:
            yield Skipped(printable_path(folder.path), "unreadable")
            continue
        below: list[_Folder] = []
        yield from _folder(folder, things, below, real_root)
        pending.extend(reversed(below))


def recent(root: Path, patterns: Sequence[str], *, since_ns: int) -> Iterator[Path]:
    """Yield the files that `find` may list and that were written, or put there, since an instant.

    It is for looking often: of a file that rests, nothing is made but the question when it was touched. A database
    counts as written when its write-ahead log was; a root may be a file itself.
    """
    pending = [(str(root), frozenset(tuple(pattern.split("/")) for pattern in patterns))]
    while pending:
        folder, wanted = pending.pop()
        with suppress(OSError), os.scandir(folder) as listed:  # a whole pass tells of what can't be read
            for thing in listed:
                if thing.is_dir(follow_symlinks=False):
                    if deeper := _advance(wanted, thing.name):
                        pending.append((thing.path, deeper))
                elif _is_touched(thing, since_ns) and _matches(wanted, _plain(thing.name)):
                    yield Path(thing.path.removesuffix(_LOG))
    with suppress(OSError):
        status = os.lstat(root)
        if stat.S_ISREG(status.st_mode) and max(status.st_mtime_ns, status.st_ctime_ns) >= since_ns:
            yield root


def _is_touched(thing: os.DirEntry[str], since_ns: int) -> bool:
    try:
        status = thing.stat(follow_symlinks=False)
    except OSError:
        return False
    touched = status.st_mtime_ns >= since_ns or status.st_ctime_ns >= since_ns
    return touched and stat.S_ISREG(status.st_mode)


def _plain(name: str) -> str:
    return name.removesuffix(_LOG).removesuffix(_SUFFIX)


def _folder(
    folder: _Folder, things: Sequence[os.DirEntry[str]], below: list[_Folder], real_root: str
) -> Iterator[Entry | Skipped]:
    entries: dict[str, Entry] = {}
    # Plain names come before their `.zst`, and valid names before those that only print like them.
    for thing in sorted(things, key=lambda thing: printable_path(thing.name) != thing.name):
        name, path = thing.name, thing.path
        wanted = _matches(folder.patterns, name.removesuffix(_SUFFIX))
        try:
            deeper = _NOTHING if thing.is_file(follow_symlinks=False) else _advance(folder.patterns, name)
            if not (wanted or deeper):
                continue
            status = os.lstat(path)  # what the folder told of it may lack its identity
        except FileNotFoundError:
            continue
        except OSError:
            yield Skipped(printable_path(path), "unreadable")
            continue
        if _is_link(status):
            yield from _link(path, real_root, wanted=wanted, folder=bool(deeper))
            continue
        key = f"{folder.key}{printable_path(name)}"
        if stat.S_ISDIR(status.st_mode) and deeper:
            below.append(_Folder(path, f"{key}/", deeper))
        if wanted and not stat.S_ISREG(status.st_mode):
            yield Skipped(printable_path(path), "not_a_file")
        elif wanted:
            entry = Entry(key.removesuffix(_SUFFIX), Path(path), signature(status), name.endswith(_SUFFIX))
            taken = entries.setdefault(entry.key, entry)
            if taken is not entry and taken.compressed == entry.compressed:
                yield Skipped(printable_path(path), "name_taken")
    yield from (entries[key] for key in sorted(entries))


def signature(status: os.stat_result) -> Signature:
    """Return what tells an unchanged file from a changed one."""
    return Signature(status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns)


def _is_link(status: os.stat_result) -> bool:
    # On Windows a junction is no symbolic link, but leads elsewhere just the same.
    attributes: int = getattr(status, "st_file_attributes", 0)
    tag: int = getattr(status, "st_reparse_tag", 0)
    junction = bool(attributes & 0x400) and tag == getattr(stat, "IO_REPARSE_TAG_MOUNT_POINT", -1)
    return stat.S_ISLNK(status.st_mode) or junction


def _link(path: str, real_root: str, *, wanted: bool, folder: bool) -> Iterator[Skipped]:
    """Tell of a link that hides something from us; what it shows inside the root is listed there."""
    try:
        target = os.path.realpath(path, strict=True)
        is_folder = os.path.isdir(target)
    except OSError:
        yield Skipped(printable_path(path), "link_broken")
        return
    inside = target == real_root or target.startswith(real_root.rstrip(os.sep) + os.sep)
    if not inside and (folder if is_folder else wanted):
        yield Skipped(printable_path(path), "link_outside")


def _matches(patterns: _Patterns, name: str) -> bool:
    return any(_is_file(pattern, name) for pattern in patterns)


def _is_file(pattern: _Pattern, name: str) -> bool:
    if pattern[0] == "**":
        return len(pattern) == 1 or _is_file(pattern[1:], name)
    return len(pattern) == 1 and fnmatchcase(name, pattern[0])


def _advance(patterns: _Patterns, name: str) -> _Patterns:
    """Return what is left to match inside the folder `name`; nothing when no file below it can match."""
    return frozenset(left for pattern in patterns for left in _enter(pattern, name))


def _enter(pattern: _Pattern, name: str) -> Iterator[_Pattern]:
    if pattern[0] == "**":
        yield pattern
        if len(pattern) > 1:
            yield from _enter(pattern[1:], name)
    elif len(pattern) > 1 and fnmatchcase(name, pattern[0]):
        yield pattern[1:]
