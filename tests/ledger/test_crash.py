"""Processes that append at once and are killed: nothing acknowledged is lost, nothing is there half or twice."""

from __future__ import annotations

import os
import random
import resource
import signal
from pathlib import Path

import pytest

from children import acknowledge, begin, ended, needs_fork
from ledger.keeping import DEVICE, NOW, append, everything, folded, opened, says, texts
from ledger.world import statement
from quoth.core.errors import StoreFailed
from quoth.core.ledger.operations import Assert, Destroy, Forget, asserting
from quoth.storage._ledger import LedgerFile

pytestmark = needs_fork

PROCESSES, EACH, KILLS = 8, 25, 60


def test_processes_of_one_device_that_append_at_once_make_one_chain(tmp_path: Path) -> None:
    def work(who: int) -> None:
        ledger = opened(tmp_path)  # all of them also make the file at once
        for number in range(EACH):
            append(ledger, says(f"{who}:{number}"), now=NOW + number)
        ledger.close()

    pids = [begin(lambda who=who: work(who)) for who in range(PROCESSES)]  # type: ignore[misc]
    assert [ended(pid) for pid in pids] == [0] * PROCESSES
    ledger = opened(tmp_path)
    assert sorted(texts(ledger)) == sorted(f"{who}:{number}" for who in range(PROCESSES) for number in range(EACH))
    assert dict(ledger.series()) == {DEVICE: PROCESSES * EACH}
    times = [each.header.time for each in everything(ledger)]
    assert times == sorted(set(times))
    assert list(ledger.verify()) == []
    ledger.close()


def test_of_processes_that_decide_on_the_same_text_at_once_one_writes_it(tmp_path: Path) -> None:
    def work() -> None:
        ledger = opened(tmp_path)
        for number in range(10):
            with ledger.writing():
                if f"same {number}" not in texts(ledger):
                    append(ledger, says(f"same {number}"))

    assert [ended(pid) for pid in [begin(work) for _ in range(PROCESSES)]] == [0] * PROCESSES
    ledger = opened(tmp_path)
    assert texts(ledger) == [f"same {number}" for number in range(10)]
    ledger.close()


def test_killing_writers_at_any_point_loses_nothing_and_leaves_no_half(tmp_path: Path) -> None:
    opened(tmp_path).close()
    done, rng = tmp_path / "acknowledged", random.Random(3)
    done.touch()

    def work(who: int) -> None:
        ledger = opened(tmp_path)
        for number in range(200):
            text = f"{who}:{number}"
            correction = asserting(
                says(f"{text} corrected").entry, statement(text), root=says(text).root, supersedes=says(text).entry
            )
            append(ledger, says(text), correction)
            acknowledge(done, text)
            if number % 3 == 0:
                append(ledger, Forget((says(text).root,)), Destroy((says(text).root,)))
                acknowledge(done, f"{text} destroyed")
            if number % 9 == 0:
                ledger.scrub()

    deaths = 0
    for batch in range(KILLS // 4):
        pids = [
            begin(lambda who=batch * 4 + place: work(who), kill_after=rng.uniform(0.005, 0.12))  # type: ignore[misc]
            for place in range(4)
        ]
        deaths += sum(os.WIFSIGNALED(ended(pid)) for pid in pids)
    assert deaths > KILLS // 2, "the kills must hit"
    ledger = opened(tmp_path)
    assert list(ledger.verify()) == []
    assert ledger.scrub()
    assert ledger.check() == []
    state = folded(ledger)
    for line in done.read_text().splitlines():
        text, _, destroyed = line.partition(" ")
        root = state.root_of(says(text).entry)
        assert root.destroyed or not destroyed
        assert len(root.versions) == 2
    asserted = [each.body.entry for each in everything(ledger) if isinstance(each.body, Assert)]
    assert len(asserted) == len(set(asserted)) == 2 * len(state.roots), (
        "a call is there as a whole, once, or not at all"
    )
    ledger.close()


@pytest.mark.parametrize("limit", [60_000, 120_000, 400_000])
def test_a_full_disk_is_an_error_and_everything_acknowledged_stays(tmp_path: Path, limit: int) -> None:
    opened(tmp_path).close()
    done = tmp_path / "acknowledged"

    def fill(ledger: LedgerFile) -> None:
        for number in range(10_000):
            append(ledger, says(f"{number} " + "x" * 2_000))
            acknowledge(done, f"{number}")

    def work() -> None:
        ledger = opened(tmp_path)
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
        with pytest.raises(StoreFailed, match="disk"):
            fill(ledger)

    assert ended(begin(work)) == 0
    ledger = opened(tmp_path)
    acknowledged = done.read_text().split() if done.exists() else []
    assert {text.split()[0] for text in texts(ledger)} >= set(acknowledged)
    assert list(ledger.verify()) == []
    assert append(ledger, says("there is room again"))
    ledger.close()
