"""What Copilot CLI keeps where, what its samples give, and how much damage its logs stand."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import feeding
from quoth.core.ids import SessionId, SourceId
from quoth.core.model import Event, Fact, Form, Found, Json, Kind, Line, Opened, Role, Stream, Titled, Unread
from quoth.sources.copilot_cli import ADAPTER
from running import Run

SAMPLES = feeding.DATA / "copilot-cli"
PARSE = "cb61b21f-9679-477b-ad69-34635acfb78d"
SHOP = "5c0f0000-0000-4000-8000-000000000001"
OLDER = "5c0f0000-0000-4000-8000-000000000002"
CHILD = f"{SHOP}/toolu_demo_task_0001"

Record = dict[str, Any]


def facts(case: str) -> list[Fact]:
    return [fact for said in feeding.read("copilot-cli", SAMPLES / case / "home") for fact in said.facts]


def last(found: Sequence[Fact], session: str) -> list[Event]:
    """Return the last version of each event of a session."""
    return list({fact.id: fact for fact in found if isinstance(fact, Event) and fact.session == session}.values())


def spoken(events: Sequence[Event]) -> list[tuple[int, Role, str]]:
    return [(event.line, event.role, event.text) for event in events if event.kind is Kind.MESSAGE]


def titles(found: Sequence[Fact], session: str) -> list[str]:
    """Return the titles of a session, the one that counts last."""
    said = [fact for fact in found if isinstance(fact, Titled) and fact.session == session]
    return [title.title for title in sorted(said, key=lambda title: title.weight)]


def stream(key: str = f"session-state/{SHOP}/events.jsonl", form: Form = Form.LOG) -> Stream:
    return Stream(1, SourceId("copilot-cli"), "root", key, 1, form, key, key, 0)


def feed(*lines: bytes, of: Stream | None = None) -> list[Fact]:
    """Read lines, each by a parser that knows only the state of the one before."""
    state: Json = None
    found: list[Fact] = []
    for number, data in enumerate(lines, 1):
        parser = ADAPTER.parser(of or stream(), state)
        found.extend(parser.feed(Line(number, data)))
        state = json.loads(json.dumps(parser.state()))
    return found


def said(words: str, event: str = "e1") -> bytes:
    record = {"type": "user.message", "data": {"content": words}, "id": event, "timestamp": "2026-09-02T07:00:00.000Z"}
    return json.dumps(record, ensure_ascii=False).encode()


# --- samples --------------------------------------------------------------------------------------------------------


@pytest.mark.req("ARC-3", "ARC-9")
def test_the_everyday_sample_is_a_question_a_call_with_its_result_and_an_answer() -> None:
    found = facts("everyday")
    events = last(found, PARSE)
    assert spoken(events) == [
        (2, Role.USER, "Explain this stack trace:\u2028ValueError in parse()"),
        (7, Role.ASSISTANT, "parse() calls int() on an empty string."),
    ]
    tools = [(event.kind, event.text) for event in events if event.kind in {Kind.TOOL_USE, Kind.TOOL_RESULT}]
    assert tools == [
        (Kind.TOOL_USE, 'view\n{"path":"src/parse.py"}'),
        (Kind.TOOL_RESULT, "def parse(s): return int(s)"),
    ]
    assert titles(found, PARSE) == ["Stack trace in parse"]
    assert {(event.cwd, event.git_branch, event.agent_version) for event in events} == {
        ("/home/dev/demo-app", "main", "1.0.71")
    }
    assert not [fact for fact in found if isinstance(fact, Unread)]


@pytest.mark.req("ARC-9")
def test_only_what_a_person_typed_is_theirs() -> None:
    events = last(facts("traps"), SHOP)
    by_person = [text for _, role, text in spoken(events) if role is Role.USER]
    assert by_person == ["报表为什么少了一行？", "А теперь добавь тест."]
    meta = [event.text for event in events if event.kind is Kind.META and event.role is Role.USER]
    assert meta == ["<skill-context>How to write commits</skill-context>", "[file /srv/shop/report.py]"]
    assert "You are the terminal assistant." not in {event.text for event in events}


@pytest.mark.req("ARC-9")
def test_calls_of_our_own_tools_and_their_results_are_ours() -> None:
    own = [event.text for event in last(facts("traps"), SHOP) if event.own]
    assert own == ['bash\n{"command":"quoth search 报表"}', "报表少了一行 (yesterday)"]


@pytest.mark.req("ARC-6", "ARC-9")
def test_a_subagent_is_a_child_session_in_which_no_person_speaks() -> None:
    found = facts("traps")
    assert spoken(last(found, CHILD)) == [(18, Role.ASSISTANT, "There are three reports.")]
    assert Opened(SessionId(CHILD), cwd="/srv/shop", parent=SessionId(SHOP)) in found
    assert ADAPTER.resume(SessionId(CHILD)) is None
    assert ADAPTER.resume(SessionId(SHOP)) == ("copilot", f"--resume={SHOP}")


@pytest.mark.req("ARC-3")
def test_a_record_broken_over_several_lines_is_one_event_of_these_lines() -> None:
    event = next(event for event in last(facts("traps"), SHOP) if event.id.endswith(":call_0:out"))
    assert (event.first_line, event.line, event.text) == (7, 11, '第一行\n\n{"a": 1}\n{}\n最后一行')


@pytest.mark.req("ARC-3", "ARC-8")
def test_torn_and_unknown_records_are_counted_and_stop_nothing() -> None:
    unread = [fact for fact in facts("traps") if isinstance(fact, Unread)]
    assert [(fact.line, fact.reason, fact.label) for fact in unread] == [
        (13, "unparsable", "torn"),
        (19, "unknown", "assistant.hologram"),
        (20, "unparsable", "torn"),
    ]


def test_a_call_id_used_again_after_its_result_is_another_call() -> None:
    tools = [event for event in last(facts("traps"), SHOP) if ":call_0" in event.id]
    assert [(event.id.partition(":call_0")[2], event.text.split("\n")[0]) for event in tools] == [
        ("", "view"),
        (":out", "第一行"),
        ("#2", "edit"),
        ("#2:out", "no such file"),
    ]


def test_each_record_has_the_branch_it_was_written_on() -> None:
    branches = [event.git_branch for event in last(facts("traps"), SHOP)]
    assert branches == sorted(branches, key=["main", "fix/rows"].index)
    assert set(branches) == {"main", "fix/rows"}


def test_an_older_flat_log_is_a_session_with_the_commands_of_the_person() -> None:
    events = last(facts("traps"), OLDER)
    assert [text for _, _, text in spoken(events)] == ["List the open ports.", "Only 8080 is open."]
    assert [(e.role, e.text) for e in events if e.kind is Kind.TOOL_USE] == [(Role.USER, 'bash\n{"command":"ss -ltn"}')]


def test_the_repository_of_a_session_is_known_by_its_remote() -> None:
    opened = [fact.remote for fact in facts("traps") if isinstance(fact, Opened) and fact.remote]
    assert opened == ["https://github.com/example/shop"]


# --- damage ---------------------------------------------------------------------------------------------------------


@pytest.mark.req("ARC-2", "ARC-3")
@given(st.lists(st.text(st.characters(exclude_categories=["Cs"]), max_size=12), min_size=1, max_size=6))
@settings(deadline=None, derandomize=True)
def test_any_text_whose_line_ends_were_written_raw_comes_back_whole(parts: list[str]) -> None:
    words = "\n".join(parts).replace("\0", "")
    written = said(words).replace(b"\\n", b"\n") if "\\" not in words else said(words)
    events = [fact for fact in feed(said("before", "e0"), *written.split(b"\n")) if isinstance(fact, Event)]
    assert [event.text for event in events] == ["before", words]


@pytest.mark.req("ARC-3")
def test_a_torn_record_does_not_swallow_the_next_one() -> None:
    found = feed(said("torn", "e1")[:60], said("whole", "e2"))
    assert [fact.text for fact in found if isinstance(fact, Event)] == ["whole"]
    assert [(fact.line, fact.label) for fact in found if isinstance(fact, Unread)] == [(1, "torn")]


@pytest.mark.req("ARC-3")
def test_rubble_that_never_ends_is_given_up() -> None:
    found = feed(b'{"type": "user.message", "data": {"content": "begun', *[b'" rubble'] * 300)
    assert len([fact for fact in found if isinstance(fact, Unread)]) >= 101


@pytest.mark.req("ARC-3")
@pytest.mark.parametrize("padding", [b"\0" * 64, b"", b"\r", b"\0" * 8 + b"\r"])
def test_padding_is_no_record(padding: bytes) -> None:
    assert feed(padding) == []
    assert [fact.text for fact in feed(padding + said("after")) if isinstance(fact, Event)] == ["after"]


# --- workspace.yaml -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("written", "title"),
    [
        ("name: Plain words", "Plain words"),
        ("name: Plain words # not these", "Plain words"),
        ("name: C# and F#", "C# and F#"),
        ('name: "Said: \\"no\\"\\u4e2d" # c', 'Said: "no"中'),
        ("name: 'It''s late'", "It's late"),
        ("name: >-\n  Folded words\n  and more", "Folded words"),
        ("summary: Older\nname: Newer", "Newer"),
        ("name: Newer\nsummary: Older", "Newer"),
        ("name: null", None),
        ("name:", None),
        ('name: "\\ud83d"', "?"),
        ('name: "no end', "no end"),
        ("\ufeffname: 标题\r", "标题"),
    ],
)
def test_a_title_is_read_however_it_was_quoted(written: str, title: str | None) -> None:
    of = stream(f"session-state/{SHOP}/workspace.yaml", Form.FILE)
    found = feed(*written.encode().split(b"\n"), of=of)
    assert (titles(found, SHOP) or [None])[-1] == title


@pytest.mark.req("ARC-3")
@given(st.binary(max_size=60))
@settings(deadline=None, derandomize=True)
def test_no_line_of_a_workspace_breaks_the_reader(line: bytes) -> None:
    for fact in feed(line.replace(b"\n", b" "), of=stream(f"session-state/{SHOP}/workspace.yaml", Form.FILE)):
        feeding.printed("", fact).encode()


# --- files ----------------------------------------------------------------------------------------------------------


@pytest.mark.req("SEC-4")
def test_only_logs_and_workspaces_are_read(copied: Callable[[Path], Path]) -> None:
    home = copied(SAMPLES / "traps")
    for name in ("config.json", "command-history-state.json", f"session-state/{SHOP}/vscode.metadata.json"):
        (home / name).write_text("{}", encoding="utf-8")
    keys = [found.key for found in ADAPTER.find(home) if isinstance(found, Found)]
    assert sorted(keys) == [
        f"session-state/{SHOP}/events.jsonl",
        f"session-state/{SHOP}/workspace.yaml",
        f"session-state/{OLDER}.jsonl",
    ]


def test_the_folder_is_the_one_that_the_agent_uses(tmp_path: Path) -> None:
    assert ADAPTER.roots({"COPILOT_HOME": "  "}, tmp_path) == [tmp_path / ".copilot"]
    assert ADAPTER.roots({"COPILOT_HOME": "/elsewhere"}, tmp_path) == [Path("/elsewhere")]
    older = tmp_path / "state" / ".copilot"
    env = {"XDG_STATE_HOME": str(tmp_path / "state")}
    assert ADAPTER.roots(env, tmp_path) == [tmp_path / ".copilot"]
    older.mkdir(parents=True)
    assert ADAPTER.roots(env, tmp_path) == [tmp_path / ".copilot", older]


@pytest.mark.req("ARC-2", "ARC-3")
def test_a_record_whose_lines_are_read_in_two_passes_is_one_event(person: Path, run: Run) -> None:
    log = person / ".copilot" / "session-state" / SHOP / "events.jsonl"
    log.parent.mkdir(parents=True)
    whole = said("erste Zeile\nzweite Zeile").replace(b"\\n", b"\n") + b"\n"
    log.write_bytes(whole[: whole.index(b"\n") + 1])
    run("sync")
    log.write_bytes(whole)
    run("sync")
    (event,) = run("search", "zweite Zeile", "--no-sync", "--json").json()["events"]
    assert event["id"] == "copilot-cli:e1"
    assert "erste Zeile" in run("get", "copilot-cli:e1").out
