"""What the Grok Build adapter says of its samples, sentence by sentence, and of records made for one trap each."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import feeding
from quoth.core.ids import SessionId, SourceId
from quoth.core.model import Event, Fact, Form, Found, Json, Kind, Line, Opened, Role, Skipped, Stream, Titled, Unread
from quoth.sources.grok import ADAPTER

WEBHOOK = "01a158f7-d780-7739-9bd0-29629243732e"
MENU = "01a15c4e-49c8-7000-8000-00000000000a"
FORK = "01a15eb0-af80-7000-8000-00000000000b"
CHILD = "01a15c4e-bb10-7000-8000-00000000000c"


@cache
def _facts(case: str, session: str) -> list[Fact]:
    read = feeding.read("grok", feeding.DATA / "grok" / case / "home")
    return [fact for said in read if session in said.key.split("/") for fact in said.facts]


def _last(facts: Sequence[Fact]) -> dict[str, Event]:
    """Return the events as an index shows them: placed where they were read first, with what was read last."""
    last: dict[str, Event] = {}
    for fact in facts:
        if isinstance(fact, Event):
            last[fact.id] = fact
    return last


def _spoken(case: str, session: str) -> list[tuple[Role, str]]:
    events = _last(_facts(case, session)).values()
    return [(event.role, event.text) for event in events if event.kind is Kind.MESSAGE]


def _texts(case: str, session: str, kind: Kind) -> list[str]:
    return [event.text for event in _last(_facts(case, session)).values() if event.kind is kind]


@dataclass(frozen=True)
class Log:
    """A log made in a test: updates in, facts out."""

    session: str = MENU
    folder: str = "%2Fsrv%2Fshop"

    def parser(self, state: Json = None) -> Any:
        key = f"sessions/{self.folder}/{self.session}/updates.jsonl"
        stream = Stream(1, SourceId("grok"), "root", key, 1, Form.LOG, f"{self.session}/updates.jsonl", key, 0)
        return ADAPTER.parser(stream, state)

    def feed(self, *records: object, state: Json = None) -> list[Fact]:
        parser = self.parser(state)
        lines = [record if isinstance(record, bytes) else _json(record) for record in records]
        return [fact for number, data in enumerate(lines, 1) for fact in parser.feed(Line(number, data))]

    def events(self, *records: object) -> list[Event]:
        return [fact for fact in self.feed(*records) if isinstance(fact, Event)]

    def last(self, *records: object) -> list[Event]:
        return list(_last(self.feed(*records)).values())


def _json(record: object) -> bytes:
    return json.dumps(record, ensure_ascii=False, separators=(",", ":")).encode()


def _record(
    update: dict[str, Any], event: str = "1", *, session: str = MENU, time: int = 1_792_550_000
) -> dict[str, Any]:
    meta = {"eventId": f"{MENU}-{event}", "agentTimestampMs": 1_792_550_000_250}
    return {
        "timestamp": time,
        "method": "session/update",
        "params": {"sessionId": session, "update": update, "_meta": meta},
    }


def _user(words: str, index: int | None = None, **meta: object) -> dict[str, Any]:
    content = {"type": "text", "text": words}
    more = {**meta, **({} if index is None else {"promptIndex": index})}
    return {"sessionUpdate": "user_message_chunk", "content": content, "_meta": more}


def _agent(words: str) -> dict[str, Any]:
    return {"sessionUpdate": "agent_message_chunk", "content": {"type": "text", "text": words}}


def _called(native: str, title: str = "read_file", **more: object) -> dict[str, Any]:
    return {"sessionUpdate": "tool_call", "toolCallId": native, "title": title, **more}


def _updated(native: str, **more: object) -> dict[str, Any]:
    return {"sessionUpdate": "tool_call_update", "toolCallId": native, **more}


def _answer(words: str) -> list[dict[str, Any]]:
    return [{"type": "content", "content": {"type": "text", "text": words}}]


# --- the everyday sample --------------------------------------------------------------------------------------------


def test_the_person_said_three_things_and_the_model_four() -> None:
    assert _spoken("everyday", WEBHOOK) == [
        (Role.USER, "Добавь проверку подписи вебхука и верни 401 при ошибке."),
        (Role.ASSISTANT, "Сначала посмотрю обработчик."),
        (Role.ASSISTANT, "Готово: подпись проверяется, при ошибке ответ 401."),
        (Role.USER, "Сделай ещё ограничение по времени, пять минут."),
        (Role.ASSISTANT, "Добавил поле timestamp в подпись."),
        (Role.USER, "Лучше десять минут."),
        (Role.ASSISTANT, "Хорошо, окно теперь десять минут."),
    ]


def test_a_message_in_chunks_is_anchored_at_all_its_lines() -> None:
    said = [event for event in _facts("everyday", WEBHOOK) if isinstance(event, Event) and event.role is Role.USER]
    first, whole = said[0], said[1]
    assert first.id == whole.id
    assert (first.first_line, first.line) == (None, 1)
    assert (whole.first_line, whole.line) == (1, 2)


def test_one_tool_call_has_its_result_and_thinking_is_no_speech() -> None:
    assert _texts("everyday", WEBHOOK, Kind.TOOL_USE) == ['Read api/hook.py\n{"path":"api/hook.py"}']
    assert _texts("everyday", WEBHOOK, Kind.TOOL_RESULT) == ["def hook(req): ..."]
    assert "Нужно найти обработчик." in _texts("everyday", WEBHOOK, Kind.META)


def test_what_was_taken_back_stays_and_the_finer_time_counts() -> None:
    events = list(_last(_facts("everyday", WEBHOOK)).values())
    assert "rewind_marker 1" in [event.text for event in events]
    assert next(event.time for event in events if event.line == 10) == 1_792_494_060_250


@pytest.mark.req("ARC-8")
def test_an_unknown_record_is_counted_and_a_torn_tail_is_not_there_yet() -> None:
    unread = [fact for fact in _facts("everyday", WEBHOOK) if isinstance(fact, Unread)]
    assert [(fact.line, fact.reason, fact.label) for fact in unread] == [(16, "unknown", "future_event_kind")]


def test_title_branch_and_directory_come_from_the_summary() -> None:
    facts = _facts("everyday", WEBHOOK)
    titles = sorted((fact.weight, fact.title) for fact in facts if isinstance(fact, Titled))
    assert titles[-1][1] == "Подпись вебхука"
    assert {fact.cwd for fact in facts if isinstance(fact, Opened)} == {"/home/dev/demo-app"}
    assert [event.git_branch for event in _last(facts).values() if event.git_branch] == ["main"]


# --- files ----------------------------------------------------------------------------------------------------------


def _found(home: Path) -> dict[str, Found]:
    return {entry.key: entry for entry in ADAPTER.find(home) if isinstance(entry, Found)}


@pytest.mark.req("SEC-4")
def test_only_updates_summaries_and_memory_are_read() -> None:
    files = [*_found(feeding.DATA / "grok/everyday/home"), *_found(feeding.DATA / "grok/traps/home")]
    logs = [key for key in files if not ADAPTER.memory_file(key)]
    assert {key.rpartition("/")[2] for key in logs} == {"updates.jsonl", "summary.json"}
    assert len(logs) == 8
    assert len(files) == 13


def test_a_blank_variable_counts_as_unset() -> None:
    assert ADAPTER.roots({"GROK_HOME": "  "}, Path("/home/a")) == [Path("/home/a/.grok")]
    assert ADAPTER.roots({"GROK_HOME": "/srv/grok"}, Path("/home/a")) == [Path("/srv/grok")]


@pytest.mark.req("ARC-7")
def test_a_session_that_moves_to_another_directory_keeps_its_identity(tmp_path: Path) -> None:
    before = tmp_path / "sessions/%2Fa" / MENU
    before.mkdir(parents=True)
    (before / "updates.jsonl").write_bytes(b"{}\n")
    (identity,) = (found.identity for found in _found(tmp_path).values())
    (tmp_path / "sessions/%2Fb").mkdir()
    before.rename(tmp_path / "sessions/%2Fb" / MENU)
    assert [found.identity for found in _found(tmp_path).values()] == [identity]


@pytest.mark.req("ARC-4")
def test_a_link_out_of_the_folder_is_told(tmp_path: Path) -> None:
    folder = tmp_path / "home/sessions/%2Fa" / MENU
    folder.mkdir(parents=True)
    (tmp_path / "secret").write_text("{}")
    (folder / "updates.jsonl").symlink_to(tmp_path / "secret")
    assert [entry.reason for entry in ADAPTER.find(tmp_path / "home") if isinstance(entry, Skipped)] == ["link_outside"]


def test_a_directory_whose_name_is_too_long_is_known_from_the_summary() -> None:
    opened = [fact for fact in _facts("traps", FORK) if isinstance(fact, Opened) and fact.session == FORK]
    assert [fact.cwd for fact in opened] == ["/srv/shop-footer"]


# --- forks and subagents --------------------------------------------------------------------------------------------


@pytest.mark.req("ARC-6")
def test_a_fork_adds_only_what_was_said_in_it() -> None:
    original, fork = _last(_facts("traps", MENU)), _last(_facts("traps", FORK))
    copied = {"Why does the menu page load twice?", "A redirect adds the slash, so the page is fetched again."}
    new = [event.text for id_, event in fork.items() if id_ not in original and event.kind is Kind.MESSAGE]
    assert [words for words in new if words not in copied] == [
        "In the fork: show the redirects in the footer.",
        "The footer lists them now.",
    ]
    assert all(original[id_].text == event.text for id_, event in fork.items() if id_ in original)


@pytest.mark.req("ARC-6")
def test_a_fork_names_its_origin_and_is_younger_whatever_the_files_say() -> None:
    found = _found(feeding.DATA / "grok/traps/home")
    ages = {key.split("/")[2]: ADAPTER.age(file) for key, file in found.items() if key.endswith(".jsonl")}
    assert ages[MENU] < ages[FORK]
    assert FORK in [
        fact.session for fact in _facts("traps", FORK) if isinstance(fact, Opened) and fact.forked_from == MENU
    ]


@pytest.mark.req("ARC-6")
def test_copies_have_one_id_whatever_session_and_time_the_fork_writes() -> None:
    said = Log().events(_record(_user("hello", 0)))
    copy = Log(FORK).events(_record(_user("hello", 0), session=FORK, time=1_792_590_000))
    assert [event.id for event in said] == [event.id for event in copy]
    assert {event.session for event in copy} == {FORK}


@pytest.mark.req("ARC-6", "ARC-9")
def test_a_subagent_is_a_child_whose_prompt_nobody_said() -> None:
    parents = [fact.parent for fact in _facts("traps", MENU) if isinstance(fact, Opened) and fact.session == CHILD]
    assert parents == [MENU]
    assert _spoken("traps", CHILD) == [(Role.ASSISTANT, "There are two: menu.py and cart.py.")]
    assert "Find every redirect below web/." in _texts("traps", CHILD, Kind.META)


# --- who spoke ------------------------------------------------------------------------------------------------------


@pytest.mark.req("ARC-9")
def test_the_person_and_the_model_are_told_apart_in_the_traps() -> None:
    assert _spoken("traps", MENU) == [
        (Role.USER, "Why does the menu page load twice?"),
        (Role.ASSISTANT, "A redirect adds the slash, so the page is fetched again."),
        (Role.USER, "Use a permanent redirect then.\n[image image/png, 3 KB]\nThat is the page."),
        (Role.USER, "And log each redirect."),
        (Role.USER, "only in web/, please"),
        (Role.ASSISTANT, "Done in both files."),
        (Role.USER, "Undo the logging."),
        (Role.USER, "Keep the logging, drop the date."),
        (Role.ASSISTANT, "The date is gone. Anything else?"),
    ]


@pytest.mark.req("ARC-9")
def test_commands_wake_ups_and_schedules_are_no_speech() -> None:
    kept = _texts("traps", MENU, Kind.META)
    for words in ("/plugins", "ls web", "The background task ended with status 0.", "Check the orders again."):
        assert words in kept
    assert _texts("traps", MENU, Kind.SYSTEM) == ["No plugins are installed."]


@pytest.mark.req("ARC-9")
def test_a_context_before_the_words_is_kept_apart() -> None:
    words, injected = Log().last(_record(_user("<fork-context>older talk</fork-context>\nGo on with step two.", 0)))
    assert (words.kind, words.text) == (Kind.MESSAGE, "Go on with step two.")
    assert (injected.id, injected.kind) == (f"{words.id}:injected", Kind.META)
    assert injected.text == "<fork-context>older talk</fork-context>"


def test_a_person_may_write_about_such_a_tag() -> None:
    (event,) = Log().last(_record(_user("What does <fork-context> mean?", 0)))
    assert (event.kind, event.text) == (Kind.MESSAGE, "What does <fork-context> mean?")


# --- chunks ---------------------------------------------------------------------------------------------------------


def test_bookkeeping_and_rubble_between_chunks_do_not_end_a_message() -> None:
    hook = {"sessionUpdate": "hook_execution"}
    events = Log().last(_record(_agent("one ")), _record(hook, "2"), b'{"torn', _record(_agent("two"), "3"))
    assert [event.text for event in events if event.kind is Kind.MESSAGE] == ["one two"]
    assert next(event for event in events if event.kind is Kind.MESSAGE).first_line == 1


def test_a_tool_call_ends_a_message() -> None:
    events = Log().last(_record(_agent("one")), _record(_called("c1"), "2"), _record(_agent("two"), "3"))
    assert [event.text for event in events if event.kind is Kind.MESSAGE] == ["one", "two"]


def test_another_prompt_begins_another_message() -> None:
    events = Log().last(_record(_user("one", 1)), _record(_user("two", 2), "2"), _record(_user("three"), "3"))
    assert [event.text for event in events] == ["one", "two", "three"]


def test_a_message_beyond_reason_goes_on_as_another_event_and_the_state_stays_small() -> None:
    parser = Log().parser()
    chunks = [_json(_record(_agent("word " * 10_000), str(number))) for number in range(6)]
    facts = [fact for number, data in enumerate(chunks, 1) for fact in parser.feed(Line(number, data))]
    assert [len(event.text) for event in _last(facts).values()] == [100_000, 100_000, 100_000]
    assert len(json.dumps(parser.state())) < 10_000


@pytest.mark.req("ARC-2")
def test_a_counter_that_is_used_again_after_a_rewind_gives_two_events() -> None:
    events = Log().last(_record(_user("first try", 3), "900"), _record(_user("second try", 4), "900"))
    assert len({event.id for event in events}) == 2


def test_equal_records_without_a_stamp_are_told_apart_in_order() -> None:
    record = {
        "method": "_x.ai/session/update",
        "params": {"sessionId": MENU, "update": {"sessionUpdate": "turn_completed"}},
    }
    first, second = Log().events(record, record)
    assert second.id == f"{first.id}#2"


@pytest.mark.req("ARC-3")
def test_the_next_writer_ends_a_torn_line() -> None:
    facts = Log().feed(b'{"timestamp":1,"method":"session/upd', _record(_user("after the crash", 0)))
    assert [type(fact).__name__ for fact in facts] == ["Unread", "Opened", "Event"]


@pytest.mark.req("ARC-3")
def test_the_oldest_lines_have_no_envelope_and_take_the_time_of_their_session() -> None:
    (event,) = Log().events({"sessionId": MENU, "update": _user("hello")})
    assert (event.session, event.text, event.time) == (MENU, "hello", int("01a15c4e49c8", 16))


# --- tools ----------------------------------------------------------------------------------------------------------


def test_updates_of_a_call_change_its_text_and_not_its_id() -> None:
    named = {"x.ai/tool": {"name": "read_file"}}
    early = _record(_called("c1", "Read", _meta=named))
    later = _record(_updated("c1", title="Read `a.py`", rawInput={"path": "a.py"}, _meta=named), "2")
    call, revised = Log().events(early, later)
    assert (call.id, call.text) == (revised.id, "read_file")
    assert revised.text == 'read_file\n{"path":"a.py"}'


def test_output_that_grows_is_one_result() -> None:
    running = _record(_updated("c1", status="in_progress", content=_answer("one")), "2")
    done = _record(_updated("c1", status="completed", content=_answer("one\ntwo")), "3")
    call, partly, whole = Log().events(_record(_called("c1")), running, done)
    assert (partly.id, whole.id) == (f"{call.id}:out",) * 2
    assert whole.text == "one\ntwo"


def test_a_native_id_that_is_used_again_names_another_call() -> None:
    done = _updated("call_0", status="completed", content=_answer("done"))
    events = Log().last(
        _record(_called("call_0")), _record(done, "2"), _record(_called("call_0"), "3"), _record(done, "4")
    )
    assert [event.kind for event in events] == [Kind.TOOL_USE, Kind.TOOL_RESULT] * 2


def test_an_answer_whose_call_was_not_read_is_kept() -> None:
    (event,) = Log().events(_record(_updated("lost", status="failed", rawOutput={"error": "no such file"})))
    assert (event.kind, event.text) == (Kind.TOOL_RESULT, '{"error":"no such file"}')


@pytest.mark.req("ARC-9")
@pytest.mark.parametrize(
    "call",
    [
        _called("c1", "quoth__search", rawInput={"query": "x"}),
        _called("c1", "use_tool", rawInput={"tool_name": "quoth__recall", "tool_input": {}}),
        _called("c1", "bash", rawInput={"variant": "Bash", "command": "cd /srv && quoth search x"}),
    ],
)
def test_calls_and_results_of_our_own_tools_are_marked(call: dict[str, Any]) -> None:
    done = _updated("c1", status="completed", content=_answer("1 event"))
    assert [event.own for event in Log().events(_record(call), _record(done, "2"))] == [True, True]


def test_tools_of_others_are_not_ours() -> None:
    (event,) = Log().events(_record(_called("c1", "linear__search", rawInput={"command": "echo quoth"})))
    assert not event.own


def test_many_calls_without_an_end_keep_the_state_small() -> None:
    parser = Log().parser()
    for number in range(1, 2_000):
        list(parser.feed(Line(number, _json(_record(_called(f"call_{number}"), str(number))))))
    assert len(json.dumps(parser.state())) < 64_000


# --- summaries ------------------------------------------------------------------------------------------------------


def _summary(whole: bytes) -> list[Fact]:
    key = f"sessions/%2Fsrv%2Fshop/{MENU}/summary.json"
    stream = Stream(1, SourceId("grok"), "root", key, 1, Form.FILE, f"{MENU}/summary.json", key, 0)
    parser = ADAPTER.parser(stream)
    return [fact for number, data in enumerate(whole.split(b"\n"), 1) for fact in parser.feed(Line(number, data))]


def test_a_summary_over_several_lines_is_read_as_a_whole() -> None:
    written = json.dumps({"info": {"id": MENU, "cwd": "/srv/shop"}, "head_branch": "main"}, indent=2).encode()
    (event,) = (fact for fact in _summary(written) if isinstance(fact, Event))
    assert (event.first_line, event.line, event.git_branch) == (1, len(written.split(b"\n")), "main")


def test_a_subagent_that_goes_on_with_another_is_no_child_of_it() -> None:
    written = _json({"info": {"id": MENU}, "session_kind": "subagent_resume", "parent_session_id": CHILD})
    (opened,) = (fact for fact in _summary(written) if isinstance(fact, Opened))
    assert (opened.parent, opened.forked_from) == (None, CHILD)


def test_a_session_is_resumed_by_its_id() -> None:
    assert ADAPTER.resume(SessionId(MENU)) == ("grok", "--resume", MENU)
