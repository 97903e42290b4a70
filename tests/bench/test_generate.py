"""The generated logs: the same for a seed, of the asked size, and read by the adapters to the last record."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import cast

import pytest
from bench.generate import generate
from bench.questions import Corpus

from quoth import _plugins
from quoth.core.ids import SourceId
from quoth.core.model import Event, Fact, Form, Found, Kind, Line, Reclassified, Stream, Unread
from quoth.core.ports import Adapter

EVENTS, FILES = 3_000, 60
HOMES = {SourceId("claude-code"): "claude", SourceId("codex"): "codex"}
SAID_OR_DONE = {Kind.MESSAGE, Kind.TOOL_USE, Kind.TOOL_RESULT}


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("logs")
    generate(folder, events=EVENTS, files=FILES, seed=7)
    return folder


@pytest.fixture(scope="module")
def facts(logs: Path) -> list[Fact]:
    return [fact for source, folder in HOMES.items() for fact in read(source, logs / folder)]


def read(source: SourceId, home: Path) -> Iterator[Fact]:
    adapter = cast(Adapter, _plugins.load("quoth.sources", source, "ADAPTER"))
    for found in adapter.find(home):
        if isinstance(found, Found) and found.form is Form.LOG:
            yield from facts_of(adapter, source, found)


def facts_of(adapter: Adapter, source: SourceId, found: Found) -> Iterator[Fact]:
    parser = adapter.parser(Stream(1, source, "root", found.key, 1, found.form, found.identity, str(found.path), 0))
    for number, data in enumerate(found.path.read_bytes().split(b"\n")[:-1], 1):
        yield from parser.feed(Line(number, data))


def digests(folder: Path) -> dict[str, str]:
    files = (path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


def kinds(facts: list[Fact]) -> Counter[Kind]:
    """Count the kinds of distinct events, after repeats were recognised."""
    found = {fact.id: fact.kind for fact in facts if isinstance(fact, Event)}
    found |= {fact.id: fact.kind for fact in facts if isinstance(fact, Reclassified)}
    return Counter(found.values())


def test_the_same_seed_gives_the_same_bytes(logs: Path, tmp_path: Path) -> None:
    generate(tmp_path, events=EVENTS, files=FILES, seed=7)
    assert digests(tmp_path) == digests(logs)


def test_another_seed_gives_other_sessions(logs: Path, tmp_path: Path) -> None:
    generate(tmp_path, events=200, files=5, seed=8)
    assert not set(digests(tmp_path)) & set(digests(logs)) - {"codex/session_index.jsonl"}


def test_there_are_as_many_logs_as_asked_for(logs: Path) -> None:
    assert len([path for path in logs.rglob("*.jsonl") if path.name != "session_index.jsonl"]) == FILES


def test_the_adapters_know_every_record(facts: list[Fact]) -> None:
    unread = [fact for fact in facts if isinstance(fact, Unread) and fact.reason != "replayed"]
    assert unread == []


def test_the_adapters_find_as_many_events_as_asked_for(facts: list[Fact]) -> None:
    counted = kinds(facts)
    assert sum(counted[kind] for kind in SAID_OR_DONE) == EVENTS
    assert all(counted[kind] > EVENTS // 10 for kind in SAID_OR_DONE)


def test_what_was_said_gives_queries_of_all_sixteen_classes(facts: list[Fact]) -> None:
    said = [fact.text for fact in facts if isinstance(fact, Event) and fact.kind is Kind.MESSAGE]
    questions = Corpus(said, Random(1)).questions(4)
    assert len(questions) == 16
    assert all(questions.values())
