"""What a pass tells of itself: how far it is, how it ended, and what an answer given now may lack."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from quoth.surfaces.mcp.passes import NotBegun, Pass, begin

SOON = 20


@contextmanager
def saying(*lines: str, then: str = "") -> Iterator[Pass]:
    """Begin a pass whose process prints lines and then does something."""
    program = "".join(f"print({line!r}, flush=True);" for line in lines) + then
    passing = Pass(command=(sys.executable, "-c", program))
    try:
        yield passing
    finally:
        passing.stop()


@pytest.mark.parametrize(
    ("lines", "note"),
    [
        (['{"done": "read"}'], None),
        (['{"read": 10, "total": 20}', '{"done": "read"}'], None),
        (['{"done": "paused"}'], "reading is paused; this answer has what was read before"),
        (['{"done": "busy"}'], "new log lines are still being read; this answer has what is stored so far"),
        (
            ['{"done": "failed", "sentence": "Writing failed: the disk is full."}'],
            "new log lines could not be read. Writing failed: the disk is full. This answer has what is stored so far",
        ),
        ([], "new log lines could not be read; `quoth doctor` says why. This answer has what is stored so far"),
        (
            ['{"read": 10, "total": 20}'],
            "new log lines could not be read; `quoth doctor` says why. This answer has what is stored so far",
        ),
    ],
)
@pytest.mark.req("ORI-72")
def test_the_end_of_a_pass_is_told_when_it_matters(lines: list[str], note: str | None) -> None:
    with saying(*lines) as passing:
        assert passing.wait(SOON)
        assert passing.note == note


@pytest.mark.req("ORI-72")
def test_a_pass_under_way_says_how_far_it_is() -> None:
    with saying('{"read": 5000000, "total": 12000000}', then="import threading; threading.Event().wait()") as passing:
        while passing.note and "%" not in passing.note:
            passing.wait(0.01)
        assert passing.note == "new log lines are still being read (41% of 12 MB, the newest first)"
        assert not passing.wait(0)
    assert passing.wait(0)


@pytest.mark.req("ORI-67")
def test_a_pass_that_hangs_can_be_stopped() -> None:
    with saying(then="import threading; threading.Event().wait()") as passing:
        assert not passing.wait(0)
        passing.stop()
        assert passing.wait(0)


def test_half_a_word_of_a_killed_pass_ends_it_all_the_same() -> None:
    with saying('{"read": 5, "tot') as passing:
        assert passing.wait(SOON)
        assert "doctor" in (passing.note or "")


def test_a_machine_that_starts_no_process_still_answers() -> None:
    passing = begin(0, command=("no/such/program",))
    assert isinstance(passing, NotBegun)
    assert passing.wait(1)
    assert "no process can be started" in passing.note
