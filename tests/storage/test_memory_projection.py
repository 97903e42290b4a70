"""What the index holds of the ledger is what folding everything gives, however it got there."""

from __future__ import annotations

import random
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ledger.keeping import NOW
from ledger.world import ACTIONS, EVENTS, World, world
from quoth.core.memory import Fate
from storage.folding import expected, told
from storage.remembering import Home, chunks, records, said

laws = settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@st.composite
def written(draw: st.DrawFn) -> World:
    made, rng = world(), random.Random(draw(st.integers(0, 1 << 32)))
    for _ in range(draw(st.integers(1, 90))):
        made.step(rng.randrange(3), rng.randrange(ACTIONS + 3), rng.randrange(1_024), rng.randrange(1_024))
    return made


@pytest.mark.req("INV-1", "INV-4")
@laws
@given(written(), st.integers(0, 1 << 32))
def test_the_index_holds_what_folding_everything_gives(made: World, seed: int) -> None:
    rng = random.Random(seed)
    sent = records(made.written)
    rng.shuffle(sent)
    with TemporaryDirectory() as folder:
        home = Home(Path(folder))
        reads = [*enumerate(EVENTS), *((number, f"codex:twin{number}") for number in range(len(EVENTS)))]
        rng.shuffle(reads)
        for portion in chunks(sent, rng):
            home.ledger.receive(portion, now=NOW)
            if rng.random() < 0.5:
                home.memory.catch_up()
            if reads and rng.random() < 0.6:
                _read(home, *reads.pop())
            if rng.random() < 0.1:
                home.reopen()
            if rng.random() < 0.4:
                _agrees(home)
        for each in reads:
            _read(home, *each)
        _agrees(home)
        held = told(home.held)
        home.without_index()
        for number, id_ in [*enumerate(EVENTS), *((n, f"codex:twin{n}") for n in range(len(EVENTS)))]:
            _read(home, number, id_)
        _agrees(home)
        if Fate.DESTROYED not in held["hidden"].values():  # what is destroyed is not told apart by its words
            assert told(home.held) == held
        home.close()


def _read(home: Home, number: int, id_: str) -> None:
    """Read an event, or its twin in a better store of the same session."""
    name = id_.partition(":")[2]
    rank, weight = (2, 1) if name.startswith("twin") else (1, 0)
    home.put(said(name, f"word{number}", line=number + 1, weight=weight), rank=rank, key=f"{rank}.jsonl")


def _agrees(home: Home) -> None:
    home.memory.catch_up()
    ledger = home.folded()
    assert told(home.held) == expected(ledger, home.held.spellings)
    for number, each in enumerate(EVENTS):
        known = {home.index.resolve(id_) for id_ in (each, f"codex:twin{number}")} - {None}
        visible = sorted(id_ for id_ in known if id_ and not ledger.event(id_).is_hidden)
        assert sorted(row.id for row in home.rows(f"word{number}")) == visible
        assert home.shown().count(f"word{number}") == len(visible)
