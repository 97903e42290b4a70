"""Our own set: sessions and statements of several agents and projects in three languages (data/README.md)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from pathlib import Path

from bench.retrieval.sets import Doc, Group, Question, Set

NAME = "own"
DATA = Path(__file__).parent / "data"
NOTHING = "nothing"
CATEGORIES = frozenset({"exact", "paraphrase", "cross", "reversed", "changed", "preference", "twin"})
_SPEAKERS = {"u": "user", "a": "assistant", "t": "tool"}
_LETTERS = {
    "en": (re.compile("[A-Za-z]"), 1),
    "zh": (re.compile("[\u4e00-\u9fff]"), 3),
    "ru": (re.compile("[а-яё]", re.IGNORECASE), 1),
}
_TURN = re.compile(r"(\d+)([uat]) (.+)")


def read(folder: Path = DATA) -> Set:
    docs = [*turns(folder), *statements(folder)]
    return Set(NAME, [Group("all", docs, [*questions(folder), *nothing(folder)])])


def turns(folder: Path = DATA) -> Iterator[Doc]:
    for path in sorted(folder.glob("sessions-*.txt")):
        session = agent = project = ""
        begun = datetime.min
        for line in _lines(path):
            if line.startswith("= "):
                _, session, agent, project, time = line.split(" ")
                begun = datetime.fromisoformat(time).replace(tzinfo=UTC)
                continue
            if (turn := _TURN.fullmatch(line)) is None:
                raise ValueError(f"{path.name}: no turn: {line[:40]}")
            number, speaker, text = turn.groups()
            yield Doc(
                id=f"{session}.{number}",
                text=text.replace("\\n", "\n"),
                session=session,
                speaker=_SPEAKERS[speaker],
                time=(begun + timedelta(minutes=int(number))).isoformat(),
                project=project,
                agent=agent,
            )


def statements(folder: Path = DATA) -> Iterator[Doc]:
    for line in _lines(folder / "statements.txt"):
        name, kind, project, agent, day, text = line.split(" | ", 5)
        id_, _, replaces = name.partition("<")
        yield Doc(
            id=id_,
            text=text,
            time=f"{day}T18:00:00+00:00",
            project=_named(project),
            agent=agent,
            kind=kind,
            replaces=replaces or None,
        )


def questions(folder: Path = DATA) -> Iterator[Question]:
    for path in sorted(folder.glob("questions-*.txt")):
        for line in _lines(path):
            category, place, answers, text = line.split(" | ", 3)
            gold, _, older = answers.partition(" > ")
            yield Question(
                id=_id(text),
                text=text,
                gold=frozenset(gold.split()),
                older=frozenset(older.split()),
                category=category,
                place=_named(place),
            )


def nothing(folder: Path = DATA) -> Iterator[Question]:
    for path in sorted(folder.glob("nothing-*.txt")):
        for line in _lines(path):
            place, text = line.split(" | ", 1)
            yield Question(id=_id(text), text=text, gold=frozenset(), category=NOTHING, place=_named(place))


def problems(asked: Set) -> Iterator[str]:
    """Yield what is wrong with the set, in sentences."""
    (group,) = asked.groups
    known = {doc.id: doc for doc in group.docs}
    yield from (f"{id_} is there twice." for id_, count in Counter(doc.id for doc in group.docs).items() if count > 1)
    yield from (f"Asked twice: {text}" for text, count in _counted(question.text for question in group.questions))
    yield from (f"Said twice: {text}" for text, count in _counted(doc.text for doc in group.docs))
    projects = {doc.project for doc in group.docs}
    for doc in group.docs:
        if doc.replaces and doc.replaces not in known:
            yield f"{doc.id} replaces {doc.replaces}, which is not there."
    for question in group.questions:
        if missing := (question.gold | question.older) - known.keys():
            yield f"{question.text}: {', '.join(sorted(missing))} is not there."
        if question.gold & question.older:
            yield f"{question.text}: the same text can't be true and outdated."
        if bool(question.gold) == (question.category == NOTHING):
            yield f"{question.text}: something answers it, or it is about nothing."
        if question.place not in projects:
            yield f"{question.text}: nobody works in {question.place}."
        if question.category == "cross" and not question.gold.isdisjoint(_in(language(question.text), known)):
            yield f"{question.text}: something in its own language answers it."


def language(text: str) -> str:
    """Tell a text's language by the letters that it has most of; a Han character is worth a word's letters."""
    counts = {name: weight * len(letters.findall(text)) for name, (letters, weight) in _LETTERS.items()}
    return max(counts, key=lambda name: counts[name])


def shuffled(asked: Set) -> Set:
    """Return the set with its texts in another order: answers must not depend on it."""
    return replace(asked, groups=[replace(group, docs=[*reversed(group.docs)]) for group in asked.groups])


def _in(wanted: str, docs: dict[str, Doc]) -> frozenset[str]:
    return frozenset(id_ for id_, doc in docs.items() if language(doc.text) == wanted)


def _counted(texts: Iterator[str]) -> Iterator[tuple[str, int]]:
    return ((text, count) for text, count in Counter(texts).items() if count > 1)


def _lines(path: Path) -> Iterator[str]:
    for line in path.read_text("utf-8").split("\n"):
        if line.strip() and not line.startswith("#"):
            yield line


def _named(project: str) -> str | None:
    return None if project == "-" else project


def _id(text: str) -> str:
    """Name a question by what it asks, so that its half stays when others come and go."""
    return sha256(text.encode()).hexdigest()[:12]
