"""What the Claude Code adapter says of its samples, sentence by sentence, and of records made for one trap each."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import feeding
from quoth.core.ids import SessionId, SourceId
from quoth.core.model import Event, Fact, Form, Found, Json, Kind, Line, Opened, Role, Skipped, Stream, Titled, Unread
from quoth.core.times import from_iso
from quoth.sources.claude_code import ADAPTER

EXPORT = "ce162b77-4cfe-4dbe-a760-20fa0e1effa0"
CACHE = "476d63f8-f5ae-4551-ace9-4c99eb13a75e"
PAYMENT = "d4172aba-61c5-48cc-a0b7-6d461cabeefd"
FORK = "47b82aec-c135-4b11-a14a-812ffd23dfdf"
ERRORS = "0567346b-5565-4406-a40f-0e1ffaaf6457"
OLD = "0928b98e-fa52-45fb-a23a-44fa10b2b3de"
AGENT = "agent-a7c31e0b52d9f4866"

_TRAPS = "5a1e0000-0000-4000-8000-00000000000"
SPEECH, TOOLS, DRIFT, FORKED, REFERRED, LEAFLESS, LEAF, PACKED = (f"{_TRAPS}{n}" for n in range(1, 9))


@cache
def _read(case: str) -> tuple[feeding.Said, ...]:
    return tuple(feeding.read("claude-code", feeding.DATA / "claude-code" / case / "home"))


def _facts(case: str) -> list[Fact]:
    return [fact for said in _read(case) for fact in said.facts]


def _events(case: str, session: str) -> list[Event]:
    return [fact for fact in _facts(case) if isinstance(fact, Event) and fact.session == session]


def _file(case: str, name: str) -> list[Event]:
    said = [said for said in _read(case) if said.key.endswith(name)]
    return [fact for one in said for fact in one.facts if isinstance(fact, Event)]


def _spoken(events: Iterable[Event]) -> list[tuple[int, Role]]:
    return [(event.line, event.role) for event in events if event.kind is Kind.MESSAGE]


def _titles(case: str, session: str) -> list[str]:
    """Return the titles of a session, the one that counts last."""
    titles = [fact for fact in _facts(case) if isinstance(fact, Titled) and fact.session == session]
    return [title.title for title in sorted(titles, key=lambda title: title.weight)]


def _line(events: Sequence[Event], number: int) -> list[Event]:
    return [event for event in events if event.line == number]


@dataclass(frozen=True)
class Log:
    """A log made in a test: lines in, facts out."""

    key: str = f"projects/-srv-shop/{SPEECH}.jsonl"
    form: Form = Form.LOG

    @property
    def stream(self) -> Stream:
        return Stream(1, SourceId("claude-code"), "root", self.key, 1, self.form, self.key, self.key, 0)

    def feed(self, *lines: bytes, state: Json = None) -> list[Fact]:
        parser = ADAPTER.parser(self.stream, state)
        return [fact for number, data in enumerate(lines, 1) for fact in parser.feed(Line(number, data))]

    def events(self, *records: dict[str, Any]) -> list[Event]:
        return [fact for fact in self.feed(*map(_json, records)) if isinstance(fact, Event)]


def _json(record: object) -> bytes:
    return json.dumps(record, ensure_ascii=False, separators=(",", ":")).encode()


def _user(content: object, **more: object) -> dict[str, Any]:
    message = {"role": "user", "content": content}
    return {"type": "user", "uuid": "u-1", "sessionId": SPEECH, "message": message, **more}


def _model(*blocks: object, **more: object) -> dict[str, Any]:
    message = {"role": "assistant", "content": list(blocks)}
    return {"type": "assistant", "uuid": "m-1", "sessionId": SPEECH, "message": message, **more}


# --- the everyday samples -------------------------------------------------------------------------------------------


def test_a_normal_session_has_its_last_title_branch_and_folder() -> None:
    assert _titles("everyday", EXPORT) == ["Fix export", "Empty CSV in nightly export"]
    said = _events("everyday", EXPORT)[4]
    assert (said.git_branch, said.cwd, said.agent_version) == ("main", "/home/dev/demo-app", "2.1.270")
    assert said.time == from_iso("2026-10-19T08:00:04.274Z")


def test_person_and_model_are_told_apart_in_a_normal_session() -> None:
    user, model = Role.USER, Role.ASSISTANT
    spoken = _spoken(_events("everyday", EXPORT))
    assert spoken == [(5, user), (7, model), (13, model), (15, user), (16, model)]


def test_an_answer_over_several_lines_has_one_event_per_line_and_empty_thinking_is_no_speech() -> None:
    events = _events("everyday", EXPORT)
    assert [(event.line, event.kind, event.text) for event in events if event.line in {6, 7, 8}] == [
        (6, Kind.META, ""),
        (7, Kind.MESSAGE, "I will look at the export job first."),
        (8, Kind.TOOL_USE, 'Grep\n{"pattern":"def export_day","path":"src"}'),
    ]


def test_two_tool_calls_have_their_results() -> None:
    events = _events("everyday", EXPORT)
    assert [e.text.split("\n")[0] for e in events if e.kind is Kind.TOOL_USE] == ["Grep", "Edit"]
    assert [e.line for e in events if e.kind is Kind.TOOL_RESULT] == [9, 11]


@pytest.mark.req("ARC-9")
def test_bookkeeping_and_injected_context_are_kept_and_are_no_messages() -> None:
    events = _events("everyday", EXPORT)
    assert {line: _line(events, line)[0].kind for line in (1, 2, 3, 4, 12, 14, 17, 18, 19)} == {
        14: Kind.SYSTEM,
        **dict.fromkeys((1, 2, 3, 4, 12, 17, 18, 19), Kind.META),
    }


def test_a_snapshot_has_its_own_time_and_belongs_to_the_session_of_its_file() -> None:
    snapshot = _line(_events("everyday", EXPORT), 3)[0]
    assert snapshot.time == from_iso("2026-10-19T08:00:02.000Z")
    assert _line(_events("everyday", EXPORT), 1)[0].time is None


def test_the_last_prompt_is_no_title() -> None:
    assert _titles("everyday", CACHE) == ["缓存失效排查"]


@pytest.mark.req("ARC-9")
def test_a_notice_of_the_ide_is_cut_off_the_question_behind_it() -> None:
    question, notice = _line(_events("everyday", CACHE), 3)
    assert question.text == "用户反馈价格更新后页面仍显示旧数据，帮我查一下缓存为什么没有失效。"
    assert question.kind is Kind.MESSAGE
    assert (notice.kind, notice.id) == (Kind.META, f"{question.id}#0:injected")
    assert notice.text.startswith("<ide_opened_file>")


@pytest.mark.req("ARC-9")
def test_a_reminder_at_the_end_of_a_result_is_no_part_of_the_file_read() -> None:
    result, reminder = _line(_events("everyday", CACHE), 5)
    assert (result.kind, result.text) == (Kind.TOOL_RESULT, '     1\tKEY = "price:{sku}"\n     2\tTTL = 3600')
    assert (reminder.kind, reminder.text) == (Kind.META, "<system-reminder>\nThe file is short.\n</system-reminder>")


@pytest.mark.req("ARC-9")
def test_a_compaction_and_its_command_are_nobodys_words() -> None:
    events = _events("everyday", CACHE)
    assert [_line(events, line)[0].kind for line in (7, 8, 9, 10)] == [Kind.SYSTEM, Kind.META, Kind.META, Kind.META]
    assert [line for line, _ in _spoken(events)] == [3, 6, 11, 14]


def test_an_error_is_a_result_like_any_other() -> None:
    assert [e.text for e in _line(_events("everyday", CACHE), 13)] == ["1 failed, 3 passed in 0.41s"]


@pytest.mark.req("ARC-9")
def test_a_notification_of_a_background_task_is_not_the_person() -> None:
    events = _events("everyday", PAYMENT)
    assert [line for line, _ in _spoken(events)] == [1, 4, 8]
    assert _line(events, 7)[0].kind is Kind.META
    assert _titles("everyday", PAYMENT) == ["Поиск старого клиента оплаты"]


@pytest.mark.req("ARC-6", "ARC-9")
def test_a_subagent_is_a_child_session_and_its_prompt_was_not_said_by_the_person() -> None:
    events = _file("everyday", f"{AGENT}.jsonl")
    assert {event.session for event in events} == {AGENT}
    assert [(e.role, e.kind) for e in events] == [
        (Role.USER, Kind.META),
        (Role.ASSISTANT, Kind.TOOL_USE),
        (Role.USER, Kind.TOOL_RESULT),
        (Role.ASSISTANT, Kind.MESSAGE),
    ]
    parents = {f.parent for f in _facts("everyday") if isinstance(f, Opened) and f.session == AGENT}
    assert parents == {PAYMENT}


@pytest.mark.req("ARC-6")
def test_the_side_file_of_a_subagent_names_the_call_that_made_it() -> None:
    (side,) = _file("everyday", f"{AGENT}.meta.json")
    assert (side.session, side.kind) == (AGENT, Kind.META)
    assert "toolu_03demoAgent" in side.text
    assert _titles("everyday", AGENT) == ["Поиск старого клиента"]


@pytest.mark.req("ARC-6")
def test_a_fork_adds_only_what_was_said_in_it() -> None:
    original = {event.id for event in _events("everyday", EXPORT)}
    fork = [event for event in _events("everyday", FORK) if event.line not in {1, 12}]
    assert [event.line for event in fork if event.id in original] == list(range(2, 10))
    assert [(e.line, e.role, e.kind) for e in fork if e.id not in original] == [
        (10, Role.USER, Kind.MESSAGE),
        (11, Role.ASSISTANT, Kind.MESSAGE),
    ]


@pytest.mark.req("ARC-3")
def test_a_file_full_of_faults_says_all_that_can_be_read() -> None:
    events = _events("everyday", ERRORS)
    assert len({event.id for event in _line(events, 1) + _line(events, 2)}) == 1
    assert _line(events, 3)[0].text == "It stops at an emoji that was cut in half: \ufffd"
    assert not _line(events, 4)
    assert _line(events, 5)[0].text == "also check line 9"
    assert _line(events, 6)[0].text == "caf\ufffd menu"
    assert [(e.part, e.kind) for e in _line(events, 7)] == [(0, Kind.MESSAGE), (1, Kind.SYSTEM)]
    assert not _line(events, 8)
    user, model = Role.USER, Role.ASSISTANT
    assert _spoken(events[1:]) == [(2, user), (3, model), (5, user), (7, model)]


@pytest.mark.req("ARC-3")
def test_a_torn_line_is_a_message_once_it_is_complete() -> None:
    raw = (feeding.DATA / f"claude-code/everyday/home/projects/-home-dev-demo-app/{ERRORS}.jsonl").read_bytes()
    torn = raw.split(b"\n")[-1]
    whole = (
        torn[: torn.index("好".encode())]
        + _json("好的，先修第三行，第九行明天再说。")[1:]
        + (b'},"type":"user","uuid":"5f5e0000-0000-4000-8000-000000000001","sessionId":"' + ERRORS.encode() + b'"}')
    )
    (event,) = [fact for fact in Log().feed(whole) if isinstance(fact, Event)]
    assert (event.role, event.kind, event.text) == (Role.USER, Kind.MESSAGE, "好的，先修第三行，第九行明天再说。")


@pytest.mark.req("ARC-6")
def test_the_layout_of_2025_gives_two_events_for_one_line_and_a_child_session_inside_the_file() -> None:
    events = _events("everyday", OLD)
    assert [line for line, _ in _spoken(events)] == [2, 3, 7]
    words, call = _line(events, 3)
    assert (words.part, call.part, call.id) == (0, 1, f"{words.id}#1")
    assert (words.kind, call.kind) == (Kind.MESSAGE, Kind.TOOL_USE)
    child = _events("everyday", f"{OLD}/sidechain")
    assert [(e.line, e.kind) for e in child] == [(4, Kind.META), (5, Kind.MESSAGE)]
    assert Opened(SessionId(f"{OLD}/sidechain"), "/home/dev/old-tool", parent=SessionId(OLD)) in _facts("everyday")
    assert [_line(events, line)[0].kind for line in (8, 9)] == [Kind.META, Kind.META]
    assert {(e.cwd, e.git_branch) for e in events if e.cwd} == {("/home/dev/old-tool", None)}


def test_a_summary_is_a_title_for_the_session_that_holds_its_leaf() -> None:
    (title,) = [f for f in _facts("everyday") if isinstance(f, Titled) and f.session == OLD]
    assert (title.title, title.weight) == ("Retry logic for the uploader", 1)
    assert title.leaf == "claude-code:8b9a8689-295b-408c-aa17-b866fb30864b"
    (other,) = [f for f in _facts("traps") if isinstance(f, Titled) and f.session == LEAFLESS]
    assert other.leaf in {event.id for event in _events("traps", LEAF)}


# --- speech ---------------------------------------------------------------------------------------------------------


@pytest.mark.req("ARC-9")
def test_only_what_the_person_said_is_a_message_of_the_person() -> None:
    said = [e.text for e in _events("traps", SPEECH) if (e.role, e.kind) == (Role.USER, Kind.MESSAGE)]
    assert said == [
        "<Button> renders twice when the basket is empty. Why?",
        "Почему кнопка появляется дважды?",
        "空列表时也要显示提示。",
        "Run the nightly checks and summarise them.",
        "What does the tag <command-name> in the log mean?",
        "<command-name> stands in line 10. What is it?",
        "Also rename the test.",
        "Давай иначе: покажем заглушку.",
    ]


@pytest.mark.req("ARC-9")
@pytest.mark.parametrize(
    "text",
    [
        "<command-name>/clear</command-name>",
        "<command-message>init is running</command-message>",
        "<local-command-stdout>done</local-command-stdout>",
        "<local-command-stderr>no</local-command-stderr>",
        "<local-command-caveat>Caveat</local-command-caveat>",
        "Caveat: The messages below were generated by the user while running local commands.",
        "<bash-input>ls</bash-input>",
        "<bash-stdout>a.py</bash-stdout><bash-stderr></bash-stderr>",
        "<task-notification>\n<task-id>b1</task-id>\n</task-notification>\nFull transcript available at: /x",
        '<teammate-message teammate_id="a">hello</teammate-message>',
        "<system-reminder>\nBe brief.\n</system-reminder>",
        "This session is being continued from a previous conversation that ran out of context.",
        "<ide_opened_file>The user opened a.py in the IDE.</ide_opened_file>",
    ],
)
def test_a_program_that_writes_in_the_persons_name_is_not_the_person(text: str) -> None:
    for event in Log().events(_user(text)):
        assert (event.kind, event.text) == (Kind.META, text)


@pytest.mark.req("ARC-9")
@pytest.mark.parametrize("flag", ["isMeta", "isCompactSummary", "isVisibleInTranscriptOnly", "isSidechain"])
def test_a_record_marked_as_a_programs_is_not_the_person(flag: str) -> None:
    assert [e.kind for e in Log().events(_user("Do it.", **{flag: True}))] == [Kind.META]


@pytest.mark.req("ARC-9")
def test_an_interruption_is_a_notice_unless_a_person_typed_it() -> None:
    notice = "[Request interrupted by user for tool use]"
    assert [(e.role, e.kind) for e in Log().events(_user(notice))] == [(Role.SYSTEM, Kind.SYSTEM)]
    typed = _user(notice, origin={"kind": "human"})
    assert [(e.role, e.kind) for e in Log().events(typed)] == [(Role.USER, Kind.MESSAGE)]


@pytest.mark.req("ARC-9")
def test_words_between_injected_blocks_are_the_persons_to_the_letter() -> None:
    before = "<ide_selection>x</ide_selection>\n<system-reminder>y</system-reminder>\n  "
    text = f"{before}a\n\n b <i>\n<system-reminder>z</system-reminder>\n"
    words, injected = Log().events(_user(text))
    assert words.text == "a\n\n b <i>"
    assert [part in injected.text for part in ("x", "y", "z")] == [True] * 3


def test_a_person_who_says_caveat_is_heard() -> None:
    assert Log().events(_user("Caveat: keep the old column."))[0].kind is Kind.MESSAGE


@pytest.mark.req("ARC-9")
def test_a_queued_prompt_counts_and_a_queued_notification_does_not() -> None:
    events = _events("traps", SPEECH)
    words, image = _line(events, 15)
    assert (words.role, words.kind, words.text) == (Role.USER, Kind.MESSAGE, "Also rename the test.")
    assert (image.kind, image.text) == (Kind.META, "[image image/webp, 1 KB]")
    assert [e.kind for e in _line(events, 16)] == [Kind.META]


def test_a_prompt_that_was_taken_out_of_the_queue_is_kept_but_was_not_said() -> None:
    (event,) = _line(_events("traps", SPEECH), 17)
    assert event.kind is Kind.META
    assert "Forget what I said about the colours." in event.text


def test_what_was_taken_back_by_a_rewind_stays() -> None:
    events = _events("traps", SPEECH)
    assert [_line(events, line)[0].kind for line in (2, 19, 20)] == [Kind.MESSAGE, Kind.META, Kind.MESSAGE]


@pytest.mark.req("ARC-9")
def test_what_the_client_makes_up_for_the_model_is_a_notice() -> None:
    events = _events("traps", SPEECH)
    assert [(e.role, e.kind) for line in (21, 22) for e in _line(events, line)] == [(Role.SYSTEM, Kind.SYSTEM)] * 2


@pytest.mark.req("ARC-9")
def test_thinking_is_kept_and_is_no_message() -> None:
    thought, answer = _line(_events("traps", SPEECH), 23)
    assert (thought.kind, thought.text) == (Kind.META, "The placeholder goes into list.tsx.")
    assert (answer.kind, answer.id) == (Kind.MESSAGE, f"{thought.id}#1")


# --- tools ----------------------------------------------------------------------------------------------------------


@pytest.mark.req("ARC-9")
def test_calls_of_our_own_tools_and_their_results_are_marked_as_ours() -> None:
    events = _events("traps", TOOLS)
    assert {e.line for e in events if e.own} == {2, 3, 4, 5}
    assert all(e.own for e in events if e.line in {2, 3, 4, 5})


@pytest.mark.req("ARC-9")
@pytest.mark.parametrize(
    ("tool", "given"),
    [
        *((f"mcp__{name}__search", {}) for name in ("quoth", "origin", "hmg", "engram", "openviking", "memory-mcp")),
        ("mcp__plugin_memory_quoth__recall", {}),
        ("ReadMcpResourceTool", {"server": "quoth", "uri": "x"}),
        ("Bash", {"command": "quoth search cache"}),
        ("Bash", {"command": "cd /srv && QUOTH_HOME=/q .venv/bin/quoth get x | head"}),
        ("Bash", {"command": "python3 -m quoth brief"}),
    ],
)
def test_our_own_tools_are_known_by_name_and_by_command(tool: str, given: dict[str, str]) -> None:
    call = {"type": "tool_use", "id": "t1", "name": tool, "input": given}
    result = {"type": "tool_result", "tool_use_id": "t1", "content": "secret of the store"}
    assert [e.own for e in Log().events(_model(call), _user([result]))] == [True, True]


@pytest.mark.parametrize(
    ("tool", "given"),
    [
        ("mcp__quothing__search", {}),
        ("mcp__docs__quoth", {}),
        ("Bash", {"command": "git log --grep quoth"}),
        ("Bash", {"command": "ls quoth"}),
        ("Bash", {"command": None}),
        ("Grep", {"pattern": "quoth search"}),
    ],
)
def test_tools_that_only_look_like_ours_are_searched(tool: str, given: dict[str, object]) -> None:
    call = {"type": "tool_use", "id": "t1", "name": tool, "input": given}
    assert [e.own for e in Log().events(_model(call))] == [False]


@pytest.mark.req("ARC-9")
def test_a_result_of_ours_is_known_after_the_reader_was_stopped_between_call_and_result() -> None:
    log = Log()
    parser = ADAPTER.parser(log.stream)
    call = _model({"type": "tool_use", "id": "t1", "name": "mcp__quoth__recall", "input": {}})
    assert list(parser.feed(Line(1, _json(call))))
    result = _user([{"type": "tool_result", "tool_use_id": "t1", "content": "x"}])
    (event,) = [f for f in log.feed(_json(result), state=parser.state()) if isinstance(f, Event)]
    assert event.own


def test_images_and_long_runs_of_base64_become_marks() -> None:
    events = _events("traps", TOOLS)
    assert _line(events, 7)[1].text == "taken\n[image image/jpeg, 3 KB]"
    assert _line(events, 8)[0].text == 'Write\n{"file_path":"/srv/shop/logo.b64","content":"[data, 9 KB]"}'
    assert _line(events, 9)[0].text == "[data, 11 KB]"
    assert _line(_events("traps", SPEECH), 3)[2].text == "[image image/png, 24 KB]"


def test_long_prose_is_no_blob() -> None:
    words = "Die Sitzung 会话 " * 2_000 + "x" * 9_000
    assert [e.text for e in Log().events(_user(words))] == [words]


def test_a_call_shows_its_input_as_it_was_written() -> None:
    assert _line(_events("traps", TOOLS), 6)[2].text == (
        'mcp__browser__screenshot\n{"url":"http://localhost:3000/корзина"}'
    )


@pytest.mark.req("ARC-9")
def test_a_result_that_is_only_a_reminder_is_empty() -> None:
    result, reminder, nothing, odd = _line(_events("traps", TOOLS), 10)
    assert [result.text, nothing.text] == ["", ""]
    assert (reminder.id, reminder.kind) == (f"{result.id}#0:injected", Kind.META)
    assert odd.text == 'WebFetch\n{"type":"odd","value":1}'


def test_one_session_may_have_several_folders_and_head_is_no_branch() -> None:
    events = _events("traps", TOOLS)
    assert {e.cwd for e in events} == {"/srv/shop", "/srv/shop/api"}
    assert {e.git_branch for e in _line(events, 8)} == {None}


# --- bookkeeping, drift, damage -------------------------------------------------------------------------------------


def test_the_title_the_person_gave_beats_the_agents() -> None:
    assert _titles("traps", DRIFT) == ["First guess", "Second guess", "Title ladder", "Renamed by hand"]


def test_a_title_file_counts_even_when_it_is_spread_over_several_lines() -> None:
    assert _titles("traps", REFERRED) == ["分支：继续"]
    (event,) = _file("traps", f"{REFERRED}/custom-title.json")
    assert (event.first_line, event.line) == (1, 3)


@pytest.mark.req("SEC-4")
def test_the_account_is_in_no_text() -> None:
    texts = " ".join(fact.text for fact in _facts("traps") if isinstance(fact, Event))
    assert "someone@example.org" not in texts
    assert "acc0unt1" not in texts
    kept = _events("traps", DRIFT)
    assert [e.kind for line in (2, 3, 4) for e in _line(kept, line)] == [Kind.META] * 3


@pytest.mark.req("ARC-8")
def test_an_unknown_record_is_counted_with_its_version_and_kept() -> None:
    unknown = [f for f in _facts("traps") if isinstance(f, Unread) and f.reason == "unknown"]
    assert [(f.line, f.label, f.version) for f in unknown] == [
        (11, "assistant/hologram", "2.1.270"),
        (7, "hologram", "2.2.0"),
        (8, "starlight", "2.2.0"),
        (9, "untyped", "2.2.0"),
    ]
    assert [e.kind for e in _line(_events("traps", DRIFT), 7)] == [Kind.META]
    assert _line(_events("traps", TOOLS), 11)[2].text == "from the future"


@pytest.mark.req("ARC-3")
def test_what_is_no_record_is_counted_and_the_record_behind_it_is_read() -> None:
    unparsable = [f.line for f in _facts("traps") if isinstance(f, Unread) and f.reason == "unparsable"]
    assert unparsable == [25, 26, 28]
    assert _line(_events("traps", DRIFT), 25)[0].text == "Said after a crash."


@pytest.mark.req("ARC-3", "INV-1")
def test_a_record_without_uuid_keeps_its_id_when_its_line_is_put_right() -> None:
    record, other = {"type": "mode", "mode": "план", "sessionId": SPEECH}, {"type": "tag", "sessionId": SPEECH}
    alone = Log().events(record)[0].id
    padded = Log().feed(b"\xef\xbb\xbf" + _json(record) + b" \r")
    glued = Log().feed(_json(record) + _json(other))
    behind_rubble = Log().feed(b'{"type":"mo' + _json(record))
    for facts in (padded, glued, behind_rubble):
        assert alone in {fact.id for fact in facts if isinstance(fact, Event)}


@pytest.mark.req("INV-1")
def test_the_id_rule_is_frozen() -> None:
    records = [
        _user([{"type": "hologram"}, {"type": "text", "text": "<system-reminder>a</system-reminder>b"}]),
        {"type": "mode", "mode": "normal", "sessionId": SPEECH},
        {"type": "summary", "summary": "s", "leafUuid": "x"},
    ]
    side = Log(f"projects/-srv-shop/{TOOLS}/custom-title.json", Form.FILE).events({"customTitle": "t"})
    assert [event.id for event in [*Log().events(*records), *side]] == [
        "claude-code:u-1",
        "claude-code:u-1#1",
        "claude-code:u-1#1:injected",
        f"claude-code:{SPEECH}:5c3edeec0a9b8357",
        "claude-code:85dede42fe9f35dc",
        f"claude-code:{TOOLS}:a2a4e8b530f12c4c",
    ]


@pytest.mark.req("ARC-2")
def test_bookkeeping_appended_again_is_one_event() -> None:
    record = {"type": "mode", "mode": "normal", "sessionId": SPEECH}
    first, second = Log().events(record, record)
    assert first.id == second.id


@pytest.mark.req("ARC-10")
def test_a_time_that_is_none_is_left_open_and_any_real_one_is_taken() -> None:
    events = _events("traps", DRIFT)
    assert _line(events, 16)[0].time == from_iso("2126-01-01T00:00:00Z")
    assert _line(events, 17)[0].time is None
    assert [e.time for e in Log().events(_user("x", timestamp=12), _user("y", timestamp="0001-01-01"))] == [None, None]


@pytest.mark.req("ARC-3")
@pytest.mark.parametrize("content", [None, 7, [], {}, [None], [[]], [{"type": None}], [{"type": "text", "text": 1}]])
def test_a_record_whose_content_is_odd_is_one_event(content: object) -> None:
    for record in (_user(content), _model(content), {"type": "attachment", "uuid": "a", "attachment": content}):
        assert len(Log().events(record)) == 1


def test_an_id_that_cannot_be_printed_counts_as_none() -> None:
    (event,) = _line(_events("traps", DRIFT), 29)
    assert event.text == "An id that can't be printed."
    assert event.id.startswith(f"claude-code:{DRIFT}:")


# --- sessions -------------------------------------------------------------------------------------------------------


@pytest.mark.req("ARC-6")
def test_a_fork_that_names_its_origin_is_linked_to_it() -> None:
    origins = {f.session: f.forked_from for f in _facts("traps") if isinstance(f, Opened) and f.forked_from}
    assert origins == {FORKED: SPEECH, REFERRED: SPEECH}


@pytest.mark.req("ARC-6", "ARC-9")
def test_agents_of_every_era_are_children_and_hear_only_the_model() -> None:
    children = {f.session: f.parent for f in _facts("traps") if isinstance(f, Opened) and f.parent}
    assert children == {
        "agent-a0000000000000011": SPEECH,
        "agent-a0000000000000012": SPEECH,
        "agent-1a2b3c4d": TOOLS,
        f"{LEAFLESS}/sidechain": LEAFLESS,
    }
    for child in children:
        assert {e.role for e in _events("traps", child) if e.kind is Kind.MESSAGE} == {Role.ASSISTANT}


@pytest.mark.req("ARC-7")
def test_a_session_that_moved_while_its_old_file_stayed_is_read_as_the_same_events() -> None:
    old, new = (_file("traps", f"-srv-shop{place}/{LEAF}.jsonl") for place in ("", "-wt"))
    assert [e.id for e in new][: len(old)] == [e.id for e in old]
    assert {e.session for e in new} == {LEAF}


@pytest.mark.req("ARC-7")
def test_a_compressed_transcript_is_read_like_a_plain_one() -> None:
    assert [e.text for e in _events("traps", PACKED)] == ["把日志压缩保存。", "已经压缩。"]


def test_a_session_is_resumed_by_the_agents_own_command_and_a_child_is_not() -> None:
    assert ADAPTER.resume(SessionId(EXPORT)) == ("claude", "--resume", EXPORT)
    assert ADAPTER.resume(SessionId(AGENT)) is None
    assert ADAPTER.resume(SessionId(f"{OLD}/sidechain")) is None


# --- files ----------------------------------------------------------------------------------------------------------


def test_transcripts_and_side_files_are_found_and_keep_their_identity_in_another_project() -> None:
    files, skipped = feeding.found("claude-code", feeding.DATA / "claude-code/traps/home")
    assert not skipped
    by_key = {file.key.removeprefix("projects/"): file for file in files}
    assert f"-srv-shop/{PACKED}.jsonl" in by_key
    agent = f"{SPEECH}/subagents/workflows/wf_0a1b2c3d-4e5/agent-a0000000000000011"
    assert by_key[f"-srv-shop/{agent}.jsonl"].form is Form.LOG
    assert by_key[f"-srv-shop/{agent}.meta.json"].form is Form.FILE
    assert by_key[f"-srv-shop/{DRIFT}/custom-title.json"].form is Form.FILE
    assert by_key[f"-srv-shop/{LEAF}.jsonl"].identity == by_key[f"-srv-shop-wt/{LEAF}.jsonl"].identity
    titles = [f.identity for f in files if f.key.endswith("custom-title.json")]
    assert len(set(titles)) == len(titles) == 2


@pytest.mark.req("SEC-4")
def test_keys_settings_and_copies_are_never_read(tmp_path: Path) -> None:
    never = [
        ".credentials.json",
        "settings.json",
        "settings.local.json",
        "history.jsonl",
        "sessions/4711.json",
        "sessions/4711.ab12.key",
        "projects/-srv-shop/sessions-index.json",
        f"projects/-srv-shop/{SPEECH}/secret.key",
        f"projects/-srv-shop/{SPEECH}/tool-results/b1.txt",
        f"projects/-srv-shop/{SPEECH}/subagents/workflows/wf_1/journal.jsonl",
    ]
    for name in [*never, f"projects/-srv-shop/{SPEECH}.jsonl"]:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("{}\n")
    assert [f.key for f in ADAPTER.find(tmp_path) if isinstance(f, Found)] == [f"projects/-srv-shop/{SPEECH}.jsonl"]


@pytest.mark.req("ARC-4")
@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="the system has no FIFOs")
def test_a_pipe_or_a_link_out_of_the_root_is_reported_and_not_read(tmp_path: Path) -> None:
    folder = tmp_path / "root/projects/-srv-shop"
    folder.mkdir(parents=True)
    os.mkfifo(folder / f"{SPEECH}.jsonl")
    (tmp_path / "elsewhere.jsonl").write_text("{}\n")
    (folder / f"{TOOLS}.jsonl").symlink_to(tmp_path / "elsewhere.jsonl")
    found = list(ADAPTER.find(tmp_path / "root"))
    assert {entry.reason for entry in found if isinstance(entry, Skipped)} == {"not_a_file", "link_outside"}
    assert len(found) == 2


def test_roots_come_from_the_environment_and_blank_is_unset(tmp_path: Path) -> None:
    assert ADAPTER.roots({}, tmp_path) == [tmp_path / ".claude"]
    assert ADAPTER.roots({"CLAUDE_CONFIG_DIR": "  "}, tmp_path) == [tmp_path / ".claude"]
    (tmp_path / ".config/claude").mkdir(parents=True)
    assert ADAPTER.roots({}, tmp_path) == [tmp_path / ".claude", tmp_path / ".config/claude"]
    named = {"CLAUDE_CONFIG_DIR": "/a, ~/b ,,/a"}
    assert ADAPTER.roots(named, tmp_path) == [Path("/a"), tmp_path / "b"]


def test_a_folder_whose_name_has_a_comma_is_one_root(tmp_path: Path) -> None:
    folder = tmp_path / "logs, old"
    folder.mkdir()
    assert ADAPTER.roots({"CLAUDE_CONFIG_DIR": str(folder)}, tmp_path) == [folder]
