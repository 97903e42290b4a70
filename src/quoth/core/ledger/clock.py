"""Hybrid logical time: the order of operations that no single clock decides (pure; the instant is given).

A time is an instant and a step within it. It follows the device's own clock and is later than everything the device has
heard of, so that whoever saw an operation writes later than it. A time more than a day ahead is somebody's wrong clock:
it is reported and never carried on, not even one of our own.
"""

from __future__ import annotations

from typing import NamedTuple

AHEAD = 24 * 60 * 60 * 1000


class Hybrid(NamedTuple):
    ms: int
    step: int


class Heard(NamedTuple):
    """What a device's clock says after it heard of a time, and whether that time lies too far ahead."""

    time: Hybrid
    ahead: bool


START = Hybrid(0, 0)


def tick(now: int, last: Hybrid) -> Hybrid:
    """Return the time of the next operation: later than `last`, unless that lies more than a day ahead."""
    if now > last.ms or is_ahead(now, last):
        return Hybrid(now, 0)
    return Hybrid(last.ms, last.step + 1)


def hear(now: int, last: Hybrid, theirs: Hybrid) -> Heard:
    """Take in the time of an operation that another device wrote."""
    if is_ahead(now, theirs):
        return Heard(last, True)
    return Heard(max(last, theirs), False)


def is_ahead(now: int, time: Hybrid) -> bool:
    return time.ms - now > AHEAD
