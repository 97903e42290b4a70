"""Ranking: what comes first and why, and how relevant it is."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import pytest

from core.hits import DAY, NOW, SCALE, WORDS, asker, entry, event
from quoth.core.candidates import AnyHit, Beside, Compared, Word
from quoth.core.ids import EntryId, EventId
from quoth.core.ranking import Ranked, line, rank, relevant
from quoth.core.vectors import Near, key_of


def ordered(hits: Iterable[AnyHit], **more: Any) -> list[str]:
    return [each.hit.id for each in rank(WORDS, hits, **{"asker": asker(), **more})]


def near(**cosines: float) -> Compared:
    return Compared("model", [Near(key_of(name), cosine) for name, cosine in cosines.items()], SCALE)


def only(found: Sequence[Ranked], name: str) -> Ranked:
    return next(each for each in found if each.hit.id == name)


# --- by itself ---


def test_who_holds_more_of_the_words_is_first() -> None:
    assert ordered([event("one", (1, 0)), entry("both", (1, 1)), event("none")]) == ["both", "one", "none"]


def test_what_no_word_found_is_found_by_its_meaning() -> None:
    hits = [event("word", (1, 0)), event("meant")]
    assert ordered(hits) == ["word", "meant"]
    found = rank(WORDS, hits, asker=asker(), compared=near(meant=0.8, word=0.1))
    assert found[0].hit.id == "meant"
    assert found[0].relevance > 0.5


def test_words_and_meaning_together_are_better_than_either() -> None:
    hits = [event("word", (1, 1)), event("meant"), event("both", (1, 1))]
    assert ordered(hits, compared=near(meant=0.4, both=0.4, word=0.1))[0] == "both"


def test_another_model_is_read_by_its_own_scale() -> None:
    squeezed = Compared("other", [Near(key_of("meant"), 0.82), Near(key_of("far"), 0.7)], ((0.7, 0.0), (0.9, 1.0)))
    found = rank(WORDS, [event("far"), event("meant")], asker=asker(), compared=squeezed)
    assert [each.hit.id for each in found] == ["meant", "far"]
    assert found[0].because["meaning"] > 0.3


# --- in a session ---


@pytest.mark.req("QUO-3")
def test_a_message_beside_one_that_was_found_becomes_a_candidate() -> None:
    before, asking, after = event("before"), event("asking", (1, 1)), event("after")
    found = rank(WORDS, [asking], asker=asker(), beside={asking.id: (before, after)})
    assert [each.hit.id for each in found] == ["asking", "after", "before"]
    assert found[1].because["neighbours"] > 0
    assert 0 < found[1].relevance <= found[0].relevance / 2


def test_messages_that_hold_words_strengthen_each_other_up_to_two_places_away() -> None:
    chain = [event(name, (1, 0)) for name in ("a", "b", "c", "d")]
    alone = event("alone", (1, 0), session="two")
    beside: Mapping[EventId, Beside] = {
        chain[1].id: (chain[0], chain[2]),
        chain[2].id: (chain[1], chain[3]),
    }
    found = {str(each.hit.id): each.score for each in rank(WORDS, [*chain, alone], asker=asker(), beside=beside)}
    assert found["b"] > found["a"] > found["alone"]
    assert found["b"] == pytest.approx(found["c"])


# --- who, where, when ---


def test_the_speaker_whom_the_question_names_is_first() -> None:
    hits = [event("ada", (1, 0), speaker="ada lovelace"), event("bea", (1, 0), speaker="bea")]
    assert ordered(hits, asker=asker("What does Bea say about the kiln?")) == ["bea", "ada"]
    assert ordered(hits, asker=asker("What about Ada's kiln?")) == ["ada", "bea"]


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("What kiln is there?", "person"),
        ("What kiln do I have?", "person"),
        ("Which kiln did you recommend?", "agent"),
        ("Какую печь ты посоветовал?", "agent"),
        ("你之前建议用哪个窑？", "agent"),
    ],
)
def test_the_person_is_first_unless_the_agents_words_are_asked_for(question: str, first: str) -> None:
    hits = [event("agent", (1, 0), at=NOW - 399 * DAY), event("person", (1, 0), by_person=True)]
    assert ordered(hits, asker=asker(question))[0] == first


@pytest.mark.parametrize("question", ["What is my kiln?", "Что я решил?", "我的窑是什么？"])
def test_the_person_counts_more_where_they_ask_about_themselves(question: str) -> None:
    said = event("said", (1, 0), by_person=True)
    [about_them] = rank(WORDS, [said], asker=asker(question))
    [about_kilns] = rank(WORDS, [said], asker=asker("Which kiln is in the hall?"))
    assert about_them.because["person"] > about_kilns.because["person"] > 1


@pytest.mark.req("QUO-3", "HMG-33")
def test_what_belongs_where_it_is_asked_or_everywhere_is_before_another_project() -> None:
    hits = [entry("elsewhere", (2, 0), project="q"), entry("here", (1, 0), project="p"), entry("global", (1, 0))]
    assert ordered(hits, asker=asker(project="p"))[-1] == "elsewhere"
    assert ordered(hits)[0] == "elsewhere"


def test_a_much_better_answer_of_another_project_is_still_first() -> None:
    hits = [entry("elsewhere", (1, 1), project="q", length=4), entry("here", (1, 0), project="p", length=300)]
    assert ordered(hits, asker=asker(project="p"))[0] == "elsewhere"


def test_the_branch_that_is_checked_out_decides_between_equals() -> None:
    hits = [entry("main", (1, 0), project="p", branch="main"), entry("topic", (1, 0), project="p", branch="topic")]
    assert ordered(hits, asker=asker(project="p", branch="topic"))[0] == "topic"
    assert ordered(hits, asker=asker(project="p", branch="main"))[0] == "main"


def test_what_the_person_had_remembered_and_what_is_important_decides_between_equals() -> None:
    hits = [entry("agent", (1, 0)), entry("person", (1, 0), by_person=True)]
    assert ordered(hits)[0] == "person"
    hits = [entry("less", (1, 0), importance=0.2), entry("more", (1, 0), importance=0.9)]
    assert ordered(hits)[0] == "more"


def test_new_things_decide_between_equals() -> None:
    assert ordered([entry("old", (1, 0)), entry("new", (1, 0), at=NOW)]) == ["new", "old"]


# --- edges, duplicates, what is outdated ---


@pytest.mark.req("HMG-14")
def test_an_edge_carries_strength_one_hop() -> None:
    said = event("said")
    cites = entry("cites", cites=(said.id,), linked=(EntryId("strong"),))
    strong = entry("strong", (1, 1), linked=(EntryId("cites"),))
    found = rank(WORDS, [said, cites, strong, entry("far")], asker=asker())
    assert [each.hit.id for each in found][:2] == ["strong", "cites"]
    assert only(found, "cites").because["linked"] > 0
    assert only(found, "said").score == only(found, "far").score == 0


@pytest.mark.req("HMG-14")
def test_entries_that_cite_the_same_message_are_bound_although_nothing_else_found_one_of_them() -> None:
    strong, other = entry("strong", (1, 1), cites=(EventId("e"),)), entry("other", cites=(EventId("e"),))
    version = entry("version", root=strong.root, cites=(EventId("e"),))
    found = rank(WORDS, [strong], asker=asker(), bound=[other, version])
    assert only(found, "other").because["linked"] > 0
    assert only(found, "version").score == 0


@pytest.mark.req("OV-19")
def test_what_says_the_same_is_there_once_and_an_entry_stands_for_it() -> None:
    said = event("the kiln is hot", (1, 0), by_person=True)
    kept = entry("kept", (1, 0), key=said.key)
    found = rank(WORDS, [said, event("again", (1, 0), key=said.key), kept], asker=asker())
    assert [each.hit.id for each in found] == ["kept"]
    assert found[0].score == rank(WORDS, [said, event("b", (1, 0)), entry("c", (1, 0))], asker=asker())[0].score


@pytest.mark.req("OV-21")
def test_a_replaced_version_is_never_before_what_replaced_it() -> None:
    old = entry("old", (3, 3), root=EntryId("root"), is_current=False, by_person=True)
    new = entry("new", (1, 0), root=EntryId("root"), length=100)
    found = rank(WORDS, [old, new], asker=asker())
    assert [(each.hit.id, each.is_outdated) for each in found] == [("new", False), ("old", True)]


@pytest.mark.req("OV-21")
def test_what_something_newer_speaks_against_is_behind_it_however_many_there_are() -> None:
    hits = [
        entry(f"{place}", (place + 1, place), at=NOW - place, against=(EntryId(f"{place - 1}"),) if place else ())
        for place in range(4)
    ]
    found = rank(WORDS, hits, asker=asker())
    assert [each.hit.id for each in found] == ["0", "1", "2", "3"]
    assert [each.is_outdated for each in found] == [False, True, True, True]


def test_two_that_speak_against_each_other_are_both_there() -> None:
    one = entry("one", (1, 1), against=(EntryId("other"),))
    other = entry("other", (1, 0), against=(one.id,))
    found = rank(WORDS, [one, other], asker=asker())
    assert {each.hit.id for each in found} == {"one", "other"}
    assert all(each.is_outdated for each in found)


# --- relevance ---


@pytest.mark.req("PER-10")
def test_nothing_is_relevant_where_the_best_is_below_the_floor() -> None:
    found = rank(WORDS, [event("far"), entry("farther")], asker=asker(), compared=near(far=0.05, farther=0.01))
    assert len(found) == 2
    assert relevant(found) == []
    assert [each.hit.id for each in relevant(found, floor=0.0)] == ["far", "farther"]


def test_what_reaches_half_of_the_floor_comes_along() -> None:
    compared = near(good=0.9, fair=0.25, poor=0.01)
    found = rank(WORDS, [event("good", (1, 1)), event("fair"), event("poor")], asker=asker(), compared=compared)
    assert [each.hit.id for each in relevant(found, floor=0.5)] == ["good", "fair"]


def test_a_name_that_nothing_holds_makes_everything_less_relevant() -> None:
    hits = [entry("kiln", (1, 0, 0))]
    plain = rank((*WORDS, Word("orton", "orton")), hits, asker=asker())
    named = rank((*WORDS, Word("orton", "orton", is_name=True)), hits, asker=asker())
    assert plain[0].relevance > named[0].relevance


def test_beside_something_plain_what_is_faint_is_left_out() -> None:
    assert line(0.9) == pytest.approx(0.297)
    assert line(0.3) == 0.125
    assert line(0.2) == math.inf
    assert line(0.2, floor=0.0) == 0.0


# --- odd candidates ---


@pytest.mark.parametrize("odd", [math.nan, math.inf, -math.inf])
def test_a_cosine_that_is_no_number_says_nothing(odd: float) -> None:
    hits = [event("word", (1, 1)), event("meant"), event("rotten")]
    found = rank(WORDS, hits, asker=asker(), compared=near(word=0.5, meant=0.5, rotten=odd))
    assert [each.hit.id for each in found] == ["word", "meant", "rotten"]
    assert (only(found, "rotten").score, only(found, "rotten").relevance) == (0.0, 0.0)


def test_a_replaced_version_speaks_against_nothing_not_even_its_successor() -> None:
    old = entry("old", root=EntryId("r"), is_current=False)
    new = entry("z", root=EntryId("r"), against=(EntryId("old"),))
    assert ordered([old, new]) == ["z", "old"]


def test_where_nothing_else_tells_them_apart_the_current_version_is_before_a_later_dated_one() -> None:
    old = entry("old", root=EntryId("r"), is_current=False)
    new = entry("z", root=EntryId("r"), against=(EntryId("elsewhere"),), at=old.at - DAY)
    assert ordered([old, new]) == ["z", "old"]


def test_of_thousands_of_entries_at_the_ends_of_edges_the_newest_are_looked_at() -> None:
    message = event("message", (1, 1))
    told = [
        entry(f"e{n}", cites=(message.id,), against=(EntryId(f"e{n + 1}"),), at=NOW - (5_000 - n) * DAY)
        for n in range(5_000)
    ]
    found = rank(WORDS, [message], asker=asker(), bound=told)
    assert {each.hit.id for each in found} == {"message", *(f"e{n}" for n in range(4_700, 5_000))}
    assert found == rank(WORDS, [message], asker=asker(), bound=reversed(told))
