"""Entries as the index answers them: by words, time, id, name and project; and nothing of destroyed ones."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from quoth.core.ids import ProjectId
from quoth.core.ledger.entries import State
from quoth.core.ledger.operations import (
    Forget,
    Judge,
    Verdict,
    restoring,
)
from quoth.core.ledger.values import EntryKind, Scope
from quoth.core.memory import EntryFilter
from quoth.core.query import Query
from storage.remembering import ALWAYS, PAGE, Home, first, identity, later, texts

APP, OTHER = ProjectId("git:host/me/app"), ProjectId("git:host/you/other")
HERE = Scope("me", "local", APP)


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Home]:
    home = Home(tmp_path)
    yield home
    home.close()


# --- words ---


@pytest.mark.req("ORI-26")
def test_entries_are_found_by_the_words_of_their_text_their_name_and_their_tags(home: Home) -> None:
    home.says(first(1, "getUserName 缓存失效了", name="login-flow", tags=("auth", "Ёлка")), first(2, "other"))
    for words in ("getusername", "缓存", "login", "login-flow", "auth", "елка", "user name auth", "getUserName"):
        assert home.entries(words) == ["getUserName 缓存失效了"], words
    for words in ("auth-login", "nothing", "!"):
        assert home.entries(words) == []


@pytest.mark.req("ORI-26")
def test_long_entries_are_found_by_their_first_and_last_word(home: Home) -> None:
    text = "alpha " + "filler " * 30_000 + "omega"
    home.says(first(1, text))
    assert home.entries("alpha omega") == [text]
    assert texts(home.held.alike("omega", limit=5)) == [text]


@pytest.mark.req("ORI-26")
@pytest.mark.parametrize("verdict", [Verdict.NEGATE, Verdict.QUARANTINE, Verdict.SEAL])
def test_what_is_not_current_and_visible_is_not_found(home: Home, verdict: Verdict) -> None:
    home.says(first(1, "zebra"), Judge(verdict, identity(1), identity(1)))
    assert home.entries("zebra") == []
    with_negated = replace(ALWAYS, with_negated=True)
    assert bool(home.entries("zebra", with_negated)) == (verdict is Verdict.NEGATE)
    assert bool(home.held.recent(with_negated, **PAGE)) == (verdict is Verdict.NEGATE)
    assert (home.held.count(), list(home.held.recent(ALWAYS, **PAGE))) == (0, [])
    assert texts(home.held.history(identity(1))) == texts(home.held.equal("zebra")) == ["zebra"]


@pytest.mark.req("ORI-58", "INV-5")
def test_a_forgotten_entry_is_not_found_until_it_is_restored(home: Home) -> None:
    forgotten = home.says(first(1, "zebra"), Forget(entries=(identity(1),)))[1]
    assert home.entries("zebra") == []
    assert home.held.history(identity(1))[0].state is State.FORGOTTEN
    assert isinstance(forgotten.body, Forget)
    home.says(restoring(forgotten.id, forgotten.body))
    assert home.entries("zebra") == ["zebra"]


@pytest.mark.req("ORI-28")
def test_only_the_newest_version_is_found_and_every_one_is_in_the_history(home: Home) -> None:
    home.says(first(1, "zebra"), later(2, "lion"), later(3, "tiger"))
    assert home.entries("zebra") == home.entries("lion") == []
    rows = home.held.history(identity(1))
    assert texts(rows) == ["zebra", "lion", "tiger"]
    assert [row.is_current for row in rows] == [False, False, True]
    assert [row.is_concurrent for row in rows] == [False, True, False]
    assert {row.current for row in rows} == {identity(3)}


def test_the_best_come_first_and_the_newest_among_equals(home: Home) -> None:
    home.says(
        first(1, "zebra " + "filler " * 50, created_at=9),
        first(2, "zebra", created_at=5),
        first(3, "zebra", created_at=7),
        first(4, "zebra", created_at=6),
    )
    rows = home.held.search(Query.parse("zebra"), ALWAYS, limit=3, offset=0)
    assert [row.id for row in rows] == [identity(3), identity(4), identity(2)]
    assert [row.id for row in home.held.search(Query.parse("zebra"), ALWAYS, limit=3, offset=3)] == [identity(1)]


def test_entries_that_share_most_words_with_a_text_come_first(home: Home) -> None:
    home.says(first(1, "red green blue"), first(2, "red green"), first(3, "red red red red"), first(4, "none"))
    assert texts(home.held.alike("Red, green and blue!", limit=5)) == ["red green blue", "red green", "red red red red"]
    assert len(home.held.alike("red", limit=2)) == 2
    assert list(home.held.alike("!", limit=2)) == []


# --- filters ---


FILTERS: list[tuple[dict[str, Any], set[int]]] = [
    ({}, {1, 2, 3, 4}),
    ({"now": 50}, {1, 4}),
    ({"now": 150}, {1, 2, 4}),
    ({"now": 250}, {1, 3, 4}),
    ({"since": 20}, {2, 3, 4}),
    ({"until": 20}, {1}),
    ({"kind": EntryKind.MEMORY}, {2}),
    ({"type": "rule"}, {3}),
    ({"agent": "agent:codex"}, {4}),
    ({"projects": (APP,)}, {1}),
    ({"projects": (APP, OTHER)}, {1, 2}),
    ({"projects": ()}, set()),
]


@pytest.mark.req("ORI-26")
@pytest.mark.parametrize(("change", "kept"), FILTERS)
def test_a_filter_keeps_what_it_says(home: Home, change: dict[str, Any], kept: set[int]) -> None:
    home.says(
        first(1, "zebra", created_at=10, scope=HERE),
        first(2, "zebra", created_at=20, scope=Scope("me", "", OTHER), kind=EntryKind.MEMORY, **_between(100, 200)),
        first(3, "zebra", created_at=30, type="rule", scope=Scope("me", "personal", "chats"), **_between(200, None)),
        first(4, "zebra", created_at=40, agent="agent:codex"),
    )
    where = EntryFilter(**{"now": None, **change})
    assert {row.id for row in home.held.search(Query.parse("zebra"), where, **PAGE)} == set(map(identity, kept))
    assert {row.id for row in home.held.recent(where, **PAGE)} == set(map(identity, kept))


def _between(valid_from: int, valid_to: int | None) -> dict[str, Any]:
    return {"valid_from": valid_from, "valid_to": valid_to}
