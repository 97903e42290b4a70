"""Verdicts and comparison: pure functions of a statement and of what is remembered."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quoth.core.errors import InvalidArgument
from quoth.core.ids import DeviceId, EntryId, EventId, OperationId
from quoth.core.judging import Action, refusal
from quoth.core.ledger.clock import Hybrid
from quoth.core.ledger.entries import EntryVersion, State
from quoth.core.ledger.values import Attribution, Citation, EntryKind, Epistemic, Scope, Statement, Tier
from quoth.core.likeness import Relation, compare
from quoth.core.memory import EntryRow
from quoth.core.types import EntryType, Field, Mode, Rule
from quoth.core.verdicts import (
    Add,
    Candidate,
    NameTaken,
    Noop,
    NothingToReplace,
    Refuse,
    Snapshot,
    Supersede,
    Update,
    decide,
)

NOW = 1_000_000
FACT = EntryType("fact", EntryKind.KNOWLEDGE, "", fields={"about": Field("about", Rule.PATCH, "")})
NOTE = EntryType("note", EntryKind.MEMORY, "", mode=Mode.ADD_ONLY)
SOUL = EntryType("soul", EntryKind.COGNITION, "", mode=Mode.UPDATE_ONLY)
HERE = Scope("ada", "acme", "git:host/acme/shop")


def said(text: str, **more: Any) -> Statement:
    given = {"kind": EntryKind.KNOWLEDGE, "type": "fact", "created_at": NOW, "author": "codex@desk", "scope": HERE}
    return Statement(text=text, **{**given, **more})


def row(text: str, number: int = 1, *, state: State = State.CURRENT, **more: Any) -> EntryRow:
    entry = EntryId(f"ent_{number:032x}")
    statement = said(text, **more)
    version = EntryVersion(
        id=entry,
        root=entry,
        supersedes=None,
        depth=0,
        operation=OperationId(f"op_{number:032x}"),
        time=Hybrid(number, 0),
        device=DeviceId("desk"),
        actor="codex@desk",
        reason="",
        statement=statement,
        cites=(),
        negated=state is State.NEGATED,
        epistemic=statement.epistemic,
        judgements=frozenset(),
    )
    return EntryRow(
        version=version,
        state=state,
        current=entry,
        is_concurrent=False,
        scope=statement.scope,
        tier=Tier.DURABLE,
        name=statement.name,
        project=None,
    )


def candidate(text: str, of: EntryType = FACT, **more: Any) -> Candidate:
    own = {name: more.pop(name) for name in ("citations", "distinct", "adds_citations", "may_begin") if name in more}
    return Candidate(said=said(text, type=of.name, **more), type=of, **own)


# --- what becomes of a statement ---


@pytest.mark.req("ENG-29", "HMG-7")
def test_what_nothing_else_says_is_added_and_what_something_says_is_not() -> None:
    assert decide(candidate("Port 80."), Snapshot()) == Add()
    known = row("Port 80.")
    assert decide(candidate("Port 80."), Snapshot(equal=[known])) == Noop(known)
    assert decide(candidate("Port 80.", distinct=True), Snapshot(equal=[known])) == Add()
    ended = row("Port 80.", valid_to=NOW - 1)
    assert decide(candidate("Port 80."), Snapshot(equal=[ended])) == Add()


@pytest.mark.req("ORI-52")
def test_a_duplicate_takes_over_citations_only_where_that_is_asked_and_they_are_new() -> None:
    known, cited = row("Port 80."), [Citation(EventId("codex:1"))]
    again = candidate("Port 80.", citations=cited, adds_citations=True)
    assert decide(again, Snapshot(equal=[known])) == Update(known, cited)
    assert decide(replace(again, adds_citations=False), Snapshot(equal=[known])) == Noop(known)
    has = replace(known, version=replace(known.version, cites=tuple(cited)))
    assert decide(again, Snapshot(equal=[has])) == Noop(has)


@pytest.mark.req("HMG-7", "HMG-10")
@pytest.mark.parametrize("distinct", [False, True])
@pytest.mark.parametrize("state", [State.SEALED, State.QUARANTINED, State.FORGOTTEN, State.NEGATED])
def test_words_that_were_judged_do_not_come_back(state: State, distinct: bool) -> None:
    old = row("Port 80.", state=state)
    found = decide(candidate("Port 80.", distinct=distinct), Snapshot(equal=[old]))
    assert found == (Add() if distinct and state is State.NEGATED else Refuse(state, old.id))


@pytest.mark.req("HMG-7")
def test_words_that_were_replaced_come_back_but_where_each_is_wanted_once() -> None:
    old, new = row("Port 80.", state=State.SUPERSEDED), row("Port 80.", 2)
    once = replace(candidate("Port 80."), once=True)
    assert decide(candidate("Port 80."), Snapshot(equal=[old])) == Add()
    assert decide(once, Snapshot(equal=[old])) == Refuse(State.SUPERSEDED, old.id)
    assert decide(once, Snapshot(equal=[old, new])) == Noop(new)


@pytest.mark.req("HMG-7")
def test_words_that_were_destroyed_do_not_come_back() -> None:
    assert decide(candidate("Port 80.", distinct=True), Snapshot(gone=State.DESTROYED)) == Refuse(State.DESTROYED)


@pytest.mark.req("ENG-29")
def test_the_same_name_replaces_only_entries_of_a_type_that_may_be_replaced() -> None:
    old = row("Port 80.", name="port")
    assert decide(candidate("Port 81.", name="port"), Snapshot(named=[old])) == Supersede(old)
    assert decide(candidate("Port 80.", name="port"), Snapshot(named=[old])) == Noop(old)
    other = {"name": "port", "fields": {"about": ["web"]}}
    assert decide(candidate("Port 80.", **other), Snapshot(named=[old])) == Supersede(old)
    assert decide(candidate("Port 81.", NOTE, name="port"), Snapshot(named=[old])) == NameTaken(old.id)


@pytest.mark.req("QUO-5")
def test_a_type_that_is_only_replaced_is_begun_by_the_person_alone() -> None:
    assert decide(candidate("Be calm.", SOUL, name="tone"), Snapshot()) == Add()
    assert decide(candidate("Be calm.", SOUL, name="tone", may_begin=False), Snapshot()) == NothingToReplace()
    old = row("Be brief.", name="tone", type="soul")
    assert decide(candidate("Be calm.", SOUL, name="tone", may_begin=False), Snapshot(named=[old])) == Supersede(old)


def test_a_field_that_never_changes_refuses_to() -> None:
    fixed = replace(FACT, fields={"about": Field("about", Rule.IMMUTABLE, "")})
    old = row("Port 80.", name="port", fields={"about": "web"})
    with pytest.raises(InvalidArgument, match=r"fields\.about"):
        decide(candidate("Port 80.", fixed, name="port", fields={"about": "mail"}), Snapshot(named=[old]))


@pytest.mark.req("ENG-29", "ENG-35")
def test_what_contradicts_is_kept_beside_it_and_marks_the_older() -> None:
    old, near = row("Staging uses PostgreSQL 15."), row("Staging uses Redis for sessions.", 2)
    elsewhere = row("Staging uses PostgreSQL 15.", 3, scope=Scope("ada"))
    ended = row("Staging uses PostgreSQL 14.", 4, valid_to=NOW)
    found = decide(candidate("Staging uses PostgreSQL 16."), Snapshot(alike=[old, near, elsewhere, ended]))
    assert isinstance(found, Add)
    assert [(each.row, each.is_won_by_older) for each in found.conflicts] == [(old, False)]
    assert found.conflicts[0].likeness.because == "the same but for 15 and 16"


@pytest.mark.req("HMG-33")
def test_what_the_person_said_wins_also_when_it_is_older() -> None:
    old = row("Staging uses PostgreSQL 15.", attribution=Attribution.USER)
    by_agent = decide(candidate("Staging uses PostgreSQL 16."), Snapshot(alike=[old]))
    by_person = decide(candidate("Staging uses PostgreSQL 16.", attribution=Attribution.USER), Snapshot(alike=[old]))
    assert isinstance(by_agent, Add)
    assert isinstance(by_person, Add)
    assert [each.conflicts[0].is_won_by_older for each in (by_agent, by_person)] == [True, False]


# --- comparison ---


@pytest.mark.req("ENG-29")
@pytest.mark.parametrize(
    ("newer", "older", "relation"),
    [
        ("Port 80 is open.", " Port 80 is open.\n", Relation.EXACT),
        ("Staging runs PostgreSQL 16 now.", "Staging runs PostgreSQL 15.", Relation.OUTDATED),
        ("The build takes seven minutes.", "The build takes three minutes.", Relation.OUTDATED),
        ("预发布环境现在用 PostgreSQL 16", "预发布环境用 PostgreSQL 15", Relation.OUTDATED),
        ("Сервер теперь слушает порт 8081.", "Сервер слушает порт 8080.", Relation.OUTDATED),
        ("We do not use MongoDB in staging.", "We use MongoDB in staging.", Relation.CONTRADICTING),
        ("Deploys on Fridays are forbidden.", "Deploys on Fridays are allowed.", Relation.CONTRADICTING),
        ("The cache is off in tests.", "The cache is on in tests.", Relation.CONTRADICTING),
        ("生产环境不使用 MongoDB", "生产环境使用 MongoDB", Relation.CONTRADICTING),
        ("测试环境的缓存已关闭", "测试环境的缓存已开启", Relation.CONTRADICTING),
        ("Прокси больше не нужен.", "Прокси нужен.", Relation.CONTRADICTING),
        ("The shop opens at seven on Mondays.", "The shop opens at nine every day on Mondays.", Relation.NEAR),
        ("The auth service listens on port 8710.", "The mail service listens on port 8720.", Relation.NEAR),
        ("Ticket 12 is about the login page.", "Ticket 13 is about the login page.", Relation.NEAR),
        ("修复了登录页的第12号问题", "修复了登录页的第13号问题", Relation.NEAR),
        ("Bread is baked at night.", "The proxy listens on port 80.", Relation.DISTINCT),
        ("Port 80.", "Port 81.", Relation.DISTINCT),
        ("", "", Relation.EXACT),
        ("16", "15", Relation.DISTINCT),
    ],
)
def test_two_statements_are_compared_by_their_words(newer: str, older: str, relation: Relation) -> None:
    assert compare(newer, older).relation is relation


@given(st.text(alphabet="ab12 .not不нет#", max_size=60), st.text(alphabet="ab12 .not不нет#", max_size=60))
def test_comparing_is_symmetric_and_says_why(one: str, other: str) -> None:
    there, back = compare(one, other), compare(other, one)
    assert there.relation is back.relation
    assert there.share == back.share
    assert there.because
    assert 0 <= there.share <= 1


# --- what may be judged ---

_REASONS = {
    State.DESTROYED: "is already tombstoned",
    State.SEALED: "is already sealed",
    State.FORGOTTEN: "has been forgotten; only its person can bring it back",
}


@pytest.mark.req("HMG-21", "HMG-25", "HMG-31")
@pytest.mark.parametrize("action", list(Action))
@pytest.mark.parametrize("state", list(_REASONS))
def test_what_is_held_for_good_or_gone_can_not_be_judged(action: Action, state: State) -> None:
    found = refusal(action, state, Epistemic.ACTUAL, is_current=True)
    assert found == (None if (action, state) == (Action.TOMBSTONE, State.SEALED) else _REASONS[state])


@pytest.mark.req("HMG-17", "HMG-18", "HMG-19", "HMG-25", "HMG-31")
@pytest.mark.parametrize(
    ("action", "state", "epistemic", "is_current", "why"),
    [
        (Action.NEGATE, State.CURRENT, "actual", True, None),
        (Action.NEGATE, State.NEGATED, "actual", True, "is already negated; replace it instead"),
        (Action.NEGATE, State.NEGATED, "actual", False, "is already negated; replace it instead"),
        (Action.NEGATE, State.SUPERSEDED, "actual", False, "was already replaced; judge its current version instead"),
        (Action.CONFIRM_ACTUAL, State.CURRENT, "possible", True, None),
        (
            Action.CONFIRM_ACTUAL,
            State.CURRENT,
            "necessary",
            True,
            "is necessary already, which is more than actual; demote it first",
        ),
        (Action.CONFIRM_NECESSARY, State.CURRENT, "possible", True, None),
        (Action.CONFIRM_NECESSARY, State.NEGATED, "possible", True, "is already negated; replace it instead"),
        (Action.DEMOTE, State.CURRENT, "necessary", True, None),
        (Action.DEMOTE, State.QUARANTINED, "actual", True, "is quarantined; only its person can release it"),
        (Action.REPLACE, State.CURRENT, "actual", True, None),
        (Action.REPLACE, State.NEGATED, "actual", True, None),
        (Action.REPLACE, State.SUPERSEDED, "actual", False, None),
        (Action.REPLACE, State.QUARANTINED, "actual", True, "is quarantined; only its person can release it"),
        (Action.QUARANTINE, State.NEGATED, "actual", True, None),
        (Action.QUARANTINE, State.QUARANTINED, "actual", True, "is already quarantined"),
        (
            Action.QUARANTINE,
            State.SUPERSEDED,
            "actual",
            False,
            "was already replaced; judge its current version instead",
        ),
        (Action.RELEASE, State.QUARANTINED, "actual", True, None),
        (Action.RELEASE, State.CURRENT, "actual", True, "is not quarantined"),
        (Action.RELEASE, State.NEGATED, "actual", True, "is not quarantined"),
        (Action.SEAL, State.QUARANTINED, "actual", True, None),
        (Action.SEAL, State.NEGATED, "actual", True, None),
        (Action.TOMBSTONE, State.QUARANTINED, "actual", True, None),
        (Action.TOMBSTONE, State.SUPERSEDED, "actual", False, None),
        (Action.DERIVE_LESSON, State.QUARANTINED, "actual", True, None),
        (
            Action.DERIVE_LESSON,
            State.SUPERSEDED,
            "actual",
            False,
            "was already replaced; judge its current version instead",
        ),
    ],
)
def test_each_judgement_is_allowed_or_says_why_not(
    action: Action, state: State, epistemic: str, is_current: bool, why: str | None
) -> None:
    assert refusal(action, state, Epistemic(epistemic), is_current=is_current) == why
