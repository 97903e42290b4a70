"""What should have a vector, and that nothing keeps one that is forgotten (INV-5)."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from quoth.core.ledger.operations import Destroy, Draft, Forget
from quoth.core.model import Kind, Role
from quoth.core.vectors import TextKey, key_of
from quoth.storage import _vector_wiping
from quoth.storage._vector_wiping import HomeVectors
from storage.remembering import Home, first, ident, identity, later, said
from storage.vectors import cache, closing, vector

__all__ = ["closing"]

MODELS = ("one", "two")


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Home]:
    home = Home(tmp_path)
    yield home
    home.close()


def embedded(home: Home) -> list[str]:
    """Give every text that should have one a vector of each model, and return the texts in that order."""
    keys = list(home.index.texts())
    found = home.index.text_of(keys)
    for model in MODELS:
        cache(home.folder / "quoth", model=model).put((key, vector(found[key])) for key in keys)
    return [found[key] for key in keys]


def held(home: Home, *texts: str) -> list[str]:
    """Return those of some texts that have a vector of any model."""
    caches = [cache(home.folder / "quoth", model=model) for model in MODELS]
    return [text for text in texts if any(not each.missing([key_of(text)]) for each in caches)]


def bytes_of(home: Home, text: str) -> list[str]:
    """Return the files of the home in which the half floats or the key of a text are."""
    halves = b"".join(_half(number) for number in next(iter(vector(text))))
    files = [path for path in home.folder.rglob("*") if path.is_file()]
    return [path.name for path in files if halves in (data := path.read_bytes()) or key_of(text) in data]


def _half(number: float) -> bytes:
    return struct.pack("<e", number)


def test_entries_come_first_then_what_the_person_said_then_what_models_said_the_newest_first(home: Home) -> None:
    home.put(
        said("e1", "asked first", line=1),
        said("e2", "answered first", line=2, role=Role.ASSISTANT),
        said("e3", "asked last", line=3),
        said("e4", "answered last", line=4, role=Role.ASSISTANT),
        said("e5", "traffic", line=5, role=Role.ASSISTANT, kind=Kind.TOOL_RESULT),
        said("e6", " ", line=6),
    )
    home.says(first(1, "old", created_at=1), first(2, "new", created_at=2), later(3, "corrected", 1, created_at=3))
    ordered = ["corrected", "new", "old", "asked last", "asked first", "answered last", "answered first"]
    assert embedded(home) == ordered


def test_a_text_is_given_for_its_key_whoever_says_it(home: Home) -> None:
    home.put(said("e1", "zebra"))
    home.says(first(1, "lion"))
    keys = [key_of(text) for text in ("zebra", "lion", "unheard")]
    assert home.index.text_of(keys) == {keys[0]: "zebra", keys[1]: "lion"}


@pytest.mark.req("INV-5")
@pytest.mark.parametrize("wiping", [Forget, Destroy])
def test_what_is_forgotten_loses_its_vectors_and_their_bytes_are_in_no_file(home: Home, wiping: Any) -> None:
    home.put(said("e1", "zebra"), said("e2", "lion", line=2))
    home.says(first(1, "tiger"), first(2, "puma"))
    embedded(home)
    assert held(home, "zebra", "lion", "tiger", "puma") == ["zebra", "lion", "tiger", "puma"]
    assert bytes_of(home, "zebra")
    home.says(wiping(entries=(identity(1),), events=(ident("e1"),)))
    assert held(home, "zebra", "lion", "tiger", "puma") == ["lion", "puma"]
    home.close()
    for text in ("zebra", "tiger"):
        assert [name for name in bytes_of(home, text) if name.startswith("vectors-")] == []
    assert bytes_of(home, "zebra") == []


@pytest.mark.req("INV-5")
def test_an_entry_that_is_hidden_with_an_event_loses_its_vectors_too(home: Home) -> None:
    home.put(said("e1", "zebra"))
    home.says(first(1, "tiger", "e1"))
    embedded(home)
    home.forgets("e1")
    assert held(home, "zebra", "tiger") == []


def test_a_text_that_something_else_says_keeps_its_vectors(home: Home) -> None:
    home.put(said("e1", "zebra"), said("e2", "zebra", line=2))
    home.says(first(1, "tiger"), first(2, "tiger"))
    embedded(home)
    home.says(Forget(entries=(identity(1),), events=(ident("e1"),)))
    assert held(home, "zebra", "tiger") == ["zebra", "tiger"]


def test_a_correction_keeps_the_vectors_of_what_was_said_before(home: Home) -> None:
    home.says(first(1, "tiger"))
    embedded(home)
    home.says(later(2, "lion"))
    assert held(home, "tiger") == ["tiger"]


@pytest.mark.req("INV-5")
def test_with_what_is_forgotten_go_the_vectors_of_what_it_said_before(home: Home) -> None:
    home.put(said("e1", "zebra begun"))
    embedded(home)
    home.put(said("e1", "zebra begun and ended", line=2))
    embedded(home)
    home.forgets("e1")
    assert held(home, "zebra begun", "zebra begun and ended") == []


@pytest.mark.req("INV-5")
def test_a_process_that_was_killed_before_it_wiped_leaves_it_to_the_next_one(home: Home) -> None:
    home.says(first(1, "tiger"))
    embedded(home)
    keys: list[TextKey] = []

    class Killed(Exception):
        pass

    class Dies:
        def wipe(self, given: Any) -> int:
            keys.extend(given)
            raise Killed

        def remove(self) -> int:
            raise Killed

    memory = replace(home.memory, vectors=Dies())
    memory.append([Draft(Forget(entries=(identity(1),)), "codex@desk", "")])
    with pytest.raises(Killed):
        memory.catch_up()
    assert keys == [key_of("tiger")]
    assert held(home, "tiger") == ["tiger"]
    home.reopen()
    home.memory.catch_up()
    assert held(home, "tiger") == []


@pytest.mark.req("INV-1")
def test_another_index_asks_for_the_same_vectors(home: Home) -> None:
    home.says(first(1, "tiger"), later(2, "lion"))
    embedded(home)
    before = list(home.index.texts())
    home.without_index()
    home.memory.catch_up()
    assert list(home.index.texts()) == before
    assert [cache(home.folder / "quoth", model=model).missing(before) for model in MODELS] == [[], []]


def test_a_home_without_vectors_has_nothing_to_wipe(tmp_path: Path) -> None:
    assert HomeVectors(tmp_path).wipe([key_of("tiger")]) == 0
    assert HomeVectors(tmp_path).remove() == _vector_wiping.remove(tmp_path) == 0
