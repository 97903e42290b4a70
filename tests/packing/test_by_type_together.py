"""OpenViking's recall on a real home: what was remembered, corrected and doubted."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from quoth.services.by_type import Request, read
from services.archive import Archive
from services.entries import correct, entry


@pytest.fixture
def archive(tmp_path: Path) -> Archive:
    archive = Archive(tmp_path)
    archive.project.mkdir(parents=True)
    return archive


def recall(archive: Archive, query: str, *, is_there: bool = True, **given: object) -> Any:
    asked = read({"query": query, **given})
    assert isinstance(asked, Request)

    def ask(kernel: Any) -> Any:
        scope = kernel.spots.of(cwd=str(archive.project)).scope
        return kernel.by_type.run(asked, actor=scope.repository if is_there else None)

    return archive.ask(ask)


@pytest.mark.req("OV-10", "OV-11", "OV-18")
def test_what_was_remembered_is_recalled_at_once_although_nothing_is_embedded(archive: Archive) -> None:
    entry(archive, "The bakery sells rye bread on Mondays.", type="event")
    entry(archive, "Tea without milk at the bakery, please.", type="preference", name="tea", scope="tenant")
    answer = recall(archive, "bakery", min_score=0)
    assert [(each["type"], each["origin"], each["rank"]) for each in answer["entries"]] == [
        ("events", "actor_peer", 1),
        ("preferences", "self", 1),
    ]
    assert answer["entries"][1]["uri"] == "viking://user/default/memories/preferences/tea.md"
    assert all(0 < each["score"] <= 1 for each in answer["entries"])
    elsewhere = recall(archive, "bakery", min_score=0, is_there=False)
    assert elsewhere["stats"]["origins"] == {"actor_peer": 0, "self": 1, "other_peer": 1}
    assert recall(archive, "bakery", min_score=0, peer_scope="actor")["stats"]["returned"] == 1


@pytest.mark.req("OV-21")
def test_a_correction_replaces_and_what_only_speaks_against_it_marks(archive: Archive) -> None:
    old = entry(archive, "The server of the bakery listens on port 8080.", type="fact")
    correct(archive, old, "The server of the bakery listens on port 1933.")
    entry(archive, "Staging uses PostgreSQL 15.", type="fact")
    entry(archive, "Staging uses PostgreSQL 16.", type="fact")
    port, *others = recall(archive, "which port does the server listen on", min_score=0)["entries"]
    assert port["content"].endswith("port 1933.")
    assert all("8080" not in each["content"] for each in others)
    told = [each["content"] for each in recall(archive, "Staging PostgreSQL", min_score=0)["entries"]]
    assert "(possibly outdated)\nStaging uses PostgreSQL 15." in told
    assert "Staging uses PostgreSQL 16." in told


@pytest.mark.req("OV-14")
def test_a_home_without_memory_answers_nothing(archive: Archive) -> None:
    assert recall(archive, "bakery")["entries"] == []


@pytest.mark.req("OV-11", "HMG-30")
def test_of_what_was_put_on_branches_only_the_main_one_counts(archive: Archive) -> None:
    git = archive.project / ".git"
    for folder in ("objects", "refs/heads"):
        (git / folder).mkdir(parents=True)
    (git / "config").write_text('[remote "origin"]\n\turl = git@github.com:acme/bakery.git\n')
    for branch in ("main", "feature"):
        (git / "HEAD").write_text(f"ref: refs/heads/{branch}\n")
        (git / "refs" / "heads" / branch).write_text(f"{1:040}\n")
        entry(archive, f"The bakery's oven waits on {branch}.", type="event", scope="branch")
    told = recall(archive, "bakery oven", min_score=0)["entries"]
    assert [each["content"].splitlines()[-1] for each in told] == ["The bakery's oven waits on main."]
