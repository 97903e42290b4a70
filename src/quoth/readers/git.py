"""Read what `.git` says of a directory: without running git, without writing, bounded, and never off this machine.

Dulwich parses configuration and objects; finding the repository and opening its small files is done here, because a
repository on disk is foreign input: it may hold pipes, loops, huge files and paths to other machines.
"""

from __future__ import annotations

import io
import os
import re
import stat
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from quoth.core.places import GitPlace, Remote, local_path, remote_of

_SMALL = 4_096  # bytes of HEAD, of a reference, of a `.git` file
_CONFIG = 1 << 20
_PACKED = 16 << 20  # bytes of packed-refs, about 200,000 references
_COMMITS = 20_000
_NEWEST = 10_000  # commits between two branches
_SKEW = 86_400  # seconds by which clocks differ
_LOG = 16 << 20  # bytes of the log of a reference
_COMMIT = 4 << 20  # bytes of one commit
_HOPS = 4  # remotes and alternates on this machine that are followed

_BRANCH = "ref: refs/heads/"
_SHA = re.compile(r"[0-9a-f]{40}([0-9a-f]{24})?")


@dataclass(frozen=True, slots=True)
class Repository:
    """The git folder of a working tree and the one that all its worktrees share."""

    folder: Path
    common: Path

    def branch(self) -> str | None:
        return _branch(self.folder)

    def tip(self, name: str) -> str | None:
        """Return the commit that a reference names, loose or packed."""
        inside = ".." not in Path(name).parts and not Path(name).is_absolute()
        return _tip(self.common, (self.folder if name == "HEAD" else self.common) / name) if inside else None

    def is_published(self, branch: str) -> bool:
        """Tell whether another repository has a branch, as far as was fetched."""
        remotes = self.common / "refs/remotes"
        names = [folder.name for folder in remotes.iterdir() if folder.is_dir()] if remotes.is_dir() else []
        packed = _packed_names(self.common)
        is_packed = any(name.startswith("refs/remotes/") and name.endswith(f"/{branch}") for name in packed)
        return is_packed or any(self.tip(f"refs/remotes/{name}/{branch}") for name in names)

    def log(self, folder: Path, name: str) -> list[str]:
        """Return what happened to a reference, the oldest first; nothing where git keeps no log of it."""
        file = folder / "logs" / name
        lines = _text(file, _LOG).splitlines() if ".." not in Path(name).parts and file.is_file() else []
        return [line.partition("\t")[2] for line in lines]


def repository(cwd: Path) -> Repository | None:
    """Return the repository around a directory."""
    found = next(_repositories(cwd), None)
    return Repository(found[1], _common(found[1])) if found else None


@lru_cache(maxsize=256)
def is_ancestor(objects: Path, old: str, new: str) -> bool:
    """Tell whether a commit was made on another one; what is older than that one is not looked at, but for a day."""
    from dulwich.object_store import DiskObjectStore
    from dulwich.objects import Commit, ObjectID

    folders = [objects, *_alternates(objects, _HOPS)]
    if not all(map(_is_sound, folders)):
        return False
    store = DiskObjectStore(objects, loose_object_size_limit=_COMMIT)

    def commit(sha: str) -> Commit | None:
        is_sound = all(_is_regular(folder / sha[:2] / sha[2:]) for folder in folders)
        found = store[ObjectID(sha.encode())] if is_sound else None
        return found if isinstance(found, Commit) else None

    try:
        first = commit(old)
        seen, waiting = {new}, deque([new])
        while waiting and first and len(seen) < _NEWEST:
            with suppress(KeyError):  # a shallow clone ends here
                at = commit(waiting.popleft())
                if at and at.commit_time >= first.commit_time - _SKEW:
                    parents = {parent.decode() for parent in at.parents} - seen
                    waiting.extend(parents)
                    seen.update(parents)
            if old in seen:
                return True
        return False
    finally:
        store.close()


def identify(cwd: Path) -> GitPlace | None:
    """Return what the repository around a directory says; None when there is none or it can't be read."""
    try:
        return _identify(cwd.absolute(), _HOPS)
    except Exception:  # A repository is foreign input: whatever is wrong with it, the directory is just no repository.
        return None


def _identify(cwd: Path, hops: int) -> GitPlace | None:
    found = next(_repositories(cwd), None)
    if found is None:
        return None
    top, folder = found
    common = _common(folder)
    main = _shared(common) if top == folder or common != folder else str(top)
    remote, root = _published(common, folder, Path(main), hops)
    return GitPlace(str(top), main, remote, root, _branch(folder))


def _published(common: Path, folder: Path, main: Path, hops: int) -> tuple[Remote | None, str | None]:
    """Return the remote of a repository; without one on another machine, also its root commit."""
    urls = _remotes(common)
    remote = next(filter(None, map(remote_of, urls)), None)
    if remote and remote.host != "file":
        return remote, None
    origin = _follow(main, urls, hops)
    if origin and origin.remote:
        return origin.remote, origin.root
    return remote, (origin and origin.root) or _root(common, folder)


def _repositories(cwd: Path) -> Iterator[tuple[Path, Path]]:
    """Yield the top folder and the git folder of each repository around a directory, innermost first."""
    for top in (cwd, *cwd.parents):
        inside = top / ".git"
        if inside.is_file():
            yield top, _pointed(inside, "gitdir:")
            return
        if _is_git_folder(inside):
            yield top, inside
        elif _is_git_folder(top) and (top / "objects").is_dir():
            yield (top.parent if top.name == ".git" else top), top


def _is_git_folder(folder: Path) -> bool:
    return folder.is_dir() and (folder / "HEAD").is_file() and (folder / "refs").is_dir()


def _common(folder: Path) -> Path:
    """Return the folder that all worktrees of a repository share."""
    common = _pointed(folder / "commondir", "") if (folder / "commondir").is_file() else folder
    if not _is_git_folder(common):
        raise FileNotFoundError(common)
    return common


def _pointed(file: Path, word: str) -> Path:
    """Return the folder a small file points to, on this machine."""
    text = _text(file, _SMALL).strip()
    if not text.startswith(word):
        raise ValueError(word)
    return _here(file.parent, text.removeprefix(word).strip())


def _here(folder: Path, text: str) -> Path:
    if text.startswith(("//", "\\\\")):
        raise ValueError("a path to another machine")
    return Path(os.path.normpath(folder / text))


def _shared(common: Path) -> str:
    """Return the folder that names a repository with worktrees: the main working tree, or the bare repository."""
    return str(
        common.parent if common.name in {".git", ".bare"} else common.with_name(common.name.removesuffix(".git"))
    )


def _branch(folder: Path) -> str | None:
    head = _text(folder / "HEAD", _SMALL).strip()
    return head.removeprefix(_BRANCH) if head.startswith(_BRANCH) and head.isprintable() else None


def _remotes(common: Path) -> Sequence[str]:
    """Return the addresses of a repository, `origin` first, the others by name."""
    from dulwich.config import ConfigFile

    content = io.BytesIO(_bytes(common / "config", _CONFIG))
    config = ConfigFile.from_file(content, expand_includes=False)
    named = {
        section[1]: config[section] for section in config.sections() if len(section) == 2 and section[0] == b"remote"
    }
    ordered = sorted(named, key=lambda name: (name != b"origin", name))
    urls = (next(named[name].get_all(b"url"), b"") for name in ordered)
    return [url.decode("utf-8", "surrogateescape") for url in urls if url]


def _follow(main: Path, urls: Sequence[str], hops: int) -> GitPlace | None:
    """Identify the repository on this machine that this one was cloned from."""
    path = next(filter(None, map(local_path, urls)), None)
    if path is None or hops == 0 or path.startswith("~"):
        return None
    try:
        return _identify(_here(main, path), hops - 1)
    except (OSError, ValueError):
        return None


def _root(common: Path, folder: Path) -> str | None:
    """Return the first commit, the same from every worktree; None when there is none or it can't be told."""
    if (common / "shallow").exists():
        return None
    heads = [common / "refs/heads/main", common / "refs/heads/master", common / "HEAD", folder / "HEAD"]
    try:
        tip = next(filter(None, (_tip(common, head) for head in heads)), None)
        return _first_commit(common / "objects", tip) if tip else None
    except Exception:  # As in `identify`: a damaged history leaves the rest of what the repository says.
        return None


def _tip(common: Path, head: Path) -> str | None:
    """Return the commit that a reference names, loose or packed."""
    name = head.relative_to(common).as_posix() if head.is_relative_to(common) else "HEAD"
    text = _text(head, _SMALL).strip() if head.is_file() else ""
    if text.startswith("ref: "):
        name = text.removeprefix("ref: ")
        loose = common / name
        inside = ".." not in Path(name).parts and not Path(name).is_absolute()
        text = _text(loose, _SMALL).strip() if inside and loose.is_file() else ""
    return text if _SHA.fullmatch(text) else _packed(common, name)


def _packed_names(common: Path) -> list[str]:
    packed = common / "packed-refs"
    lines = _text(packed, _PACKED).splitlines() if packed.is_file() else []
    return [line.partition(" ")[2] for line in lines]


def _packed(common: Path, name: str) -> str | None:
    packed = common / "packed-refs"
    if not packed.is_file():
        return None
    match = re.search(rf"^({_SHA.pattern}) {re.escape(name)}\r?$", _text(packed, _PACKED), re.MULTILINE)
    return match[1] if match else None


@lru_cache(maxsize=256)
def _first_commit(objects: Path, tip: str) -> str | None:
    """Walk first parents to the first commit: it stays the same while the history grows."""
    from dulwich.object_store import DiskObjectStore
    from dulwich.objects import Commit, ObjectID

    folders = [objects, *_alternates(objects, _HOPS)]
    if not all(map(_is_sound, folders)):
        return None
    store = DiskObjectStore(objects, loose_object_size_limit=_COMMIT)
    try:
        sha = tip
        for _ in range(_COMMITS):
            if not all(_is_regular(folder / sha[:2] / sha[2:]) for folder in folders):
                return None
            commit = store[ObjectID(sha.encode())]
            if not isinstance(commit, Commit):
                return None
            if not commit.parents:
                return sha
            sha = commit.parents[0].decode()
        return None
    finally:
        store.close()


def _alternates(objects: Path, hops: int) -> Iterator[Path]:
    """Yield the other object folders that a repository borrows from."""
    listed = objects / "info/alternates"
    if not listed.exists():
        return
    if hops == 0:
        raise ValueError("alternates without end")
    for line in _text(listed, _SMALL).splitlines():
        if line and not line.startswith("#"):
            folder = _here(objects, line)
            yield folder
            yield from _alternates(folder, hops - 1)


def _is_sound(objects: Path) -> bool:
    """Tell whether everything that the object store opens by itself is a regular file."""
    packs = objects / "pack"
    return all(map(_is_regular, packs.iterdir())) if packs.is_dir() else True


def _is_regular(path: Path) -> bool:
    """Tell whether a path is a regular file, or nothing at all."""
    try:
        return stat.S_ISREG(path.stat().st_mode)
    except FileNotFoundError:
        return True


def _text(path: Path, limit: int) -> str:
    return _bytes(path, limit).decode("utf-8", "surrogateescape")


def _bytes(path: Path, limit: int) -> bytes:
    """Read a regular file of bounded size; a pipe put in its place must not make us wait."""
    number = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    with open(number, "rb") as file:
        if not stat.S_ISREG(os.fstat(number).st_mode):
            raise ValueError("not a file")
        content = file.read(limit + 1)
    if len(content) > limit:
        raise ValueError("too large")
    return content
