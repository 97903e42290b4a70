"""What a set is: texts, questions, and which texts answer which question. Knows no file and no contender."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from hashlib import sha256

_MANY = 10  # conversations, from which on whole conversations are divided
_SALT = "742"  # the first number that divides conversations and our own categories about evenly


class Half(StrEnum):
    """What a question is for: parameters may be chosen on one half, figures are of the other."""

    CHOOSING = "choosing"
    REPORTING = "reporting"


@dataclass(frozen=True, slots=True, kw_only=True)
class Doc:
    """A turn of a session, or a statement when there is no session.

    `speaker` is user, assistant, tool or a name. `replaces` is the statement that this one corrects.
    """

    id: str
    text: str
    session: str | None = None
    speaker: str | None = None
    time: str | None = None
    project: str | None = None
    agent: str | None = None
    kind: str | None = None
    replaces: str | None = None

    @property
    def is_turn(self) -> bool:
        return self.session is not None

    @property
    def shown(self) -> str:
        """The text as every contender gets it: a person who is one of several is named before it."""
        named = self.speaker not in {None, "user", "assistant", "tool"}
        return f"{self.speaker}: {self.text}" if named else self.text


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """`gold` answers it; nothing does where that is empty. `older` was true once and must not stand above the gold."""

    id: str
    text: str
    gold: frozenset[str]
    category: str
    older: frozenset[str] = frozenset()
    place: str | None = None
    """The project where it is asked."""


@dataclass(frozen=True, slots=True)
class Group:
    """What is in one store, and what is asked of it."""

    name: str
    docs: Sequence[Doc]
    questions: Sequence[Question]


@dataclass(frozen=True, slots=True)
class Set:
    name: str
    groups: Sequence[Group]

    @property
    def questions(self) -> Sequence[Question]:
        return [question for group in self.groups for question in group.questions]

    def halves(self) -> dict[str, Half]:
        """Divide the questions by a hash of their names, so that none changes sides when others come or go:
        conversations as wholes where there are many, so that nothing chosen on one was seen in the other."""
        if len(self.groups) < _MANY:
            return {question.id: half_of(_subject(question)) for question in self.questions}
        return {question.id: half_of(group.name) for group in self.groups for question in group.questions}

    def part(self, most: int | None) -> Set:
        """Return the set with at most so many questions, drawn by their hash; every text stays."""
        if most is None or len(self.questions) <= most:
            return self
        kept = {question.id for question in sorted(self.questions, key=lambda each: _hash(each.id))[:most]}
        groups = (
            Group(group.name, group.docs, [question for question in group.questions if question.id in kept])
            for group in self.groups
        )
        return Set(self.name, [group for group in groups if group.questions])


def _subject(question: Question) -> str:
    """Return what is asked, whatever the language: the same question in two languages is of one half."""
    return question.id.rpartition("/")[2]


def half_of(name: str) -> Half:
    return Half.REPORTING if _hash(name)[0] & 1 else Half.CHOOSING


def _hash(name: str) -> bytes:
    return sha256(f"{_SALT} {name}".encode()).digest()
