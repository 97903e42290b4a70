"""An event and its repeats share one fate, whichever of their ids the ledger names."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ledger.world import cited, statement
from quoth.core.ids import SessionId
from quoth.core.ledger.operations import Destroy, Forget, asserting
from quoth.core.ledger.values import StoredAnchor
from quoth.core.memory import Fate
from quoth.core.model import Answered
from quoth.core.query import Query
from storage.remembering import ALL, CODEX, Home, ident, identity, rows_with, said, talk


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Home]:
    home = Home(tmp_path)
    yield home
    home.close()


ROOT = identity(1)


@pytest.mark.req("INV-5")
@pytest.mark.parametrize("forgotten", ["e1", "better"])
@pytest.mark.parametrize("is_first", [True, False])
@pytest.mark.parametrize("is_later", [True, False])
def test_repeats_share_the_fate_of_what_they_repeat(home: Home, forgotten: str, is_first: bool, is_later: bool) -> None:
    def read(name: str) -> None:
        rank, weight = {"e1": (1, 0), "better": (2, 1)}[name]
        home.put(said(name, "zebra first", line=1, weight=weight), rank=rank, key=name, settle=False)

    if not is_later:
        operation = home.forgets(forgotten)
    for name in ("e1", "better") if is_first else ("better", "e1"):
        read(name)
    if is_later:
        operation = home.forgets(forgotten)
    home.index.settle()
    assert home.found("zebra") == home.shown() == []
    assert rows_with(home, "zebra") == 0
    home.memory.catch_up()
    assert home.found("zebra") == home.shown() == []
    assert set(home.fates([ident("e1"), ident("better")]).values()) == {Fate.FORGOTTEN}
    assert home.held.spellings(ident("e1")) == [ident("better"), ident("e1")]
    home.restores(operation)
    assert home.found("zebra") == home.shown() == ["zebra first"]


@pytest.mark.req("INV-5")
def test_of_a_page_no_place_is_kept_for_what_is_hidden(home: Home) -> None:
    home.put(*(said(f"e{n}", f"zebra {n}", line=n) for n in range(1, 9)))
    home.forgets(*(f"e{n}" for n in range(1, 9) if n % 2))
    page: dict[str, Any] = {"limit": 1, "offset": 1}
    rows = home.index.session_events(CODEX, SessionId("s1"), everything=True, **page)
    assert [row.text for row in rows] == ["zebra 4"]
    assert [row.text for row in home.index.recent(ALL, **page)] == ["zebra 6"]
    assert len(home.index.search(Query.parse("zebra"), ALL, limit=4, offset=0)) == 4


@pytest.mark.req("INV-5")
def test_a_repeat_of_another_life_of_the_file_is_hidden_too(home: Home) -> None:
    home.put(said("e1", "zebra", line=1))
    home.forgets("e1")
    home.put(said("n1", "zebra", line=1), rank=2, generation=2)
    assert home.found("zebra") == home.shown() == []


@pytest.mark.req("INV-4")
def test_an_entry_is_hidden_when_what_it_cites_turns_out_to_be_forgotten_under_another_id(home: Home) -> None:
    home.put(said("e1", "zebra", line=1))
    home.says(asserting(ROOT, statement("striped"), cited(ident("e1"))), Forget(events=(ident("better"),)))
    assert home.entries("striped") == ["striped"]
    home.put(said("better", "zebra", line=1, weight=1), rank=2, key="better")
    home.memory.catch_up()
    assert home.entries("striped") == []
    assert home.held.respelled().events == frozenset()


@pytest.mark.req("INV-5")
def test_older_ids_hide_what_answers_to_them_now(home: Home) -> None:
    forgotten = home.forgets("old")
    talk(home)
    home.index.keep([Answered(ident("old"), 1, 1, 0)])
    home.memory.catch_up()
    assert home.shown() == ["lion second", "tiger third"]
    assert home.fates([ident("old"), ident("e1")]) == dict.fromkeys([ident("old"), ident("e1")], Fate.FORGOTTEN)
    home.restores(forgotten)
    assert home.shown()[0] == "zebra first"


def test_the_older_id_of_a_destroyed_event_names_nothing_that_is_read_there_later(home: Home) -> None:
    home.says(Destroy(events=(ident("old"),)))
    talk(home)
    assert home.index.keep([Answered(ident("old"), 1, 1, 0)]) == 0
    assert home.shown()[0] == "zebra first"


def anchor_of(name: str, line: int, **more: Any) -> StoredAnchor:
    sha256 = said(name, "", line=line).sha256
    return StoredAnchor(**{**_anchor(line), "sha256": sha256, **more})


def _anchor(line: int) -> dict[str, Any]:
    place = {"device": "d", "source": CODEX, "stream": "root/a.jsonl", "generation": 1}
    return {**place, "first_line": line, "last_line": line}


@pytest.mark.req("INV-5")
@pytest.mark.parametrize("is_later", [True, False])
def test_an_id_of_another_rule_is_found_by_its_anchor(home: Home, is_later: bool) -> None:
    if not is_later:
        talk(home)
    (forgotten,) = home.says(Forget(events=(ident("other"),), anchors=((ident("other"), anchor_of("e1", 1)),)))
    if is_later:
        talk(home)
        home.memory.catch_up()
    assert home.shown() == ["lion second", "tiger third"]
    assert home.held.spellings(ident("other")) == [ident("e1"), ident("other")]
    home.restores(forgotten)
    assert home.shown()[0] == "zebra first"


@pytest.mark.parametrize("change", [{"sha256": b"other"}, {"generation": 2}, {"stream": "other/a.jsonl"}])
def test_an_anchor_that_means_another_line_names_nothing(home: Home, change: dict[str, Any]) -> None:
    talk(home)
    assert not home.held.adopt(ident("other"), anchor_of("e1", 1, **change))
    home.put(said("e4", "more", line=4))
    assert home.held.spellings(ident("other")) == [ident("other")]
    assert home.held.fate(ident("other")) is Fate.UNKNOWN


def test_an_anchor_without_a_hash_means_its_part_alone(home: Home) -> None:
    home.put(said("e1", "zebra", line=1, part=1))
    assert not home.held.adopt(ident("zero"), anchor_of("e1", 1, sha256=b""))
    assert home.held.adopt(ident("one"), anchor_of("e1", 1, sha256=b"", part=1))
