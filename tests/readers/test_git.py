"""`.git` is read without git: real repositories made by git itself, and hostile ones made by hand."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from quoth.core.places import GitPlace, Remote, project_of
from quoth.readers.git import identify

Git = Callable[..., str]

_NAMED = {
    "GIT_AUTHOR_NAME": "Ada",
    "GIT_AUTHOR_EMAIL": "ada@example.org",
    "GIT_COMMITTER_NAME": "Ada",
    "GIT_COMMITTER_EMAIL": "ada@example.org",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
}
_SHOP = Remote("github.com", "acme", "shop")


@pytest.fixture
def git(tmp_path: Path) -> Git:
    """Return a callable that runs git in a folder below the test's own."""

    def run(folder: str, *args: str) -> str:
        (tmp_path / folder).mkdir(parents=True, exist_ok=True)
        env = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), **_NAMED}
        command = ["git", "-c", "protocol.file.allow=always", *args]
        done = subprocess.run(command, cwd=tmp_path / folder, env=env, capture_output=True, check=True, timeout=60)
        return done.stdout.decode().strip()

    return run


def _commit(git: Git, folder: str, text: str = "one") -> str:
    git(folder, "commit", "-q", "--allow-empty", "-m", text)
    return git(folder, "rev-parse", "HEAD")


def _begin(git: Git, folder: str, remote: str | None = None) -> str:
    git(folder, "init", "-q", "-b", "main")
    if remote:
        git(folder, "remote", "add", "origin", remote)
    return _commit(git, folder)


def _seen(folder: Path) -> GitPlace:
    place = identify(folder)
    assert place is not None
    return place


def _project(folder: Path) -> str:
    place = project_of(str(folder), _seen(folder))
    assert place is not None
    return place.project


def test_a_directory_in_a_repository_has_its_remote_and_branch(git: Git, tmp_path: Path) -> None:
    _begin(git, "shop", "git@github.com:acme/shop.git")
    (tmp_path / "shop/src/deep").mkdir(parents=True)
    shop = str(tmp_path / "shop")
    assert _seen(tmp_path / "shop/src/deep") == GitPlace(shop, shop, _SHOP, None, "main")


@pytest.mark.req("OV-23")
def test_worktrees_and_clones_are_one_project(git: Git, tmp_path: Path) -> None:
    _begin(git, "shop", "https://ada:pw@github.com/acme/shop.git")
    git("shop", "worktree", "add", "-q", "-b", "fix", "../shop-fix")
    _begin(git, "elsewhere", "git@github.com:Acme/Shop.git")
    folders = [tmp_path / name for name in ("shop", "shop-fix", "elsewhere")]
    assert {_project(folder) for folder in folders} == {"git:github.com/acme/shop"}
    assert [_seen(folder).branch for folder in folders] == ["main", "fix", "main"]


@pytest.mark.req("OV-23")
def test_without_a_remote_worktrees_clones_and_renamed_folders_share_the_root_commit(git: Git, tmp_path: Path) -> None:
    first = _begin(git, "shop")
    _commit(git, "shop", "two")
    git("shop", "worktree", "add", "-q", "--detach", "../tree")
    git("tree", "switch", "-q", "--orphan", "pages")
    _commit(git, "tree", "another beginning")
    git(".", "clone", "-q", "shop", "copy")
    folders = [tmp_path / name for name in ("shop", "tree", "copy")]
    assert {_project(folder) for folder in folders} == {f"commit:{first}"}
    (tmp_path / "shop").rename(tmp_path / "bakery")
    assert _project(tmp_path / "bakery") == f"commit:{first}"


def test_the_root_commit_is_found_in_packs_packed_references_and_borrowed_objects(git: Git, tmp_path: Path) -> None:
    first = _begin(git, "shop")
    for number in range(5):
        _commit(git, "shop", str(number))
    git("shop", "gc", "-q")
    git(".", "clone", "-q", "--shared", "shop", "borrower")
    git("borrower", "remote", "remove", "origin")
    assert not (tmp_path / "shop/.git/refs/heads/main").exists()
    assert [_seen(tmp_path / name).root for name in ("shop", "borrower")] == [first, first]


def test_a_clone_of_a_folder_has_the_remote_of_that_folder(git: Git, tmp_path: Path) -> None:
    _begin(git, "shop", "git@github.com:acme/shop.git")
    git(".", "clone", "-q", "shop", "copy")
    assert _seen(tmp_path / "copy").remote == _SHOP


def test_two_folders_that_name_each_other_as_remote_end(git: Git, tmp_path: Path) -> None:
    first = _begin(git, "one", str(tmp_path / "two"))
    _begin(git, "two", str(tmp_path / "one"))
    assert _seen(tmp_path / "one").root == first


def test_a_submodule_is_a_repository_of_its_own(git: Git, tmp_path: Path) -> None:
    _begin(git, "part", "git@github.com:acme/part.git")
    _begin(git, "shop", "git@github.com:acme/shop.git")
    git("shop", "submodule", "--quiet", "add", str(tmp_path / "part"), "part")
    inside = _seen(tmp_path / "shop/part")
    assert inside.remote == Remote("github.com", "acme", "part")
    assert inside.top == str(tmp_path / "shop/part")


def test_worktrees_of_a_bare_repository_are_one_project(git: Git, tmp_path: Path) -> None:
    first = _begin(git, "seed")
    git(".", "clone", "-q", "--bare", "seed", "shop/.bare")
    git("shop/.bare", "remote", "remove", "origin")
    (tmp_path / "shop/.git").write_text("gitdir: ./.bare\n")
    git("shop", "worktree", "add", "-q", "main")
    places = [_seen(tmp_path / name) for name in ("shop/main", "shop")]
    assert [place.root for place in places] == [first, first]
    assert {place.main for place in places} == {str(tmp_path / "shop")}
    assert _seen(tmp_path / "shop/.bare").root == first


def test_the_origin_counts_before_other_remotes_and_the_first_by_name_without_it(git: Git, tmp_path: Path) -> None:
    _begin(git, "shop", "git@github.com:acme/shop.git")
    git("shop", "remote", "add", "backup", "git@example.org:ada/shop.git")
    assert _seen(tmp_path / "shop").remote == _SHOP
    git("shop", "remote", "remove", "origin")
    git("shop", "remote", "add", "zulu", "git@example.org:zulu/shop.git")
    assert _seen(tmp_path / "shop").remote == Remote("example.org", "ada", "shop")


def test_a_detached_head_has_no_branch_and_an_unborn_one_no_commit(git: Git, tmp_path: Path) -> None:
    _begin(git, "shop")
    git("shop", "checkout", "-q", "--detach")
    git("new", "init", "-q", "-b", "начало")
    assert _seen(tmp_path / "shop").branch is None
    assert (_seen(tmp_path / "new").branch, _seen(tmp_path / "new").root) == ("начало", None)


def test_a_shallow_clone_without_a_remote_has_no_root_commit(git: Git, tmp_path: Path) -> None:
    _begin(git, "shop")
    _commit(git, "shop", "two")
    git(".", "clone", "-q", "--depth", "1", f"file://{tmp_path}/shop", "copy")
    git("copy", "remote", "remove", "origin")
    assert _seen(tmp_path / "copy").root is None


def test_a_folder_without_a_repository_is_none(tmp_path: Path) -> None:
    (tmp_path / "plain/.git").mkdir(parents=True)
    assert identify(tmp_path / "plain") is None
    assert identify(tmp_path / "missing/deep") is None


# --- hostile ----------------------------------------------------------------------------------------------------------


@pytest.fixture
def shop(git: Git, tmp_path: Path) -> Path:
    _begin(git, "shop")
    return tmp_path / "shop"


@pytest.mark.req("ARC-4")
@pytest.mark.parametrize("name", ["config", "HEAD", "packed-refs", "refs/heads/main", "objects/pack/pack-1.idx"])
def test_a_pipe_in_place_of_a_file_does_not_hang(shop: Path, name: str) -> None:
    if name == "packed-refs":
        (shop / ".git/refs/heads/main").unlink()
    (shop / ".git" / name).unlink(missing_ok=True)
    os.mkfifo(shop / ".git" / name)
    place = identify(shop)
    assert place is None or place.root is None


@pytest.mark.req("ARC-4")
def test_a_pipe_in_place_of_a_commit_or_of_the_alternates_does_not_hang(shop: Path) -> None:
    os.mkfifo(shop / ".git/objects/info/alternates")
    assert _seen(shop).root is None
    (shop / ".git/objects/info/alternates").unlink()
    tip = (shop / ".git/refs/heads/main").read_text().strip()
    commit = shop / ".git/objects" / tip[:2] / tip[2:]
    commit.unlink()
    os.mkfifo(commit)
    assert _seen(shop).root is None


@pytest.mark.parametrize("content", [b"[remote", b"\x00" * 9, b'[remote "origin"]\n url = x\n' * 50_000, b"x = 1"])
def test_a_broken_or_huge_configuration_is_no_repository(shop: Path, content: bytes) -> None:
    (shop / ".git/config").write_bytes(content)
    assert identify(shop) is None


def test_a_configuration_is_not_followed_to_other_files(shop: Path, tmp_path: Path) -> None:
    (tmp_path / "other").write_text('[remote "origin"]\n\turl = git@github.com:acme/shop.git\n')
    with (shop / ".git/config").open("a") as config:
        config.write(f"[include]\n\tpath = {tmp_path}/other\n")
    assert _seen(shop).remote is None


@pytest.mark.parametrize("target", ["//server/share/x", "\\\\server\\share\\x", "/nowhere", "", ".", "x" * 9_000])
def test_a_git_file_that_leads_nowhere_or_to_another_machine_is_no_repository(tmp_path: Path, target: str) -> None:
    (tmp_path / ".git").write_text(f"gitdir: {target}\n")
    assert identify(tmp_path) is None


def test_links_in_a_circle_are_no_repository(shop: Path) -> None:
    shutil.rmtree(shop / ".git")
    (shop / ".git").symlink_to(shop / ".git")
    assert identify(shop) is None


def test_object_folders_that_borrow_from_each_other_end(shop: Path) -> None:
    (shop / ".git/objects/info/alternates").write_text(f"{shop}/.git/objects\n")
    assert _seen(shop).root is None


@pytest.mark.parametrize(
    "head", ["ref: ../../../../etc/passwd", "ref: /etc/passwd", "ref: ", "\x00", "ref: refs/heads/\x1b[31m"]
)
def test_a_head_that_leads_elsewhere_names_no_branch(shop: Path, head: str) -> None:
    (shop / ".git/HEAD").write_text(head)
    assert _seen(shop).branch is None


def test_a_damaged_history_has_no_root_commit(shop: Path) -> None:
    tip = (shop / ".git/refs/heads/main").read_text().strip()
    commit = shop / ".git/objects" / tip[:2] / tip[2:]
    commit.chmod(0o600)
    commit.write_bytes(b"not zlib")
    assert _seen(shop) == GitPlace(str(shop), str(shop), None, None, "main")
