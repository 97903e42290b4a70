"""The demo's conversations are written as the agents write them: the adapters find nothing strange in them."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime

import pytest

from feeding import Said, read
from quoth.core.model import Event, Kind, Opened, Role, Titled, Unread
from quoth.surfaces.cli.demo import logs, talks

NOW = datetime(2026, 10, 20, 12, 0, tzinfo=UTC)


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> list[Said]:
    person = tmp_path_factory.mktemp("person")
    logs.write(talks.bundled(), person, NOW)
    return [*read("claude-code", person / ".claude"), *read("codex", person / ".codex")]


def test_the_adapters_know_every_record(written: list[Said]) -> None:
    facts = [fact for said in written for fact in said.facts]
    assert not [fact for fact in facts if isinstance(fact, Unread) and fact.reason != "replayed"]


def test_what_the_person_says_in_a_talk_is_what_the_person_said(written: list[Said]) -> None:
    spoken = Counter(
        fact.text
        for said in written
        for fact in said.facts
        if isinstance(fact, Event) and (fact.role, fact.kind) == (Role.USER, Kind.MESSAGE)
    )
    assert set(spoken) == {turn.text for talk in talks.bundled() for turn in talk.turns if turn.mark == ">"}


def test_there_are_a_subagent_a_fork_a_compaction_and_titles_in_three_languages(written: list[Said]) -> None:
    facts = [fact for said in written for fact in said.facts]
    assert any(isinstance(fact, Opened) and fact.parent for fact in facts)
    titles = {fact.title for fact in facts if isinstance(fact, Titled)}
    assert {"自提时间差了八小时", "Уведомления о готовом заказе", "Deposits for wedding cakes"} <= titles
    assert "fork" in {fact for talk in talks.bundled() for fact in talk.facts}
    assert "%" in {turn.mark for talk in talks.bundled() for turn in talk.turns}


def test_nothing_is_dated_in_the_future(written: list[Said]) -> None:
    times = [fact.time for said in written for fact in said.facts if isinstance(fact, Event) and fact.time]
    assert max(times) <= NOW.timestamp() * 1000
