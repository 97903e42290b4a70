"""A project keeps its name in a home that has no session of it, and is listed where something is remembered of it."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quoth.core.errors import Ambiguous, ImportRefused, UnknownProject
from quoth.core.ids import ProjectId
from quoth.core.ledger.exported import is_tellable, line, read_line
from quoth.core.model import Named
from services.archive import Archive
from services.remembering import PERSON, begun, forget, index_of, remember

SHOP = "git:github.com/acme/shop"


@pytest.fixture
def archive(tmp_path: Path) -> Archive:
    """Return a home with a session in the folder `bakery` and in the repository `Shop`, and an entry for each."""
    archive = begun(tmp_path)
    shop = tmp_path / "src/clone"
    _repository(shop, "https://ada:s3cr3t@github.com/acme/Shop.git")
    session = "00000000-0000-4000-8000-000000000001"
    archive.log(session).write_bytes(archive.record("Let us ship it.", n=9, session=session, cwd=str(shop)))
    archive.sync()
    remember(archive, "Rye needs a starter.", project="bakery", type="decision")
    remember(archive, "The shop ships on Mondays.", project="Shop", type="decision")
    return archive


@pytest.fixture
def other(tmp_path: Path) -> Archive:
    """Return an empty home of another machine."""
    return Archive(tmp_path / "elsewhere", "other")


def _repository(folder: Path, remote: str) -> None:
    subprocess.run(["git", "init", "-q", "-b", "main", str(folder)], check=True, timeout=60)
    with (folder / ".git/config").open("a") as config:
        config.write(f'[remote "origin"]\n\turl = {remote}\n')


def _import(archive: Archive, file: Path, **more: Any) -> Any:
    return archive.ask(lambda kernel: kernel.importing.run(file, by=PERSON, **more))


def _export(archive: Archive, out: Path, **more: Any) -> Path:
    archive.ask(lambda kernel: kernel.export.save(out, **more))
    return out


def _listed(archive: Archive) -> dict[str, int]:
    """Return the sessions of each project by the name shown."""
    return archive.ask(lambda kernel: {each.display: each.sessions for each in kernel.projects.list()})


def _texts(archive: Archive, project: str) -> list[str]:
    answer: Mapping[str, Any] = archive.ask(lambda kernel: kernel.search.run(project=project, target="entries"))
    return [each["text"] for each in answer["entries"]]


def _brief(archive: Archive, project: str) -> str:
    return str(archive.ask(lambda kernel: kernel.brief.run(project=project))["text"])


def _records(file: Path, kind: str) -> list[dict[str, Any]]:
    return [each for each in map(json.loads, file.read_text("utf-8").splitlines()) if each["record"] == kind]


# --- what is listed ---


def test_a_project_with_entries_and_no_session_is_listed_and_can_be_renamed_and_merged(archive: Archive) -> None:
    _repository(archive.folder / "src/quiet", "git@github.com:acme/quiet.git")
    entry = remember(archive, "Quiet hours begin at ten.", project=str(archive.folder / "src/quiet"))
    assert _listed(archive) == {"bakery": 1, "Shop": 1, "quiet": 0}
    renamed = archive.ask(lambda kernel: kernel.projects.rename("quiet", "Quiet hours"))
    assert (renamed.display, renamed.sessions) == ("Quiet hours", 0)
    assert _texts(archive, "Quiet hours") == ["Quiet hours begin at ten."]
    merged = archive.ask(lambda kernel: kernel.projects.merge("Quiet hours", "Shop"))
    assert (merged.display, _listed(archive)) == ("Shop", {"bakery": 1, "Shop": 1})
    assert len(_texts(archive, "Shop")) == 2
    forget(archive, entry)
    assert len(_texts(archive, "Shop")) == 1


@pytest.mark.req("INV-5")
def test_a_project_of_which_all_is_forgotten_is_not_listed(archive: Archive) -> None:
    _repository(archive.folder / "src/quiet", "git@github.com:acme/quiet.git")
    entry = remember(archive, "Quiet hours begin at ten.", project=str(archive.folder / "src/quiet"))
    assert "quiet" in _listed(archive)
    forget(archive, entry)
    assert "quiet" not in _listed(archive)


def test_a_repository_named_by_its_path_is_shown_by_its_name(archive: Archive) -> None:
    folder = archive.folder / "src/unpublished"
    subprocess.run(["git", "init", "-q", "-b", "main", str(folder)], check=True, timeout=60)
    remember(archive, "It is not published yet.", project=str(folder))
    assert _listed(archive) == {"bakery": 1, "Shop": 1, "unpublished": 0}
    assert _texts(archive, "unpublished") == ["It is not published yet."]


# --- what travels ---


def test_an_imported_project_keeps_its_name_in_every_verb(archive: Archive, other: Archive, tmp_path: Path) -> None:
    _import(other, _export(archive, tmp_path / "memory.jsonl"))
    assert _listed(other) == {"Shop": 0, "bakery": 0}
    assert _texts(other, "bakery") == ["Rye needs a starter."]
    assert _texts(other, "acme/shop") == _texts(other, SHOP) == ["The shop ships on Mondays."]
    assert "The shop ships on Mondays." in _brief(other, "Shop")
    answer = other.ask(lambda kernel: kernel.search.run("starter"))
    assert [each["project"] for each in answer["entries"]] == ["bakery"]


@pytest.mark.req("INV-1")
def test_the_name_survives_a_rebuild_and_a_lost_index(archive: Archive, other: Archive, tmp_path: Path) -> None:
    _import(other, _export(archive, tmp_path / "memory.jsonl"))
    other.rebuild()
    assert _listed(other) == {"Shop": 0, "bakery": 0}
    index_of(other).unlink()
    other.sync()
    assert _texts(other, "bakery") == ["Rye needs a starter."]
    assert _listed(other) == {"Shop": 0, "bakery": 0}


def test_the_name_goes_on_to_a_third_home(archive: Archive, other: Archive, tmp_path: Path) -> None:
    _import(other, _export(archive, tmp_path / "one.jsonl"))
    third = Archive(tmp_path / "third", "third")
    _import(third, _export(other, tmp_path / "two.jsonl"))
    assert _listed(third) == {"Shop": 0, "bakery": 0}


def test_an_import_again_notes_nothing_new(archive: Archive, other: Archive, tmp_path: Path) -> None:
    file = _export(archive, tmp_path / "memory.jsonl")
    _import(other, file)
    before = (other.home / "observations.jsonl").read_bytes()
    _import(other, file)
    assert (other.home / "observations.jsonl").read_bytes() == before


def test_a_preview_notes_nothing(archive: Archive, other: Archive, tmp_path: Path) -> None:
    _import(other, _export(archive, tmp_path / "memory.jsonl"), dry_run=True)
    assert b"bakery" not in (other.home / "observations.jsonl").read_bytes()


def test_a_project_with_sessions_here_keeps_the_name_it_has_here(archive: Archive, tmp_path: Path) -> None:
    again = Archive(tmp_path, "again")
    archive.ask(lambda kernel: kernel.projects.rename("bakery", "Backstube"))
    file = _export(archive, tmp_path / "memory.jsonl")
    assert "Backstube" in {each["name"] for each in _records(file, "project")}
    _import(again, file)
    assert _listed(again) == {"Shop": 0, "Backstube": 0}
    again.sync()
    assert _listed(again) == {"Shop": 1, "bakery": 1}


def test_two_imported_projects_of_one_name_are_told_apart(archive: Archive, other: Archive, tmp_path: Path) -> None:
    _repository(tmp_path / "src/other", "git@github.com:beta/Shop.git")
    remember(archive, "Beta opens at nine.", cwd=str(tmp_path / "src/other"))
    _import(other, _export(archive, tmp_path / "memory.jsonl"))
    assert _listed(other) == {"acme/Shop": 0, "beta/Shop": 0, "bakery": 0}
    with pytest.raises(Ambiguous) as refused:
        _texts(other, "Shop")
    assert sorted(refused.value.candidates) == ["acme/Shop", "beta/Shop"]
    assert _texts(other, "beta/Shop") == ["Beta opens at nine."]


def test_only_what_the_chosen_entries_belong_to_is_told(archive: Archive, tmp_path: Path) -> None:
    file = _export(archive, tmp_path / "memory.jsonl", project="bakery")
    assert [each["name"] for each in _records(file, "project")] == ["bakery"]


@pytest.mark.req("SEC-3")
def test_neither_a_credential_nor_a_folder_travels(archive: Archive, tmp_path: Path) -> None:
    file = _export(archive, tmp_path / "memory.jsonl")
    assert {"record": "project", "project": SHOP, "name": "Shop", "owner": "acme"} in _records(file, "project")
    assert "s3cr3t" not in file.read_text("utf-8")
    assert not [each for each in _records(file, "project") if str(tmp_path) in json.dumps(each)]


def test_entries_that_get_another_project_bring_no_name(archive: Archive, other: Archive, tmp_path: Path) -> None:
    _repository(other.folder / "src/mine", "git@github.com:acme/mine.git")
    file = _export(archive, tmp_path / "memory.jsonl")
    _import(other, file, project=str(other.folder / "src/mine"))
    assert _listed(other) == {"mine": 0}
    with pytest.raises(UnknownProject):
        _texts(other, "bakery")


def test_an_export_of_before_that_tells_no_projects_is_still_read(
    archive: Archive, other: Archive, tmp_path: Path
) -> None:
    file = _export(archive, tmp_path / "memory.jsonl")
    header, *records = map(json.loads, file.read_text("utf-8").splitlines())
    older = [{**header, "format": 1}, *(each for each in records if each["record"] != "project")]
    file.write_text("".join(f"{json.dumps(each)}\n" for each in older), "utf-8")
    assert _import(other, file)["added"] == 2
    names = _listed(other)
    assert set(names.values()) == {0}
    assert "shop" in names
    assert _texts(other, "shop") == ["The shop ships on Mondays."]
    (unnamed,) = names.keys() - {"shop"}
    assert _texts(other, unnamed) == ["Rye needs a starter."]


@pytest.mark.req("SEC-10")
@pytest.mark.parametrize(
    "told",
    [
        {"project": "bakery"},
        {"project": "git:"},
        {"project": "git:github.com/acme/shop\n"},
        {"project": "git:ada:s3cr3t@github.com/acme/shop"},
        {"name": ""},
        {"name": "a\x1b[31m"},
        {"name": "x" * 201},
        {"owner": "a\x00"},
        {"owner": 7},
        {"name": None},
    ],
)
def test_a_project_that_is_none_refuses_the_file(
    archive: Archive, other: Archive, tmp_path: Path, told: dict[str, Any]
) -> None:
    file = _export(archive, tmp_path / "memory.jsonl")
    lines = [json.loads(each) for each in file.read_text("utf-8").splitlines()]
    lines[1] = {"record": "project", "project": SHOP, "name": "Shop", "owner": "acme", **told}
    file.write_text("".join(f"{json.dumps(each)}\n" for each in lines), "utf-8")
    with pytest.raises(ImportRefused, match="line 2"):
        _import(other, file)


@given(st.text(max_size=210), st.none() | st.text(max_size=210), st.sampled_from([SHOP, "dir:0a", "commit:ff", "x"]))
def test_what_an_export_may_tell_of_a_project_is_read_as_it_was_told(name: str, owner: str | None, id_: str) -> None:
    told = Named(ProjectId(id_), name, owner)
    if is_tellable(told):
        assert read_line(line(told)) == told
    else:
        with pytest.raises(ValueError, match="project"):
            read_line(json.dumps({"record": "project", "project": id_, "name": name, "owner": owner}))


@pytest.mark.req("SEC-10")
def test_a_secret_in_a_name_is_taken_out(archive: Archive, other: Archive, tmp_path: Path) -> None:
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    file = _export(archive, tmp_path / "memory.jsonl")
    file.write_text(file.read_text("utf-8").replace('"name":"bakery"', f'"name":"{secret}"'), "utf-8")
    assert _import(other, file)["redacted"] == 1
    assert not [path for path in other.home.rglob("*") if path.is_file() and secret.encode() in path.read_bytes()]
