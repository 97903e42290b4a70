"""One example for each sentence of the merge rules. Every fold is made in two orders."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from ledger.world import EVENTS, cited, entry, operation, statement
from quoth.core.errors import Ambiguous, UnknownId
from quoth.core.ids import EntryId, EventId, ulid
from quoth.core.ledger.clock import AHEAD, Hybrid
from quoth.core.ledger.entries import State
from quoth.core.ledger.merge import affected_by, fold, reach, without_payload
from quoth.core.ledger.operations import (
    Assert,
    Body,
    Destroy,
    Forget,
    Judge,
    Move,
    Operation,
    Promote,
    Relate,
    Subjects,
    Verdict,
    asserting,
    citing,
    restoring,
)
from quoth.core.ledger.state import Ledger
from quoth.core.ledger.values import Epistemic, Scope, Tier

ROOT, SECOND, THIRD, OTHER = entry(1), entry(2), entry(3), entry(9)
E1, E2 = EVENTS[:2]


def state_of(operations: Sequence[Operation]) -> Ledger:
    folded = fold(operations)
    assert fold([*reversed(operations), *operations]) == folded
    return folded


def series(*bodies: Body) -> list[Operation]:
    """Return operations that one device wrote one after another."""
    return [operation(body, number) for number, body in enumerate(bodies, 1)]


def first(*events: EventId, entry: EntryId = ROOT, text: str = "first") -> Assert:
    return asserting(entry, statement(text), cited(*events))


def later(entry: EntryId, *saw: EntryId, supersedes: EntryId = ROOT, events: Sequence[EventId] = ()) -> Assert:
    saw = saw or (supersedes,)
    return asserting(entry, statement("later"), cited(*events), root=ROOT, supersedes=supersedes, saw=saw)


def judge(verdict: Verdict, *saw: Operation, epistemic: Epistemic | None = None, version: EntryId = ROOT) -> Judge:
    return Judge(verdict, version, ROOT, epistemic, tuple(each.id for each in saw))


def is_hidden(ledger: Ledger, root: EntryId = ROOT) -> bool:
    return ledger.is_hidden(ledger.roots[root])


def state(ledger: Ledger, version: EntryId = ROOT) -> State:
    return ledger.state(ledger.find(version))


# --- versions ---


def test_a_correction_is_current_and_what_it_saw_is_superseded_by_it() -> None:
    ledger = state_of(series(first(), later(SECOND), later(THIRD, supersedes=SECOND)))
    assert [version.id for version in ledger.history(ROOT)] == [ROOT, SECOND, THIRD]
    assert ledger.current(ROOT).id == ledger.current(SECOND).id == THIRD
    assert [ledger.superseded_by(each) for each in (ROOT, SECOND, THIRD)] == [THIRD, THIRD, None]
    assert [state(ledger, each) for each in (SECOND, THIRD)] == [State.SUPERSEDED, State.CURRENT]
    assert not any(map(ledger.is_concurrent, (ROOT, SECOND, THIRD)))


def test_of_corrections_that_did_not_see_each_other_the_later_is_current_the_other_concurrent() -> None:
    ledger = state_of(
        [
            operation(first(), 1),
            operation(later(SECOND), 2, device="b", time=Hybrid(20, 0)),
            operation(later(THIRD), 3, device="a", time=Hybrid(10, 0)),
        ]
    )
    assert ledger.current(ROOT).id == SECOND
    assert [ledger.is_concurrent(each) for each in (ROOT, SECOND, THIRD)] == [False, False, True]
    assert {version.id for version in ledger.history(ROOT)} == {ROOT, SECOND, THIRD}


def test_the_longer_chain_is_newer_than_the_later_time_and_the_time_than_the_device() -> None:
    fork = [operation(first(), 1), operation(later(SECOND), 2, device="z", time=Hybrid(90, 0))]
    longer = [
        operation(later(THIRD), 3, time=Hybrid(10, 0)),
        operation(later(OTHER, supersedes=THIRD), 4, time=Hybrid(11, 0)),
    ]
    assert state_of([*fork, longer[0]]).current(ROOT).id == SECOND
    assert state_of([*fork, *longer]).current(ROOT).id == OTHER
    tied = [operation(later(THIRD), 3, device="y", time=Hybrid(90, 0))]
    assert state_of([*fork, *tied]).current(ROOT).id == SECOND


def test_one_correction_that_saw_both_heads_settles_it() -> None:
    fork = [operation(first(), 1), operation(later(SECOND), 2), operation(later(THIRD), 3, device="b")]
    ledger = state_of([*fork, operation(later(OTHER, SECOND, THIRD, supersedes=THIRD), 4)])
    assert ledger.roots[ROOT].heads == {OTHER}
    assert not any(map(ledger.is_concurrent, (ROOT, SECOND, THIRD, OTHER)))


def test_correcting_a_version_that_is_not_current_supersedes_the_head_it_saw_too() -> None:
    ledger = state_of(series(first(), later(SECOND), later(THIRD, SECOND, supersedes=ROOT)))
    assert ledger.current(ROOT).id == THIRD
    assert ledger.roots[ROOT].heads == {THIRD}
    assert ledger.find(THIRD).supersedes == ROOT


def test_a_correction_that_arrives_before_the_first_version_waits_for_it() -> None:
    operations = series(first(), later(SECOND))
    assert state_of(operations[1:]).current(SECOND).depth == 0
    assert state_of(operations).current(SECOND).depth == 1


def test_versions_that_claim_to_supersede_each_other_still_give_one_state() -> None:
    circle = series(
        asserting(SECOND, statement("b"), root=ROOT, supersedes=THIRD),
        asserting(THIRD, statement("c"), root=ROOT, supersedes=SECOND),
    )
    assert state_of(circle).current(SECOND).id == THIRD


def test_asserting_the_same_version_again_is_nothing_new() -> None:
    once = series(first(), later(SECOND))
    again = [*once, operation(first(text="first"), 3)]
    assert state_of(again).roots == state_of(once).roots


def test_a_version_has_the_citations_it_inherits_then_its_own_then_those_added_later() -> None:
    operations = series(
        first(E1),
        later(SECOND, events=[E2]),
        citing(SECOND, ROOT, cited(EVENTS[3])),
        citing(ROOT, ROOT, cited(EVENTS[4])),
    )
    ledger = state_of(operations)
    assert [each.event for each in ledger.citations(ledger.find(SECOND))] == [E1, EVENTS[4], E2, EVENTS[3]]
    assert [each.event for each in ledger.citations(ledger.find(ROOT))] == [E1, EVENTS[4]]


# --- forgetting ---


def test_a_tombstone_on_an_event_hides_every_entry_that_cites_it_whenever_it_arrives() -> None:
    forget = operation(Forget(events=(E1,)), 1)
    ledger = state_of([forget, operation(first(E1), 2), operation(first(E2, entry=OTHER), 3)])
    assert (is_hidden(ledger), is_hidden(ledger, OTHER)) == (True, False)
    assert ledger.event(E1).is_hidden
    assert ledger.tombstones_on(ledger.roots[ROOT]) == {forget.id}
    cites_later = state_of([forget, operation(first(), 2), operation(citing(ROOT, ROOT, cited(E1)), 3)])
    assert is_hidden(cites_later)


def test_an_event_that_only_an_old_version_cites_hides_all_versions() -> None:
    unlike = asserting(SECOND, statement("other"), root=ROOT, supersedes=ROOT, saw=[ROOT], inherits=False)
    assert is_hidden(state_of(series(first(E1), unlike, Forget(events=(E1,)))))


def test_a_tombstone_on_an_entry_hides_all_versions_and_leaves_its_events_alone() -> None:
    ledger = state_of(series(first(E1), Forget((ROOT,)), later(SECOND)))
    assert [state(ledger, each) for each in (ROOT, SECOND)] == [State.FORGOTTEN, State.FORGOTTEN]
    assert not ledger.event(E1).is_hidden
    assert list(ledger.visible()) == []


def test_forget_beats_a_correction_that_did_not_see_it() -> None:
    late = operation(later(SECOND), 3, device="b", time=Hybrid(99, 0))
    assert is_hidden(state_of([*series(first(), Forget((ROOT,))), late]))


def test_where_said_a_tombstone_on_an_entry_hides_every_event_that_any_version_cites() -> None:
    operations = series(first(E1), Forget((ROOT,), cited=True), later(SECOND, events=[E2]))
    ledger = state_of(operations)
    assert all(ledger.event(event).is_hidden for event in (E1, E2))


def test_an_event_hidden_through_an_entry_hides_no_other_entry_but_its_citation_is_left_out() -> None:
    operations = series(first(E1), first(E1, E2, entry=OTHER), Forget((ROOT,), cited=True))
    ledger = state_of(operations)
    assert (is_hidden(ledger), is_hidden(ledger, OTHER)) == (True, False)
    assert [each.event for each in ledger.citations(ledger.find(OTHER))] == [E2]
    back = state_of([*operations, operation(restoring(operations[2].id, Forget((ROOT,), cited=True)), 4)])
    assert [each.event for each in back.citations(back.find(OTHER))] == [E1, E2]


def test_restore_undoes_exactly_its_tombstone() -> None:
    twice = series(first(E1), Forget((ROOT,)), Forget((ROOT,), (E1,)))
    one = operation(restoring(twice[1].id, Forget((ROOT,))), 4)
    assert is_hidden(state_of([*twice, one]))
    both = operation(restoring(twice[2].id, Forget((ROOT,), (E1,))), 5)
    ledger = state_of([*twice, one, both])
    assert not is_hidden(ledger)
    assert not ledger.event(E1).is_hidden
    assert {each.is_live for each in ledger.tombstones.values()} == {False}
    again = state_of([*twice, one, both, operation(Forget((ROOT,)), 6)])
    assert is_hidden(again)


def test_destroy_beats_restore_and_takes_the_words_of_versions_that_arrive_later() -> None:
    forget = Forget((ROOT,), cited=True)
    operations = series(first(E1), forget, Destroy((ROOT,)))
    restored = [*operations, operation(restoring(operations[1].id, forget), 4), operation(later(SECOND), 5)]
    ledger = state_of(restored)
    assert [state(ledger, each) for each in (ROOT, SECOND)] == [State.DESTROYED, State.DESTROYED]
    assert [version.statement for version in ledger.history(ROOT)] == [None, None]
    assert ledger.history(ROOT)[0].reason is None
    assert ledger.find(ROOT).created_at == 1
    assert not ledger.event(E1).is_hidden, "the restore still gives back what was not destroyed"


def test_events_stay_hidden_through_an_entry_whose_words_are_destroyed() -> None:
    ledger = state_of(series(first(E1), Forget((ROOT,), cited=True), Destroy((ROOT,))))
    assert ledger.event(E1).is_hidden


def test_destroying_an_event_hides_what_cites_it_for_ever() -> None:
    forget = Forget(events=(E1,))
    operations = series(first(E1), forget, Destroy(events=(E1,)))
    ledger = state_of([*operations, operation(restoring(operations[1].id, forget), 4)])
    assert is_hidden(ledger)
    assert ledger.event(E1).hides_entries


def test_destroying_one_operation_takes_only_its_words() -> None:
    operations = series(first(E1), later(SECOND))
    ledger = state_of([*operations, operation(Destroy(operations=(operations[0].id,)), 3)])
    assert [version.statement is None for version in ledger.history(ROOT)] == [True, False]
    assert [state(ledger, each) for each in (ROOT, SECOND)] == [State.DESTROYED, State.CURRENT]


# --- judging ---


def test_negate_is_about_one_version_and_nothing_undoes_it() -> None:
    ledger = state_of(series(first(), judge(Verdict.NEGATE), judge(Verdict.CONFIRM, epistemic=Epistemic.ACTUAL)))
    assert state(ledger) is State.NEGATED
    replaced = state_of(series(first(), judge(Verdict.NEGATE), later(SECOND)))
    assert [state(replaced, each) for each in (ROOT, SECOND)] == [State.NEGATED, State.CURRENT]


def test_of_concurrent_confirms_and_demotes_the_last_in_order_wins() -> None:
    confirm = operation(judge(Verdict.CONFIRM, epistemic=Epistemic.NECESSARY), 2, device="b", time=Hybrid(50, 0))
    demote = operation(judge(Verdict.DEMOTE), 3, time=Hybrid(40, 0))
    assert state_of([operation(first(), 1), confirm, demote]).find(ROOT).epistemic is Epistemic.NECESSARY
    assert state_of([operation(first(), 1), demote]).find(ROOT).epistemic is Epistemic.POSSIBLE
    assert state_of([operation(first(), 1)]).find(ROOT).epistemic is Epistemic.ACTUAL


def test_a_judgement_outvotes_the_one_it_saw_even_when_that_has_a_wrong_clock() -> None:
    wrong = operation(judge(Verdict.DEMOTE), 2, device="b", time=Hybrid(30 * AHEAD, 0))
    right = operation(judge(Verdict.CONFIRM, wrong, epistemic=Epistemic.ACTUAL), 3)
    ledger = state_of([operation(first(), 1), wrong, right])
    assert ledger.find(ROOT).epistemic is Epistemic.ACTUAL
    assert ledger.find(ROOT).judgements == {wrong.id, right.id}


def test_confirming_a_version_says_nothing_of_the_next_one() -> None:
    ledger = state_of(series(first(), judge(Verdict.CONFIRM, epistemic=Epistemic.NECESSARY), later(SECOND)))
    assert ledger.find(SECOND).epistemic is Epistemic.ACTUAL


def test_release_undoes_exactly_the_quarantines_it_saw() -> None:
    operations = series(first(), judge(Verdict.QUARANTINE), judge(Verdict.QUARANTINE))
    one = operation(judge(Verdict.RELEASE, operations[1]), 4)
    assert state(state_of([*operations, one])) is State.QUARANTINED
    both = operation(judge(Verdict.RELEASE, *operations[1:]), 5)
    assert state(state_of([*operations, one, both])) is State.CURRENT
    assert state(state_of([*operations, both, operation(judge(Verdict.QUARANTINE), 6)])) is State.QUARANTINED


def test_quarantine_and_seal_are_about_the_root_and_seal_beats_release() -> None:
    operations = series(first(), judge(Verdict.QUARANTINE), later(SECOND))
    assert state(state_of(operations), SECOND) is State.QUARANTINED
    release = operation(judge(Verdict.RELEASE, operations[1]), 9)
    sealed = state_of([*operations, operation(judge(Verdict.SEAL), 8), release])
    assert [state(sealed, each) for each in (ROOT, SECOND)] == [State.SEALED, State.SEALED]


# --- places, tiers, edges, names ---


def test_of_concurrent_moves_the_last_in_order_wins_and_corrections_do_not_move_back() -> None:
    app, wide = Scope("me", "org", "app"), Scope("me")
    moves = [
        operation(Move(ROOT, app), 2, device="b", time=Hybrid(50, 0)),
        operation(Move(ROOT, wide), 3, time=Hybrid(40, 0)),
    ]
    ledger = state_of([operation(first(), 1), *moves, operation(later(SECOND), 99)])
    assert ledger.roots[ROOT].scope == app
    assert ledger.roots[ROOT].moves == {move.id for move in moves}


def test_promote_only_rises() -> None:
    note = asserting(ROOT, statement("note", tier=Tier.WORKING))
    assert state_of(series(note)).roots[ROOT].tier is Tier.WORKING
    raised = state_of(series(note, Promote(ROOT, Tier.DURABLE), Promote(ROOT, Tier.WORKING)))
    assert raised.roots[ROOT].tier is Tier.DURABLE


def test_relations_are_a_set_and_edges_to_hidden_entries_are_left_out() -> None:
    edge = Relate(ROOT, ROOT, OTHER, OTHER, "uses")
    operations = series(first(), first(entry=OTHER), edge, edge)
    ledger = state_of(operations)
    assert [len(ledger.relations(ledger.roots[root])) for root in (ROOT, OTHER)] == [1, 1]
    hidden = state_of([*operations, operation(Forget((OTHER,)), 5)])
    assert not hidden.relations(hidden.roots[ROOT])


def test_of_roots_that_share_a_name_the_newer_is_shown_with_four_digits_of_its_id() -> None:
    def named(entry: EntryId, type: str = "fact") -> Assert:  # noqa: A002  # as the statement calls it
        return asserting(entry, statement(name="порт", type=type))

    same = series(named(ROOT), named(OTHER), named(THIRD, type="rule"))
    assert state_of(same).names() == {ROOT: "порт", OTHER: f"порт-{OTHER[-4:]}", THIRD: "порт"}
    alone = state_of([*same, operation(Forget((ROOT,)), 9)])
    assert alone.names() == {OTHER: "порт", THIRD: "порт"}


# --- the set ---


def test_a_copy_that_lost_its_words_adds_nothing_to_one_that_has_them() -> None:
    [full] = series(first(E1))
    bare = without_payload(full)
    assert fold([full, bare]) == fold([bare, full]) == fold([full])
    assert fold([bare]).history(ROOT)[0].statement is None


def test_of_two_operations_that_claim_one_id_the_same_one_counts_in_any_order() -> None:
    [true] = series(first(text="true"))
    false = replace(true, header=replace(true.header, hash=b"\xff" * 32), body=first(text="false"))
    assert fold([true, false]) == fold([false, true]) == fold([true])


def test_destroying_one_operation_reaches_the_root_it_was_about() -> None:
    operations = series(first(E1), first(entry=OTHER))
    wipes = operation(Destroy(operations=(operations[0].id,)), 3)
    reached = reach([*operations, wipes], affected_by([wipes]))
    assert reached.entries == {ROOT}


def test_forgetting_reaches_every_root_that_cites_the_same_events() -> None:
    others = [first(E1, E2, entry=OTHER), first(EVENTS[4], entry=THIRD)]
    operations = series(first(E1), *others, Forget((ROOT,), cited=True))
    reached = reach(operations, affected_by(operations[3:]))
    assert reached == Subjects(frozenset({ROOT, OTHER}), frozenset({E1}))


# --- asking ---


def test_every_spelling_of_an_id_names_the_version() -> None:
    ledger = state_of(series(first(), later(SECOND)))
    for given in (SECOND, ulid(SECOND), ulid(SECOND).lower(), SECOND[4:], SECOND[-8:], f"ent_{SECOND[-10:]}"):
        assert ledger.find(given).id == SECOND
    assert ledger.root_of(SECOND).id == ROOT
    for given in ("ent_00000000", "port", SECOND[-7:], ""):
        with pytest.raises(UnknownId):
            ledger.find(given)


def test_a_short_id_that_several_versions_share_is_refused_with_them() -> None:
    twins = [EntryId("ent_" + "1" * 23 + "a" + "12345678"), EntryId("ent_" + "2" * 23 + "b" + "12345678")]
    ledger = state_of(series(*(first(entry=each) for each in twins)))
    with pytest.raises(Ambiguous) as refused:
        ledger.find("12345678")
    assert refused.value.candidates == tuple(twins)
    assert ledger.find("b12345678").id == twins[1]


def test_events_whose_ids_have_changed_are_found_by_their_new_ids() -> None:
    old, new = EventId("codex:old"), EventId("codex:new")
    forget = Forget(events=(old,))
    operations = series(first(old), forget, first(new, entry=OTHER))
    ledger = fold(operations, resolve={old: new, new: new}.__getitem__)
    assert is_hidden(ledger)
    assert is_hidden(ledger, OTHER)
    assert ledger.event(new).is_hidden
    assert [each.event for each in ledger.find(ROOT).cites] == [new]


def test_a_tombstone_tells_who_set_it_why_and_on_what() -> None:
    operations = series(first(E1), Forget((ROOT,), (E2,), cited=True))
    [tombstone] = state_of(operations).tombstones.values()
    assert tombstone.id == f"tmb_{operations[1].id[3:]}"
    assert (tombstone.entries, tombstone.events, tombstone.cited) == ((ROOT,), (E2,), True)
    assert (tombstone.actor, tombstone.reason, tombstone.is_live) == ("agent@a", "r", True)
