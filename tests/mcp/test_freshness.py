"""When the logs are read: by a clock that the test moves and passes that do nothing."""

from __future__ import annotations

import threading

import pytest
from memory import Hands

from quoth.surfaces.mcp.archive import Archive
from quoth.surfaces.mcp.freshness import Freshness

SOON = 20


class FakePass:
    """A pass that is over when the test says so. `waits` are the seconds that somebody would have waited for it."""

    def __init__(self, clock: Hands, unless_ms: int, *, is_over: bool) -> None:
        self.clock = clock
        self.unless_ms = unless_ms
        self.is_over = is_over
        self.is_stopped = False
        self.waits: list[float] = []
        self.note: str | None = None

    def wait(self, seconds: float) -> bool:
        if seconds:
            self.waits.append(seconds)
        if not self.is_over:
            self.clock.time += seconds
        return self.is_over

    def stop(self) -> None:
        self.is_stopped = True


class Passes:
    """Begins passes and remembers them."""

    def __init__(self, *, over: bool = True) -> None:
        self.clock = Hands()
        self.over = over
        self.begun: list[FakePass] = []
        self.enough = threading.Event()
        self.freshness = Freshness(self.start, now=self.clock)

    def start(self, unless_ms: int) -> FakePass:
        self.begun.append(FakePass(self.clock, unless_ms, is_over=self.over))
        if len(self.begun) >= 3:
            self.enough.set()
        return self.begun[-1]


@pytest.mark.req("ORI-64")
def test_questions_read_first_but_at_most_every_ten_seconds() -> None:
    passes = Passes()
    for step, expected in ((0, 1), (5, 1), (4.9, 1), (0.1, 2), (9, 2), (100, 3)):
        passes.clock.time += step
        passes.freshness.before_answer()
        assert len(passes.begun) == expected


@pytest.mark.req("ORI-64")
def test_a_pass_of_another_process_counts_too() -> None:
    passes = Passes()
    passes.freshness.before_answer()
    assert passes.begun[0].unless_ms == 10_000


@pytest.mark.req("ORI-72")
def test_a_question_waits_one_second_and_is_told_what_it_may_lack() -> None:
    passes = Passes(over=False)
    passes.freshness.before_answer()
    assert passes.begun[0].waits == [1.0]
    passes.begun[0].note = "new log lines are still being read (40% of 12 MB, the newest first)"
    archive = Archive(lambda: pytest.fail("nothing is opened for that"), passes.freshness)
    assert archive.notes() == ["Note: new log lines are still being read (40% of 12 MB, the newest first)."]


@pytest.mark.req("ORI-64")
def test_a_pass_under_way_is_waited_for_and_not_begun_again() -> None:
    passes = Passes(over=False)
    passes.freshness.before_answer()
    passes.clock.time += 100
    passes.freshness.before_answer()
    assert len(passes.begun) == 1
    assert passes.begun[0].waits == [1.0, 1.0]


@pytest.mark.req("ORI-63")
def test_nothing_is_read_before_the_client_has_its_tools() -> None:
    passes, listed = Passes(), threading.Event()
    watching = threading.Thread(target=passes.freshness.watch, args=(listed, lambda: 0), daemon=True)
    watching.start()
    assert passes.begun == []
    listed.set()
    watching.join(SOON)
    assert len(passes.begun) == 1


@pytest.mark.req("ORI-66")
def test_an_interval_of_nothing_reads_once() -> None:
    passes, listed = Passes(), threading.Event()
    listed.set()
    passes.freshness.watch(listed, lambda: 0)
    assert [each.unless_ms for each in passes.begun] == [10_000]


@pytest.mark.req("ORI-66")
def test_the_logs_are_read_again_and_again_until_the_end() -> None:
    passes, listed = Passes(), threading.Event()
    listed.set()

    def interval() -> int:
        passes.clock.time += 1000  # so that every look is due
        return 1

    watching = threading.Thread(target=passes.freshness.watch, args=(listed, interval), daemon=True)
    moving = threading.Thread(target=lambda: move(passes), daemon=True)
    watching.start()
    moving.start()
    assert passes.enough.wait(SOON)
    passes.freshness.end(5)
    watching.join(SOON)
    moving.join(SOON)
    assert not watching.is_alive()


def move(passes: Passes) -> None:
    while not passes.enough.is_set():
        passes.clock.time += 1


@pytest.mark.req("ORI-67")
def test_the_end_reads_once_more_whatever_was_read_before() -> None:
    passes = Passes()
    passes.freshness.before_answer()
    passes.freshness.end(5)
    assert [each.unless_ms for each in passes.begun] == [10_000, 0]


@pytest.mark.req("ORI-67")
def test_the_end_waits_for_the_pass_under_way_and_stops_it_in_time() -> None:
    passes = Passes(over=False)
    passes.freshness.before_answer()
    begun = passes.clock.time
    passes.freshness.end(5)
    assert len(passes.begun) == 1
    assert passes.begun[0].is_stopped
    assert passes.clock.time == begun + 5


@pytest.mark.req("ORI-67")
def test_the_last_pass_is_stopped_in_time() -> None:
    passes = Passes(over=False)
    begun = passes.clock.time
    passes.freshness.end(5)
    assert passes.begun[0].is_stopped
    assert passes.clock.time == begun + 5


@pytest.mark.req("ORI-67")
def test_after_the_end_nothing_begins() -> None:
    passes = Passes()
    passes.freshness.end(5)
    passes.clock.time += 1000
    passes.freshness.before_answer()
    assert len(passes.begun) == 1
