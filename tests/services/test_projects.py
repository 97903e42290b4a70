"""Sessions belong to repositories: observed once, kept in the journal, found by whatever a person calls them."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest

from quoth.core.errors import Ambiguous, InvalidArgument, UnknownProject
from quoth.core.model import Exclusion, Project
from quoth.wiring import Kernel
from services.archive import Archive

GitPlaces = Callable[..., Path]


@pytest.fixture
def repository(tmp_path: Path) -> GitPlaces:
    """Return a callable that makes a repository as git would, with a remote when one is given."""

    def make(folder: str, remote: str | None = None) -> Path:
        place = tmp_path / folder
        place.mkdir(parents=True, exist_ok=True)
        subprocess.run(["git", "init", "-q", "-b", "main", str(place)], check=True, timeout=60)
        if remote:
            publish(place, remote)
        return place

    return make


def publish(place: Path, remote: str) -> None:
    with (place / ".git/config").open("a") as config:
        config.write(f'[remote "origin"]\n\turl = {remote}\n')


def _work(archive: Archive, cwd: Path | str, *, n: int) -> str:
    """Write a session of one message in a directory, and return its id."""
    session = f"00000000-0000-4000-8000-{n:012}"
    archive.log(session).write_bytes(archive.record(f"word{n}", n=n, session=session, cwd=str(cwd)))
    return session


def _projects(archive: Archive) -> list[Project]:
    return sorted(archive.ask(lambda kernel: kernel.projects.list()), key=lambda project: project.id)


def _shown(archive: Archive) -> dict[str, Any]:
    """Return the project that each session shows."""
    return {row["session"]: row["project"] for row in archive.answers()["sessions"]}


def _find(archive: Archive, text: str) -> tuple[str, ...]:
    return archive.ask(lambda kernel: kernel.projects.find(text))


def _ids(projects: Iterable[Project]) -> set[str]:
    return {project.id for project in projects}


@pytest.mark.req("OV-23")
def test_clones_and_folders_inside_a_repository_are_one_project(archive: Archive, repository: GitPlaces) -> None:
    shop = repository("src/shop", "git@github.com:acme/shop.git")
    copy = repository("src/copy", "https://x:y@github.com/Acme/Shop")
    (shop / "deep").mkdir()
    for n, cwd in enumerate([shop, shop / "deep", copy], 1):
        _work(archive, cwd, n=n)
    archive.sync()
    (project,) = _projects(archive)
    assert (project.id, project.sessions) == ("git:github.com/acme/shop", 3)
    assert {str(shown).lower() for shown in _shown(archive).values()} == {"shop"}


@pytest.mark.req("OV-23")
def test_folders_of_other_names_are_other_projects_and_no_folder_is_none(archive: Archive, tmp_path: Path) -> None:
    names = ["项目甲", "项目乙", "my-app", "my/app"]
    sessions = [_work(archive, tmp_path / "src" / name, n=n) for n, name in enumerate(names, 1)]
    home, root = _work(archive, archive.folder, n=8), _work(archive, "/", n=9)
    archive.sync()
    assert len(_projects(archive)) == 4
    shown = _shown(archive)
    assert [shown[session] for session in sessions] == ["项目甲", "项目乙", "my-app", "app"]
    assert (shown[home], shown[root]) == (None, None)


@pytest.mark.req("INV-1")
def test_a_rebuild_keeps_what_was_seen_though_the_directory_is_gone(archive: Archive, repository: GitPlaces) -> None:
    shop = repository("src/shop", "git@github.com:acme/shop.git")
    _work(archive, shop, n=1)
    archive.sync()
    before = _projects(archive)
    shutil.rmtree(shop)
    repository("src/shop", "git@github.com:other/thing.git")
    archive.rebuild()
    assert _projects(archive) == before


def test_a_repository_moves_to_its_remote_when_it_is_published(archive: Archive, repository: GitPlaces) -> None:
    shop = repository("src/shop")
    plain = shop.with_name("plain")
    plain.mkdir()
    _work(archive, shop, n=1)
    _work(archive, plain, n=2)
    archive.sync()
    assert all(project.id.startswith("dir:") for project in _projects(archive))
    publish(shop, "git@github.com:acme/shop.git")
    repository("src/plain", "git@github.com:acme/plain.git")
    archive.sync()
    expected = {"git:github.com/acme/shop", "git:github.com/acme/plain"}
    assert _ids(_projects(archive)) == expected
    archive.rebuild()
    assert _ids(_projects(archive)) == expected


@pytest.mark.req("SEC-3")
def test_no_credential_of_a_remote_reaches_the_store(archive: Archive, repository: GitPlaces) -> None:
    shop = repository("src/shop", "https://ada:gh0_s3cr3t@github.com/acme/shop.git?token=gh0_s3cr3t")
    _work(archive, shop, n=1)
    archive.sync()
    stored = [path.read_bytes() for path in archive.home.rglob("*") if path.is_file()]
    assert any(b"acme" in content for content in stored)
    assert not any(b"gh0_s3cr3t" in content for content in stored)


# --- finding ----------------------------------------------------------------------------------------------------------


@pytest.fixture
def two(archive: Archive, repository: GitPlaces) -> Archive:
    """Return an archive with two projects of one name and one of another."""
    for n, owner in enumerate(["acme", "ada"], 1):
        _work(archive, repository(f"src/{owner}", f"git@github.com:{owner}/shop.git"), n=n)
    _work(archive, repository("src/Пекарня"), n=3)
    archive.sync()
    return archive


@pytest.mark.parametrize("text", ["acme/shop", "ACME/Shop", "git:github.com/acme/shop"])
def test_a_project_is_found_by_owner_and_name_or_id(two: Archive, text: str) -> None:
    assert _find(two, text) == ("git:github.com/acme/shop",)


def test_a_name_of_several_projects_lists_what_to_pass(two: Archive) -> None:
    with pytest.raises(Ambiguous) as refused:
        _find(two, "shop")
    assert sorted(refused.value.candidates) == ["acme/shop", "ada/shop"]
    assert _find(two, "пекарня") == _find(two, "Пекарня")


def test_a_project_is_found_by_a_path_in_it(two: Archive, tmp_path: Path) -> None:
    shop = tmp_path / "src/acme"
    (shop / "new/folder").mkdir(parents=True)
    for path in (shop, shop / "new/folder", f"{shop}/", f"{shop}/new/.."):
        assert _find(two, str(path)) == ("git:github.com/acme/shop",)
    shutil.rmtree(shop)
    assert _find(two, str(shop / "gone")) == ("git:github.com/acme/shop",)


@pytest.mark.parametrize("text", ["sho", "acme", "acme/shop2", "/", "/nowhere", "../x", "", "\x00", "git:github.com"])
def test_what_no_session_belongs_to_is_unknown(two: Archive, text: str) -> None:
    with pytest.raises(UnknownProject):
        _find(two, text)


# --- correcting -------------------------------------------------------------------------------------------------------


def _correct(archive: Archive, use: Callable[[Kernel], Any]) -> Any:
    return archive.ask(use)


def test_a_merged_project_answers_with_the_other_also_after_a_rebuild(two: Archive, tmp_path: Path) -> None:
    whole = _correct(two, lambda kernel: kernel.projects.merge("ada/shop", "acme/shop"))
    assert (whole.id, whole.sessions) == ("git:github.com/acme/shop", 2)
    for _ in range(2):
        assert len(_projects(two)) == 2
        assert _find(two, "shop") == _find(two, str(tmp_path / "src/ada")) == (whole.id,)
        two.rebuild()


def test_a_renamed_project_is_found_and_shown_by_its_new_name(two: Archive) -> None:
    renamed = _correct(two, lambda kernel: kernel.projects.rename("ada/shop", " 面包店 "))
    assert renamed.display == "面包店"
    for _ in range(2):
        assert _find(two, "面包店") == ("git:github.com/ada/shop",)
        assert "面包店" in _shown(two).values()
        two.rebuild()


def test_later_sessions_of_a_merged_project_follow(two: Archive, tmp_path: Path) -> None:
    _correct(two, lambda kernel: kernel.projects.merge("ada/shop", "acme/shop"))
    (tmp_path / "src/ada/sub").mkdir()
    _work(two, tmp_path / "src/ada/sub", n=7)
    two.sync()
    assert {project.sessions for project in _projects(two)} == {3, 1}


@pytest.mark.parametrize("name", ["", "  ", "x" * 201, "a\x1b[31m"])
def test_a_name_that_cannot_be_shown_is_refused(two: Archive, name: str) -> None:
    with pytest.raises(InvalidArgument):
        _correct(two, lambda kernel: kernel.projects.rename("ada/shop", name))
    with pytest.raises(InvalidArgument):
        _correct(two, lambda kernel: kernel.projects.merge("ada/shop", "git:github.com/ada/shop"))


# --- excluding --------------------------------------------------------------------------------------------------------


@pytest.mark.req("QUO-11")
@pytest.mark.parametrize(
    ("kind", "value"), [("folder", "src/ada"), ("project", "ada/shop"), ("project", "git:github.com/ada/shop")]
)
def test_what_is_excluded_before_the_first_look_is_never_read(
    archive: Archive, repository: GitPlaces, tmp_path: Path, kind: str, value: str
) -> None:
    for n, owner in enumerate(["acme", "ada"], 1):
        _work(archive, repository(f"src/{owner}", f"git@github.com:{owner}/shop.git"), n=n)
    value = str(tmp_path / value) if kind == "folder" else value
    archive.ask(lambda kernel: kernel.exclude.add(kind, value))
    archive.sync()
    assert archive.spoken() == ["word1"]
    assert not [path for path in archive.home.rglob("*.tail") if b"word2" in path.read_bytes()]
    archive.ask(lambda kernel: kernel.exclude.remove(kind, value))
    archive.sync()
    assert sorted(archive.spoken()) == ["word1", "word2"]


@pytest.mark.req("QUO-11")
def test_what_was_read_before_stays_and_the_project_keeps_its_name(two: Archive) -> None:
    excluded = two.ask(lambda kernel: kernel.exclude.add("project", "ada/shop"))
    assert excluded.is_new
    assert excluded.exclusion == Exclusion("project", "git:github.com/ada/shop")
    assert excluded.name == next(p.display for p in two.ask(lambda kernel: kernel.projects.list()) if p.owner == "ada")
    assert two.ask(lambda kernel: kernel.exclude.list()) == [(excluded.exclusion, excluded.name)]
    assert [e["name"] for e in two.ask(lambda kernel: kernel.status.run())["excluded"]] == [excluded.name]
    two.sync()
    assert "word2" in two.spoken()
    assert not two.ask(lambda kernel: kernel.exclude.add("project", "ADA/shop")).is_new


@pytest.mark.req("QUO-11")
def test_an_exclusion_that_means_nothing_is_refused(two: Archive) -> None:
    with pytest.raises(Ambiguous):
        two.ask(lambda kernel: kernel.exclude.add("project", "shop"))
    for kind, value in [("colour", "red"), ("folder", " "), ("pattern", "")]:
        with pytest.raises(InvalidArgument):
            two.ask(lambda kernel, kind=kind, value=value: kernel.exclude.add(kind, value))
    assert two.ask(lambda kernel: kernel.exclude.list()) == []
