"""Search shows entries beside events: current, in force, restricted by what is about them, with one cursor for both."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from quoth.core.errors import InvalidArgument, UnknownProject
from quoth.core.ids import entry_id
from quoth.core.ledger.operations import asserting
from quoth.core.ledger.values import EntryKind, Scope, Statement
from services.archive import Archive
from services.entries import append, correct, entry, forget, found, search

TEXTS = ["Which port?", "The shop listens on port 8737.", "端口是 8737 吗？"]
DAY = 24 * 60 * 60 * 1000
OCTOBER = 1_792_368_000_000  # 2026-10-19T00:00:00Z


@pytest.fixture
def archive(tmp_path: Path) -> Archive:
    made = Archive(tmp_path)
    made.log().write_bytes(b"".join(made.records(TEXTS)))
    made.sync()
    return made


def _asserted(archive: Archive, text: str, number: int = 0, **more: Any) -> None:
    """Write an entry of another time or owner, as another device might."""
    said = {"kind": EntryKind.MEMORY, "type": "note", "created_at": OCTOBER + number, "author": "codex@desk", **more}
    append(archive, asserting(entry_id(number.to_bytes(16, "big")), Statement(text=text, **said)))


@pytest.mark.req("QUO-2", "ORI-31", "ORI-32", "ORI-37")
def test_entries_and_events_that_hold_every_word_are_found_together(archive: Archive) -> None:
    entry(archive, "The shop's port is 8737.")
    entry(archive, "The shop is blue.")
    answer = search(archive, "shop port")
    assert list(answer) == ["entries", "events", "next"]
    (one,) = answer["entries"]
    assert (one["text"], list(one)[-1]) == ("The shop's port is 8737.", "relevance")
    assert [(each["text"], each["snippet"]) for each in answer["events"]] == [
        ("The shop listens on port 8737.", "The [shop] listens on [port] 8737.")
    ]


@pytest.mark.req("QUO-2")
@pytest.mark.parametrize(
    ("query", "texts"),
    [
        ("port shop", ("The shop's port is 8737.", f"A shop. {'It sells bread and rolls. ' * 40}It has a port.")),
        ("端口", ("数据库端口是8737。", f"端口。{'面包和蛋糕都卖完了。' * 40}")),
        ("порт", ("Порт магазина 8737.", f"Порт. {'Хлеб и булки давно проданы. ' * 40}")),
    ],
)
def test_an_entry_tells_how_relevant_it_is_to_the_words(archive: Archive, query: str, texts: tuple[str, str]) -> None:
    for text in texts:
        entry(archive, text)
    relevance = {each["text"]: each["relevance"] for each in search(archive, query, target="entries")["entries"]}
    short, long = (relevance[text.strip()] for text in texts)
    assert 0 < long < short <= 1


@pytest.mark.req("QUO-2")
def test_a_name_and_tags_count_for_the_relevance_as_they_count_for_the_search(archive: Archive) -> None:
    entry(archive, "It listens on 8737.", name="harbour", tags=["staging"])
    for query in ("harbour", "staging", "staging 8737"):
        (found_,) = search(archive, query, target="entries")["entries"]
        assert 0 < found_["relevance"] <= 1


@pytest.mark.req("QUO-2")
def test_words_that_tell_nothing_have_no_relevance(archive: Archive) -> None:
    entry(archive, "The port is 8737.")
    (found_,) = search(archive, "the", target="entries")["entries"]
    assert found_["relevance"] is None


@pytest.mark.req("ORI-32", "INV-10", "ENG-31")
@pytest.mark.parametrize("query", ["口", "端口", "端", "8737", "數據庫端口"])
def test_entries_are_found_by_one_and_two_characters(archive: Archive, query: str) -> None:
    entry(archive, "数据库端口是8737。")
    assert found(archive, query) == ["数据库端口是8737。"]


@pytest.mark.req("ORI-33", "QUO-2")
def test_without_a_query_the_most_recent_are_shown(archive: Archive) -> None:
    for number in range(3):
        _asserted(archive, f"Entry {number}.", number)
    answer = search(archive)
    assert [each["text"] for each in answer["entries"]] == ["Entry 2.", "Entry 1.", "Entry 0."]
    assert [each["relevance"] for each in answer["entries"]] == [None] * 3
    assert len(answer["events"]) == 3
    assert {each["snippet"] for each in answer["events"]} == {None}


@pytest.mark.req("QUO-2")
@pytest.mark.parametrize("query", [None, "port"])
def test_a_target_leaves_the_other_list_empty(archive: Archive, query: str | None) -> None:
    entry(archive, "The port is 8737.")
    by_target = {target: search(archive, query, target=target) for target in ("all", "entries", "events")}
    assert all(by_target["all"][which] for which in ("entries", "events"))
    assert by_target["entries"] == {**by_target["all"], "events": []}
    assert by_target["events"] == {**by_target["all"], "entries": []}


@pytest.mark.req("ORI-34", "QUO-2")
def test_kind_and_type_are_about_entries_and_source_about_events(archive: Archive) -> None:
    entry(archive, "The port is 8737.", type="fact")
    entry(archive, "Mind the port.", type="rule")
    for asked in ({"kind": "cognition"}, {"type": "rule"}):
        answer = search(archive, "port", **asked)
        assert [each["text"] for each in answer["entries"]] == ["Mind the port."]
        assert len(answer["events"]) == 2
    answer = search(archive, "port", source="codex")
    assert (len(answer["entries"]), answer["events"]) == (2, [])


@pytest.mark.req("ORI-34")
def test_a_project_is_about_both(archive: Archive) -> None:
    entry(archive, "The port is 8737.")
    entry(archive, "My port is 1.", cwd="/")
    answer = search(archive, "port", project="bakery")
    assert [each["text"] for each in answer["entries"]] == ["The port is 8737."]
    assert len(answer["events"]) == 2
    with pytest.raises(UnknownProject):
        search(archive, "port", project="elsewhere")


@pytest.mark.req("ORI-34")
def test_times_are_about_when_an_entry_was_written(archive: Archive) -> None:
    for number in range(3):
        _asserted(archive, f"Day {number}.", number * DAY, created_at=OCTOBER + number * DAY)
    day = ["2026-10-20T00:00:00Z", "2026-10-21T00:00:00Z"]
    assert found(archive, since=day[0]) == ["Day 2.", "Day 1."]
    assert found(archive, until=day[0]) == ["Day 0."]
    assert found(archive, "day", since=day[0], until=day[1]) == ["Day 1."]


@pytest.mark.req("QUO-2")
@pytest.mark.parametrize("agent", ["codex", "agent:codex"])
def test_an_agent_has_entries_of_its_own(archive: Archive, agent: str) -> None:
    _asserted(archive, "Mine.", 1, agent="agent:codex")
    _asserted(archive, "Yours.", 2, agent="agent:cursor")
    _asserted(archive, "Everybody's.", 3)
    assert found(archive, agent=agent) == ["Mine."]
    assert found(archive, agent="global") == ["Everybody's."]


@pytest.mark.req("ORI-23", "ORI-26", "ORI-37", "ORI-72")
def test_only_what_is_current_and_in_force_is_found(archive: Archive) -> None:
    old = entry(archive, "The port was 1.")
    correct(archive, old, "The port is 2.")
    entry(archive, "The port ended.", valid_to="1d")
    entry(archive, "The port comes.", valid_from="2999-01-01")
    gone = entry(archive, "The port is secret.")
    forget(archive, gone)
    assert found(archive, "port") == found(archive) == ["The port is 2."]


@pytest.mark.req("ORI-36", "QUO-2")
def test_one_cursor_goes_on_with_both_lists(archive: Archive) -> None:
    for number in range(5):
        _asserted(archive, f"Port {number}.", number)
    pages, cursor = [], None
    for _ in range(5):
        answer = search(archive, "port", limit=2, cursor=cursor)
        pages.append(([each["text"] for each in answer["entries"]], len(answer["events"])))
        cursor = answer["next"]
        if cursor is None:
            break
    assert [events for _, events in pages] == [2, 0, 0]
    assert sorted(text for texts, _ in pages for text in texts) == [f"Port {number}." for number in range(5)]
    with pytest.raises(InvalidArgument, match="`cursor`"):
        search(archive, "port", limit=2, target="entries", cursor=search(archive, "port", limit=2)["next"])


@pytest.mark.req("ORI-31", "QUO-2")
@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"target": "sessions"}, "`target` must be one of all, entries, events."),
        ({"kind": "opinion"}, "`kind` must be one of memory, knowledge, cognition."),
        ({"limit": 0}, "`limit` must be an integer from 1 to 100."),
        ({"limit": 101}, "`limit` must be an integer from 1 to 100."),
    ],
)
def test_what_can_t_be_used_is_told(archive: Archive, asked: dict[str, Any], said: str) -> None:
    with pytest.raises(InvalidArgument) as caught:
        search(archive, "port", **asked)
    assert str(caught.value) == said


@pytest.mark.req("INV-1")
def test_a_rebuild_answers_the_same_entries(archive: Archive) -> None:
    first = entry(archive, "The port is 8737.", type="rule", name="port", tags=["net"])
    correct(archive, first, "The port is 9000.", reason="it moved")
    _asserted(archive, "Elsewhere.", 7, scope=Scope("ada", "acme", "git:github.com/acme/shop"))

    def answers() -> Any:
        versions = archive.ask(lambda kernel: kernel.history.run(first))
        return search(archive, "port"), search(archive), versions

    before = answers()
    archive.rebuild()
    assert answers() == before
