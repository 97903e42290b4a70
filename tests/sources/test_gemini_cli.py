"""What the Gemini CLI adapter says of its samples, sentence by sentence, and of records made for one trap each."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import feeding
from quoth.core.ids import SessionId, SourceId
from quoth.core.model import Event, Fact, Form, Found, Kind, Line, Opened, Role, Stream, Titled, Unread
from quoth.core.times import from_iso
from quoth.sources.gemini_cli import ADAPTER
from running import Run

DOCS = "338514f5-83ec-4eae-a81c-1e6afc007b60"
CART = "7c1f0a3e-5b2d-4e8f-9a61-2d4c8b0e6f13"
CHILD = "b2f0c0de-0000-4000-8000-000000000001"
OLD = "0d9e8f7a-6b5c-4d3e-8f21-1a2b3c4d5e6f"
SITE = "5e551000-0000-4000-8000-00000000000a"


@cache
def _read(case: str) -> tuple[feeding.Said, ...]:
    return tuple(feeding.read("gemini-cli", feeding.DATA / "gemini-cli" / case / "home"))


def _facts(case: str) -> list[Fact]:
    return [fact for said in _read(case) for fact in said.facts]


def _events(case: str, session: str) -> list[Event]:
    return [fact for fact in _facts(case) if isinstance(fact, Event) and fact.session == session]


def _last(events: Iterable[Event]) -> list[Event]:
    """Return the events as the archive shows them: each at its first place, with its last content."""
    return list({event.id: event for event in events}.values())


def _spoken(events: Iterable[Event]) -> list[tuple[Role, str]]:
    return [(event.role, event.text) for event in _last(events) if event.kind is Kind.MESSAGE]


def _line(events: Iterable[Event], number: int) -> list[Event]:
    return [event for event in events if event.line == number]


def _own_id(event: Event) -> str:
    return event.id.split(":", 2)[2]


class Chat:
    """A chat made in a test: records in, facts out."""

    def __init__(self, key: str = "tmp/shop/chats/session-2026-09-28T10-00-7c1f0a3e.jsonl") -> None:
        stream = Stream(1, SourceId("gemini-cli"), "root", key, 1, Form.LOG, key, key, 0)
        self._parser = ADAPTER.parser(stream)
        self._lines = 0

    def feed(self, *records: dict[str, Any]) -> list[Fact]:
        facts: list[Fact] = []
        for record in records:
            self._lines += 1
            facts += self._parser.feed(Line(self._lines, json.dumps(record, ensure_ascii=False).encode()))
        return facts

    def events(self, *records: dict[str, Any]) -> list[Event]:
        return [fact for fact in self.feed(*records) if isinstance(fact, Event)]


def _message(id_: str, kind: str, content: object, **more: object) -> dict[str, Any]:
    return {"id": id_, "timestamp": "2026-09-28T10:00:00.000Z", "type": kind, "content": content, **more}


def _tool(id_: str, name: str, **more: object) -> dict[str, Any]:
    return {"id": id_, "name": name, "args": {}, "status": "success", **more}


# --- the everyday sample --------------------------------------------------------------------------------------------


def test_a_session_has_its_title_and_its_folder() -> None:
    assert [fact.title for fact in _facts("everyday") if isinstance(fact, Titled)] == ["Makefile docs targets"]
    assert {event.cwd for event in _events("everyday", DOCS)} == {"/home/dev/demo-app"}


@pytest.mark.req("ARC-6")
def test_an_answer_that_was_written_twice_counts_once_with_its_last_words() -> None:
    assert _spoken(_events("everyday", DOCS))[1] == (Role.ASSISTANT, "Added a docs target that calls sphinx-build.")


def test_what_was_taken_back_was_said() -> None:
    assert [text for role, text in _spoken(_events("everyday", DOCS)) if role is Role.USER] == [
        "Write a Makefile target that builds the docs.",
        "Also add a clean target.",
        "Also add a target that serves the docs.",
    ]


def test_a_call_has_its_result_once_it_is_there() -> None:
    tools = [event for event in _events("everyday", DOCS) if event.kind in {Kind.TOOL_USE, Kind.TOOL_RESULT}]
    assert [(event.line, event.kind, _own_id(event)) for event in tools] == [
        (4, Kind.TOOL_USE, "list_directory-1"),
        (5, Kind.TOOL_USE, "list_directory-1"),
        (5, Kind.TOOL_RESULT, "list_directory-1:out"),
    ]
    assert tools[-1].text == "conf.py\nindex.rst"
    assert tools[-1].time == from_iso("2026-10-19T08:05:07.000Z")


def test_a_notice_of_the_program_is_nobodys_speech() -> None:
    (notice,) = _line(_events("everyday", DOCS), 6)
    assert (notice.role, notice.kind, notice.text) == (Role.SYSTEM, Kind.SYSTEM, "Request cancelled.")


def test_a_rewind_is_kept_as_bookkeeping() -> None:
    (rewind,) = _line(_events("everyday", DOCS), 8)
    assert (rewind.kind, rewind.text) == (Kind.META, "rewound to 66bca539-2f22-41bf-ab62-33f5e35f7ec3")


# --- speech ---------------------------------------------------------------------------------------------------------


@pytest.mark.req("ARC-9")
def test_files_that_the_person_named_are_not_the_persons_words() -> None:
    words, files = _line(_events("traps", CART), 3)
    assert (words.kind, words.text) == (Kind.MESSAGE, "Разбери @src/cart.py")
    assert files.kind is Kind.META
    assert "def total(items)" in files.text


@pytest.mark.req("ARC-9")
def test_what_was_shown_counts_and_not_what_was_sent() -> None:
    words, sent = _line(_events("traps", CART), 6)
    assert (words.kind, words.text) == (Kind.MESSAGE, "Explain @notes.md")
    assert (sent.kind, "body of the notes" in sent.text) == (Kind.META, True)


@pytest.mark.req("ARC-9")
def test_a_hook_beside_a_prompt_is_split_off_and_an_image_becomes_a_mark() -> None:
    words, around = _line(_events("traps", CART), 8)
    assert (words.kind, words.text) == (Kind.MESSAGE, "my prompt")
    assert around.text == "<hook_context>injected by a hook</hook_context>\n[image/png, 1 KB]"


@pytest.mark.req("ARC-9")
@pytest.mark.parametrize(
    "text",
    [
        "<session_context>\nThis is the Gemini CLI.\n</session_context>",
        "<state_snapshot>the summary</state_snapshot>",
        "  <hook_context>only harness</hook_context>",
        "Here is the user's editor context as a JSON object. This is for your information only.",
        "This is the Gemini CLI. We are setting up the context for our chat.",
        "System: Please continue.",
        "\n--- Content from referenced files ---\nbody\n--- End of content ---",
        "",
        "  \n",
    ],
)
def test_a_program_that_writes_in_the_persons_name_is_not_the_person(text: str) -> None:
    assert [event.kind for event in Chat().events(_message("u", "user", [{"text": text}]))] == [Kind.META]


def test_words_without_anything_around_them_stay_to_the_letter() -> None:
    text = "  two\n\n spaces\n"
    assert [event.text for event in Chat().events(_message("u", "user", text))] == [text]


@pytest.mark.req("ARC-9")
def test_thinking_is_kept_and_is_no_message() -> None:
    thoughts, words, *_ = _line(_events("traps", CART), 5)
    assert (thoughts.kind, thoughts.text) == (Kind.META, "Plan: integers")
    assert (words.kind, words.text) == (Kind.MESSAGE, "Считаю сумму в целых копейках.")


@pytest.mark.req("ARC-6", "ARC-9")
def test_a_subagent_is_a_child_session_and_its_prompt_was_not_said_by_the_person() -> None:
    assert [(e.role, e.kind) for e in _events("traps", CHILD)] == [
        (Role.USER, Kind.META),
        (Role.ASSISTANT, Kind.MESSAGE),
    ]
    assert {f.parent for f in _facts("traps") if isinstance(f, Opened) and f.session == CHILD} == {CART}


# --- a history written anew -----------------------------------------------------------------------------------------


@pytest.mark.req("ARC-6")
def test_of_a_history_written_anew_only_what_is_new_counts() -> None:
    events = _line(_events("traps", CART), 10)
    assert [(event.kind, event.text) for event in events] == [
        (Kind.META, "<state_snapshot>what the summary says</state_snapshot>"),
        (Kind.META, "Got it. Thanks for the additional context!"),
        (Kind.MESSAGE, "said only in the history that was written anew"),
    ]
    assert Unread(10, "replayed", "$set.messages") in _facts("traps")


def test_a_person_who_repeats_the_words_later_is_heard_again() -> None:
    assert [e.text for e in _line(_events("traps", CART), 14)] == ["my prompt"]


@pytest.mark.req("ARC-6")
def test_a_log_that_holds_messages_only_as_histories_says_each_once_however_often_the_words_are_equal() -> None:
    go, on, more = _message("a", "user", "go on"), _message("b", "gemini", "done"), _message("c", "user", "go on")
    chat = Chat()
    events = chat.events({"$set": {"messages": [go, on]}}, {"$set": {"messages": [go, on, more]}})
    assert [(_own_id(e), e.text) for e in events] == [("a", "go on"), ("b", "done"), ("c", "go on")]
    renamed = [{**go, "id": "x"}, {**on, "id": "y"}, {**more, "id": "z"}, _message("d", "user", "go on")]
    assert [_own_id(e) for e in chat.events({"$set": {"messages": renamed}})] == ["d"]


def test_a_result_that_was_masked_later_does_not_replace_the_whole_one() -> None:
    results = [e for e in _events("traps", CART) if e.id.endswith("read_file-1759053600000-a1:out")]
    assert [e.text for e in results] == ["line of the cart\n" * 3]
    cut = _tool("c", "glob", resultDisplay="<tool_output_masked>a</tool_output_masked>")
    (_, _, masked) = Chat().events(_message("g", "gemini", "", toolCalls=[cut]))
    assert (_own_id(masked), masked.kind) == ("c:masked", Kind.META)


def test_an_answer_that_only_a_history_holds_belongs_to_its_call() -> None:
    chat = Chat()
    chat.feed(_message("g", "gemini", "", toolCalls=[_tool("c", "glob", status="executing")]))
    answered = _message("g2", "user", [{"functionResponse": {"id": "c", "response": {"output": "a.py"}}}])
    assert [(_own_id(e), e.kind, e.text) for e in chat.events({"$set": {"messages": [answered]}})] == [
        ("c:out", Kind.TOOL_RESULT, "a.py")
    ]


# --- tools ----------------------------------------------------------------------------------------------------------


def test_a_call_id_that_another_message_uses_again_is_another_call() -> None:
    calls = [e for e in _events("traps", CART) if _own_id(e).startswith("call_0")]
    assert [_own_id(e) for e in calls] == ["call_0", "call_0:out", "call_0#2", "call_0#2:out"]
    assert calls[-1].text == "exit code 2"


@pytest.mark.req("ARC-9")
def test_calls_of_our_own_tools_and_their_results_are_marked_as_ours() -> None:
    own = {_own_id(event) for event in _events("traps", CART) if event.own}
    assert own == {"call_0", "call_0:out", "call_1", "call_1:out"}


@pytest.mark.req("ARC-9")
@pytest.mark.parametrize(
    ("call", "is_own"),
    [
        (_tool("c", "mcp_quoth_search"), True),
        (_tool("c", "mcp_memory-mcp_search"), True),
        (_tool("c", "mcp_memory_mcp_search"), True),
        (_tool("c", "quoth__search"), True),
        (_tool("c", "mcp__quoth__search"), True),
        (_tool("c", "search", displayName="search (quoth MCP Server)"), True),
        (_tool("c", "run_shell_command", args={"command": "quoth search x"}), True),
        (_tool("c", "origin_of_species"), False),
        (_tool("c", "mcp_github_search"), False),
        (_tool("c", "search", displayName="search (github MCP Server)"), False),
        (_tool("c", "run_shell_command", args={"command": "grep quoth README.md"}), False),
    ],
)
def test_our_own_tools_are_known_by_every_name_they_have(call: dict[str, Any], is_own: bool) -> None:
    events = Chat().events(_message("g", "gemini", "", toolCalls=[call]))
    assert {event.own for event in events if event.kind is Kind.TOOL_USE} == {is_own}


def test_a_call_that_was_cancelled_has_a_result_that_says_so() -> None:
    assert [e.text for e in _events("traps", CART) if _own_id(e) == "call_2:out"] == ["cancelled"]


# --- where --------------------------------------------------------------------------------------------------------


def test_a_folder_is_known_by_its_slug_its_marker_its_hash_and_by_the_log_itself() -> None:
    opened = [fact for fact in _facts("traps") if isinstance(fact, Opened) and fact.cwd]
    assert {(fact.session, fact.cwd) for fact in opened} == {
        (CART, "/srv/магазин"),
        (CHILD, "/srv/магазин"),
        (OLD, "/home/dev/old-tool"),
        (SITE, "/srv/site"),
    }


def test_a_chat_without_a_header_is_named_after_its_file() -> None:
    (event,) = [e for e in _facts("traps") if isinstance(e, Event) and "header" in e.text]
    assert event.session == "session-2026-09-30T09-00-00000000"


@pytest.mark.req("SEC-4")
def test_nothing_but_chats_is_listed(tmp_path: Path) -> None:
    for name in ("oauth_creds.json", "settings.json", "antigravity-cli/history.jsonl", "tmp/a/logs.json"):
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("{}\n")
    assert list(ADAPTER.find(tmp_path)) == []


@pytest.mark.req("ARC-4")
def test_a_registry_that_is_no_file_or_no_registry_names_no_folder(tmp_path: Path) -> None:
    chats = tmp_path / "tmp" / "shop" / "chats"
    chats.mkdir(parents=True)
    (chats / "session-a.jsonl").write_text("{}\n")
    (tmp_path / "tmp" / "shop" / ".project_root").mkdir()
    for registry in ("[]", '{"projects": []}', '{"projects": {"/a": 1}}', "rubble", ""):
        (tmp_path / "projects.json").write_text(registry)
        (found,) = ADAPTER.find(tmp_path)
        assert isinstance(found, Found)
        assert found.identity == "session-a.jsonl"


def test_the_home_is_below_the_variable_unless_it_is_blank() -> None:
    assert ADAPTER.roots({"GEMINI_CLI_HOME": "/srv/g"}, Path("/h")) == [Path("/srv/g/.gemini")]
    assert ADAPTER.roots({"GEMINI_CLI_HOME": " "}, Path("/h")) == [Path("/h/.gemini")]


def test_a_chat_is_resumed_by_its_id_and_a_file_name_is_none() -> None:
    assert ADAPTER.resume(SessionId(DOCS)) == ("gemini", "--resume", DOCS)
    assert ADAPTER.resume(SessionId("session-2026-09-30T09-00-00000000")) is None


# --- faults, and forms ----------------------------------------------------------------------------------------------


@pytest.mark.req("ARC-3", "ARC-8")
def test_what_can_not_be_read_is_counted_and_stops_nothing() -> None:
    unread = [fact for fact in _facts("traps") if isinstance(fact, Unread) and fact.reason != "replayed"]
    assert [(fact.line, fact.reason, fact.label) for fact in unread] == [
        (15, "unparsable", "not JSON"),
        (16, "unknown", "untyped"),
        (17, "unknown", "mystery"),
    ]
    events = _events("traps", CART)
    assert [e.text for e in _line(events, 18)] == ["no id at all"]
    assert [(e.part, e.text[:12]) for e in _line(events, 19)] == [(0, "first of two"), (1, "second of tw")]
    assert not [e for e in events if "half of" in e.text]


@pytest.mark.req("ARC-6", "ARC-7")
def test_a_chat_of_the_older_form_and_its_conversion_are_one_session() -> None:
    whole = [e for e in _events("traps", OLD) if e.first_line is not None]
    converted = [e for e in _events("traps", OLD) if e.first_line is None]
    assert [e.id for e in whole] == [e.id for e in converted][:-1]
    assert [(e.role, e.text) for e in _last([*whole, *converted]) if e.kind is Kind.MESSAGE] == [
        (Role.USER, "为什么导出文件是空的？"),
        (Role.ASSISTANT, "日期过滤把今天去掉了。"),
        (Role.USER, "Fix it."),
    ]


def test_the_older_form_is_the_older_file() -> None:
    files, _ = feeding.found("gemini-cli", feeding.DATA / "gemini-cli" / "traps" / "home")
    old = sorted((file for file in files if OLD[:8] in file.key), key=ADAPTER.age)
    assert [file.form for file in old] == [Form.FILE, Form.LOG]


@pytest.mark.req("ARC-10")
@pytest.mark.parametrize("written", ["soon", "", 7, None, "9" * 5000])
def test_an_absurd_time_is_no_time(written: object) -> None:
    assert [e.time for e in Chat().events({**_message("u", "user", "hello"), "timestamp": written})] == [None]


def test_what_is_remembered_stays_small() -> None:
    chat = Chat()
    for number in range(6_000):
        chat.feed(_message(f"u{number}", "user", f"words {number}"))
    assert len(json.dumps(chat._parser.state())) < 250_000


# --- the whole way --------------------------------------------------------------------------------------------------


@pytest.mark.req("ARC-6", "ARC-9")
def test_a_chat_is_shown_with_its_title_its_folder_and_the_command_that_resumes_it(
    run: Run, copied: Callable[[Path], Path]
) -> None:
    copied(feeding.DATA / "gemini-cli" / "everyday").rename(run.person / ".gemini")
    run("sync")
    opened = run("open", DOCS, "--all", "--tools").out
    assert "Makefile docs targets" in opened
    assert f"cd /home/dev/demo-app && gemini --resume {DOCS}" in opened
    said = [opened.index(text) for text in ("builds the docs", "sphinx-build", "clean target", "serves the docs")]
    assert said == sorted(said)
