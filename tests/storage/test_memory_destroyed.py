"""Nothing of a destroyed entry stays in the index, and the index follows its ledger."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import apsw
import pytest

from quoth.core.ledger.entries import State
from quoth.core.ledger.merge import fold
from quoth.core.ledger.operations import (
    Destroy,
    Forget,
    Judge,
    Subjects,
    Verdict,
)
from storage.remembering import Home, first, ident, identity, later, said, texts


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Home]:
    home = Home(tmp_path)
    yield home
    home.close()


# --- destroyed ---


SECRET = ("quagga", "okapi", "tapir", "dodo")


def secret(home: Home) -> None:
    fillers = [first(n, f"filler{n} common " + "word " * (n % 17)) for n in range(100, 400)]
    home.says(*fillers[:150])
    home.says(
        first(1, "quagga common", "e1", name="okapi", tags=("tapir",), fields={"a": "dodo"}),
        later(2, "quagga " * 5_000),
    )
    home.says(*fillers[150:])


def vocabulary(folder: Path) -> set[str]:
    (path,) = folder.glob("quoth/index-*.db")
    db = apsw.Connection(str(path))
    try:
        db.execute("CREATE VIRTUAL TABLE temp.words USING fts5vocab('main', 'remembered', 'row')")
        return {term for (term,) in db.execute("SELECT term FROM temp.words")}
    finally:
        db.close()


@pytest.mark.req("INV-5")
def test_of_a_destroyed_entry_no_word_stays_in_the_index_or_in_its_vocabulary(home: Home, tmp_path: Path) -> None:
    secret(home)
    assert {"quagga", "filler399"} <= vocabulary(tmp_path)
    home.says(Destroy(entries=(identity(1),)))
    rows = home.held.history(identity(1))
    assert [(row.state, row.version.statement, row.name, row.cites) for row in rows] == [
        (State.DESTROYED, None, None, ())
    ] * 2
    assert [row.version.created_at > 0 for row in rows] == [True, True]
    assert not vocabulary(tmp_path) & {*SECRET}
    assert "filler399" in vocabulary(tmp_path)
    for path in tmp_path.glob("quoth/index-*"):
        assert not [word for word in SECRET if word.encode() in path.read_bytes()]


@pytest.mark.req("INV-5")
@pytest.mark.parametrize("body", [Forget(entries=(identity(1),)), Judge(Verdict.SEAL, identity(1), identity(1))])
def test_words_of_what_is_hidden_leave_the_vocabulary(home: Home, tmp_path: Path, body: Any) -> None:
    home.says(first(1, "quagga"), first(9, "other"))
    home.says(body)
    assert "quagga" not in vocabulary(tmp_path)


# --- the ledger and the index beside one another ---


@pytest.mark.req("INV-1")
def test_a_ledger_that_took_the_place_of_another_is_shown_from_its_beginning(home: Home, tmp_path: Path) -> None:
    home.put(said("e1", "zebra"))
    home.says(first(1, "old"), Forget(events=(ident("e1"),)), first(2, "gone"))
    home.close()
    for path in tmp_path.glob("quoth/ledger.db*"):
        path.unlink()
    home.reopen()
    home.says(first(3, "new"))
    assert texts(home.held.all()) == ["new"]
    assert home.found("zebra") == ["zebra"]


def test_what_was_computed_from_an_older_ledger_is_not_written_over_a_newer_one(home: Home) -> None:
    home.says(first(1, "zebra"))
    older, reach, mark = fold([*_operations(home)]), Subjects(frozenset({identity(1)})), home.held.respelled().mark
    home.says(Forget(entries=(identity(1),)))
    assert not home.held.project(older, reach, cursor=1, after=0, mark=mark)
    assert home.entries("zebra") == []


@pytest.mark.req("INV-4")
def test_what_was_computed_before_an_event_got_another_id_is_not_written(home: Home) -> None:
    home.put(said("e1", "zebra"))
    home.says(first(1, "striped", "e1"), Forget(events=(ident("better"),)))
    older, cursor, mark = home.folded(), home.held.cursor(), home.held.respelled().mark
    home.put(said("better", "zebra", weight=1), rank=2, key="better")
    reach = Subjects(frozenset({identity(1)}), frozenset({ident("e1"), ident("better")}))
    assert not home.held.project(older, reach, cursor=cursor, after=cursor, mark=mark)
    home.memory.catch_up()
    assert home.entries("striped") == []


def _operations(home: Home) -> Iterator[Any]:
    return (each.operation for each in home.ledger.since(0))


@pytest.mark.req("INV-1")
def test_what_another_process_appended_is_shown_to_who_reads_next(home: Home, tmp_path: Path) -> None:
    other = Home(tmp_path)
    home.memory.catch_up()
    other.says(first(1, "zebra"))
    home.memory.catch_up()
    assert home.entries("zebra") == ["zebra"]
    other.says(Destroy(entries=(identity(1),)))
    other.close()
    home.memory.catch_up()
    assert home.entries("zebra") == []
