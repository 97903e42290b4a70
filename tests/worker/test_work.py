"""What the worker does in its rounds, without a process of its own."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from quoth.core.errors import EmbedderFailed
from quoth.core.speaker import Speaker
from quoth.core.vectors import TextKey
from quoth.services.work import Opened, Progress, Way, Work
from quoth.wiring import Kernel, Unseen
from worker.keeping import Place, Quick, keys, refusing


@dataclass
class Rounds:
    """A worker of a place with a quick embedder; `during` happens in each round, before texts are embedded."""

    place: Place
    quick: Quick
    identity: str = "the first"
    during: list[str] = field(default_factory=list)
    dropped: list[str] = field(default_factory=list)
    told: list[Progress] = field(default_factory=list)
    all_texts: Collection[TextKey] | None = None
    is_real: bool = False  # opens the home as the worker does

    def run(self, **way: bool) -> Progress | None:
        work = Work(
            identity="the first",
            idle_s=0.01,
            interval_s=0,
            open_home=self._open,
            lock=nullcontext,
            listen=lambda _: nullcontext(),
            present=lambda: 1,
            vectors=lambda _: self.place.vectors(self.quick),
            notes=self.place.notes,
        )
        return work.run(Way(told=self.told.append, **way))

    @contextmanager
    def _open(self) -> Iterator[Opened]:
        if self.is_real:
            with self.place.kernel._open_again() as opened:
                yield replace(opened, identity=self.identity, embedder=self.quick)
            return
        yield Opened(
            identity=self.identity,
            texts=self.place.kernel.index,
            embedder=self.quick,
            read=lambda _: self.place.says(*self.during),
            drop_others=self.dropped.append,
            is_present=lambda: True,
            all_texts=lambda: self.all_texts,
        )


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    made = Place(tmp_path)
    (made.home / "locks").mkdir(parents=True)
    yield made
    made.close()


def test_new_logs_are_read_and_embedded_in_one_round(place: Place) -> None:
    rounds = Rounds(place, Quick(), during=["knead the dough"])
    done = rounds.run(is_once=True)
    assert done == Progress("quick-1", 1, 1)
    assert place.holds(rounds.quick, "knead the dough") == [True]


def test_the_vectors_of_another_model_go_when_those_of_this_one_are_complete(place: Place) -> None:
    rounds = Rounds(place, Quick(), during=["knead the dough"])
    rounds.run(is_once=True)
    assert rounds.dropped == ["quick-1"]


@pytest.mark.req("INV-6")
def test_the_vectors_of_another_model_stay_while_this_one_fails(place: Place) -> None:
    rounds = Rounds(place, Quick(refusing("dough")), during=["knead the dough"])
    with pytest.raises(EmbedderFailed):
        rounds.run(is_once=True)
    assert rounds.dropped == []
    known = place.notes.read()
    assert known is not None
    assert "quick can't be used" in str(known.failed)


@pytest.mark.req("INV-6")
def test_a_failure_is_told_and_written_down_and_it_goes_on_until_it_is_idle(place: Place) -> None:
    rounds = Rounds(place, Quick(refusing("dough")), during=["knead the dough"])
    done = rounds.run()
    assert done is not None
    assert done.failed == rounds.told[-1].failed
    assert "dough" not in str(done.failed)


def test_with_other_settings_nothing_is_embedded(place: Place) -> None:
    rounds = Rounds(place, Quick(), identity="another", during=["knead the dough"])
    assert rounds.run() is None
    assert rounds.quick.asked == []


def test_it_is_idle_when_nothing_is_asked_and_nothing_is_new(place: Place) -> None:
    rounds = Rounds(place, Quick(), during=["knead the dough"])
    assert rounds.run() == Progress("quick-1", 1, 1)


@pytest.mark.req("INV-5")
@pytest.mark.parametrize(
    ("all_texts", "stays"),
    [(keys("knead the dough"), False), (None, True), ([], True)],
    ids=["an index that is whole", "one that is being made", "one without texts"],
)
def test_vectors_of_texts_that_nobody_says_any_more_go_once_the_index_is_whole(
    place: Place, all_texts: Collection[TextKey] | None, stays: bool
) -> None:
    rounds = Rounds(place, Quick(), during=["knead the dough"], all_texts=all_texts)
    left = [(key, rounds.quick.embed(["left over"], use="passage")[0]) for key in keys("left over")]
    place.vectors(rounds.quick).put(left)
    rounds.run(is_once=True)
    assert place.holds(rounds.quick, "knead the dough", "left over") == [True, stays]


@pytest.mark.req("INV-5", "INV-1")
def test_what_is_forgotten_after_the_index_was_made_again_in_the_middle_of_a_round_keeps_no_vector(
    place: Place,
) -> None:
    place.remembers("The flour comes on Monday.")
    secret = place.remembers("The key of the shop is under the third stone.")

    def rebuild_and_forget(text: str) -> None:
        if "third stone" in text:
            other = Kernel(place.env)
            other.rebuild.run(Unseen())
            other.close()
            place.forgets(secret)

    rounds = Rounds(place, Quick(rebuild_and_forget), is_real=True)
    done = rounds.run(is_once=True)
    assert any("third stone" in text for some in rounds.quick.asked for text in some)
    assert done == Progress("quick-1", 1, 1)
    said = ("The flour comes on Monday.", "The key of the shop is under the third stone.")
    assert place.holds(rounds.quick, *said) == [True, False]


@pytest.mark.req("INV-5")
def test_a_worker_finishes_what_whoever_forgot_did_not_come_to(place: Place) -> None:
    """The rest of a rebuild, and of a process that was killed between its ledger and its index."""
    place.says("knead the dough")
    place.remembers("The flour comes on Monday.")
    rounds = Rounds(place, Quick(), is_real=True)
    left = [(key, rounds.quick.embed(["left over"], use="passage")[0]) for key in keys("left over")]
    rounds.run(is_once=True)
    place.vectors(rounds.quick).put(left)
    assert place.holds(rounds.quick, "knead the dough", "left over") == [True, True]
    Rounds(place, rounds.quick, is_real=True).run(is_once=True)
    said = ("knead the dough", "The flour comes on Monday.", "left over")
    assert place.holds(rounds.quick, *said) == [True, True, False]


def test_while_logs_are_being_read_no_vector_goes(place: Place) -> None:
    place.says("knead the dough")
    rounds = Rounds(place, Quick(), is_real=True)
    left = [(key, rounds.quick.embed(["left over"], use="passage")[0]) for key in keys("left over")]
    place.vectors(rounds.quick).put(left)
    with place.kernel.lock():
        rounds.run(is_once=True)
    assert place.holds(rounds.quick, "knead the dough", "left over") == [True, True]


@pytest.mark.req("INV-5")
def test_what_is_purged_in_the_middle_of_a_round_keeps_no_vector_and_nothing_else_is_read_twice(place: Place) -> None:
    said = [f"the oven is cleaned on day {day}" for day in range(40)]
    place.says(*said, "the vault opens with Zanzibar")

    def purge(text: str) -> None:
        if "Zanzibar" in text:
            other = Kernel(place.env)
            other.purge.run([], "the vault opens with Zanzibar", by=Speaker(), meter=Unseen())
            other.close()

    rounds = Rounds(place, Quick(purge), is_real=True)
    assert rounds.run(is_once=True) == Progress("quick-1", 40, 40)
    asked = [text for some in rounds.quick.asked for text in some]
    assert sorted(asked) == sorted(["ready", *said, "the vault opens with Zanzibar"])
    assert place.holds(rounds.quick, "the vault opens with Zanzibar", *said) == [False, *[True] * 40]
