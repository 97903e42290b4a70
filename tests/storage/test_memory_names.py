"""Entries by id, by name, by project, and by what they cite."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from ledger.world import statement
from quoth.core.ids import EntryId, ProjectId, ulid
from quoth.core.ledger.operations import (
    Forget,
    Relate,
    asserting,
    restoring,
)
from quoth.core.ledger.values import Scope
from quoth.core.memory import EntryFilter, EntryRow
from quoth.core.model import Place
from storage.remembering import Home, first, ident, identity, later, said, texts

APP, OTHER = ProjectId("git:host/me/app"), ProjectId("git:host/you/other")
HERE = Scope("me", "local", APP)


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Home]:
    home = Home(tmp_path)
    yield home
    home.close()


def projects(home: Home) -> list[str | None]:
    return [row.project for row in home.held.all()]


def test_an_entry_is_shown_with_the_name_of_its_project(home: Home) -> None:
    home.put(said("e", "hello", cwd="/srv/app"), said("f", "hello", line=2, cwd="/srv/else"))
    home.index.place([Place("/srv/app", APP, "app", "me"), Place("/srv/else", OTHER, "app", "you")])
    unknown = [ProjectId("git:h/o/away"), ProjectId("dir:0123456789abcdef")]
    scopes = [Scope("me", "", each) for each in (APP, OTHER, *unknown)]
    home.says(*(first(n, f"{n}", scope=each) for n, each in enumerate(scopes)))
    home.says(first(8, "8"), first(9, "9", scope=Scope("me", "personal", "chats")))
    assert projects(home) == ["me/app", "you/app", "away", "dir:01234567", None, None]


def test_entries_of_a_merged_project_belong_to_the_one_it_was_merged_into(home: Home) -> None:
    home.says(first(1, "zebra", scope=HERE))
    home.index.merge_projects({APP: OTHER}, {OTHER: "both"})
    assert projects(home) == ["both"]
    for asked in (APP, OTHER):
        assert home.entries("zebra", EntryFilter(now=None, projects=(asked,))) == ["zebra"]


def name_of(home: Home, number: int) -> str | None:
    row = home.held.version(identity(number))
    return row.name if row else None


def test_of_several_with_one_name_the_oldest_keeps_it(home: Home) -> None:
    long = 0x1234_0000
    home.says(
        first(1, "a", name="port"),
        first(2, "b", name="port"),
        first(long + 2, "c", name="port-0002"),
        first(4, "d", name="port", type="rule"),
        first(5, "e", name="port", scope=HERE),
        first(6, "f", name="ports"),
    )
    assert [name_of(home, n) for n in (1, 2, long + 2, 4, 5, 6)] == [
        "port",
        "port-0002",
        "port-0002-0002",
        "port",
        "port",
        "ports",
    ]
    home.says(Forget(entries=(identity(1),)))
    assert name_of(home, 2) == "port"
    assert name_of(home, long + 2) == "port-0002"


def test_a_name_is_looked_up_as_it_was_given(home: Home) -> None:
    home.says(first(1, "a", name="port"), first(2, "b", name="port"), first(3, "c", name="port", scope=HERE))
    assert texts(home.held.named("port", type="fact", scope=Scope())) == ["a", "b"]
    assert texts(home.held.named("port", type="fact", scope=HERE)) == ["c"]
    assert texts(home.held.named("port-0002", type="fact", scope=Scope())) == []


# --- ids and provenance ---


@pytest.mark.req("ORI-45")
def test_an_entry_is_found_in_any_spelling_of_its_id(home: Home) -> None:
    one, two = EntryId("ent_" + "1" * 24 + "aabbccdd"), EntryId("ent_" + "2" * 24 + "aabbccdd")
    home.says(asserting(one, statement("one")), asserting(two, statement("two")))
    for given in (one, one.upper(), ulid(one), ulid(one).lower(), one[4:], one[-9:]):
        assert home.held.find(given) == [one], given
    assert home.held.find("aabbccdd") == [one, two]
    assert home.held.find("bbccdd") == home.held.find("codex:e1") == home.held.find("") == []


def test_equal_texts_are_recognised_as_duplicates_are(home: Home) -> None:
    home.says(
        first(1, "caf\u00e9", created_at=5), first(2, " cafe\u0301\n", scope=HERE, created_at=4), first(3, "cafe")
    )
    assert [row.id for row in home.held.equal("caf\u00e9 ")] == [identity(2), identity(1)]
    assert [row.id for row in home.held.equal("caf\u00e9", scope=HERE)] == [identity(2)]
    assert [row.id for row in home.held.equal("caf\u00e9", scope=Scope())] == [identity(1)]


@pytest.mark.req("ORI-48")
def test_who_cites_an_event_is_known_under_any_of_its_ids(home: Home) -> None:
    home.put(said("e1", "zebra"))
    home.says(first(1, "a", "e1"), later(2, "b"), first(3, "c"))
    home.put(said("better", "zebra", weight=1), rank=2, key="better")
    home.memory.catch_up()
    for name in ("e1", "better"):
        assert [row.id for row in home.held.citing(ident(name))] == [identity(1), identity(2)]
    assert [row.id for row in home.held.uncited(since=0)] == [identity(3)]
    assert list(home.held.uncited(since=1_000)) == []


def test_an_edge_to_a_hidden_entry_is_left_out(home: Home) -> None:
    ids = [identity(n) for n in (1, 2)]
    forgotten = home.says(
        first(1, "a"), first(2, "b"), Relate(ids[0], ids[0], ids[1], ids[1], "uses"), Forget(entries=(ids[1],))
    )[3]
    assert _row(home, 1).relations == ()
    assert isinstance(forgotten.body, Forget)
    home.says(restoring(forgotten.id, forgotten.body))
    assert [edge.relation for edge in _row(home, 1).relations] == ["uses"]
    assert _row(home, 1).relations == _row(home, 2).relations


def _row(home: Home, number: int) -> EntryRow:
    row = home.held.version(identity(number))
    assert row
    return row
