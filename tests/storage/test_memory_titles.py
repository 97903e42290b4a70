"""No title tells what is hidden."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from indexing import batch, stream
from quoth.core.ids import SessionId
from quoth.core.ledger.operations import Destroy
from quoth.core.model import Titled
from storage.remembering import ALL, CODEX, PAGE, Home, ident, talk


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Home]:
    home = Home(tmp_path)
    yield home
    home.close()


def title(home: Home, *titles: Titled) -> None:
    home.index.put([batch(stream(source=CODEX), lines=20, titles=titles)])
    home.index.settle()


def shown_title(home: Home) -> str | None:
    (session,) = home.index.sessions(ALL, **PAGE)
    return session.title


@pytest.mark.req("INV-5")
@pytest.mark.parametrize(
    ("said_title", "is_shown"),
    [("A zebra", False), ("Zebras and lions", True), ("The second lion", True), ("First things", False)],
)
def test_a_title_with_a_word_that_only_hidden_events_said_is_not_shown(
    home: Home, said_title: str, is_shown: bool
) -> None:
    talk(home)
    title(home, Titled(SessionId("s1"), said_title, 1, 9))
    assert shown_title(home) == said_title
    forgotten = home.forgets("e1")
    assert shown_title(home) == (said_title if is_shown else None)
    home.restores(forgotten)
    assert shown_title(home) == said_title


def test_the_best_title_that_tells_nothing_is_shown_instead(home: Home) -> None:
    talk(home)
    title(home, Titled(SessionId("s1"), "Lion", 1, 8, leaf=ident("e2")), Titled(SessionId("s1"), "Zebra", 2, 9))
    assert shown_title(home) == "Zebra"
    home.forgets("e1")
    assert shown_title(home) == "Lion"


def test_after_a_destroy_only_words_of_visible_events_are_in_a_title(home: Home) -> None:
    talk(home)
    title(home, Titled(SessionId("s1"), "About things", 1, 9))
    home.says(Destroy(events=(ident("e1"),)))
    assert shown_title(home) is None
    title(home, Titled(SessionId("s1"), "Lion second", 1, 10))
    assert shown_title(home) == "Lion second"
