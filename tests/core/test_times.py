"""How instants are read and printed."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quoth.core import times
from quoth.core.errors import InvalidArgument

NOW = 1_792_396_800_000  # 2026-10-19T08:00:00Z
MINUTE = 60_000


@pytest.fixture(autouse=True)
def zone(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Put the machine into a zone that is not UTC."""
    monkeypatch.setenv("TZ", "Asia/Shanghai")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


@pytest.mark.req("ORI-14")
@pytest.mark.parametrize(
    ("said", "instant"),
    [
        ("30m", NOW - 30 * MINUTE),
        ("24h", NOW - 24 * 60 * MINUTE),
        ("7d", NOW - 7 * 24 * 60 * MINUTE),
        ("2w", NOW - 14 * 24 * 60 * MINUTE),
        ("2026-10-19", NOW - 16 * 60 * MINUTE),  # midnight in the local zone
        ("2026-10-19T08:00:00Z", NOW),
        ("2026-10-19T10:00:00+02:00", NOW),
        ("2026-10-19T16:00:00", NOW),  # naive is local
        ("2026-10-19T16:00:00.123456", NOW + 123),
    ],
)
def test_a_time_is_relative_a_local_date_or_iso(said: str, instant: int) -> None:
    assert times.parse(said, argument="since", now=NOW) == instant


@pytest.mark.req("ORI-14")
@pytest.mark.parametrize(
    "said",
    ["", "yesterday", "7", "7y", "-3d", "2026", "2026-13-01", "2026-02-30", "20261019", "٣d", "1d ", "0000-00-00"],
)
def test_anything_else_is_an_error_that_names_the_parameter(said: str) -> None:
    with pytest.raises(InvalidArgument, match="`until` must be a time"):
        times.parse(said, argument="until", now=NOW)


@pytest.mark.req("ORI-14")
@given(st.text(max_size=30))
def test_no_text_makes_reading_a_time_fail_in_another_way(said: str) -> None:
    with suppress(InvalidArgument):
        assert 0 <= times.parse(said, argument="since", now=NOW) <= times.LATEST


@given(st.integers(0, times.LATEST))
def test_what_is_printed_is_the_same_instant_when_read_again(instant: int) -> None:
    assert times.from_iso(times.local_iso(instant)) in {instant, None}  # None: within hours of the end of time
    assert instant > times.LATEST - 86_400_000 or times.from_iso(times.local_iso(instant)) == instant


def test_instants_are_printed_in_the_local_zone_with_milliseconds_and_offset() -> None:
    assert times.local_iso(NOW) == "2026-10-19T16:00:00.000+08:00"
    assert times.local_iso(times.LATEST).startswith("9999-12-31T")


@pytest.mark.parametrize(
    "said", ["2026-03-11T09:20:00.1234Z", "2026-03-11T09:20:00.123456Z", "2026-03-11T09:20:00.123"]
)
def test_a_record_may_give_any_number_of_decimals_and_means_utc_without_a_zone(said: str) -> None:
    assert times.from_iso(said) == 1_773_220_800_123
