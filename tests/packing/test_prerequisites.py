"""What an entry requires comes with it into a block, or the entry stays out of it (ENG-37)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from quoth.core.block import block
from quoth.core.ids import EntryId
from quoth.core.ledger.operations import Relate, Verdict
from quoth.core.memory import EntryFilter
from quoth.services._prerequisites import with_prerequisites
from services.archive import Archive
from services.entries import append, correct, entry, judge

TURN_ON = "Turn the kiln on with the green switch."


@pytest.fixture
def archive(tmp_path: Path) -> Archive:
    archive = Archive(tmp_path)
    archive.project.mkdir(parents=True)
    return archive


def requires(archive: Archive, one: str, other: str, relation: str = "requires") -> None:
    append(archive, Relate(EntryId(one), EntryId(one), EntryId(other), EntryId(other), relation))


def packed(archive: Archive, query: str) -> Sequence[str]:
    """Return the ids of what a block of the best one that is found holds."""

    def ask(kernel: object) -> Sequence[str]:
        found = kernel.recall.ranked(query, limit=1, floor=0.0).items  # type: ignore[attr-defined] - the kernel of a test
        where = EntryFilter(now=kernel.clock.now())  # type: ignore[attr-defined] - the same
        whole = with_prerequisites(found, kernel.memory.entries, where)  # type: ignore[attr-defined] - the same
        return [each.id for each in block(whole, budget=4_000).items]

    found: Sequence[str] = archive.ask(ask)
    return found


@pytest.mark.req("ENG-37")
def test_what_is_required_stands_before_although_it_was_not_found(archive: Archive) -> None:
    dependent, lid, gloves = (
        entry(archive, text) for text in (TURN_ON, "First close the lid.", "Wear gloves whenever lids move.")
    )
    requires(archive, dependent, lid)
    requires(archive, lid, gloves, "depends on")
    assert packed(archive, "green switch kiln") == [gloves, lid, dependent]


@pytest.mark.req("ENG-37")
def test_the_current_version_of_what_is_required_comes(archive: Archive) -> None:
    dependent, lid = entry(archive, TURN_ON), entry(archive, "First close the lid.")
    requires(archive, dependent, lid)
    newer = correct(archive, lid, "First close both lids.")["entry"]["id"]
    assert packed(archive, "green switch kiln") == [newer, dependent]


@pytest.mark.req("ENG-37")
def test_what_requires_something_that_is_no_longer_so_is_left_out(archive: Archive) -> None:
    dependent, lid = entry(archive, TURN_ON), entry(archive, "First close the lid.")
    requires(archive, dependent, lid)
    judge(archive, lid, Verdict.NEGATE)
    assert packed(archive, "green switch kiln") == []


@pytest.mark.req("ENG-37")
def test_what_requires_something_that_ended_is_left_out(archive: Archive) -> None:
    dependent, lid = entry(archive, TURN_ON), entry(archive, "First close the lid.", valid_to="2020-01-01")
    requires(archive, dependent, lid)
    assert packed(archive, "green switch kiln") == []


@pytest.mark.req("ENG-37")
def test_entries_that_require_one_another_come_together(archive: Archive) -> None:
    one, other = entry(archive, TURN_ON), entry(archive, "Turn the oven off with the red switch.")
    requires(archive, one, other)
    requires(archive, other, one)
    assert sorted(packed(archive, "green switch kiln")) == sorted([one, other])
