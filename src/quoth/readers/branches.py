"""Tell whether a branch counts as the one that is checked out, from `.git` alone: it was merged into it, or it is gone.

A branch that never had a commit of its own can't be told from a merged one by its commits, so its own log decides; and
a branch that this working tree never saw is not gone, it lives elsewhere. Where nothing tells, the branch is its own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from quoth.readers.git import Repository, is_ancestor, repository

_RENAMED = re.compile(r"Branch: renamed refs/heads/(\S+) to refs/heads/(\S+)")
_MOVED = re.compile(r"checkout: moving from (\S+) to (\S+)")
_MADE = ("branch: Created from", "clone: from", "Branch: renamed")


def landed(directory: Path, branches: Sequence[str]) -> Sequence[str]:
    """Return those of some branches that were merged into what is checked out in a directory, or are gone from its
    repository. What happened there is read once."""
    if not branches:
        return []
    with suppress(Exception):  # A repository is foreign input: whatever is wrong with it, the branch is its own.
        if found := repository(directory.absolute()):
            told = list(_told(found))
            return [branch for branch in branches if _is_landed(found, branch, told)]
    return []


def _is_landed(found: Repository, branch: str, told: list[str]) -> bool:
    with suppress(Exception):
        return _has_landed(found, branch, told)
    return False


def _has_landed(found: Repository, branch: str, told: list[str]) -> bool:
    branch = _renamed(branch, told)
    if branch == found.branch():
        return True
    tip = found.tip(f"refs/heads/{branch}")
    if tip is None:
        return _was_here(branch, told) and not found.is_published(branch)
    head = found.tip("HEAD")
    return head is not None and _has_own_commits(found, branch) and is_ancestor(found.common / "objects", tip, head)


def _told(found: Repository) -> Iterator[str]:
    """Yield what happened to what is checked out here, the oldest first."""
    for folder in dict.fromkeys((found.common, found.folder)):
        yield from found.log(folder, "HEAD")


def _renamed(branch: str, told: list[str]) -> str:
    """Return what a branch is called now."""
    for line in told:
        if (match := _RENAMED.fullmatch(line)) and match[1] == branch:
            branch = match[2]
    return branch


def _was_here(branch: str, told: list[str]) -> bool:
    return any(branch in match.groups() for line in told if (match := _MOVED.fullmatch(line)))


def _has_own_commits(found: Repository, branch: str) -> bool:
    """Tell whether anything was committed to a branch after it was made."""
    return any(not line.startswith(_MADE) for line in found.log(found.common, f"refs/heads/{branch}"))
