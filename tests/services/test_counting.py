"""Counting what is remembered: acts, not the operations that follow from them."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from quoth.core.ledger.operations import Verdict
from quoth.services._embedding import Progress
from services.archive import Archive
from services.entries import correct, entry, forget, judge
from worker.keeping import Place, Quick


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


@pytest.mark.req("HMG-27")
def test_what_has_a_vector_is_counted_and_without_a_model_nothing(tmp_path: Path) -> None:
    place = Place(tmp_path)
    place.remembers("The oven is hot.")
    place.says("Bread is brown.")
    place.remembers("Tea is green.")

    def by_meaning(progress: Progress | None) -> object:
        counted = replace(place.kernel.counting, progress=lambda: progress).run()
        return counted["indexed"]["meaning"]  # type: ignore[call-overload,index]  # JSON

    assert by_meaning(None) == 0
    embedded = place.embed(Quick())
    assert by_meaning(embedded) == 2
    place.remembers("Salt is white.")
    assert by_meaning(replace(embedded, total=4)) == 2
    assert by_meaning(Progress("quick-1", embedded=1, total=1_000)) == 1
    assert by_meaning(Progress("quick-1", embedded=900, total=1_000)) == 3
    place.close()


@pytest.mark.req("HMG-27", "INV-6")
def test_counting_goes_on_where_the_settings_are_broken(tmp_path: Path) -> None:
    archive = Archive(tmp_path)
    archive.project.mkdir(parents=True)
    entry(archive, "The oven is hot.")
    (archive.home / "config.toml").write_text("embedder = [")
    counted = archive.ask(lambda kernel: kernel.counting.run())
    assert (counted["versions"], counted["indexed"]["meaning"]) == (1, 0)
