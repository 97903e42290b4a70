"""The contract of HMG, finding: what is relevant, in which order, and what never shows."""

from __future__ import annotations

import re
from typing import Any

import pytest
from atoms import POSTGRES, Client, entry_of, judged, memorized, recalled, replaced
from desk import CHOICE, Desk, quoted

from quoth.core.ids import EntryId
from quoth.core.ledger.operations import Relate
from quoth.core.speaker import Speaker

RFC_3339 = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z")
OTHERS = (
    "Never deploy on Fridays.",
    "The proxy must act as a load balancer.",
    "数据库配置必须用 YAML 文件。",
    "Мы храним заказы в PostgreSQL.",
    "Tea is served at four.",
    "getUserName returns the display name.",
)


@pytest.fixture
def stocked(hmg: Client) -> Client:
    for content in (POSTGRES, *OTHERS):
        memorized(hmg, content)
    return hmg


@pytest.mark.req("HMG-11")
def test_an_atom_shows_exactly_five_fields(hmg: Client) -> None:
    atom = memorized(hmg, source="user")
    [found] = hmg.call("memory_recall", query="PostgreSQL connection pool configuration")["atoms"]
    assert list(found) == ["atom_id", "content", "score", "created_at", "source"]
    assert (found["atom_id"], found["content"], found["source"]) == (atom, POSTGRES, "user")
    assert 0 < found["score"] <= 1
    assert RFC_3339.fullmatch(found["created_at"])


@pytest.mark.req("HMG-11", "HMG-14", "INV-10")
@pytest.mark.parametrize(
    ("query", "content"),
    [
        ("primary database", POSTGRES),
        ("postgresql transactions", POSTGRES),
        ("What is the primary database of this project?", POSTGRES),
        ("deploy on fridays", "Never deploy on Fridays."),
        ("数据库的配置在哪里？", "数据库配置必须用 YAML 文件。"),
        ("資料庫 配置", "数据库配置必须用 YAML 文件。"),
        ("配置", "数据库配置必须用 YAML 文件。"),
        ("где мы храним заказы", "Мы храним заказы в PostgreSQL."),
        ("user name", "getUserName returns the display name."),
        ("getUserName", "getUserName returns the display name."),
    ],
)
def test_what_shares_words_with_a_question_is_recalled_first(query: str, content: str, stocked: Client) -> None:
    assert recalled(stocked, query)[0] == content


@pytest.mark.req("HMG-11")
@pytest.mark.parametrize(
    "query",
    [
        "capital of France",
        "what is the",
        "как и что",
        "什么的",
        "天气预报",
        "?",
        "🙂",
        "quantum chromodynamics lattice",
    ],
)
def test_a_question_about_nothing_gets_nothing(query: str, stocked: Client) -> None:
    assert stocked.call("memory_recall", query=query) == {"atoms": []}


@pytest.mark.req("HMG-15")
@pytest.mark.parametrize("query", ["", " ", "\n\t"])
def test_an_empty_query_is_an_error(query: str, hmg: Client) -> None:
    assert hmg.refusal("memory_recall", query=query).startswith("`query` must be ")
    assert hmg.refusal("memory_recall") == "`query` must be given."


@pytest.mark.req("HMG-15", "HMG-11")
@pytest.mark.parametrize(
    ("given", "most"),
    [
        ({}, 10),
        ({"max_results": 3}, 3),
        ({"max_results": 2.9}, 2),
        ({"max_results": 0}, 1),
        ({"max_results": -7}, 1),
        ({"max_results": 50}, 50),
        ({"max_results": 1e300}, 50),
        ({"max_results": None}, 10),
    ],
)
def test_the_number_of_results_is_bounded(given: dict[str, Any], most: int, hmg: Client) -> None:
    for n in range(55):
        memorized(hmg, f"Shelf {n} holds bread.")
    assert len(recalled(hmg, "shelf bread", **given)) == most
    assert hmg.refusal("memory_recall", query="x", max_results="3") == "`max_results` must be a number."


@pytest.mark.req("HMG-15", "HMG-11")
def test_scores_fall_and_equals_are_newest_first(hmg: Client) -> None:
    contents = ["Bread is sold.", "Bread is baked.", "Bread, bread and bread again with many other words beside it."]
    for content in contents:
        memorized(hmg, content)
    memorized(hmg, "Bread is eaten.", source="user")
    found = hmg.call("memory_recall", query="bread")["atoms"]
    scores = [atom["score"] for atom in found]
    assert scores == sorted(scores, reverse=True)
    equals = [atom["content"] for atom in found if len(atom["content"]) < 20]
    assert equals == ["Bread is eaten.", "Bread is baked.", "Bread is sold."]


@pytest.mark.req("HMG-33")
def test_what_the_user_said_ranks_a_little_higher(hmg: Client) -> None:
    memorized(hmg, "The user's oven is electric.", source="user")
    memorized(hmg, "An agent's oven is electric.")
    memorized(hmg, "The electric oven of the bakery.")
    assert recalled(hmg, "electric oven")[0] == "The user's oven is electric."
    memorized(hmg, "Electric oven bakery manual.")
    assert recalled(hmg, "electric oven bakery manual")[0] == "Electric oven bakery manual."


@pytest.mark.req("HMG-12", "HMG-17", "HMG-19")
def test_negated_and_replaced_atoms_show_only_when_asked_for(hmg: Client) -> None:
    old = memorized(hmg, "The oven takes twelve trays.")
    replaced(hmg, old, "The stove holds fourteen sheets.")
    judged(hmg, memorized(hmg, "The oven is blue."), "negate")
    assert recalled(hmg, "oven trays") == []
    found = recalled(hmg, "oven blue trays", include_negated=True)
    assert sorted(found) == ["The oven is blue.", "The oven takes twelve trays."]
    assert recalled(hmg, "stove sheets") == recalled(hmg, "stove sheets", include_negated=True)


@pytest.mark.req("HMG-13", "HMG-23", "HMG-22")
@pytest.mark.parametrize("action", ["quarantine", "seal", "tombstone"])
def test_what_is_held_back_is_never_recalled(action: str, hmg: Client) -> None:
    atom = memorized(hmg)
    judged(hmg, atom, action)
    for query in ("PostgreSQL", "quarantined governed payload hidden", "sealed", "destroyed", atom):
        for asked in ({}, {"include_negated": True}):
            assert hmg.call("memory_recall", query=query, **asked) == {"atoms": []}


@pytest.mark.req("HMG-11")
def test_what_is_not_valid_now_is_not_recalled(hmg: Client, desk: Desk) -> None:
    quoth = desk.client("quoth")
    quoth.call("remember", text="The old oven is hot.", uncited="x", valid_to="2020-01-01")
    quoth.call("remember", text="The next oven is hot.", uncited="x", valid_from="2999-01-01")
    quoth.call("remember", text="The oven is hot.", uncited="x")
    assert recalled(hmg, "oven hot") == ["The oven is hot."]


@pytest.mark.parametrize("query", ['"', "*", "a OR", "(", "col:x", "\x00", "NEAR(a b)", "x" * 100_000, "'", "\ud800"])
def test_a_query_is_taken_literally_whatever_it_is(query: str, stocked: Client) -> None:
    assert stocked.call("memory_recall", query=query) == {"atoms": []}
    assert stocked.failures == []


@pytest.mark.req("HMG-14")
def test_what_comes_from_the_same_message_or_is_related_comes_along_behind(hmg: Client, desk: Desk) -> None:
    desk.logs.sync()
    quoth = desk.client("quoth")
    ids = [
        quoth.call("remember", text=text, sources=quoted(CHOICE))["entry"]["id"]
        for text in ("Staging has logical replication.", "The old cluster is switched off.")
    ]
    related = memorized(hmg, "Backups are made hourly.")
    memorized(hmg, "Tea is served at four.")
    one, other = ids[0], entry_of(related)
    desk.write(Relate(EntryId(one), EntryId(one), EntryId(other), EntryId(other), "relates"))
    found = hmg.call("memory_recall", query="logical replication staging")["atoms"]
    assert found[0]["content"] == "Staging has logical replication."
    assert {atom["content"] for atom in found[1:]} == {"The old cluster is switched off.", "Backups are made hourly."}
    assert found[0]["score"] > found[1]["score"] >= found[2]["score"] > 0
    desk.logs.ask(lambda kernel: kernel.forget.run(ids[0], reason="a test", by=Speaker()))
    assert recalled(hmg, "logical replication staging") == []


@pytest.mark.req("HMG-11", "HMG-15")
def test_what_was_said_in_sessions_is_no_atom(hmg: Client, desk: Desk) -> None:
    desk.logs.sync()
    assert recalled(hmg, CHOICE) == []
