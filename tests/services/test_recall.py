"""Recall as a service: what is proposed, ranked, cut and left out, by words alone."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from quoth.core.ledger.operations import Verdict
from quoth.core.speaker import Speaker
from quoth.services.recall import Where
from services.archive import Archive
from services.entries import correct, entry, forget, judge, remember

USER = Speaker("codex", said="user")


@pytest.fixture
def archive(tmp_path: Path) -> Archive:
    archive = Archive(tmp_path)
    archive.project.mkdir(parents=True)
    return archive


def recalled(archive: Archive, question: str, **asked: Any) -> list[tuple[str, float]]:
    """Return texts with their relevance as they are recalled where the archive's project is."""

    def use(kernel: Any) -> list[tuple[str, float]]:
        spot = kernel.spots.of(cwd=str(archive.project))
        limit = asked.pop("limit", 10)
        where = Where(**{"spot": spot, "is_only_here": True, "with_events": False, **asked})
        found = kernel.recall.ranked(question, where, limit=limit).falling()
        return [(row.version.statement.text, relevance) for row, relevance in found]

    result: list[tuple[str, float]] = archive.ask(use)
    return result


def texts(archive: Archive, question: str, **asked: Any) -> list[str]:
    return [text for text, _ in recalled(archive, question, **asked)]


@pytest.mark.req("HMG-11", "HMG-15")
def test_the_best_comes_first_and_what_is_not_relevant_is_left_out(archive: Archive) -> None:
    for text in ("Ovens are cleaned on Mondays.", "Bread is baked in ovens at night.", "Tea is green."):
        entry(archive, text)
    found = recalled(archive, "when is bread baked in ovens")
    assert [text for text, _ in found] == ["Bread is baked in ovens at night.", "Ovens are cleaned on Mondays."]
    assert 1 >= found[0][1] > found[1][1] > 0
    assert recalled(archive, "quarterly tax report") == []


@pytest.mark.req("HMG-12", "HMG-13")
def test_only_what_is_in_force_is_recalled(archive: Archive) -> None:
    ids = {name: entry(archive, f"The {name} oven is hot.") for name in ("first", "second", "third", "fourth", "fifth")}
    correct(archive, ids["first"], "The first stove is cold.")
    judge(archive, ids["second"], Verdict.NEGATE)
    judge(archive, ids["third"], Verdict.QUARANTINE)
    judge(archive, ids["fourth"], Verdict.SEAL)
    forget(archive, ids["fifth"])
    assert texts(archive, "hot oven") == []
    everything = {"with_negated": True, "with_replaced": True}
    assert set(texts(archive, "hot oven", **everything)) == {"The first oven is hot.", "The second oven is hot."}
    assert texts(archive, "cold stove") == ["The first stove is cold."]


@pytest.mark.req("HMG-15")
def test_of_many_that_are_alike_the_newest_come_first(archive: Archive) -> None:
    for number in range(12):
        entry(archive, f"Shelf {number:02} holds bread.")
    assert texts(archive, "shelf bread", limit=3) == [f"Shelf {number} holds bread." for number in (11, 10, "09")]


@pytest.mark.req("HMG-33")
def test_what_the_person_said_comes_before_equals_and_reports_the_same_relevance(archive: Archive) -> None:
    remember(archive, "Bread is brown.", by=USER)
    remember(archive, "Bread is white.")
    (first, high), (second, low) = recalled(archive, "bread")
    assert (first, second) == ("Bread is brown.", "Bread is white.")
    assert high == low


@pytest.mark.req("HMG-11")
def test_names_and_tags_are_words_of_an_entry(archive: Archive) -> None:
    remember(archive, "It is at eleven.", name="standup-time", tags=["calendar"])
    assert texts(archive, "standup") == texts(archive, "calendar") == ["It is at eleven."]


@pytest.mark.req("HMG-30")
def test_a_place_sees_what_is_wider_and_nothing_beside_it(archive: Archive, tmp_path: Path) -> None:
    (tmp_path / "work" / "other").mkdir()
    remember(archive, "Bread of the bakery.")
    remember(archive, "Bread of the other.", cwd=str(tmp_path / "work" / "other"))
    remember(archive, "Bread of everybody.", scope="tenant")
    assert set(texts(archive, "bread")) == {"Bread of the bakery.", "Bread of everybody."}
    assert len(texts(archive, "bread", spot=None)) == 3


@pytest.mark.req("HMG-30")
def test_projects_that_the_person_merged_are_one_place(archive: Archive, tmp_path: Path) -> None:
    other = tmp_path / "work" / "other"
    other.mkdir()
    remember(archive, "Bread of the bakery.")
    remember(archive, "Bread of the other.", cwd=str(other))
    archive.log().write_bytes(archive.record("hello", n=1))
    archive.log("6b1c2f6e-8f0a-4d7e-9d55-3a1c5e0f7a12").write_bytes(
        archive.record("hello", n=2, cwd=str(other), session="6b1c2f6e-8f0a-4d7e-9d55-3a1c5e0f7a12")
    )
    archive.sync()
    archive.ask(lambda kernel: kernel.projects.merge("other", "bakery"))
    assert set(texts(archive, "bread")) == {"Bread of the bakery.", "Bread of the other."}


@pytest.mark.req("HMG-11", "HMG-15")
def test_relevance_does_not_depend_on_the_order_of_writing(tmp_path: Path) -> None:
    said = ["Bread is baked.", "Bread and bread again.", "The oven bakes bread at night.", "数据库 bread", "No bread."]
    found = []
    for name, order in (("one", said), ("two", said[::-1])):
        archive = Archive(tmp_path / name)
        archive.project.mkdir(parents=True)
        for text in order:
            entry(archive, text)
        found.append(dict(recalled(archive, "bread oven")))
    assert found[0] == found[1]


def checked_out(archive: Archive, branch: str) -> None:
    git = archive.project / ".git"
    for folder in ("objects", "refs"):
        (git / folder).mkdir(parents=True, exist_ok=True)
    (git / "config").write_text('[remote "origin"]\n\turl = git@github.com:acme/bakery.git\n')
    (git / "HEAD").write_text(f"ref: refs/heads/{branch}\n")


@pytest.mark.req("HMG-30")
def test_what_was_said_on_the_branch_that_is_checked_out_comes_first(archive: Archive) -> None:
    for branch, text in (("feature", "Bread is baked in tins."), ("main", "Bread is baked by Ada.")):
        checked_out(archive, branch)
        assert remember(archive, text)["entry"]["scope"]["branch"] == ""
    assert texts(archive, "bread baked") == ["Bread is baked by Ada.", "Bread is baked in tins."]
    checked_out(archive, "feature")
    assert texts(archive, "bread baked") == ["Bread is baked in tins.", "Bread is baked by Ada."]


def test_what_is_said_of_a_wider_place_has_no_branch(archive: Archive) -> None:
    checked_out(archive, "main")
    rows = [entry(archive, f"Bread {scope}.", scope=scope) for scope in ("tenant", "repository")]
    said = archive.ask(lambda kernel: [kernel.memory.any_entry(row).version.statement.branch for row in rows])
    assert said == ["", "main"]


@pytest.mark.req("QUO-3")
def test_a_long_question_is_answered_by_what_it_begins_with_and_never_by_itself(archive: Archive) -> None:
    question = f"When is bread baked? {'The log says nothing. ' * 400}"
    archive.log().write_bytes(archive.record(question, n=1))
    archive.sync()
    entry(archive, "Bread is baked at night.")
    assert texts(archive, question, with_events=True) == ["Bread is baked at night."]


def test_asked_outside_any_project_nothing_is_of_another_one(archive: Archive) -> None:
    remember(archive, "The bakery sells bread.")

    def use(kernel: Any) -> list[tuple[float, bool]]:
        places = None, kernel.spots.of(cwd=str(archive.project)), kernel.spots.of(cwd="/")
        found = [kernel.recall.ranked("bread", Where(spot=spot), limit=1).items[0] for spot in places]
        return [(each.relevance, "elsewhere" in each.because) for each in found]

    nowhere, here, outside = archive.ask(use)
    assert nowhere == here == outside
