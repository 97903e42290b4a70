"""Audit: what became of an entry, who may see what in which view, and the graph as it is exported."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest

from quoth.core.errors import InvalidArgument, UnknownId
from services.archive import Archive
from services.entries import PERSON, correct, entry, forget, remember
from services.judging import audit, judge

STATES = ("active", "negated", "quarantined", "sealed", "destroyed", "forgotten", "replaced")


@pytest.fixture
def archive(tmp_path: Path) -> Archive:
    made = Archive(tmp_path)
    made.sync()
    return made


@pytest.fixture
def ids(archive: Archive) -> dict[str, str]:
    return _made(archive)


def _made(archive: Archive) -> dict[str, str]:
    """Return an entry in each state, by its state; and what replaced one."""
    found = {name: entry(archive, f"The {name} thing is here.") for name in STATES}
    judge(archive, found["negated"], "negate")
    judge(archive, found["quarantined"], "quarantine")
    judge(archive, found["sealed"], "seal")
    judge(archive, found["destroyed"], "tombstone")
    forget(archive, found["forgotten"])
    found["new"] = judge(archive, found["replaced"], "replace", "Something else is there.")["new"]["id"]
    return found


def _view(archive: Archive, name: str, **more: Any) -> dict[str, dict[str, Any]]:
    listed = archive.ask(lambda kernel: kernel.audit.view(name, **more))
    return {each["atom_id"]: each for each in listed}


@pytest.mark.req("HMG-29", "HMG-20", "HMG-25")
def test_every_step_is_told_with_its_reason_and_its_author(archive: Archive) -> None:
    one = entry(archive, "The disk might be slow.")
    judge(archive, one, "confirm_actual", reason="measured")
    judge(archive, one, "quarantine", reason="odd")
    judge(archive, one, "release", by=PERSON, reason="not odd")
    new = judge(archive, one, "replace", "The disk is slow.", reason="clearer")["new"]["id"]
    judge(archive, new, "seal", reason="over")
    told = audit(archive, one)
    assert list(told) == ["current", "polarity_history", "epistemic_history", "exposure_history", "relations"]
    assert list(told["epistemic_history"][0]) == ["from", "to", "reason", "at", "by"]

    def steps(name: str) -> list[tuple[Any, ...]]:
        return [(each["from"], each["to"], each["reason"], each["by"].split("@")[0]) for each in told[name]]

    assert steps("epistemic_history") == [("possible", "actual", "measured", "codex")]
    assert steps("polarity_history") == [("positive", "negative", "clearer", "codex")]
    assert steps("exposure_history") == [
        ("visible", "quarantined", "odd", "codex"),
        ("quarantined", "visible", "not odd", "user"),
        ("visible", "sealed", "over", "codex"),
    ]
    assert told["relations"]["superseded_by"] == [new]
    instants = [each["at"] for name in ("exposure_history", "epistemic_history") for each in told[name]]
    assert all(at.endswith("Z") and at[10] == "T" for at in instants)


@pytest.mark.req("HMG-29", "HMG-31", "HMG-13")
@pytest.mark.parametrize(
    ("name", "exposure", "polarity", "content"),
    [
        ("active", "visible", "positive", "The active thing is here."),
        ("negated", "visible", "negative", "The negated thing is here."),
        ("quarantined", "quarantined", "positive", "[governed payload hidden: quarantined]"),
        ("sealed", "sealed", "positive", "[governed payload hidden: sealed]"),
        ("destroyed", "tombstoned", None, "[destroyed]"),
        ("forgotten", "quarantined", "positive", "[forgotten]"),
        ("replaced", "visible", "negative", "The replaced thing is here."),
    ],
)
def test_what_it_is_now_says_no_more_than_may_be_said(
    archive: Archive, name: str, exposure: str, polarity: str, content: str
) -> None:
    ids = _made(archive)
    now = audit(archive, ids[name])["current"]
    assert (now["exposure_state"], now["polarity"], now["content"]) == (exposure, polarity, content)
    assert (now["atom_id"], now["is_active"]) == (ids[name], name == "active")


@pytest.mark.req("HMG-31", "HMG-12")
def test_three_views_show_what_is_theirs(archive: Archive, ids: dict[str, str]) -> None:
    normal = {ids["active"], ids["new"]}
    assert set(_view(archive, "normal")) == normal
    assert set(_view(archive, "normal", with_negated=True)) == normal | {ids["negated"]}
    governed = normal | {ids[name] for name in ("negated", "quarantined", "sealed")}
    assert set(_view(archive, "governance")) == governed
    whole = _view(archive, "audit")
    assert set(whole) == set(ids.values())
    hidden = [name for name in ids if whole[ids[name]]["content"].startswith("[")]
    assert hidden == ["quarantined", "sealed", "destroyed", "forgotten"]
    with pytest.raises(InvalidArgument, match="`view` must be one of normal, governance, audit"):
        archive.ask(lambda kernel: kernel.audit.view("all"))


@pytest.mark.req("HMG-29")
def test_the_graph_is_exported_without_hidden_words(archive: Archive, ids: dict[str, str]) -> None:
    said = json.loads(archive.ask(lambda kernel: kernel.audit.export()))
    assert list(said) == ["nodes", "edges", "stats"]
    assert {each["id"] for each in said["nodes"]} == set(ids.values())
    assert all(len(each["label"]) <= 200 for each in said["nodes"])
    assert [(each["relation"], each["from"], each["to"]) for each in said["edges"]] == [
        ("supersedes", ids["new"], ids["replaced"])
    ]
    assert said["stats"]["atom_count"] == len(ids)
    assert said["stats"]["edge_count"] == 1
    for name in ("quarantined", "sealed", "destroyed", "forgotten"):
        assert f"The {name} thing" not in json.dumps(said)


@pytest.mark.req("HMG-29", "SEC-2")
def test_as_csv_no_words_are_a_formula(archive: Archive) -> None:
    entry(archive, '=HYPERLINK("x";"y")')
    entry(archive, "A, with a comma\nand a line.")
    nodes, edges = archive.ask(lambda kernel: kernel.audit.export("csv")).split("\n\n")
    rows = list(csv.DictReader(io.StringIO(nodes)))
    assert [each["label"] for each in rows] == ['\'=HYPERLINK("x";"y")', "A, with a comma\nand a line."]
    assert edges.strip() == "id,from,to,relation"
    with pytest.raises(InvalidArgument, match="`format` must be one of json, csv"):
        archive.ask(lambda kernel: kernel.audit.export("xml"))


@pytest.mark.req("HMG-29")
def test_an_empty_store_has_an_empty_graph(archive: Archive) -> None:
    said = json.loads(archive.ask(lambda kernel: kernel.audit.export()))
    assert said == {"nodes": [], "edges": [], "stats": {"atom_count": 0, "edge_count": 0, "snapshot_version": 0}}
    with pytest.raises(UnknownId):
        audit(archive, "ent_" + "0" * 32)


@pytest.mark.req("HMG-29", "HMG-27")
def test_the_version_of_the_snapshot_grows_with_what_is_done_and_with_nothing_else(archive: Archive) -> None:
    def version() -> int:
        return int(archive.ask(lambda kernel: kernel.audit.snapshot_version()))

    one = entry(archive, "The shop is blue.")
    assert version() == 1
    assert remember(archive, "The shop is blue.")["verdict"] == "NOOP"
    assert version() == 1
    correct(archive, one, "The shop is red.")
    judge(archive, entry(archive, "The oven is new."), "derive_lesson", "Ovens get old.")
    assert version() == 4


@pytest.mark.req("HMG-29")
def test_a_reason_that_was_destroyed_is_not_told(archive: Archive) -> None:
    one = entry(archive, "The shop is blue.")
    two = correct(archive, one, "The shop is red.", reason="painted")["entry"]["id"]
    judge(archive, two, "tombstone", reason="wrong colour")
    assert [each["reason"] for each in audit(archive, one)["polarity_history"]] == [None]
    assert [each["reason"] for each in audit(archive, one)["exposure_history"]] == ["wrong colour"]
