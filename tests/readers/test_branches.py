"""Whether a branch counts as the one that is checked out, as `.git` tells."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from quoth.readers.branches import landed
from readers.test_git import Git, git

__all__ = ["git"]

SHOP = "shop"


@pytest.fixture
def shop(git: Git, tmp_path: Path) -> Path:
    """Return a repository with a commit on main and two on a branch called work; main is checked out."""
    git(SHOP, "init", "-q", "-b", "main")
    commit(git, "one")
    git(SHOP, "checkout", "-q", "-b", "work")
    commit(git, "two")
    commit(git, "three")
    git(SHOP, "checkout", "-q", "main")
    return tmp_path / SHOP


def has_landed(directory: Path, branch: str) -> bool:
    return landed(directory, [branch]) == [branch]


def commit(git: Git, text: str) -> None:
    git(SHOP, "commit", "-q", "--allow-empty", "-m", text)


@pytest.mark.req("HMG-30")
def test_a_branch_with_commits_of_its_own_has_not_landed(shop: Path) -> None:
    assert not has_landed(shop, "work")


@pytest.mark.req("HMG-30")
@pytest.mark.parametrize("how", ["--no-ff", "--ff-only"])
def test_a_merged_branch_has_landed(how: str, git: Git, shop: Path) -> None:
    git(SHOP, "merge", "-q", how, "-m", "merged", "work")
    assert has_landed(shop, "work")
    (shop / "src").mkdir()
    assert has_landed(shop / "src", "work")
    git(SHOP, "pack-refs", "--all")
    git(SHOP, "gc", "-q")
    assert has_landed(shop, "work")
    commit(git, "four")
    assert has_landed(shop, "work")


@pytest.mark.req("HMG-30")
def test_a_branch_that_was_only_begun_has_not_landed(git: Git, shop: Path) -> None:
    git(SHOP, "checkout", "-q", "-b", "fresh")
    git(SHOP, "checkout", "-q", "main")
    assert not has_landed(shop, "fresh")
    commit(git, "four")
    assert not has_landed(shop, "fresh")


@pytest.mark.req("HMG-30")
def test_a_branch_that_is_gone_has_landed(git: Git, shop: Path) -> None:
    git(SHOP, "branch", "-q", "-D", "work")
    assert has_landed(shop, "work")


@pytest.mark.req("HMG-30")
def test_a_branch_that_was_never_here_is_not_gone(shop: Path) -> None:
    assert not has_landed(shop, "elsewhere")


@pytest.mark.req("HMG-30")
@pytest.mark.parametrize("is_packed", [False, True])
def test_a_branch_that_others_still_have_is_not_gone(is_packed: bool, git: Git, shop: Path) -> None:
    git(SHOP, "update-ref", "refs/remotes/origin/work", "work")
    git(SHOP, "branch", "-q", "-D", "work")
    if is_packed:
        git(SHOP, "pack-refs", "--all")
    assert not has_landed(shop, "work")


@pytest.mark.req("HMG-30")
def test_a_renamed_branch_is_the_same_branch(git: Git, shop: Path) -> None:
    git(SHOP, "checkout", "-q", "work")
    git(SHOP, "branch", "-q", "-m", "better")
    assert has_landed(shop, "work")  # it is the present one
    git(SHOP, "checkout", "-q", "main")
    assert not has_landed(shop, "work")
    git(SHOP, "merge", "-q", "better")
    assert has_landed(shop, "work")


@pytest.mark.req("HMG-30")
def test_a_worktree_tells_by_what_it_has_checked_out(git: Git, shop: Path, tmp_path: Path) -> None:
    git(SHOP, "worktree", "add", "-q", "../side", "work")
    assert not has_landed(shop, "work")
    assert has_landed(tmp_path / "side", "work")
    assert has_landed(tmp_path / "side", "main")  # everything on it is in work as well
    commit(git, "four")
    assert not has_landed(tmp_path / "side", "main")


@pytest.mark.parametrize("damage", ["logs", "objects", "refs", "HEAD"])
def test_a_damaged_repository_tells_nothing(damage: str, git: Git, shop: Path) -> None:
    git(SHOP, "merge", "-q", "--no-ff", "-m", "merged", "work")
    broken = shop / ".git" / damage
    shutil.rmtree(broken) if broken.is_dir() else broken.write_bytes(b"\x00\xff")
    assert not has_landed(shop, "work")


@pytest.mark.parametrize("branch", ["", "../../../HEAD", "/etc/passwd", "a b", "..", "\x00", "x" * 5_000])
def test_a_name_that_is_none_tells_nothing(branch: str, shop: Path) -> None:
    assert not has_landed(shop, branch)


def test_outside_a_repository_nothing_has_landed(tmp_path: Path) -> None:
    assert not has_landed(tmp_path, "work")
    assert not has_landed(tmp_path / "gone", "work")


def test_a_branch_that_tells_nothing_keeps_no_other_from_being_told(git: Git, shop: Path) -> None:
    git(SHOP, "merge", "-q", "work")
    assert landed(shop, ["\x00", "work", "elsewhere"]) == ["work"]
