"""Restore: a tombstone is undone exactly, and the answers are those of before."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from quoth.core.errors import Forgotten, InvalidArgument, UnknownTombstone
from quoth.core.ledger.operations import Destroy, Draft, Restore
from quoth.wiring import Kernel
from services.answering import answers
from services.archive import Archive
from services.forgotten import PERSON, WORDS, Home, begin


@pytest.fixture
def home(archive: Archive) -> Home:
    return begin(archive)


def everything(home: Home) -> dict[str, object]:
    return answers(home.archive, words=WORDS, ids=[*home.events, *home.entries])


@pytest.mark.req("INV-5", "ORI-62")
def test_restoring_brings_back_the_answers_of_before(home: Home) -> None:
    before = everything(home)
    tombstone = home.forget([home.shelf, home.crate_entry], cited=True)["tombstone"]
    assert everything(home) != before
    done = home.restore(tombstone)
    assert set(done["restored_entries"]) == {*home.entries}
    assert (done["restored_events"], done["is_new"]) == (2, True)
    assert everything(home) == before
    home.archive.rebuild()
    assert everything(home) == before


@pytest.mark.req("ORI-62")
def test_only_that_tombstone_is_undone(home: Home) -> None:
    one = home.forget(home.shelf_entry)["tombstone"]
    other = home.forget(home.shelf)["tombstone"]
    assert home.restore(one)["restored_entries"] == []
    done = home.restore(other)
    assert (set(done["restored_entries"]), done["restored_events"]) == ({home.shelf_entry, home.note_entry}, 1)


@pytest.mark.req("ORI-62")
def test_restoring_twice_changes_nothing_and_says_so(home: Home) -> None:
    tombstone = home.forget(home.shelf)["tombstone"]
    home.restore(tombstone)
    cursor = home.archive.ask(lambda kernel: kernel.ledger.cursor())
    assert home.restore(tombstone) == {
        "tombstone": tombstone,
        "restored_entries": [],
        "restored_events": 0,
        "is_new": False,
    }
    assert home.archive.ask(lambda kernel: kernel.ledger.cursor()) == cursor
    (listed,) = home.archive.ask(lambda kernel: kernel.forget.tombstones())
    assert listed["restored"] is True


@pytest.mark.req("ORI-62", "SEC-8")
def test_the_ledger_keeps_who_restored_and_how(home: Home) -> None:
    tombstone = home.forget(home.shelf)["tombstone"]
    home.restore(tombstone, reason="It was ours; the key AKIAIOSFODNN7EXAMPL3 was not.")
    operation = home.archive.ask(lambda kernel: kernel.ledger.since(kernel.ledger.cursor() - 1))[0].operation
    assert isinstance(operation.body, Restore)
    assert operation.header.actor.startswith("user@")
    assert operation.header.reason.startswith("terminal: It was ours")
    assert "AKIA" not in operation.header.reason


def test_what_was_destroyed_stays_gone(home: Home) -> None:
    tombstone = home.forget([home.shelf_entry, home.crate_entry])["tombstone"]
    wipe = [Draft(Destroy(entries=(home.shelf_entry,)), "user@here")]
    home.archive.ask(lambda kernel: kernel.memory.append(wipe))
    assert home.restore(tombstone)["restored_entries"] == [home.crate_entry]


@pytest.mark.parametrize("given", ["tmb_" + "0" * 32, "tmb_1", "op_" + "0" * 32, "", "everything"])
def test_an_unknown_tombstone_is_refused(home: Home, given: str) -> None:
    with pytest.raises(UnknownTombstone):
        home.restore(given)


def test_an_operation_that_is_no_tombstone_is_none(home: Home) -> None:
    first = home.archive.ask(lambda kernel: kernel.ledger.since(0))[0].operation
    with pytest.raises(UnknownTombstone):
        home.restore(first.id.replace("op_", "tmb_"))


def test_a_home_without_memory_has_nothing_to_restore(archive: Archive) -> None:
    with pytest.raises(UnknownTombstone):
        archive.ask(lambda kernel: kernel.undo.run("tmb_" + "0" * 32, by=PERSON, how="terminal"))
    assert not (archive.home / "ledger.db").exists()


def test_a_long_reason_is_refused(home: Home) -> None:
    tombstone = home.forget(home.shelf)["tombstone"]
    with pytest.raises(InvalidArgument, match="`reason`"):
        home.restore(tombstone, reason="x" * 2_001)


# --- in any order ---


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> tuple[Home, str]:
    """Return a home that every example leaves as it found it, and what it answers."""
    home = begin(Archive(Path(tmp_path_factory.mktemp("kept"))))
    return home, json.dumps(everything(home))


_forgets = st.tuples(
    st.sets(st.integers(0, 8), min_size=1, max_size=3), st.booleans(), st.sampled_from([False, False, True])
)


@pytest.mark.req("INV-5", "ORI-62")
@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(forgotten=st.lists(_forgets, min_size=1, max_size=5), seed=st.integers(0, 2**32))
def test_forgetting_and_restoring_in_any_order_is_as_if_nothing_had_been(
    kept: tuple[Home, str], forgotten: list[tuple[set[int], bool, bool]], seed: int
) -> None:
    (home, before), order = kept, Random(seed)
    ids = [*home.events, *home.entries]
    live: list[str] = []
    for places, cited, words in forgotten:
        done = home.forget([ids[place] for place in sorted(places)], cited=cited, words=words)
        live += [done["tombstone"]] if done["tombstone"] else []
        if live and order.random() < 0.4:
            home.restore(live.pop(order.randrange(len(live))))
    order.shuffle(live)
    for tombstone in live:
        home.restore(tombstone)
    assert json.dumps(everything(home)) == before


def hidden(home: Home, live: Mapping[str, tuple[set[str], bool]]) -> set[str]:
    """Return what tombstones hide, by the rules of the contract: what is named, what cites it, with `cited` what it
    cites; an event that is hidden only like that hides nothing more."""
    cites = {
        home.crate_entry: {home.wombat},
        home.shelf_entry: {home.shelf},
        home.note_entry: {home.note, home.shelf},
    }
    named = set().union(*(ids for ids, _ in live.values()))
    citing = {entry for entry, events in cites.items() if events & named}
    cited = set().union(*(cites.get(id_, set()) for ids, is_cited in live.values() if is_cited for id_ in ids))
    return named | citing | cited


def gone(home: Home) -> set[str]:
    def look(kernel: Kernel) -> set[str]:
        return {id_ for id_ in [*home.events, *home.entries] if is_gone(kernel, id_)}

    return home.archive.ask(look)


def is_gone(kernel: Kernel, given: str) -> bool:
    try:
        kernel.get.run(given)
    except Forgotten:
        return True
    return False


@pytest.mark.req("INV-5", "ORI-57", "ORI-62", "QUO-6")
@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=st.lists(st.tuples(_forgets, st.integers(0, 9)), min_size=1, max_size=5))
def test_at_every_step_exactly_what_the_live_tombstones_name_is_hidden(
    kept: tuple[Home, str], steps: list[tuple[tuple[set[int], bool, bool], int]]
) -> None:
    home, ids = kept[0], [*kept[0].events, *kept[0].entries]
    live: dict[str, tuple[set[str], bool]] = {}
    for (places, cited, _), restored in steps:
        before = gone(home)
        named = {ids[place] for place in places}
        done = home.forget(sorted(named), cited=cited)
        if done["tombstone"]:
            live[done["tombstone"]] = named, cited
        after = gone(home)
        assert after == hidden(home, live)
        new = after - before
        assert (set(done["forgotten_entries"]), done["excluded_events"]) == (
            new & set(home.entries),
            len(new & set(home.events)),
        )
        if restored < len(live):
            undone = [*live][restored]
            del live[undone]
            back = home.restore(undone)
            assert (now := gone(home)) == hidden(home, live)
            assert set(back["restored_entries"]) == (after - now) & set(home.entries)
            assert back["restored_events"] == len((after - now) & set(home.events))
    for tombstone in live:
        home.restore(tombstone)
