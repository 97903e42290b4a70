"""Every text gets a vector, and none that is gone keeps one."""

from __future__ import annotations

import struct
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from quoth.core.errors import EmbedderFailed, StoreFailed
from quoth.core.speaker import Speaker
from quoth.core.vectors import TextKey, Vectors, key_of
from quoth.services._embedding import Progress
from quoth.wiring import Unseen
from worker.keeping import Place, Quick, refusing

SAID = [f"the oven of the bakery is cleaned on day {day}" for day in range(40)]


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    made = Place(tmp_path)
    yield made
    made.close()


def test_entries_come_first_and_what_was_said_last_before_what_was_said_long_ago(place: Place) -> None:
    place.says(*SAID)
    place.remembers("The ovens are cleaned every day.")
    quick = Quick()
    done = place.embed(quick)
    order = [text for some in quick.asked for text in some]
    assert order == ["The ovens are cleaned every day.", *SAID[::-1]]
    assert max(map(len, quick.asked)) <= 32
    assert (done.embedded, done.total, done.is_complete) == (41, 41, True)
    assert place.notes.read() == done


def test_nothing_is_read_twice(place: Place) -> None:
    place.says("knead the dough", "knead  the dough", "bake the bread")
    quick = Quick()
    place.embed(quick)
    place.embed(quick)
    (asked,) = quick.asked
    assert [" ".join(text.split()) for text in asked] == ["bake the bread", "knead the dough"]


def test_whoever_is_killed_goes_on_where_it_was(place: Place) -> None:
    place.says(*SAID)

    def die(text: str) -> None:
        if text == SAID[3]:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        place.embed(Quick(die))
    rest = Quick()
    done = place.embed(rest)
    assert [text for some in rest.asked for text in some] == SAID[7::-1]
    assert done.is_complete


def test_it_ends_between_two_calls_when_it_is_told_to(place: Place) -> None:
    place.says(*SAID)
    quick = Quick()
    done = place.embedding(quick).run(place.kernel.index, told=lambda _: None, is_over=lambda: len(quick.asked) == 1)
    assert (done.embedded, done.total) == (32, 40)


@pytest.mark.req("INV-5")
def test_what_is_forgotten_while_it_is_read_does_not_come_back(place: Place) -> None:
    place.remembers("The flour comes on Monday.")
    secret = place.remembers("The key of the shop is under the third stone.")

    def forget(text: str) -> None:
        if "third stone" in text:
            place.forgets(secret)

    quick = Quick(forget)
    place.embed(quick)
    assert any("third stone" in text for some in quick.asked for text in some), "it was read before it was forgotten"
    assert place.holds(quick, "The flour comes on Monday.", "The key of the shop is under the third stone.") == [
        True,
        False,
    ]


@dataclass
class Killed:
    """Texts of which one is forgotten just when the process dies: after its vector was kept."""

    said: dict[TextKey, str]
    looked: list[Collection[TextKey]] = field(default_factory=list)

    def texts(self) -> Iterator[TextKey]:
        yield from self.said

    def text_of(self, keys: Collection[TextKey]) -> Mapping[TextKey, str]:
        self.looked.append(keys)
        if len(self.looked) == 2:
            raise KeyboardInterrupt
        return {key: self.said[key] for key in keys if key in self.said}


@pytest.mark.req("INV-5")
def test_what_was_on_its_way_when_the_process_was_killed_is_looked_for_again(place: Place) -> None:
    _ = place.kernel.index
    (place.home / "locks").mkdir(exist_ok=True)
    texts, quick = Killed({key_of(text): text for text in ("stays", "goes")}), Quick()
    with pytest.raises(KeyboardInterrupt):
        place.embedding(quick).run(texts, told=lambda _: None, is_over=lambda: False)
    assert place.holds(quick, "stays", "goes") == [True, True]
    del texts.said[key_of("goes")]
    place.embedding(quick).run(texts, told=lambda _: None, is_over=lambda: False)
    assert place.holds(quick, "stays", "goes") == [True, False]
    assert not (place.home / "locks" / "embedding.keys").exists()


@pytest.mark.req("INV-6")
def test_a_text_that_can_not_be_read_keeps_no_other_waiting_and_is_told(place: Place) -> None:
    place.says(*SAID[:3], "poison", *SAID[3:6])
    quick = Quick(refusing("poison"))
    done = place.embed(quick)
    assert (done.embedded, done.refused, done.total, done.is_complete) == (6, 1, 7, True)
    assert place.holds(quick, "poison", *SAID[:6]) == [False, *[True] * 6]


@pytest.mark.req("INV-5")
def test_a_rebuild_wipes_what_whoever_forgot_did_not_come_to(place: Place) -> None:
    secret = place.remembers("The key of the shop is under the third stone.")
    place.remembers("The flour comes on Monday.")
    quick = Quick()
    place.embed(quick)
    killed = replace(place.kernel.memory, vectors=None)  # it was killed before it wiped the vector
    replace(place.kernel.forget, memory=killed).run([secret], reason="a test", by=Speaker())
    said = ("The key of the shop is under the third stone.", "The flour comes on Monday.")
    assert place.holds(quick, *said) == [True, True]
    place.kernel.rebuild.run(Unseen())
    assert place.holds(quick, *said) == [False, True]


@pytest.mark.req("INV-5", "INV-6")
def test_vectors_that_can_not_be_wiped_fail_who_forgets_and_nobody_who_reads(place: Place) -> None:
    secret = place.remembers("The key of the shop is under the third stone.")
    place.remembers("The flour comes on Monday.")
    (place.home / "vectors-older-1.bin").mkdir()
    with pytest.raises(StoreFailed, match="vectors-older-1"):
        place.kernel.forget.run([secret], reason="a test", by=Speaker())
    found = place.kernel.recall.ranked("When does the flour come?", limit=5)
    assert [item.row.version.statement.text for item in found.items] == ["The flour comes on Monday."]  # type: ignore[union-attr]
    checks = {check.id: check for check in place.kernel.doctor.run()}
    assert checks["vectors"].status == "fail"
    (place.home / "vectors-older-1.bin").rmdir()
    place.kernel.memory.catch_up()
    assert place.kernel.index.unsaid() == []


@pytest.mark.req("MMC-13", "INV-6")
@pytest.mark.parametrize("numbers", [[0.0] * 8, [float("nan")] * 8, [3.0] * 8, [1.0]])
def test_a_vector_that_says_nothing_is_a_text_that_can_not_be_read(place: Place, numbers: list[float]) -> None:
    place.says(*SAID[:2], "poison")
    quick = Quick()
    bad, well = Vectors(len(numbers), struct.pack(f"<{len(numbers)}f", *numbers)), quick._vectors
    quick._vectors = lambda text: bad if text == "poison" else well(text)  # type: ignore[method-assign]
    done = place.embed(quick)
    assert (done.embedded, done.refused, done.total) == (2, 1, 3)
    assert place.holds(quick, "poison", *SAID[:2]) == [False, True, True]


@pytest.mark.req("INV-6")
def test_an_embedder_that_reads_nothing_fails_soon(place: Place) -> None:
    place.says(*SAID)
    quick = Quick(refusing("oven"))
    with pytest.raises(EmbedderFailed):
        place.embed(quick)
    assert sum(map(len, quick.asked)) <= 40


def test_a_text_that_says_nothing_is_done_without_a_vector(place: Place) -> None:
    place.says("\u200b\u200b?", "x")
    quick = Quick()
    quick._vectors = lambda text: Quick._vectors(quick, "" if "?" in text else text)  # type: ignore[method-assign]  # a text may have none
    embedding = place.embedding(quick)
    for _ in range(2):
        done = embedding.run(place.kernel.index, told=lambda _: None, is_over=lambda: False)
        assert done.is_complete
    assert len(quick.asked) == 1


def test_what_is_known_of_another_embedder_is_not_told(place: Place) -> None:
    place.says("knead the dough")
    place.embed(Quick())
    assert place.notes.read() == Progress("quick-1", 1, 1)
    from quoth.services._embedding import Notes

    assert Notes(place.home, "another").read() is None
