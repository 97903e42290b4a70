"""Hidden events are in no answer, however often and under whatever id they are read, until they are restored."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from indexing import NOON, answers, batch, stream
from ledger.world import cited, statement
from quoth.core.ledger.operations import Destroy, Forget, asserting
from quoth.core.memory import Fate
from quoth.core.model import Kind, Reclassified
from quoth.core.query import Query
from storage.remembering import ALL, CODEX, PAGE, Home, ident, identity, rows_with, said, stored, talk

ROOT = identity(1)


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Home]:
    home = Home(tmp_path)
    yield home
    home.close()


def everything(home: Home, *names: str) -> dict[str, Any]:
    return answers(home.index, [ident(name) for name in names], ["zebra", "lion", "tiger"])


@pytest.mark.req("INV-5", "ORI-58")
def test_a_forgotten_event_is_in_no_answer_and_restoring_brings_it_back_to_all(home: Home) -> None:
    talk(home)
    before = everything(home, "e1", "e2", "e3")
    first = home.forgets("e1")
    second = home.forgets("e3")
    assert home.found("zebra") == home.found("tiger") == []
    assert [row.text for row in home.index.recent(ALL, **PAGE)] == ["lion second"]
    assert home.shown() == ["lion second"]
    (session,) = home.index.sessions(ALL, **PAGE)
    assert (session.events, session.prompt, session.started, session.ended) == (1, None, NOON + 2_000, NOON + 2_000)
    assert [project.events for project in home.index.projects()] == [1]
    assert [source.events for source in home.index.coverage()] == [1]
    assert home.index.event(ident("e1")) is None
    assert home.index.resolve(ident("e1")) == ident("e1")
    assert list(home.held.newest(Kind.TOOL_RESULT)) == []
    assert list(home.held.holding(Query.parse("zebra"), Kind.MESSAGE)) == []
    assert set(home.fates([ident("e1"), ident("e3")]).values()) == {Fate.FORGOTTEN}
    home.restores(first)
    assert home.shown() == ["zebra first", "lion second"]
    home.restores(second)
    assert everything(home, "e1", "e2", "e3") == before


def test_a_session_with_nothing_left_to_show_is_gone(home: Home) -> None:
    talk(home)
    forgotten = home.forgets("e1", "e2", "e3")
    assert home.index.sessions(ALL, **PAGE) == []
    assert home.index.session("s1", None) == []
    assert home.index.projects()[0].events == 0
    home.restores(forgotten)
    assert len(home.index.sessions(ALL, **PAGE)) == 1


@pytest.mark.req("INV-5")
def test_what_is_forgotten_before_it_is_read_is_never_shown(home: Home) -> None:
    forgotten = home.forgets("e1")
    assert home.held.fate(ident("e1")) is Fate.FORGOTTEN
    talk(home)
    assert home.shown() == ["lion second", "tiger third"]
    assert home.found("zebra") == []
    home.restores(forgotten)
    assert len(home.found("zebra")) == 1


def _again(home: Home) -> None:
    home.put(said("e1", "zebra first", line=1))


def _rewritten(home: Home) -> None:
    home.put(said("e1", "zebra again", line=7), rank=2, generation=2)


def _copied(home: Home) -> None:
    home.put(said("e1", "zebra first", line=1, session="s2"), rank=3, key="copy.jsonl")


def _earlier(home: Home) -> None:
    home.put(said("e1", "zebra first", line=1, session="s0"), rank=0, key="earlier.jsonl")


def _reclassified(home: Home) -> None:
    reclassified = Reclassified(ident("e1"), Kind.META)
    home.index.put([batch(stream(source=CODEX), lines=9, reclassified=[reclassified])])
    home.index.settle()


def _reclassified_back(home: Home) -> None:
    _reclassified(home)
    reclassified = Reclassified(ident("e1"), Kind.MESSAGE)
    home.index.put([batch(stream(source=CODEX), lines=10, reclassified=[reclassified])])
    home.index.settle()


def _by_another_process(home: Home) -> None:
    home.reopen()
    _again(home)


AGAIN = [_again, _rewritten, _copied, _earlier, _reclassified, _reclassified_back, _by_another_process]


@pytest.mark.req("INV-5")
@pytest.mark.parametrize("read", AGAIN)
@pytest.mark.parametrize("is_destroyed", [False, True])
def test_a_hidden_event_stays_hidden_when_it_is_read_again(
    home: Home, read: Callable[[Home], None], is_destroyed: bool
) -> None:
    talk(home)
    home.says(Destroy(events=(ident("e1"),)) if is_destroyed else Forget(events=(ident("e1"),)))
    read(home)
    home.memory.catch_up()
    assert home.found("zebra") == []
    assert rows_with(home, "zebra") == 0
    if is_destroyed:
        assert not [text for text in stored(home) if "zebra" in text]
    sessions = [row.session for row in home.index.sessions(ALL, **PAGE)]
    assert [text for session in sessions for text in home.shown(session)] == ["lion second", "tiger third"]
    assert home.index.event(ident("e1")) is None
    assert (home.held.said(ident("e1")) is None) == is_destroyed


@pytest.mark.req("INV-1", "INV-5")
def test_an_index_made_again_hides_the_same(home: Home) -> None:
    talk(home)
    home.forgets("e2")
    home.says(asserting(ROOT, statement("striped"), cited(ident("e1"), ident("e2"))))
    before = everything(home, "e1", "e2", "e3"), list(home.held.all())
    home.without_index()
    talk(home)
    home.memory.catch_up()
    assert (everything(home, "e1", "e2", "e3"), list(home.held.all())) == before
    home.without_index()
    home.memory.catch_up()
    talk(home)
    assert (everything(home, "e1", "e2", "e3"), list(home.held.all())) == before


@pytest.mark.req("INV-5")
def test_of_a_destroyed_event_no_byte_stays_in_the_index_or_gets_there_again(home: Home, tmp_path: Path) -> None:
    talk(home)
    home.put(said("long", "quagga " * 9_000 + "okapi", line=4))
    home.says(Destroy(events=(ident("e1"), ident("long"))))
    assert home.found("okapi") == home.found("zebra") == []
    home.without_index()
    home.memory.catch_up()
    talk(home)
    home.put(said("long", "quagga " * 9_000 + "okapi", line=4))
    home.close()
    for path in tmp_path.glob("quoth/index-*"):
        assert not [word for word in (b"zebra", b"quagga", b"okapi") if word in path.read_bytes()]


def test_long_events_go_and_come_back_whole(home: Home) -> None:
    home.put(said("long", "alpha " + "filler " * 9_000 + "omega", line=1))
    forgotten = home.forgets("long")
    assert home.found("alpha") == home.found("filler") == home.found("alpha omega") == []
    assert list(home.held.holding(Query.parse("alpha omega"), Kind.MESSAGE)) == []
    home.restores(forgotten)
    assert len(home.found("alpha omega")) == 1
    assert [row.id for row in home.held.holding(Query.parse("alpha omega"), Kind.MESSAGE)] == [ident("long")]
