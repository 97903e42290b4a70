"""Recall for a prompt as a service: memory as it was, the same answer from the same store, and by meaning."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from quoth.core.ids import EntryId
from quoth.core.ledger.operations import Relate, Verdict
from quoth.core.model import Json
from quoth.core.speaker import Speaker
from quoth.embedders.local import Local
from quoth.services.compare import Comparing
from quoth.wiring import Kernel
from services.archive import Archive
from services.entries import UNCITED, append, at, correct, entry, judge, quoted, remember
from worker.keeping import Place, Quick

DAY = 86_400_000
BEGIN = 1_790_000_000_000  # 2026-09-21; as the logs, before anybody runs this
SAID = (
    "We heat the oven with gas since the flood.",
    "Which flour does the bakery use for bread?",
    "Rye flour, from the mill at the river.",
    "Хлеб пекут в печи ночью.",
    "面包 bread 在夜里烤。",
)
LEARNED = (
    "The oven is heated with gas.",
    "Loaves rest in the cellar of the bakery.",
    "The mill brings flour on Mondays.",
    "Bread is baked at night.",
    "烤箱用煤气加热。",
)
QUESTIONS = ("oven heated gas", "what bread does the bakery bake at night", "печь хлеб", "烤箱", "flour from the mill")


@pytest.fixture
def archive(tmp_path: Path) -> Archive:
    archive = Archive(tmp_path)
    archive.project.mkdir(parents=True)
    return archive


def told(archive: Archive, question: str, **asked: Any) -> Any:
    """Return the explained answer as it is given in the archive's project, a month after all began."""
    given = {"cwd": str(archive.project), "explain": True, "budget": 20_000, **asked}
    kernel = at(archive, BEGIN + 30 * DAY)
    try:
        return kernel.recall_block.run(question, **given).answer()
    finally:
        kernel.close()


def said(archive: Archive, question: str, **asked: Any) -> list[str]:
    text: str = told(archive, question, **asked)["text"]
    return [line.split("): ", 1)[1] for line in text.split("\n") if line.startswith("- ")]


# --- as it was ---


def write(archive: Archive, instant: int, use: Callable[[Kernel], Mapping[str, Json]]) -> str:
    """Remember or correct something at an instant, and return the id of the entry."""
    kernel = at(archive, instant)
    try:
        done: Any = use(kernel)
        return str(done["entry"]["id"])
    finally:
        kernel.close()


def remembered_at(archive: Archive, instant: int, text: str, **more: Any) -> str:
    given = {"cwd": str(archive.project), "uncited": UNCITED, **more}
    return write(archive, instant, lambda kernel: kernel.remember.run(text, by=Speaker("codex"), **given))


@pytest.mark.req("QUO-3")
def test_as_of_an_instant_the_version_of_then_is_recalled(archive: Archive) -> None:
    first = remembered_at(archive, BEGIN, "The oven is heated with wood.")
    write(
        archive, BEGIN + 2 * DAY, lambda kernel: kernel.correct.run(first, "The oven has electric coils.", by=Speaker())
    )
    remembered_at(archive, BEGIN + 4 * DAY, "The oven was sold.")
    assert said(archive, "oven", as_of="2026-09-20") == []
    assert said(archive, "oven", as_of="2026-09-22") == ["The oven is heated with wood."]
    assert said(archive, "oven", as_of="2026-09-24") == ["The oven has electric coils."]
    assert set(said(archive, "oven")) == {"The oven has electric coils.", "The oven was sold."}
    assert said(archive, "wood") == []


@pytest.mark.req("QUO-3", "ENG-37")
def test_as_of_an_instant_what_was_valid_then_is_recalled(archive: Archive) -> None:
    remembered_at(archive, BEGIN, "The summer oven is cold.", valid_to="2026-09-25")
    remembered_at(archive, BEGIN, "The winter oven is cold.", valid_from="2026-09-25")
    assert said(archive, "oven cold", as_of="2026-09-24") == ["The summer oven is cold."]
    assert said(archive, "oven cold", as_of="2026-09-26") == ["The winter oven is cold."]


@pytest.mark.req("QUO-3")
def test_as_of_an_instant_what_was_said_later_does_not_count(archive: Archive) -> None:
    archive.log().write_bytes(b"".join(archive.records(["The oven is cold.", "It is hot now, the oven."])))
    archive.sync()
    first, _ = archive.events()
    assert len(said(archive, "oven")) == 2
    assert said(archive, "oven", as_of=first["time"]) == ["The oven is cold."]


@pytest.mark.req("QUO-3")
def test_what_was_negated_does_not_come_with_what_was_replaced(archive: Archive) -> None:
    old = entry(archive, "The oven is red.")
    correct(archive, old, "The stove is green.")
    judge(archive, entry(archive, "The oven is blue."), Verdict.NEGATE)
    assert said(archive, "oven") == []
    assert said(archive, "oven", include_outdated=True) == ["The oven is red."]


# --- where ---


def on_branch(archive: Archive, branch: str) -> None:
    git = archive.project / ".git"
    for folder in ("objects", "refs/heads"):
        (git / folder).mkdir(parents=True, exist_ok=True)
    (git / "config").write_text('[remote "origin"]\n\turl = git@github.com:acme/bakery.git\n')
    (git / "refs" / "heads" / branch).write_text(f"{1:040}\n")
    (git / "HEAD").write_text(f"ref: refs/heads/{branch}\n")


@pytest.mark.req("HMG-30", "QUO-3")
def test_what_was_put_on_another_branch_stays_there(archive: Archive) -> None:
    on_branch(archive, "feature")
    entry(archive, "The oven timer is set to nine.", scope="branch")
    archive.ask(lambda kernel: kernel.handoff.run("Next: the oven timer.", cwd=str(archive.project), by=Speaker()))
    on_branch(archive, "main")
    entry(archive, "The oven timer of all is blue.")
    for scope in ("all", "repository"):
        assert said(archive, "oven timer", scope=scope) == ["The oven timer of all is blue."]
    on_branch(archive, "feature")
    assert len(said(archive, "oven timer")) == 3


@pytest.mark.req("ENG-37", "QUO-3")
def test_what_requires_something_of_another_place_does_not_come_where_this_place_alone_counts(
    archive: Archive, tmp_path: Path
) -> None:
    other = tmp_path / "work" / "forge"
    other.mkdir()
    dependent = entry(archive, "Turn the kiln on with the green switch.", scope="tenant")
    lid = entry(archive, "First close the lid.", cwd=str(other))
    append(archive, Relate(EntryId(dependent), EntryId(dependent), EntryId(lid), EntryId(lid), "requires"))
    assert said(archive, "green switch kiln") == ["First close the lid.", "Turn the kiln on with the green switch."]
    assert said(archive, "green switch kiln", scope="repository") == []


# --- the same store, the same answer ---


def stored(folder: Path, order: Sequence[int], *, is_late: bool) -> Archive:
    """Return a home that was told the same things in some order; the logs are read first, or at the end."""
    archive = Archive(folder)
    archive.project.mkdir(parents=True)
    sessions = [f"6b1c2f6e-8f0a-4d7e-9d55-3a1c5e0f7a2{number}" for number in range(len(SAID))]
    logs = [(name, archive.record(SAID[n], n=n + 1, session=name)) for n, name in enumerate(sessions)]

    def read() -> None:
        for number in order:
            name, record = logs[number]
            archive.log(name).write_bytes(record)
            archive.sync()

    if not is_late:
        read()
    for number in order:
        remembered_at(archive, BEGIN + number * DAY, LEARNED[number])
    if is_late:
        read()
    return archive


def shown(archive: Archive, question: str) -> tuple[Any, ...]:
    """Return what an answer says; the ids of entries are made by chance."""
    answer = told(archive, question)
    items = [(each["type"], each["relevance"], each["mode"], each["because"]) for each in answer["entries"]]
    return said(archive, question), items, answer["dropped"]


@pytest.mark.req("INV-1", "QUO-3")
def test_the_same_store_answers_the_same_in_any_order_of_writing_twice_and_rebuilt(tmp_path: Path) -> None:
    orders = [(0, 1, 2, 3, 4), (4, 3, 2, 1, 0), (2, 0, 4, 1, 3)]
    found = []
    for number, order in enumerate(orders):
        archive = stored(tmp_path / str(number), order, is_late=number == 1)
        answers = [shown(archive, question) for question in QUESTIONS]
        assert [shown(archive, question) for question in QUESTIONS] == answers
        archive.rebuild()
        assert [shown(archive, question) for question in QUESTIONS] == answers
        found.append(answers)
    assert all(texts for texts, *_ in found[0])
    assert found[0] == found[1] == found[2]


# --- by meaning ---


@pytest.mark.req("QUO-3", "INV-6")
def test_words_decide_where_nobody_answers_by_meaning(archive: Archive) -> None:
    entry(archive, "User sessions expire after thirty minutes.")
    question = "Через сколько минут истекает сессия пользователя?"
    ranking = archive.ask(lambda kernel: kernel.recall_block.run(question).ranking)
    assert (ranking.items, ranking.model) == ([], None)
    assert said(archive, "when do sessions expire") == ["User sessions expire after thirty minutes."]


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    made = Place(tmp_path)
    yield made
    made.close()


def recalled(place: Place, embedder: Any, question: str, **asked: Any) -> Any:
    """Recall with the model in this process."""
    kernel, vectors = place.kernel, place.vectors(embedder)
    recall = replace(kernel.recall, meaning=Comparing(embedder, vectors))
    return replace(kernel.recall_block, recall=recall).run(question, explain=True, budget=20_000, **asked)


@pytest.mark.skipif(not Local().is_installed(), reason="the weights are not installed")
@pytest.mark.req("QUO-3", "ENG-31", "HMG-14")
def test_a_question_in_another_language_finds_what_was_said_and_learned(place: Place) -> None:
    place.remembers("User sessions expire after thirty minutes.")
    place.remembers("发票保存十年。")
    place.says("The deploy key lies in the safe of the office.", "Lunch is at noon.")
    embedder = Local()
    place.embed(embedder)  # type: ignore[arg-type]  # it embeds as the quick one does
    for question, words, type_ in (
        ("Через сколько минут истекает сессия пользователя?", "sessions expire", "fact"),
        ("How many years are invoices kept?", "发票", "fact"),
        ("Где лежит ключ для деплоя?", "deploy key", "said"),
    ):
        told_ = recalled(place, embedder, question, cwd="/srv/bakery")
        assert told_.ranking.model == embedder.model
        first = told_.block.items[0]
        [line] = [line for line in told_.block.text.split("\n") if words in line]
        assert first.id[-8:] in line
        assert first.because["meaning"] > first.because["words"] == 0
        assert first.type == type_
    assert not recalled(place, embedder, "What is the capital of Mongolia?").block.items


@pytest.mark.req("QUO-3", "INV-5")
def test_what_is_forgotten_is_not_found_by_its_vector(place: Place) -> None:
    quick = Quick(scale=((-1.0, 0.0), (0.9, 0.5), (1.0, 1.0)))
    text = "什么 and then"  # holds no word that is looked for: only its vector finds it
    hidden = place.remembers(text)
    place.remembers("Invoices are kept.")
    place.embed(quick)

    def found() -> list[str]:
        return [each.row.id for each in recalled(place, quick, text).ranking.items]

    assert hidden in found()
    place.forgets(hidden)
    assert hidden not in found()


@pytest.mark.req("HMG-14", "QUO-3")
def test_what_was_learned_from_the_same_message_comes_along(archive: Archive) -> None:
    archive.log().write_bytes(archive.record("Two things: rye bread rests a day, and tea is at four.", n=1))
    archive.sync()
    [event] = [event["id"] for event in archive.events()]
    for text in ("Rye bread rests for a day.", "Tea is at four."):
        remember(archive, text, sources=quoted(event))
    remember(archive, "Chairs are brown.")
    assert set(said(archive, "rye bread rests")) == {
        "Rye bread rests for a day.",
        "Tea is at four.",
        "Two things: rye bread rests a day, and tea is at four.",
    }
    learned = ["fact", "rule", "note", "event", "decision", "constraint"]
    assert said(archive, "rye bread rests", types=learned) == ["Rye bread rests for a day.", "Tea is at four."]
    both = told(archive, "rye bread rests, tea is at four", types=learned)["entries"]
    assert [each["because"]["linked"] > 0 for each in both] == [True, True]
