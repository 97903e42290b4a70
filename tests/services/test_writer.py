"""Groups of batches: forced onto the disk before they are written, all written in order, none after one was lost."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from threading import Event as Signal
from typing import cast

import pytest

from quoth.core.errors import Busy, StoreFailed
from quoth.core.ids import SourceId
from quoth.core.model import Batch, Form, Progress, Stream, Unread
from quoth.core.ports import Index
from quoth.services._writer import Writer
from quoth.wiring import Unseen

A_GROUP = 2_000
BOUND = 20  # seconds, for a test that would wait for ever


def batch(rank: int) -> Batch:
    """Return a batch that is a group by itself."""
    path = str(Path("logs", f"{rank}.jsonl"))
    stream = Stream(rank, SourceId("demo"), "root", path, 1, Form.LOG, path, path, 0)
    return Batch(stream, Progress(1, 1, None, None), unread=[Unread(1, "unknown")] * A_GROUP)


class Disk:
    """Forces a group when it is let, and tells which groups are on it."""

    def __init__(self) -> None:
        self.begun: list[int] = []
        self.on_disk: set[int] = set()
        self.may_force = Signal()
        self.fails = False

    def forcing(self) -> Callable[[], None]:
        group = len(self.begun) + 1
        self.begun.append(group)

        def force() -> None:
            assert self.may_force.wait(BOUND)
            if self.fails:
                raise StoreFailed("Forcing the mirror onto the disk", "the disk is full")
            self.on_disk.add(group)

        return force


class Written:
    """An index that only takes batches, and refuses once what it is told to."""

    def __init__(self, disk: Disk, *, refuses: int = 0) -> None:
        self._disk = disk
        self._refuses = refuses
        self.ranks: list[int] = []

    def put(self, batches: Sequence[Batch]) -> Sequence[int]:
        ranks = [each.stream.rank for each in batches]
        assert set(ranks) <= self._disk.on_disk, "the group was written before it was on the disk"
        if self._refuses in ranks:
            self._refuses = 0
            raise Busy("the index")
        self.ranks += ranks
        return [0] * len(batches)


def writer(index: Written, disk: Disk) -> Writer:
    return Writer(cast(Index, index), Unseen(), disk.forcing, lambda batch, new: None)


@pytest.mark.req("INV-2", "ARC-2")
def test_a_group_is_written_after_it_is_on_the_disk_and_in_order() -> None:
    disk = Disk()
    disk.may_force.set()
    index = Written(disk)
    writing = writer(index, disk)
    for rank in range(1, 6):
        writing.add(batch(rank), read=1)
    writing.flush()
    assert index.ranks == [1, 2, 3, 4, 5]
    writing.flush()
    assert index.ranks == [1, 2, 3, 4, 5]


@pytest.mark.req("PER-3")
def test_reading_goes_on_while_the_disk_takes_a_group() -> None:
    disk = Disk()
    index = Written(disk)
    writing = writer(index, disk)
    writing.add(batch(1), read=1)
    assert (disk.begun, index.ranks) == ([1], [])
    disk.may_force.set()
    writing.flush()
    assert index.ranks == [1]


@pytest.mark.req("INV-2")
def test_what_the_disk_refused_is_never_written() -> None:
    disk = Disk()
    disk.fails = True
    disk.may_force.set()
    index = Written(disk)
    writing = writer(index, disk)
    writing.add(batch(1), read=1)
    with pytest.raises(StoreFailed):
        writing.flush()
    assert index.ranks == []


@pytest.mark.req("INV-2", "ARC-2")
def test_a_group_that_followed_a_lost_one_is_left_to_the_next_pass_too() -> None:
    """It may go on with the same log: written alone, it would hide the lines of the lost one for good."""
    disk = Disk()
    disk.may_force.set()
    index = Written(disk, refuses=1)
    writing = writer(index, disk)
    writing.add(batch(1), read=1)
    with pytest.raises(Busy):
        writing.add(batch(2), read=1)
    writing.add(batch(3), read=1)
    writing.flush()
    assert index.ranks == [3]
