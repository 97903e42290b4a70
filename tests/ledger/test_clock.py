"""Laws of hybrid time."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from quoth.core.ledger.clock import AHEAD, Hybrid, hear, is_ahead, tick

TIMES = st.builds(Hybrid, st.integers(0, 10 * AHEAD), st.integers(0, 5))
NOW = st.integers(0, 10 * AHEAD)


@given(NOW, TIMES)
def test_a_new_time_is_later_than_all_before_and_never_behind_the_clock(now: int, last: Hybrid) -> None:
    time = tick(now, last)
    assert time.ms >= now
    assert time > last or is_ahead(now, last)


@given(NOW, TIMES, TIMES)
def test_what_is_written_after_hearing_a_time_is_later_than_it(now: int, last: Hybrid, theirs: Hybrid) -> None:
    heard = hear(now, last, theirs)
    assert heard.time >= last
    assert heard.ahead or heard.time >= theirs
    if not is_ahead(now, heard.time):
        assert heard.ahead or tick(now, heard.time) > theirs


def test_a_time_more_than_a_day_ahead_is_reported_and_never_carried_on() -> None:
    last = Hybrid(1_000, 3)
    assert hear(1_000, last, Hybrid(1_000 + AHEAD, 0)) == (Hybrid(1_000 + AHEAD, 0), False)
    assert hear(1_000, last, Hybrid(1_001 + AHEAD, 0)) == (last, True)


def test_a_clock_that_stands_or_steps_back_counts_and_one_that_was_days_ahead_is_forgiven() -> None:
    assert tick(1_000, Hybrid(1_000, 0)) == tick(900, Hybrid(1_000, 0)) == Hybrid(1_000, 1)
    assert tick(1_001, Hybrid(1_000, 7)) == Hybrid(1_001, 0)
    assert tick(1_000, Hybrid(1_001 + AHEAD, 4)) == Hybrid(1_000, 0)
