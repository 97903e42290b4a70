"""Processes that write memory at once and are killed: whoever reads next sees all that the ledger holds."""

from __future__ import annotations

import os
import random
from pathlib import Path

import pytest

from children import begin, ended, needs_fork
from ledger.world import cited, statement
from quoth.core.ids import EntryId
from quoth.core.ledger.operations import Body, Destroy, Forget, asserting
from storage.folding import expected, told
from storage.remembering import Home, ident, said

pytestmark = needs_fork

PROCESSES, EACH, KILLS = 3, 8, 12


def work(folder: Path, who: int, rounds: int) -> None:
    home = Home(folder)
    for number in range(rounds):
        home.says(*bodies(who, number))
        home.put(said(f"e{who}", f"word{who}", line=who + 1))
    home.close()


def bodies(who: int, number: int) -> list[Body]:
    entry = EntryId(f"ent_{os.getpid():016x}{who:08x}{number:08x}")
    others: list[Body] = [Forget(events=(ident(f"e{who}"),)), Destroy(entries=(entry,)), Forget(entries=(entry,))]
    return [asserting(entry, statement(f"text {number % 3}", name="port"), cited(ident("e0"))), others[number % 3]]


def agrees(folder: Path) -> None:
    home = Home(folder)
    home.memory.catch_up()
    assert told(home.held) == expected(home.folded(), home.held.spellings)
    for who in range(PROCESSES):
        hidden = home.folded().event(ident(f"e{who}")).is_hidden
        assert not (hidden and (home.found(f"word{who}") or f"word{who}" in home.shown()))
    assert home.index.check() == []
    home.close()


@pytest.mark.req("INV-1", "INV-4", "PER-6")
def test_processes_that_write_memory_at_once_leave_what_folding_gives(tmp_path: Path) -> None:
    pids = [begin(lambda who=who: work(tmp_path, who, EACH)) for who in range(PROCESSES)]  # type: ignore[misc]
    assert [ended(pid) for pid in pids] == [0] * PROCESSES
    agrees(tmp_path)


@pytest.mark.req("INV-1", "PER-6")
def test_a_process_that_is_killed_leaves_nothing_unseen(tmp_path: Path) -> None:
    rng, killed = random.Random(7), 0
    for round_ in range(KILLS):
        killed += bool(ended(begin(lambda who=round_ % 3: work(tmp_path, who, 200), kill_after=rng.uniform(0.05, 0.4))))  # type: ignore[misc]
        agrees(tmp_path)
    assert killed > KILLS // 2
