"""The contract of Origin, reading: exact fields and limits, held against logs that this test writes."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from desk import EVENT, LINE
from memory import Memory
from places import repository

from quoth.surfaces.mcp.archive import Archive
from quoth.surfaces.mcp.door import load
from services.archive import CLAUDE_SESSION
from services.archive import Archive as Logs

SESSION = {"session", "source", "project", "title", "prompt", "started", "ended", "events"}


@pytest.fixture
def origin(asked: Callable[[str], Memory[Archive]]) -> Memory[Archive]:
    return asked("origin")


@pytest.fixture
def logs(tmp_path: Path) -> Logs:
    return Logs(tmp_path)


@pytest.fixture
def over(logs: Logs) -> Iterator[Callable[[], Memory[Archive]]]:
    """Return a callable that reads the logs of this test and connects a client."""
    archive = Archive(logs.kernel)

    def connect() -> Memory[Archive]:
        logs.sync()
        return Memory(load("origin"), archive)

    yield connect
    archive.close()


def day(text: str) -> datetime:
    return datetime.fromisoformat(text)


@pytest.mark.req("ORI-1")
def test_there_are_exactly_seven_tools(origin: Memory[Archive]) -> None:
    tools = {tool["name"] for tool in origin.result("tools/list")["tools"]}
    assert tools == {"search", "timeline", "get", "sources", "remember", "correct", "forget"}


# --- search ---


@pytest.mark.req("ORI-15", "ORI-29", "ORI-32", "ORI-36", "ORI-37")
def test_search_answers_events_with_exactly_the_fields_of_the_contract(origin: Memory[Archive]) -> None:
    answer = origin.call("search", query="parser")
    assert set(answer) == {"entries", "events"}
    assert answer["entries"] == []
    [event] = answer["events"]
    assert set(event) == EVENT | {"snippet"}
    assert event["id"] == "claude-code:44f11915-c1c3-4747-af15-94f7510325ef"
    assert event["snippet"] == "Why does the [parser] stop at line 3?"
    assert (event["source"], event["role"], event["kind"]) == ("claude-code", "user", "message")


@pytest.mark.req("ORI-32")
@pytest.mark.parametrize(
    ("query", "found"),
    [("缓存", True), ("缓", True), ("СТАРЫЙ клиент", True), ("parser 缓存", False)],
)
def test_every_term_must_occur_in_any_language(query: str, found: bool, origin: Memory[Archive]) -> None:
    assert bool(origin.call("search", query=query)["events"]) is found


@pytest.mark.req("ORI-31", "ORI-33")
def test_without_a_query_only_the_scope_events_lists_recent_events(origin: Memory[Archive]) -> None:
    for query in ({}, {"query": ""}, {"query": "  "}, {"query": "?!"}):
        assert origin.call("search", **query)["events"] == []
    recent = origin.call("search", scope="events", limit=5)["events"]
    assert [event["snippet"] for event in recent] == [None] * 5
    assert [event["time"] for event in recent] == sorted((event["time"] for event in recent), reverse=True)


@pytest.mark.req("ORI-31")
def test_the_scope_says_what_is_searched(origin: Memory[Archive]) -> None:
    assert origin.call("search", query="parser", scope="entries") == {"entries": [], "events": []}
    assert origin.call("search", query="parser", scope="events") == origin.call("search", query="parser")
    assert origin.refusal("search", scope="sessions") == "`scope` must be one of all, entries, events."


@pytest.mark.req("ORI-31", "ORI-34")
def test_a_kind_of_entry_leaves_events_alone(origin: Memory[Archive]) -> None:
    assert origin.call("search", query="parser", kind="memory") == origin.call("search", query="parser")
    assert origin.refusal("search", kind="message") == "`kind` must be one of memory, knowledge, cognition."


@pytest.mark.req("ORI-34")
def test_events_are_filtered_by_time_source_and_project(origin: Memory[Archive]) -> None:
    def times(**more: Any) -> list[str]:
        return [event["time"] for event in origin.call("search", scope="events", limit=100, **more)["events"]]

    since, until = "2026-03-01T00:00:00Z", "2026-10-20T00:00:00Z"
    inside = [time for time in times() if day(since) <= day(time) < day(until)]
    assert times(since=since, until=until) == inside
    assert 0 < len(inside) < len(times())
    only = origin.call("search", scope="events", source="codex", limit=100)["events"]
    assert {event["source"] for event in only} == {"codex"}
    only = origin.call("search", scope="events", project="demo-api", limit=100)["events"]
    assert {event["project"] for event in only} == {"demo-api"}


@pytest.mark.req("ORI-35")
def test_tool_traffic_is_searched_only_when_asked_for(origin: Memory[Archive]) -> None:
    assert origin.call("search", query="pay_v1")["events"] == []
    kinds = {event["kind"] for event in origin.call("search", query="pay_v1", include_tools=True)["events"]}
    assert kinds == {"tool_use", "tool_result"}
    assert origin.call("search", query="queue-operation", include_tools=True)["events"] == []


@pytest.mark.req("ORI-29", "ORI-37")
def test_a_long_event_is_cut_and_says_how_much_is_missing(logs: Logs, over: Callable[[], Memory[Archive]]) -> None:
    whole = "flour " * 100 + "rye" + " water" * 4000
    logs.log().write_bytes(logs.record(whole, n=1))
    client = over()
    [event] = client.call("search", query="rye")["events"]
    assert event["text"] == f"{whole[:400]}… [{len(whole) - 400} more characters]"
    assert len(event["snippet"].replace("[", "").replace("]", "")) <= 200
    assert "[rye]" in event["snippet"]
    [listed] = client.call("timeline", session=CLAUDE_SESSION)["events"]
    assert listed["text"] == f"{whole[:1000]}… [{len(whole) - 1000} more characters]"
    assert client.call("get", id=event["id"])["text"] == f"{whole[:20000]}… [{len(whole) - 20000} more characters]"


@pytest.mark.req("ORI-36")
def test_a_limit_is_kept(logs: Logs, over: Callable[[], Memory[Archive]]) -> None:
    logs.log().write_bytes(b"".join(logs.records(f"dough number {n}" for n in range(30))))
    client = over()
    assert [len(client.call("search", query="dough", **more)["events"]) for more in ({}, {"limit": 3})] == [20, 3]
    assert len(client.call("timeline", session=CLAUDE_SESSION, limit=7)["events"]) == 7


# --- timeline ---


@pytest.mark.req("ORI-30", "ORI-38", "ORI-39")
def test_sessions_come_by_last_activity_with_exactly_the_fields_of_the_contract(origin: Memory[Archive]) -> None:
    answer = origin.call("timeline", since="2000-01-01")
    assert set(answer) == {"sessions"}
    assert all(set(session) == SESSION for session in answer["sessions"])
    ended = [session["ended"] for session in answer["sessions"]]
    assert ended == sorted(ended, reverse=True)
    assert any(session["title"] and session["prompt"] is None for session in answer["sessions"])
    assert any(session["title"] is None and session["prompt"] for session in answer["sessions"])


@pytest.mark.req("ORI-39")
def test_a_range_holds_sessions_active_since_and_started_before(origin: Memory[Archive]) -> None:
    since, until = "2026-10-19T08:30:00Z", "2026-10-20T00:00:00Z"
    every = origin.call("timeline", since="2000-01-01")["sessions"]
    inside = [s for s in every if day(s["ended"]) >= day(since) and day(s["started"]) < day(until)]
    assert origin.call("timeline", since=since, until=until)["sessions"] == inside
    assert 0 < len(inside) < len(every)


@pytest.mark.req("ORI-38")
def test_seven_days_are_meant_when_nothing_is_said(logs: Logs, over: Callable[[], Memory[Archive]]) -> None:
    logs.log().write_bytes(logs.record("an old loaf", n=1, timestamp="2020-01-01T00:00:00.000Z"))
    client = over()
    assert client.call("timeline")["sessions"] == []
    assert len(client.call("timeline", since="2019-12-31")["sessions"]) == 1


@pytest.mark.req("ORI-40")
def test_one_session_is_read_from_its_beginning_whatever_its_age(origin: Memory[Archive]) -> None:
    answer = origin.call("timeline", session="0928b98e-fa52-45fb-a23a-44fa10b2b3de")
    assert set(answer) == {"session", "events"}
    assert set(answer["session"]) == SESSION
    assert all(set(event) == EVENT for event in answer["events"])
    times = [event["time"] for event in answer["events"]]
    assert times == sorted(times)
    assert answer["session"]["started"].startswith("2025-08-14")


@pytest.mark.req("ORI-41")
def test_tools_and_injected_context_of_a_session_are_shown_when_asked_for(origin: Memory[Archive]) -> None:
    session = "476d63f8-f5ae-4551-ace9-4c99eb13a75e"
    spoken = origin.call("timeline", session=session)["events"]
    assert {event["kind"] for event in spoken} == {"message"}
    every = origin.call("timeline", session=session, include_tools=True)
    kinds = {event["kind"] for event in every["events"]}
    assert kinds == {"message", "tool_use", "tool_result", "meta", "system"}
    assert [event for event in every["events"] if event["kind"] == "message"] == spoken
    assert every["session"]["events"] == len(every["events"])


@pytest.mark.req("ORI-40")
def test_equal_session_ids_of_two_sources_need_the_source(logs: Logs, over: Callable[[], Memory[Archive]]) -> None:
    thread = "019cdc2d-99f0-7790-9870-954b1321bc2b"
    logs.log(thread).write_bytes(logs.record("said to claude", n=1, session=thread))
    meta = {"id": thread, "timestamp": "2026-10-19T16:20:31.000Z", "cwd": str(logs.project), "originator": "codex"}
    said = {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "said to codex"}]}
    lines = [
        ("session_meta", meta),
        ("response_item", said),
        ("event_msg", {"type": "user_message", "message": "said to codex"}),
    ]
    records = [{"timestamp": "2026-10-19T16:20:31.000Z", "type": kind, "payload": value} for kind, value in lines]
    logs.rollout(thread).write_text("".join(f"{json.dumps(record)}\n" for record in records))
    client = over()
    assert "is ambiguous" in client.refusal("timeline", session=thread)
    texts = {
        source: [event["text"] for event in client.call("timeline", session=thread, source=source)["events"]]
        for source in ("claude-code", "codex")
    }
    assert texts == {"claude-code": ["said to claude"], "codex": ["said to codex"]}


@pytest.mark.req("ORI-30")
def test_a_session_without_a_title_shows_the_beginning_of_its_first_prompt(
    logs: Logs, over: Callable[[], Memory[Archive]]
) -> None:
    logs.log().write_bytes(logs.record("How long does sourdough have to rest " * 5, n=1))
    [session] = over().call("timeline", since="2000-01-01")["sessions"]
    assert session["title"] is None
    assert session["prompt"].startswith("How long does sourdough")
    assert 70 < len(session["prompt"]) <= 80


# --- get, sources ---


@pytest.mark.req("ORI-45")
def test_get_answers_an_event_with_where_it_happened(origin: Memory[Archive]) -> None:
    event = origin.call("get", id="claude-code:44f11915-c1c3-4747-af15-94f7510325ef")
    assert set(event) == EVENT | {"cwd", "git_branch", "agent_version"}
    assert (event["cwd"], event["git_branch"], event["agent_version"]) == (
        "/home/dev/demo-app",
        "fix/encoding",
        "2.1.270",
    )


@pytest.mark.req("ORI-46", "ORI-47")
def test_sources_answers_the_verbatim_line_of_an_event_once(origin: Memory[Archive]) -> None:
    [line] = origin.call("sources", id="claude-code:44f11915-c1c3-4747-af15-94f7510325ef")
    assert set(line) == LINE
    assert line["quote"] is None
    original = Path(line["original_file"]).read_text("utf-8", errors="replace").split("\n")
    assert line["raw"] == original[line["line"] - 1]
    mirrored = Path(line["mirror_file"])
    assert mirrored.with_name(f"{mirrored.name}.tail").exists() or mirrored.with_name(f"{mirrored.name}.zst").exists()


@pytest.mark.req("ORI-46")
def test_a_long_line_is_cut_at_four_thousand_characters(logs: Logs, over: Callable[[], Memory[Archive]]) -> None:
    record = logs.record("rye " * 3000, n=1)
    logs.log().write_bytes(record)
    client = over()
    [event] = client.call("search", query="rye")["events"]
    [line] = client.call("sources", id=event["id"])
    raw = record.decode().strip()
    assert line["raw"] == f"{raw[:4000]}… [{len(raw) - 4000} more characters]"


# --- projects ---


@pytest.mark.req("ORI-72")
def test_projects_of_one_name_are_told_apart_by_their_owner(
    logs: Logs, tmp_path: Path, over: Callable[[], Memory[Archive]]
) -> None:
    for number, owner in enumerate(("anna", "boris")):
        folder = repository(tmp_path / owner / "bakery", f"https://git.example/{owner}/bakery.git")
        session = f"6b1c2f6e-8f0a-4d7e-9d55-3a1c5e0f7a{number:02}"
        record = logs.record(f"bread of {owner}", n=number, session=session, cwd=str(folder))
        logs.log(session, f"-{owner}").write_bytes(record)
    client = over()

    def found(project: str) -> list[tuple[str, str]]:
        events = client.call("search", query="bread", project=project)["events"]
        return [(event["project"], event["text"]) for event in events]

    anna = [("anna/bakery", "bread of anna")]
    assert found("anna/bakery") == anna
    assert found(str(tmp_path / "anna" / "bakery")) == anna
    assert "Project bakery is ambiguous; pass one of: " in client.refusal("search", query="bread", project="bakery")
