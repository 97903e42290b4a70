"""An entry applies where the work is: the repository of a directory, however it is called, at the level asked for."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from quoth.core.errors import Ambiguous, InvalidArgument, QuothError, UnknownProject
from quoth.core.ledger.values import Scope
from quoth.core.types import Level
from services.archive import Archive
from services.entries import entry, found, get

Repository = Callable[..., Path]

_ADDRESS = "https://ada:hunter2@github.com/Acme/Shop.git"
_SHOP = "git:github.com/acme/shop"


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    """Return a callable that makes a repository on a branch, with a remote when one is given."""

    def make(folder: str, remote: str | None = None, branch: str = "main") -> Path:
        place = tmp_path / folder
        subprocess.run(["git", "init", "-q", "-b", branch, str(place)], check=True, timeout=60)
        if remote:
            with (place / ".git/config").open("a") as config:
                config.write(f'[remote "origin"]\n\turl = {remote}\n')
        return place

    return make


@pytest.fixture
def archive(tmp_path: Path) -> Archive:
    made = Archive(tmp_path)
    made.env["USER"] = "ada"
    return made


def _scope(
    archive: Archive, cwd: Path | str | None = None, *, project: str | None = None, level: str = "repository"
) -> Scope:
    directory = str(cwd) if cwd else None
    found: Scope = archive.ask(lambda kernel: kernel.placing.scope(project=project, level=level, cwd=directory))
    return found


def _refused(archive: Archive, cwd: Path | None = None, **given: str) -> str:
    with pytest.raises(QuothError) as caught:
        _scope(archive, cwd, **given)
    return str(caught.value)


def _session(archive: Archive, cwd: Path, n: int) -> None:
    session = f"00000000-0000-4000-8000-{n:012}"
    archive.log(session).write_bytes(archive.record(f"word{n}", n=n, session=session, cwd=str(cwd)))


@pytest.mark.req("ENG-33")
def test_an_entry_belongs_to_the_repository_of_the_directory(archive: Archive, repository: Repository) -> None:
    shop = repository("shop", _ADDRESS)
    (shop / "src").mkdir()
    assert _scope(archive, shop / "src") == Scope("ada", "acme", _SHOP)


@pytest.mark.req("QUO-5")
@pytest.mark.parametrize(
    ("level", "scope"),
    [
        ("branch", Scope("ada", "acme", _SHOP, "spring-sale")),
        ("repository", Scope("ada", "acme", _SHOP)),
        ("workspace", Scope("ada", "acme")),
        ("tenant", Scope("ada")),
    ],
)
def test_a_level_widens_or_narrows_the_inferred_place(
    archive: Archive, repository: Repository, level: str, scope: Scope
) -> None:
    assert _scope(archive, repository("shop", _ADDRESS, "spring-sale"), level=level) == scope


def test_the_branch_is_the_present_one_however_old_the_observation_is(archive: Archive, repository: Repository) -> None:
    shop = repository("shop", _ADDRESS)
    _session(archive, shop, 1)
    archive.sync()
    subprocess.run(["git", "-C", str(shop), "symbolic-ref", "HEAD", "refs/heads/next"], check=True, timeout=60)
    assert _scope(archive, shop, level="branch").branch == "next"


def test_a_repository_without_a_remote_has_no_workspace(archive: Archive, repository: Repository) -> None:
    shop = repository("shop")
    assert _scope(archive, shop).repository.startswith("dir:")
    assert _refused(archive, shop, level="workspace") == (
        "`scope` must be branch, repository or tenant here; this project has no owner to be a workspace."
    )


def test_without_a_branch_checked_out_nothing_is_put_on_one(archive: Archive, repository: Repository) -> None:
    shop = repository("shop", _ADDRESS)
    (shop / ".git/HEAD").write_text("1" * 40 + "\n")
    assert "no branch of this project is checked out here" in _refused(archive, shop, level="branch")


def test_a_directory_without_git_is_one_place_at_every_branch(archive: Archive, tmp_path: Path) -> None:
    plain = tmp_path / "plain"
    plain.mkdir()
    assert _scope(archive, plain, level="branch") == _scope(archive, plain)
    assert _scope(archive, plain).workspace == ""


@pytest.mark.parametrize(("level", "repository"), [("branch", "chats"), ("repository", "chats"), ("workspace", "")])
def test_outside_any_project_there_is_one_personal_place(
    archive: Archive, tmp_path: Path, level: str, repository: str
) -> None:
    assert _scope(archive, tmp_path, level=level) == Scope("ada", "personal", repository)
    assert _scope(archive, "/", level=level) == Scope("ada", "personal", repository)


@pytest.mark.req("OV-23")
def test_folders_that_differ_in_punctuation_or_script_are_different_places(archive: Archive, tmp_path: Path) -> None:
    folders = [tmp_path / "src" / name for name in ("项目甲", "项目乙", "my-app", "my/app")]
    for folder in folders:
        folder.mkdir(parents=True)
    assert len({_scope(archive, folder).repository for folder in folders}) == 4


# --- a project by its name ---


@pytest.mark.req("QUO-5")
@pytest.mark.parametrize("name", ["Shop", "shop", "Acme/Shop", _SHOP])
def test_a_project_is_named_in_any_way_that_search_takes(archive: Archive, repository: Repository, name: str) -> None:
    _session(archive, repository("shop", _ADDRESS), 1)
    archive.sync()
    assert _scope(archive, project=name) == Scope("ada", "acme", _SHOP)
    assert _scope(archive, project=name, level="workspace") == Scope("ada", "acme")


def test_a_path_names_the_repository_around_it_before_any_session_was_read(
    archive: Archive, repository: Repository
) -> None:
    assert _scope(archive, project=str(repository("shop", _ADDRESS))).repository == _SHOP


@pytest.mark.parametrize("name", ["bakery", "acme/shop", "/nowhere", "./nowhere", "git:github.com/acme/shop"])
def test_a_project_that_nothing_is_known_of_is_told(archive: Archive, name: str) -> None:
    with pytest.raises(UnknownProject):
        _scope(archive, project=name)


def test_the_path_of_a_folder_that_is_no_repository_is_no_project(archive: Archive, tmp_path: Path) -> None:
    (tmp_path / "plain").mkdir()
    with pytest.raises(UnknownProject):
        _scope(archive, project=str(tmp_path / "plain"))


def test_a_name_of_two_projects_is_told_with_both(archive: Archive, repository: Repository) -> None:
    _session(archive, repository("one", _ADDRESS), 1)
    _session(archive, repository("two", "git@github.com:other/shop.git"), 2)
    archive.sync()
    with pytest.raises(Ambiguous, match="Acme/Shop"):
        _scope(archive, project="SHOP")


def test_a_branch_of_another_project_than_the_present_one_is_not_known(
    archive: Archive, repository: Repository
) -> None:
    shop, other = repository("shop", _ADDRESS), repository("other", "git@github.com:acme/other.git")
    _session(archive, shop, 1)
    archive.sync()
    assert _scope(archive, shop, project="shop", level="branch").branch == "main"
    assert "no branch of this project is checked out here" in _refused(archive, other, project="shop", level="branch")
    assert _scope(archive, other, project=str(shop), level="branch").branch == "main"


def test_what_the_person_merged_is_one_place(archive: Archive, repository: Repository) -> None:
    shop, fork = repository("shop", _ADDRESS), repository("fork", "git@github.com:ada/fork.git")
    _session(archive, shop, 1)
    _session(archive, fork, 2)
    archive.sync()
    archive.ask(lambda kernel: kernel.projects.merge("fork", "Acme/Shop"))
    assert _scope(archive, fork) == _scope(archive, project="shop") == Scope("ada", "acme", _SHOP)


def test_a_level_that_does_not_exist_is_told_with_those_that_do(archive: Archive, tmp_path: Path) -> None:
    with pytest.raises(InvalidArgument, match="`scope` must be one of branch, repository, workspace, tenant"):
        _scope(archive, tmp_path, level="planet")


def test_a_type_s_usual_level_gives_way_to_the_repository_where_it_is_not_there(
    archive: Archive, repository: Repository
) -> None:
    shop = repository("shop")
    usual = archive.ask(lambda kernel: kernel.placing.usual(Level.WORKSPACE, cwd=str(shop)))
    assert usual == _scope(archive, shop)
    (shop / ".git/HEAD").write_text("1" * 40 + "\n")
    assert archive.ask(lambda kernel: kernel.placing.usual(Level.BRANCH, cwd=str(shop))).branch == ""


@pytest.mark.req("INV-1", "ORI-25")
def test_a_project_without_sessions_keeps_its_name_when_its_folder_is_gone(archive: Archive, tmp_path: Path) -> None:
    plain = tmp_path / "пекарня"
    plain.mkdir()
    first = entry(archive, "The oven is new.", cwd=str(plain))
    plain.rmdir()
    archive.rebuild()
    assert get(archive, first)["entry"]["project"] == "пекарня"


@pytest.mark.req("ORI-34", "ORI-72")
def test_a_project_without_sessions_is_found_by_what_was_remembered_there(
    archive: Archive, repository: Repository
) -> None:
    shop = repository("shop", _ADDRESS)
    entry(archive, "The till is new.", cwd=str(shop))
    entry(archive, "The oven is new.", cwd="/")
    for name in ("shop", "Acme/Shop", _SHOP, str(shop), f"{shop}/src"):
        assert found(archive, project=name) == ["The till is new."]
    assert _scope(archive, project="shop").repository == _SHOP
