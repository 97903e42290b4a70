"""What the Antigravity adapter says of its samples, sentence by sentence, and of steps made for one trap each."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from functools import cache
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import feeding
from quoth.core.ids import SessionId, SourceId
from quoth.core.model import Event, Fact, Form, Found, Kind, Line, Opened, Role, Skipped, Stream, Unread
from quoth.core.times import from_iso
from quoth.sources.antigravity import ADAPTER
from running import Run

EXPORT = "15328375-cf8d-419b-ac5a-392f2005c6c5"
TAGS = "3f0f6a52-9a0e-4b59-8a43-0d9b1a7c2e01"
SHORT = "3f0f6a52-9a0e-4b59-8a43-0d9b1a7c2e02"
CHILD = "3f0f6a52-9a0e-4b59-8a43-0d9b1a7c2e03"


@cache
def _read(case: str) -> tuple[feeding.Said, ...]:
    return tuple(feeding.read("antigravity", feeding.DATA / "antigravity" / case / "home"))


def _facts(case: str) -> list[Fact]:
    return [fact for said in _read(case) for fact in said.facts]


def _events(case: str, session: str) -> list[Event]:
    return [fact for fact in _facts(case) if isinstance(fact, Event) and fact.session == session]


def _step(event: Event) -> str:
    return event.id.split(":", 2)[2]


def _steps(events: Iterable[Event], *kinds: Kind) -> list[str]:
    return list(dict.fromkeys(_step(event) for event in events if event.kind in kinds))


def _line(events: Iterable[Event], number: int) -> list[Event]:
    return [event for event in events if event.line == number]


def _record(index: int | None, kind: str, content: object = "words", **more: object) -> dict[str, Any]:
    source = "USER_EXPLICIT" if kind == "USER_INPUT" else "MODEL"
    return {"step_index": index, "source": source, "type": kind, "status": "DONE", "content": content, **more}


def _feed(*records: dict[str, Any]) -> list[Event]:
    key = f"antigravity/brain/{TAGS}/.system_generated/logs/transcript_full.jsonl"
    parser = ADAPTER.parser(Stream(1, SourceId("antigravity"), "root", key, 1, Form.LOG, key, key, 0))
    lines = [Line(number, json.dumps(record).encode()) for number, record in enumerate(records, 1)]
    return [fact for line in lines for fact in parser.feed(line) if isinstance(fact, Event)]


# --- the everyday sample --------------------------------------------------------------------------------------------


def test_person_and_model_are_told_apart() -> None:
    spoken = [(_step(e), e.role, e.text) for e in _events("everyday", EXPORT) if e.kind is Kind.MESSAGE]
    assert spoken == [
        ("0", Role.USER, "给导出页面加一个进度条。"),
        ("2", Role.ASSISTANT, "先看导出页面。"),
        ("4", Role.ASSISTANT, "已添加进度条，按已写入的行数更新。"),
    ]


def test_steps_are_told_in_their_order_though_the_file_has_another() -> None:
    assert [_step(event) for event in _events("everyday", EXPORT)] == [
        "0",
        "0:context",
        "1",
        "2:thinking",
        "2",
        "2#0",
        "3",
        "4",
        "5",
    ]


def test_a_call_is_followed_by_its_result_which_names_the_line_it_stands_on() -> None:
    call, result = (e for e in _events("everyday", EXPORT) if e.kind in {Kind.TOOL_USE, Kind.TOOL_RESULT})
    assert call.text == 'view_file\n{"AbsolutePath":"/home/dev/demo-web/export.tsx"}'
    assert (result.first_line, result.line) == (3, 4)
    assert result.text.startswith("File Path: /home/dev/demo-web/export.tsx")
    assert result.time == from_iso("2026-10-20T01:00:06Z")


def test_the_history_names_the_folder() -> None:
    assert Opened(SessionId(EXPORT), cwd="/home/dev/demo-web") in _facts("everyday")


# --- speech ---------------------------------------------------------------------------------------------------------


@pytest.mark.req("ARC-9")
def test_what_stands_around_a_request_is_not_the_persons() -> None:
    words, around = _line(_events("traps", TAGS), 1)
    assert (words.kind, words.text) == (Kind.MESSAGE, "Сделай поиск по тегу <USER_REQUEST> в логах.")
    assert (around.kind, "USER_SETTINGS_CHANGE" in around.text) == (Kind.META, True)


@pytest.mark.req("ARC-9")
def test_a_request_without_its_tag_is_still_cut_from_what_was_added() -> None:
    words, rules, *_ = _events("traps", SHORT)
    assert (words.text, rules.text) == ("Why is the list empty?", "<USER_RULES>\nbe brief\n</USER_RULES>")


@pytest.mark.req("ARC-9")
def test_context_summaries_and_messages_of_other_agents_are_nobodys_words() -> None:
    kinds = {_step(event): (event.role, event.kind) for event in _events("traps", TAGS)}
    assert {kinds[step] for step in ("1", "2", "12")} == {(Role.SYSTEM, Kind.META)}
    assert kinds["15"] == (Role.SYSTEM, Kind.SYSTEM)
    assert kinds["16"] == (Role.USER, Kind.META)


@pytest.mark.req("ARC-9")
def test_a_request_that_is_empty_says_nothing() -> None:
    assert [e.kind for e in _feed(_record(0, "USER_INPUT", "<USER_REQUEST>\n\n</USER_REQUEST>"))] == [Kind.META]


def test_a_response_that_only_calls_tools_has_no_words_of_its_own() -> None:
    assert [_step(e) for e in _feed(_record(0, "PLANNER_RESPONSE", "", tool_calls=[{"name": "glob"}]))] == ["0#0"]


@pytest.mark.req("ARC-6")
def test_a_subagent_is_the_child_of_the_conversation_that_started_it() -> None:
    assert Opened(SessionId(CHILD), parent=SessionId(TAGS)) in _facts("traps")


# --- the order of steps ---------------------------------------------------------------------------------------------


def test_results_that_came_before_their_calls_stand_behind_them_in_order() -> None:
    events = _line(_events("traps", TAGS), 6)
    assert [_step(event) for event in events] == ["3:thinking", "3", "3#0", "3#1", "3#2", "4", "5"]
    assert [event.first_line for event in events[-2:]] == [5, 4]


def test_a_result_behind_a_step_that_never_came_waits_no_longer_than_for_the_next_words() -> None:
    assert [_step(event) for event in _line(_events("traps", TAGS), 12)] == ["10", "11"]


def test_words_never_wait() -> None:
    for kind in ("USER_INPUT", "PLANNER_RESPONSE", "CHECKPOINT"):
        assert [_step(event) for event in _feed(_record(9, kind))] == ["9"]


@pytest.mark.parametrize("order", list(permutations(range(1, 5))))
def test_results_are_told_in_order_however_they_came(order: tuple[int, ...]) -> None:
    call = _record(1, "PLANNER_RESPONSE", "x", tool_calls=[{"name": "glob"}] * 3)
    written = [call if step == 1 else _record(step, "GREP_SEARCH") for step in order]
    told = _steps(_feed(_record(0, "USER_INPUT"), *written, _record(5, "PLANNER_RESPONSE")), Kind.TOOL_RESULT)
    assert told == ["2", "3", "4"]


@given(order=st.permutations(range(8)))
@settings(max_examples=60, deadline=None, derandomize=True)
def test_no_order_of_steps_loses_one_once_words_follow(order: list[int]) -> None:
    kinds = ["USER_INPUT", "PLANNER_RESPONSE", "RUN_COMMAND", "VIEW_FILE", "PLANNER_RESPONSE", "CODE_ACTION"]
    written = [_record(step, kinds[step % len(kinds)]) for step in order]
    assert {_step(event) for event in _feed(*written, _record(8, "PLANNER_RESPONSE"))} == set(map(str, range(9)))


def test_a_flood_of_results_is_not_held_for_ever() -> None:
    events = _feed(*(_record(step, "VIEW_FILE") for step in range(500, 700)))
    assert len(events) > 100
    big = _feed(_record(5, "VIEW_FILE", "x" * 1_100_000))
    assert [_step(event) for event in big] == ["5"]


def test_a_result_that_is_filled_in_later_is_a_revision() -> None:
    assert [e.text for e in _events("traps", TAGS) if _step(e) == "8"] == ["RUNNING", "3 passed"]


# --- tools ----------------------------------------------------------------------------------------------------------


@pytest.mark.req("ARC-9")
def test_calls_of_our_own_tools_and_their_results_are_marked_as_ours() -> None:
    assert {_step(event) for event in _events("traps", TAGS) if event.own} == {"3#2", "6"}


@pytest.mark.req("ARC-9")
@pytest.mark.parametrize(
    ("name", "args", "is_own"),
    [
        ("mcp_quoth_search", {}, True),
        ("mcp__quoth__search", {}, True),
        ("call_mcp_tool", {"ServerName": '"quoth"'}, True),
        ("run_command", {"CommandLine": '"quoth search x"'}, True),
        ("run_command", {"CommandLine": "grep quoth README.md"}, False),
        ("call_mcp_tool", {"ServerName": "github"}, False),
        ("mcp_github_search", {}, False),
        ("origin_of_species", {}, False),
    ],
)
def test_our_own_tools_are_known_by_every_name_they_have(name: str, args: dict[str, str], is_own: bool) -> None:
    call, result = _feed(
        _record(0, "PLANNER_RESPONSE", "", tool_calls=[{"name": name, "args": args}]), _record(1, "MCP_TOOL")
    )
    assert (call.own, result.own) == (is_own, is_own)


def test_arguments_that_were_written_twice_over_are_read_once() -> None:
    call = {"name": "list_dir", "args": {"DirectoryPath": '"/srv/логи"', "Depth": "2", "Odd": '"half', "N": 1}}
    (event,) = _feed(_record(0, "PLANNER_RESPONSE", "", tool_calls=[call]))
    assert event.text == 'list_dir\n{"DirectoryPath":"/srv/логи","Depth":"2","Odd":"\\"half","N":1}'


# --- files ----------------------------------------------------------------------------------------------------------


def test_the_full_transcript_is_read_and_the_shortened_one_only_without_it() -> None:
    keys = {said.key for said in _read("traps")}
    logs = ".system_generated/logs"
    assert f"antigravity-ide/brain/{TAGS}/{logs}/transcript_full.jsonl" in keys
    assert f"antigravity-ide/brain/{TAGS}/{logs}/transcript.jsonl" not in keys
    assert f"antigravity/brain/{SHORT}/{logs}/transcript.jsonl" in keys


@pytest.mark.req("ARC-5")
def test_what_is_encrypted_is_told_with_the_reason_unless_it_can_be_read_elsewhere() -> None:
    home = feeding.DATA / "antigravity" / "traps" / "home"
    skipped = [entry for entry in ADAPTER.find(home) if isinstance(entry, Skipped)]
    assert [(entry.path[-5:], entry.reason) for entry in skipped] == [
        ("09.pb", "encrypted"),
        ("08.db", "undocumented_format"),
    ]


def test_an_empty_transcript_reads_nothing_of_an_encrypted_conversation(tmp_path: Path) -> None:
    logs = tmp_path / "antigravity" / "brain" / TAGS / ".system_generated" / "logs"
    logs.mkdir(parents=True)
    (logs / "transcript.jsonl").write_bytes(b"")
    store = tmp_path / "antigravity" / "conversations" / f"{TAGS}.pb"
    store.parent.mkdir()
    store.write_bytes(b"\x00")
    assert Skipped(str(store), "encrypted") in list(ADAPTER.find(tmp_path))


@pytest.mark.req("SEC-4")
def test_nothing_but_transcripts_and_the_history_is_listed(tmp_path: Path) -> None:
    for name in ("oauth_creds.json", "antigravity-cli/settings.json", "tmp/a/chats/session-b.jsonl", "history.jsonl"):
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("{}\n")
    assert list(ADAPTER.find(tmp_path)) == []


def test_the_history_comes_first_because_its_folder_outweighs_that_of_a_command() -> None:
    files, _ = feeding.found("antigravity", feeding.DATA / "antigravity" / "traps" / "home")
    first = min(files, key=ADAPTER.age)
    assert first.key == "antigravity-cli/history.jsonl"
    assert Opened(SessionId(TAGS), cwd="/srv/logs") in _facts("traps")


def test_an_application_folder_may_be_renamed_without_a_new_identity() -> None:
    logs = f"brain/{TAGS}/.system_generated/logs/transcript.jsonl"
    found = [f for f in ADAPTER.find(feeding.DATA / "antigravity" / "traps" / "home") if isinstance(f, Found)]
    assert {f.identity for f in found if SHORT in f.key} == {logs.replace(TAGS, SHORT)}


def test_a_conversation_is_resumed_by_its_id() -> None:
    assert ADAPTER.resume(SessionId(EXPORT)) == ("agy", "--conversation", EXPORT)


# --- faults ---------------------------------------------------------------------------------------------------------


@pytest.mark.req("ARC-3", "ARC-8")
def test_what_can_not_be_read_is_counted_and_stops_nothing() -> None:
    unread = [fact for fact in _facts("traps") if isinstance(fact, Unread)]
    assert [(fact.line, fact.reason, fact.label) for fact in unread] == [
        (1, "replayed", "history"),
        (3, "unknown", "history"),
        (18, "unknown", "ROBOT/TELEPATHY"),
        (19, "unknown", "SYSTEM/WEATHER_REPORT"),
        (20, "unparsable", "not JSON"),
    ]
    events = _events("traps", TAGS)
    assert [e.text for e in _line(events, 21)] == ["Без номера шага."]
    assert [(e.part, _step(e)) for e in _line(events, 22)] == [(0, "20"), (1, "21")]
    assert not [e for e in events if "half of" in e.text]


@pytest.mark.req("ARC-10")
@pytest.mark.parametrize("index", [None, "3", True, 2.5, -1, 2**62])
def test_an_absurd_step_number_loses_nothing(index: Any) -> None:
    events = _feed(_record(index, "PLANNER_RESPONSE", "kept"), _record(1, "VIEW_FILE"), _record(2, "USER_INPUT"))
    assert {event.text for event in events} == {"kept", "words"}
    assert len(events) == 3


# --- the whole way --------------------------------------------------------------------------------------------------


@pytest.mark.req("ARC-9")
def test_a_conversation_is_shown_in_order_with_its_folder_and_its_original_lines(
    run: Run, copied: Callable[[Path], Path]
) -> None:
    copied(feeding.DATA / "antigravity" / "everyday").rename(run.person / ".gemini")
    run("sync")
    opened = run("open", EXPORT, "--all", "--tools").out
    assert f"cd /home/dev/demo-web && agy --conversation {EXPORT}" in opened
    said = [opened.index(text) for text in ("加一个进度条", "先看导出页面", "view_file", "File Path", "已添加进度条")]
    assert said == sorted(said)
    raw = run("open", f"antigravity:{EXPORT}:3", "--raw").out
    assert '"step_index":3' in raw
