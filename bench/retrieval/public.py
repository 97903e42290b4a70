"""Read public sets below a folder that the person names: `<set>/corpus.jsonl.gz` and `<set>/queries.jsonl.gz`.

A text is `{id, text, time?, session?, speaker?, conversation}`, a question `{id, text, gold, category, conversation}`.
Nothing of them is part of this project: each has a licence of its own.
"""

from __future__ import annotations

import gzip
import json
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from bench.retrieval.sets import Doc, Group, Question, Set

LANGUAGES = ("en", "zh", "ru")
POOLED = "xquad-r-pooled"
_LEFT_OUT: Mapping[str, frozenset[str]] = {"locomo": frozenset({"adversarial"})}
"""Questions that are wrong on purpose: published figures are without them."""
_ONE_STATEMENT = ("xquad-r-", "cosqa", "precisionmembench", "devbench")
"""Sets whose texts nobody said in a session; what they call a session is a paragraph or a scope."""


def names(folder: Path) -> Iterator[str]:
    """Yield the sets that are there, and the one that is made of three of them."""
    yield from sorted(path.parent.name for path in folder.glob("*/corpus.jsonl.gz"))
    if all((folder / f"xquad-r-{language}").is_dir() for language in LANGUAGES):
        yield POOLED


def read(folder: Path, name: str) -> Set:
    return _pooled(folder) if name == POOLED else _read(folder, name)


def _read(folder: Path, name: str) -> Set:
    docs: dict[str, list[Doc]] = defaultdict(list)
    for row in _rows(folder / name / "corpus.jsonl.gz"):
        docs[row["conversation"]].append(_doc(row, is_turn=not name.startswith(_ONE_STATEMENT)))
    questions: dict[str, list[Question]] = defaultdict(list)
    for row in _rows(folder / name / "queries.jsonl.gz"):
        if row["category"] not in _LEFT_OUT.get(name, ()):
            questions[row["conversation"]].append(_question(row))
    return Set(name, [Group(group, docs[group], asked) for group, asked in questions.items()])


def _pooled(folder: Path) -> Set:
    """Put the sentences of three languages into one store; what answers a question is in another language than it."""
    docs: list[Doc] = []
    asked: list[tuple[str, Question]] = []
    for language in LANGUAGES:
        (group,) = _read(folder, f"xquad-r-{language}").groups
        docs += [replace(doc, id=f"{language}/{doc.id}") for doc in group.docs]
        asked += [(language, question) for question in group.questions]
    gold: dict[str, set[str]] = defaultdict(set)
    for language, question in asked:
        gold[question.id] |= {f"{language}/{each}" for each in question.gold}
    return Set(POOLED, [Group("all", docs, [_elsewhere(language, each, gold[each.id]) for language, each in asked])])


def _elsewhere(language: str, question: Question, gold: set[str]) -> Question:
    others = frozenset(each for each in gold if not each.startswith(f"{language}/"))
    return replace(question, id=f"{language}/{question.id}", gold=others, category=language)


def _doc(row: Mapping[str, Any], *, is_turn: bool) -> Doc:
    session = (row.get("session") or "all") if is_turn else None
    speaker = row.get("speaker") if is_turn else None
    return Doc(id=row["id"], text=row["text"], session=session, speaker=speaker, time=row.get("time"))


def _question(row: Mapping[str, Any]) -> Question:
    return Question(id=row["id"], text=row["text"], gold=frozenset(row["gold"]), category=row["category"])


def _rows(path: Path) -> Iterator[dict[str, Any]]:
    with gzip.open(path, "rt", encoding="utf-8") as file:
        for line in file:
            yield json.loads(line)
