"""Entries that may answer a question: what ranking needs of them, at what instant, and none that is hidden."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from quoth.core.candidates import EntryHit
from quoth.core.ids import ProjectId
from quoth.core.ledger.operations import Body, Destroy, Forget, Judge, Relate, Verdict
from quoth.core.ledger.values import Attribution, Scope
from quoth.core.memory import EntryFilter, Spot
from quoth.core.model import Filter
from quoth.core.relevance import asked
from quoth.core.vectors import key_of
from quoth.core.verdicts import OUTDATED
from quoth.readers.stems import stem
from storage.remembering import ALWAYS, Home, first, ident, identity, later, said, talk, texts

APP = ProjectId("git:host/me/app")
HERE = Scope("me", "local", APP)


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Home]:
    home = Home(tmp_path)
    yield home
    home.close()


def ask(home: Home, question: str, where: EntryFilter = ALWAYS, *, limit: int = 100) -> Sequence[EntryHit]:
    return home.held.sharing(asked(question, stem), where, limit=limit)


def both(home: Home, text: str, where: EntryFilter) -> list[str]:
    """Return what words find of a text; what its key finds must be the same, and its key alone."""
    hits = ask(home, text, where)
    by_key = home.held.of_keys([key_of(text)], where)
    assert {hit.id for hit in by_key} == {hit.id for hit in hits if hit.key == key_of(text)}
    keys = home.held.keys_within(where, most=100)
    assert keys is not None
    assert {hit.key for hit in hits} <= set(keys)
    return sorted(hit.id for hit in hits)


def test_a_hit_says_what_ranking_needs_to_know(home: Home) -> None:
    talk(home)
    said = {"attribution": Attribution.USER, "importance": 0.9, "agent": "agent:codex", "branch": "main"}
    home.says(
        first(1, "Zebras run", "e1", "e2", tags=("herd",), scope=HERE, created_at=7, **said),
        first(2, "lions"),
        Relate(identity(1), identity(1), identity(2), identity(2), "about"),
    )
    (hit,) = ask(home, "zebra herds running absent")
    assert hit.counts == (1, 1, 1, 0)
    assert (hit.id, hit.root, hit.key, hit.length, hit.at) == (identity(1), identity(1), key_of("Zebras run"), 3, 7)
    assert (hit.by_person, hit.agent, hit.project, hit.branch) == (True, "agent:codex", APP, "main")
    assert (hit.type, hit.importance, hit.is_current) == ("fact", 0.9, True)
    assert (hit.cites, hit.linked) == ((ident("e1"), ident("e2")), (identity(2),))
    (other,) = ask(home, "lion")
    assert (other.by_person, other.project, other.branch, other.linked) == (False, None, None, (identity(1),))


@pytest.mark.req("INV-5")
def test_a_hit_names_no_event_that_is_forgotten(home: Home) -> None:
    talk(home)
    home.says(first(1, "zebra", "e1"))
    home.forgets("e1")
    assert ask(home, "zebra") == []


@pytest.mark.req("INV-5")
@pytest.mark.parametrize(
    "body",
    [
        Judge(Verdict.QUARANTINE, identity(1), identity(1)),
        Judge(Verdict.SEAL, identity(1), identity(1)),
        Forget(entries=(identity(1),)),
        Destroy(entries=(identity(1),)),
    ],
)
def test_what_is_hidden_is_no_candidate_whatever_is_asked_for(home: Home, body: Body) -> None:
    home.says(first(1, "zebra", created_at=5), body)
    for where in (ALWAYS, replace(ALWAYS, with_negated=True, with_replaced=True), replace(ALWAYS, as_of=10)):
        assert both(home, "zebra", where) == []
    assert list(home.index.texts()) == []
    assert home.index.text_of([key_of("zebra")]) == {}


def test_versions_that_were_replaced_come_when_they_are_asked_for_and_say_so(home: Home) -> None:
    home.says(first(1, "zebra stripes"), later(2, "zebra spots"))
    assert both(home, "zebra", ALWAYS) == [identity(2)]
    hits = ask(home, "zebra", replace(ALWAYS, with_replaced=True))
    assert {hit.id: hit.is_current for hit in hits} == {identity(1): False, identity(2): True}


@pytest.mark.req("QUO-3")
def test_an_instant_shows_what_was_current_and_valid_then(home: Home) -> None:
    home.says(
        first(1, "zebra stripes", created_at=10),
        later(2, "zebra spots", created_at=20),
        first(3, "zebra herd", created_at=15, valid_from=12, valid_to=30),
    )

    def then(instant: int) -> list[str]:
        return both(home, "zebra", EntryFilter(now=99, as_of=instant))

    assert then(9) == []
    assert then(10) == [identity(1)]
    assert then(19) == [identity(1), identity(3)]
    assert then(20) == [identity(2), identity(3)]
    assert then(30) == [identity(2)]
    (was,) = ask(home, "zebra", EntryFilter(now=None, as_of=12))
    assert was.is_current


def test_types_leave_out_all_others(home: Home) -> None:
    home.says(first(1, "zebra", type="fact"), first(2, "zebra", type="lesson"), first(3, "zebra", type="rule"))
    assert both(home, "zebra", replace(ALWAYS, types=("fact", "rule"))) == [identity(1), identity(3)]
    assert both(home, "zebra", replace(ALWAYS, types=())) == []


def test_of_entries_that_hold_the_words_alike_the_newest_come_first(home: Home) -> None:
    home.says(*(first(n, "zebra", created_at=n % 4) for n in range(1, 9)))
    assert [hit.id for hit in ask(home, "zebra", limit=3)] == [identity(3), identity(7), identity(2)]
    assert [hit.at for hit in home.held.of_keys([key_of("zebra")], ALWAYS, words=2)] == [3, 3, 2, 2, 1]


@pytest.mark.req("HMG-12")
def test_as_many_as_are_wanted_come_although_what_holds_more_does_not_pass(home: Home) -> None:
    home.says(*(first(n, "zebra zebra", type="rule") for n in range(1, 9)), *(first(n, "zebra") for n in range(9, 12)))
    assert len(ask(home, "zebra", replace(ALWAYS, types=("fact",)), limit=3)) == 3


@pytest.mark.req("OV-21")
def test_a_hit_names_the_current_entries_that_speak_against_it(home: Home) -> None:
    doubt = Relate(identity(1), identity(1), identity(2), identity(2), OUTDATED)
    home.says(first(1, "zebra", created_at=5), first(2, "lion", created_at=20), doubt)
    for where, against in (
        (ALWAYS, (identity(2),)),
        (replace(ALWAYS, as_of=9), ()),
        (replace(ALWAYS, as_of=20), (identity(2),)),
    ):
        assert [hit.against for hit in ask(home, "zebra", where)] == [against]
    assert [hit.against for hit in ask(home, "lion")] == [()]
    home.says(Judge(Verdict.NEGATE, identity(2), identity(2)))
    assert [hit.against for hit in ask(home, "zebra")] == [()]


@pytest.mark.req("HMG-14")
def test_entries_are_found_by_their_root_and_by_what_they_cite(home: Home) -> None:
    talk(home)
    home.says(
        first(1, "zebra"), later(2, "zebra herd"), first(3, "lion", "e2"), first(4, "tiger", "e1"), first(5, "ape")
    )

    def bound(where: EntryFilter = ALWAYS) -> list[str]:
        return sorted(hit.id for hit in home.held.bound([identity(1), identity(3)], [ident("e1"), ident("e9")], where))

    assert bound() == [identity(2), identity(3), identity(4)]
    assert bound(replace(ALWAYS, with_replaced=True)) == [identity(number) for number in (1, 2, 3, 4)]
    home.says(Judge(Verdict.SEAL, identity(3), identity(3)))
    forgotten = home.forgets("e1")
    assert bound() == [identity(2)]
    home.restores(forgotten)
    assert bound() == [identity(2), identity(4)]
    assert home.held.bound([], [], ALWAYS) == []


@pytest.mark.req("HMG-30")
def test_with_what_applies_elsewhere_only_other_branches_of_the_same_repository_are_shut_out(home: Home) -> None:
    other = Scope("me", "local", "git:host/me/other", "main")
    scopes = [HERE, replace(HERE, branch="main"), replace(HERE, branch="feature"), replace(HERE, branch="old"), other]
    home.says(*(first(n, "zebra", scope=scope) for n, scope in enumerate([*scopes, Scope()], 1)))
    spot = Spot(replace(HERE, branch="feature"), landed=("old",))
    assert both(home, "zebra", replace(ALWAYS, spot=spot)) == [identity(n) for n in (1, 3, 4, 6)]
    wide = replace(ALWAYS, spot=spot, with_elsewhere=True)
    assert both(home, "zebra", wide) == [identity(n) for n in (1, 3, 4, 5, 6)]


def test_a_project_is_found_wherever_its_entries_say_it_is(home: Home) -> None:
    places = [("", "git:a"), ("", "git:c"), ("one", "git:b"), ("one", "git:c"), ("two", "git:a"), ("two", "")]
    home.says(*(first(n, "zebra", scope=Scope("me", *place)) for n, place in enumerate(places, 1)))
    home.says(first(9, "zebra", scope=Scope("me", "personal", "chats")))
    for project, numbers in (("git:a", (1, 5)), ("git:b", (3,)), ("git:c", (2, 4)), ("git:d", ())):
        assert both(home, "zebra", replace(ALWAYS, projects=(ProjectId(project),))) == [identity(n) for n in numbers]


def test_more_texts_than_are_wanted_are_none(home: Home) -> None:
    home.says(first(1, "zebra"), first(2, "lion"))
    assert home.held.keys_within(ALWAYS, most=1) is None


def test_rows_come_by_their_ids_in_one_go(home: Home) -> None:
    home.says(first(1, "zebra"), later(2, "lion"))
    rows = home.held.rows([identity(1), identity(2), identity(9)])
    assert texts([rows[identity(1)], rows[identity(2)]]) == ["zebra", "lion"]
    assert len(rows) == 2


def test_stems_never_change_which_entries_search_finds_or_takes_for_alike(home: Home) -> None:
    home.says(first(1, "fixes"), first(2, "fix"))
    assert home.entries("fix") == ["fix"]
    assert texts(home.held.alike("fix", limit=5)) == ["fix"]


@pytest.mark.req("INV-5")
def test_a_message_that_is_forgotten_answers_to_nothing_until_it_is_restored(home: Home) -> None:
    talk(home)
    home.put(said("e4", "zebra fourth", line=4), said("e5", "ape fifth", line=5))

    def answers() -> list[object]:
        ids, key = [ident("e2"), ident("e5")], key_of("zebra fourth")
        index = home.index
        return [
            [hit.id for hit in index.sharing(asked("zebra", stem), Filter(), limit=9)],
            [hit.id for hit in index.of_keys([key], Filter())],
            {id_: tuple(hit and hit.id for hit in both) for id_, both in index.beside(ids, Filter()).items()},
            key in (index.keys_within(Filter(), most=9) or ()),
            list(index.rows([ident("e4")])),
            key in index.texts(),
            index.text_of([key]),
        ]

    first_, second, fourth, fifth = map(ident, ("e1", "e2", "e4", "e5"))
    before = answers()
    beside = {second: (first_, fourth), fifth: (fourth, None)}
    assert before == [
        [fourth, first_],
        [fourth],
        beside,
        True,
        [fourth],
        True,
        {key_of("zebra fourth"): "zebra fourth"},
    ]
    forgotten = home.forgets("e4")
    beside = {second: (first_, fifth), fifth: (second, None)}
    assert answers() == [[first_], [], beside, False, [], False, {}]
    home.restores(forgotten)
    assert answers() == before
    home.says(Destroy(events=(fourth,)))
    assert answers() == [[first_], [], beside, False, [], False, {}]
