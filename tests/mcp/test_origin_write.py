"""The contract of Origin, writing: what is kept, what is refused and in which words."""

from __future__ import annotations

import re
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from desk import ENTRY, EVENT, LINE, VERSION, Desk, ids, quoted, stated
from places import repository

WORDS = "PostgreSQL 16 for staging"


def squeezed(text: str) -> str:
    return "".join(text.split()).casefold()


# --- remember ---


@pytest.mark.req("ORI-15", "ORI-21", "ORI-23", "ORI-25", "ORI-27", "ORI-28", "ORI-48", "ORI-52", "ORI-73")
def test_what_is_remembered_comes_back_with_exactly_the_fields_of_the_contract(desk: Desk) -> None:
    origin = desk.client()
    answer = origin.call("remember", kind="memory", text="Staging runs it.", sources=quoted(WORDS), confidence=0.9)
    assert set(answer) == {"entry"}
    entry = answer["entry"]
    assert set(entry) == ENTRY
    assert re.fullmatch(r"ent_[0-9a-f]{12,32}", entry["id"])
    assert (entry["kind"], entry["text"], entry["confidence"]) == ("memory", "Staging runs it.", 0.9)
    assert (entry["status"], entry["concurrent"], entry["imported"]) == ("active", False, False)
    assert (entry["supersedes"], entry["superseded_by"], entry["root"]) == (None, None, entry["id"])
    assert (entry["valid_from"], entry["valid_to"]) == (None, None)
    assert re.fullmatch(r"claude-code@.+", entry["author"])
    assert datetime.fromisoformat(entry["created"]).tzinfo is not None


@pytest.mark.req("ORI-21", "ORI-31", "ORI-36", "ORI-37", "ORI-43", "ORI-46")
def test_it_is_found_read_and_traced_to_its_line(desk: Desk) -> None:
    event = desk.say("Logical replication is what we need, said the team.", role="assistant")
    origin = desk.client()
    entry = stated(origin, sources=[{"event_id": event, "quote": "LOGICAL  replication"}, {"event_id": event}])
    assert origin.call("search", query="postgresql staging", scope="entries") == {"entries": [entry], "events": []}
    got = origin.call("get", id=entry["id"])
    assert set(got) == {"entry", "sources", "history"}
    assert got["entry"] == entry
    assert [set(source) for source in got["sources"]] == [EVENT | {"quote"}] * len(got["sources"])
    assert set(ids(got["sources"])) == {event}
    assert squeezed(got["sources"][0]["quote"]) == "logicalreplication"
    assert [set(version) for version in got["history"]] == [VERSION]
    lines = origin.call("sources", id=entry["id"])
    assert [set(line) for line in lines] == [LINE] * len(lines)
    assert lines[0]["event_id"] == event
    assert squeezed(lines[0]["quote"]) == "logicalreplication"
    assert lines[0]["raw"] == desk.logs.log().read_text("utf-8").split("\n")[lines[0]["line"] - 1]
    [alone] = origin.call("sources", id=event)
    assert alone["quote"] is None


@pytest.mark.req("ORI-33")
def test_without_a_query_the_newest_entries_come_first(desk: Desk) -> None:
    origin = desk.client()
    written = [stated(origin, f"Statement number {n}.", sources=quoted(WORDS))["id"] for n in range(3)]
    assert origin.call("search") == {"entries": origin.call("search", scope="entries")["entries"], "events": []}
    assert ids(origin.call("search")["entries"]) == written[::-1]
    assert ids(origin.call("search", limit=2)["entries"]) == written[:0:-1]
    recent = origin.call("search", scope="events")
    assert recent["entries"] == []
    assert recent["events"]


@pytest.mark.req("ORI-22", "ORI-34")
def test_a_kind_filters_entries_and_a_source_only_events(desk: Desk) -> None:
    origin = desk.client()
    for kind in ("memory", "knowledge", "cognition"):
        stated(origin, f"PostgreSQL as {kind}.", kind=kind, sources=quoted(WORDS))
    assert len(origin.call("search", query="postgresql")["entries"]) == 3
    only = origin.call("search", query="postgresql", kind="cognition")
    assert [entry["kind"] for entry in only["entries"]] == ["cognition"]
    assert only["events"] == origin.call("search", query="postgresql")["events"] != []
    elsewhere = origin.call("search", query="postgresql", source="codex")
    assert (len(elsewhere["entries"]), elsewhere["events"]) == (3, [])
    assert origin.call("search", query="postgresql", scope="entries", since="2999-01-01")["entries"] == []
    assert len(origin.call("search", query="postgresql", scope="entries", since="1h")["entries"]) == 3


@pytest.mark.req("ORI-51", "ORI-65")
def test_words_that_were_just_written_can_be_quoted_and_are_then_there(desk: Desk) -> None:
    origin = desk.client()
    event = desk.say("Backups run at three in the morning.")
    entry = stated(origin, sources=quoted("at three in the morning"))
    assert ids(origin.call("get", id=entry["id"])["sources"]) == [event]
    later = desk.say("No, make it four in the morning.")
    corrected = origin.call("correct", id=entry["id"], text="At four.", sources=quoted("four in the morning"))["entry"]
    assert ids(origin.call("get", id=corrected["id"])["sources"]) == [event, later]


@pytest.mark.req("ORI-50")
def test_a_quote_alone_cites_the_newest_message_then_a_result_and_never_a_call(desk: Desk) -> None:
    first, second = desk.say("The port is 5433 here."), desk.say("I said the port is 5433!")
    call, result = desk.use_tool("Bash", {"command": "echo only-in-the-call"}, "the port is 5433 and only-in-result")
    origin = desk.client()

    def cited(quote: str) -> list[str]:
        entry = stated(origin, f"About {quote}.", sources=quoted(quote))
        return ids(origin.call("get", id=entry["id"])["sources"])

    assert cited("port is 5433") == [second] != [first]
    [found] = cited("only-in-result")
    assert found.startswith(result)
    refused = origin.refusal("remember", kind="memory", text="x", confidence=1, sources=quoted("only-in-the-call"))
    expected = 'No event contains the quote "only-in-the-call". Search for the event and cite its id instead.'
    assert refused.startswith(expected), call


@pytest.mark.req("ORI-49")
def test_a_quote_is_looked_for_without_white_space_and_case_in_the_event_that_is_named(desk: Desk) -> None:
    event = desk.say("The\n  Ветка   называется RELEASE/2.0")
    origin = desk.client()
    stated(origin, sources=[{"event_id": event, "quote": "ветка называется release / 2.0"}])
    refused = origin.refusal(
        "remember", kind="memory", text="x", confidence=1, sources=[{"event_id": event, "quote": "release/3.0"}]
    )
    assert refused == f'Quote not found in event {event}: "release/3.0"'


@pytest.mark.req("ORI-16", "ORI-48", "ORI-72")
@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"kind": None}, "`kind` must be given."),
        ({"kind": "note"}, "`kind` must be one of memory, knowledge, cognition."),
        ({"text": None}, "`text` must be given."),
        ({"text": ""}, "`text` must be given."),
        ({"confidence": None}, "`confidence` must be given."),
        ({"confidence": True}, "`confidence` must be a number from 0 to 1."),
        ({"confidence": "0.9"}, "`confidence` must be a number from 0 to 1."),
        ({"confidence": 1.1}, "`confidence` must be a number from 0 to 1."),
        ({"confidence": -0.001}, "`confidence` must be a number from 0 to 1."),
        ({"sources": None}, "`sources` must be given."),
        ({"sources": []}, "`sources` must be a list with at least 1 item."),
        ({"sources": WORDS}, "`sources` must be a list with at least 1 item."),
        ({"sources": [WORDS]}, "`sources[0]` must be an object."),
        ({"sources": [{}]}, "`sources[0]` must be an object with `event_id`, `quote` or both."),
        ({"sources": [{"quote": "  "}]}, "`sources[0]` must be an object with `event_id`, `quote` or both."),
        ({"sources": [{"event": "x"}]}, "Unknown argument `sources[0].event`. Known arguments: event_id, quote."),
        ({"valid_from": "2026-02-01", "valid_to": "2026-01-01"}, "`valid_from` must be no later than `valid_to`."),
        ({"text": "  "}, "`text` must be a statement that says something."),
        ({"valid_from": "soon"}, "`valid_from` must be a time"),
        ({"valid_to": "31.12.2026"}, "`valid_to` must be a time"),
        ({"tags": ["x"]}, "Unknown argument `tags`. Known arguments: kind, text, sources, confidence, project"),
    ],
)
def test_what_can_not_be_remembered_is_refused_in_a_sentence(wrong: Any, sentence: str, desk: Desk) -> None:
    origin = desk.client()
    right = {"kind": "memory", "text": "Staging runs it.", "sources": quoted(WORDS), "confidence": 0.9}
    assert origin.refusal("remember", **{**right, **wrong}).startswith(sentence)
    assert origin.call("search", scope="entries")["entries"] == []


@pytest.mark.req("ORI-16", "ORI-52")
def test_one_bad_source_keeps_everything_from_being_saved(desk: Desk) -> None:
    origin = desk.client()
    sources = [*quoted(WORDS), {"event_id": "claude-code:none"}]
    refused = origin.refusal("remember", kind="memory", text="x", confidence=1, sources=sources)
    assert refused == "Unknown entry or event claude-code:none."
    assert origin.call("search", scope="entries")["entries"] == []
    entry = stated(origin, sources=quoted(WORDS))
    refused = origin.refusal("correct", id=entry["id"], text="y", sources=sources)
    assert refused == "Unknown entry or event claude-code:none."
    assert origin.call("search", scope="entries")["entries"] == [entry]


@pytest.mark.req("ORI-14", "ORI-26", "ORI-44")
def test_an_entry_that_ended_is_in_no_listing_and_can_be_read_by_its_id(desk: Desk) -> None:
    origin = desk.client()
    entry = stated(origin, sources=quoted(WORDS), valid_from="2w", valid_to="1d")
    for asked in ({}, {"query": "postgresql"}):
        assert origin.call("search", **asked, scope="entries")["entries"] == []
    assert origin.call("get", id=entry["id"])["entry"] == entry
    begun, ended = (datetime.fromisoformat(entry[name]) for name in ("valid_from", "valid_to"))
    assert (ended - begun).days == 13


@pytest.mark.req("ORI-14", "ORI-72")
def test_an_entry_that_begins_later_is_not_current_yet(desk: Desk) -> None:
    origin = desk.client()
    entry = stated(origin, sources=quoted(WORDS), valid_from="2999-01-01", valid_to="2999-02-01T10:00:00Z")
    assert origin.call("search", query="postgresql", scope="entries")["entries"] == []
    assert origin.call("get", id=entry["id"])["entry"]["valid_from"].startswith("2999-01-01T00:00:00.000")


def test_the_same_statement_again_is_the_same_entry_with_more_sources(desk: Desk) -> None:
    event = desk.say("Yes, PostgreSQL 16, as decided.")
    origin, other = desk.client(), desk.other()
    first = stated(origin, sources=quoted(WORDS))
    again = stated(other, sources=[{"event_id": event}])
    assert again["id"] == first["id"]
    assert ids(origin.call("search", query="postgresql", scope="entries")["entries"]) == [first["id"]]
    assert event in ids(origin.call("get", id=first["id"])["sources"])
    assert len(origin.call("get", id=first["id"])["sources"]) == 2


@pytest.mark.req("ORI-25", "ORI-73")
@pytest.mark.parametrize(
    ("client", "agent"),
    [("codex-mcp-client", "codex"), ("My Agent!", "my-agent"), ("", "agent"), ("User", "agent"), ("агент", "agent")],
)
def test_the_author_is_the_agent_of_the_client(client: str, agent: str, desk: Desk) -> None:
    origin = desk.client(name=client)
    device = desk.logs.ask(lambda kernel: kernel.journal.device()[1])
    assert stated(origin, sources=quoted(WORDS))["author"] == f"{agent}@{device}"


@pytest.mark.req("ORI-52", "ORI-73")
def test_a_greeting_names_the_agent_too(desk: Desk) -> None:
    origin = desk.client(name="gemini-cli-mcp-client")
    origin.greet()
    given = {"kind": "memory", "text": "x", "sources": quoted(WORDS), "confidence": 1}
    assert origin.call("remember", modern=False, **given)["entry"]["author"].startswith("gemini-cli@")


@pytest.mark.req("ORI-25", "ORI-34", "ORI-48", "ORI-72")
def test_the_project_is_the_one_named_else_the_one_worked_in_else_none(
    desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bakery = repository(tmp_path / "bakery", "https://git.example/anna/bakery.git")
    repository(tmp_path / "mill", "https://git.example/anna/mill.git")
    monkeypatch.chdir(bakery)
    desk.say("Flour comes from the mill.", cwd=str(tmp_path / "mill"))
    origin = desk.other()
    here = stated(origin, "Rye bread needs two days.", sources=quoted(WORDS))
    there = stated(origin, "Flour comes on Mondays.", sources=quoted("from the mill"), project="anna/mill")
    assert (here["project"], there["project"]) == ("anna/bakery", "mill")  # the log is of another bakery
    assert ids(origin.call("search", scope="entries", project="mill")["entries"]) == [there["id"]]
    monkeypatch.chdir(desk.logs.env["HOME"])
    nowhere = stated(desk.other(), "The person likes tea.", kind="cognition", sources=quoted(WORDS))
    assert nowhere["project"] is None
