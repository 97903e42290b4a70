"""Laws of merging: one state for one set, the state that the rules say, and the same root by root."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import HealthCheck, event, given, settings
from hypothesis import strategies as st

from ledger import rules
from ledger.world import ACTIONS, World, world
from quoth.core.ids import EntryId
from quoth.core.ledger.entries import Root
from quoth.core.ledger.merge import affected_by, fold, neighbourhood, reach
from quoth.core.ledger.operations import Operation, Subjects
from quoth.core.ledger.state import Ledger

SEED = st.integers(0, 1 << 32)
laws = settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@st.composite
def written(draw: st.DrawFn) -> World:
    """Draw what three devices wrote, each from a part of the whole, one of them perhaps with a clock days ahead."""
    made, rng = world(wrong_clock=draw(st.booleans())), random.Random(draw(SEED))
    for _ in range(draw(st.integers(1, 90))):
        made.step(rng.randrange(3), rng.randrange(ACTIONS + 3), rng.randrange(1_024), rng.randrange(1_024))
    return made


def delivered(operations: Sequence[Operation], rng: random.Random, *, part: bool) -> list[Operation]:
    """Deliver operations in any order, some of them several times; with `part`, not all of them."""
    chosen = [each for each in operations if not part or rng.random() < 0.8]
    chosen += rng.choices(chosen, k=len(chosen) // 2) if chosen else []
    rng.shuffle(chosen)
    return chosen


def told(ledger: Ledger) -> tuple[dict[EntryId, rules.Answer], dict[Any, tuple[bool, bool]]]:
    """Say the folded state in the words of the rules."""
    names = ledger.names()
    roots = {
        root.id: {**_root(ledger, root), "name": names.get(root.id)} for root in ledger.roots.values() if root.current
    }
    return roots, {each: (found.is_hidden, found.hides_entries) for each, found in ledger.events.items()}


def _root(ledger: Ledger, root: Root) -> rules.Answer:
    assert root.current
    return {
        "current": root.current.id,
        "heads": set(root.heads),
        "hidden": ledger.is_hidden(root),
        "destroyed": root.destroyed,
        "quarantined": bool(root.quarantines),
        "sealed": root.sealed,
        "scope": root.scope,
        "tier": root.tier,
        "relations": {(edge.relation, edge.entry, edge.other) for edge in ledger.relations(root)},
        "versions": {
            version.id: {
                "statement": version.statement,
                "depth": version.depth,
                "superseded by": ledger.superseded_by(version.id),
                "concurrent": ledger.is_concurrent(version.id),
                "negated": version.negated,
                "epistemic": version.epistemic,
                "citations": [(citation.event, citation.quote) for citation in ledger.citations(version)],
            }
            for version in root.versions
        },
    }


@pytest.mark.req("INV-4")
@laws
@given(written(), SEED, st.booleans())
def test_any_set_of_operations_gives_the_state_that_the_rules_say(made: World, seed: int, part: bool) -> None:
    arrived = delivered(made.written, random.Random(seed), part=part)
    note(made)
    assert told(fold(arrived)) == rules.describe(arrived)


@pytest.mark.req("INV-4")
@laws
@given(written(), SEED)
def test_order_and_repetition_change_nothing(made: World, seed: int) -> None:
    assert fold(delivered(made.written, random.Random(seed), part=False)) == fold(made.written)


@laws
@given(written())
def test_what_decides_a_root_or_an_event_gives_it_the_same_state_as_everything(made: World) -> None:
    whole = fold(made.written)
    for root in whole.roots:
        alone = fold(neighbourhood(made.written, Subjects(frozenset({root}))))
        assert alone.roots[root] == whole.roots[root]
        assert alone.is_hidden(alone.roots[root]) == whole.is_hidden(whole.roots[root])
        for version in whole.roots[root].versions:
            assert alone.citations(version) == whole.citations(version)
    for each in rules.mentioned(made.written):
        alone = fold(neighbourhood(made.written, Subjects(events=frozenset({each}))))
        assert alone.event(each) == whole.event(each)


@laws
@given(written(), st.integers(1, 4))
def test_new_operations_change_only_roots_and_events_within_their_reach(made: World, cut: int) -> None:
    before, after = made.written[:-cut], made.written
    reached = reach(after, affected_by(after[len(before) :]))
    old, new = fold(before), fold(after)
    for root in set(new.roots) - reached.entries:
        assert old.roots[root] == new.roots[root]
        assert old.is_hidden(old.roots[root]) == new.is_hidden(new.roots[root])
        assert [old.citations(v) for v in old.roots[root].versions] == [
            new.citations(v) for v in new.roots[root].versions
        ]
    assert {e: h for e, h in old.events.items() if e not in reached.events} == {
        e: h for e, h in new.events.items() if e not in reached.events
    }


def note(made: World) -> None:
    """Let `--hypothesis-show-statistics` tell how rich the drawn worlds are."""
    ledger = fold(made.written)
    event(f"a fork: {any(len(root.heads) > 1 for root in ledger.roots.values())}")
    event(f"something hidden: {bool(ledger.events)}")
