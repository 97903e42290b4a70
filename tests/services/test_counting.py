"""Counting what is remembered: acts, not the operations that follow from them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from quoth.core.ledger.operations import Verdict
from services.archive import Archive
from services.entries import correct, entry, forget, judge


@pytest.mark.req("HMG-27")
def test_nothing_is_counted_where_nothing_is(tmp_path: Path) -> None:
    none = {"meaning": 0, "words": 0, "time": 0, "type": 0}
    counted = Archive(tmp_path).ask(lambda kernel: kernel.counting.run())
    assert counted == {"versions": 0, "edges": 0, "indexed": none, "acts": 0}
    assert not (tmp_path / "quoth" / "ledger.db").exists()


@pytest.mark.req("HMG-27")
def test_versions_edges_and_acts_are_counted(tmp_path: Path) -> None:
    archive = Archive(tmp_path)
    archive.project.mkdir(parents=True)
    first = entry(archive, "The oven is hot.")
    correct(archive, first, "The oven is cold.")
    judge(archive, entry(archive, "Tea is green."), Verdict.SEAL)
    forget(archive, entry(archive, "Bread is brown."))
    counted = archive.ask(lambda kernel: kernel.counting.run())
    assert (counted["versions"], counted["edges"], counted["acts"]) == (4, 1, 6)
    assert counted["indexed"] == {"meaning": 0, "words": 2, "time": 4, "type": 4}
    exported = json.loads(archive.ask(lambda kernel: kernel.audit.export()))["stats"]
    assert list(exported.values()) == [counted["versions"], counted["edges"], counted["acts"]]
