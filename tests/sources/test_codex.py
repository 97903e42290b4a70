"""What Codex keeps where, what its samples give, and how little damage costs."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import feeding
from codex_logs import (
    CHILD,
    CHINESE,
    ENGLISH,
    EVERYDAY,
    PARENT,
    RUSSIAN,
    THREAD,
    TRAPS,
    Record,
    at,
    completed,
    event,
    facts,
    item,
    meta,
    model_item,
    of_kind,
    opened,
    settled,
    spoken,
    titles,
    unread,
    user_event,
    user_item,
    write,
)
from quoth.core.ids import SessionId
from quoth.core.model import Event, Fact, Form, Found, Json, Kind, Opened, Skipped, Unread
from quoth.readers.compressed import zstd
from quoth.sources.codex import ADAPTER


@pytest.fixture
def everyday(tmp_path: Path) -> Path:
    return Path(shutil.copytree(EVERYDAY, tmp_path / "codex"))


# --- the everyday sample --------------------------------------------------------------------------------------------


def lines_of(home: Path, session: str, kind: Kind) -> list[int]:
    return [e.line for e in settled(facts(home)).values() if e.session == session and e.kind is kind]


@pytest.mark.req("ARC-9")
def test_an_answer_and_a_question_count_once_though_each_is_written_twice(everyday: Path) -> None:
    assert lines_of(everyday, ENGLISH, Kind.MESSAGE) == [7, 15, 18]
    assert spoken(everyday, ENGLISH) == [
        ("user", "Rate limit the login endpoint: five tries per minute per address."),
        ("assistant", "The login handler now allows five tries per minute per address; the sixth gets status 429."),
        ("user", "Now do the same for password reset."),
    ]


@pytest.mark.req("ARC-9")
def test_injected_items_developer_messages_and_compaction_summaries_are_not_spoken(everyday: Path) -> None:
    injected = lines_of(everyday, ENGLISH, Kind.META)
    assert {2, 3, 6, 19, 21, 23} <= set(injected)
    summary = next(e for e in settled(facts(everyday)).values() if e.session == ENGLISH and e.line == 23)
    assert (summary.role, summary.text) == (
        "system",
        "Login is limited to five tries per minute; password reset is not done.",
    )


def test_tool_calls_and_results_are_paired_by_the_id_of_the_call(everyday: Path) -> None:
    events = settled(facts(everyday))
    for call in ("call_demo1", "call_demo2"):
        assert events[f"codex:{ENGLISH}:{call}"].kind is Kind.TOOL_USE
        assert events[f"codex:{ENGLISH}:{call}:out"].kind is Kind.TOOL_RESULT
    assert events[f"codex:{ENGLISH}:call_demo1"].text.startswith('exec_command\n{"cmd":"rg -n')
    assert events[f"codex:{ENGLISH}:call_demo2:out"].text == "Success. Updated the following files:\nM api/auth.py\n"


def test_what_was_rolled_back_stays_and_the_rollback_is_told(everyday: Path) -> None:
    assert of_kind(everyday, Kind.SYSTEM, ENGLISH) == [
        "turn aborted: interrupted",
        "rolled back 1 turn",
        "context compacted",
    ]


@pytest.mark.req("ARC-9")
def test_the_paginated_schema_tells_the_persons_words_by_completed_items(everyday: Path) -> None:
    first = "周报里的合计列和明细对不上，差了两分钱，查一下是不是四舍五入的问题。"
    assert spoken(everyday, CHINESE)[:4] == [
        ("user", first),
        ("assistant", "每一行先取整再相加，误差会累积。应当先相加，最后再取整。"),
        ("user", "直接改成小数类型吧。"),
        ("assistant", "已把金额改为 Decimal。"),
    ]
    events = settled(facts(everyday))
    assert (
        events[f"codex:{CHINESE}:call_zh1:out"].text == "Script completed\n\nreport/sum.py:12: total += round(v, 2)\n"
    )
    inner = next(e for e in events.values() if e.text.startswith("/bin/bash -lc rg"))
    assert inner.kind is Kind.META
    assert (inner.cwd, inner.git_branch, inner.agent_version) == ("/home/dev/demo-app", "feature/报表", "0.155.1")


@pytest.mark.req("ARC-6")
def test_a_revision_file_goes_on_in_the_same_session_though_its_ordinals_repeat(everyday: Path) -> None:
    assert spoken(everyday, CHINESE)[4:] == [
        ("user", "不要换类型，最后统一取整就行。"),
        ("assistant", "好的，只在输出合计时取整一次。"),
    ]
    events = [fact for fact in facts(everyday) if isinstance(fact, Event)]
    assert len({event.id for event in events}) == len(events)


@pytest.mark.req("ARC-6", "ARC-9")
def test_a_subagent_is_a_child_session_without_its_parents_copied_history(everyday: Path) -> None:
    assert opened(everyday, CHILD).parent == CHINESE
    assert opened(everyday, CHILD).forked_from is None
    assert spoken(everyday, CHILD) == [("assistant", "测试全部通过。")]
    assert [line for line, reason, _ in unread(everyday) if reason == "replayed"] == [2, 3, 4]
    instruction = next(e for e in settled(facts(everyday)).values() if e.session == CHILD and e.line == 5)
    assert (instruction.role, instruction.kind, instruction.text) == (
        "user",
        Kind.META,
        "核对 report/sum.py 的测试。",
    )


@pytest.mark.req("ARC-7")
def test_a_compressed_archived_file_gives_what_the_plain_one_gives(everyday: Path) -> None:
    compressed = next((everyday / "archived_sessions").iterdir())
    before = facts(everyday)
    assert spoken(everyday, RUSSIAN) == [
        ("user", "Почему бот отвечает дважды на одно сообщение?"),
        ("assistant", "Обработчик подключается два раза: при запуске и после переподключения."),
    ]
    compressed.with_suffix("").write_bytes(zstd.decompress(compressed.read_bytes()))
    assert facts(everyday) == before
    compressed.unlink()
    assert facts(everyday) == before


@pytest.mark.req("ARC-7")
def test_archiving_keeps_the_identity_of_a_file_and_every_id(everyday: Path) -> None:
    before = {found.identity: found.key for found in feeding.found("codex", everyday)[0]}
    ids = set(settled(facts(everyday)))
    name = f"rollout-2026-03-11T09-15-02-{ENGLISH}"
    (everyday / f"sessions/2026/03/11/{name}.jsonl").rename(everyday / f"archived_sessions/{name}.jsonl")
    after = {found.identity: found.key for found in feeding.found("codex", everyday)[0]}
    assert before.keys() == after.keys()
    assert after[name] == f"archived_sessions/{name}.jsonl"
    assert set(settled(facts(everyday))) == ids


def test_titles_are_those_of_the_index_and_the_database_and_none_that_repeats_the_prompt(everyday: Path) -> None:
    assert titles(everyday) == {ENGLISH: "Rate limit for login", CHINESE: "周报合计误差"}


# --- headers, names, secrets ----------------------------------------------------------------------------------------


@pytest.mark.req("SEC-3")
@pytest.mark.parametrize(
    "url",
    [
        "https://robot:s3cret@git.example.invalid/shop/web.git",
        "https://s3cret@git.example.invalid/shop/web.git",
        "ssh://s3cret@git.example.invalid/shop/web.git",
        "s3cret@git.example.invalid:shop/web.git",
        "https://git.example.invalid/shop/web.git?token=s3cret#s3cret",
    ],
)
def test_credentials_in_a_repositorys_address_are_never_told(tmp_path: Path, url: str) -> None:
    write(tmp_path, meta(git={"repository_url": url}))
    assert opened(tmp_path).remote == "https://git.example.invalid/shop/web"
    assert "s3cret" not in repr(facts(tmp_path)) + repr(parsed(tmp_path).state())


def parsed(home: Path) -> Any:
    file = feeding.found("codex", home)[0][0]
    parser = ADAPTER.parser(feeding.stream("codex", file))
    for line in feeding.lines("codex", file):
        list(parser.feed(line))
    return parser


@pytest.mark.req("SEC-4")
def test_only_rollouts_the_index_the_state_database_and_memory_are_found(tmp_path: Path) -> None:
    for name in ("auth.json", "config.toml", "history.jsonl", "logs_2.sqlite", "goals_1.sqlite", "state_x.sqlite"):
        write(tmp_path, b"secret", key=name)
    write(tmp_path, b"torn", key="sessions/2026/05/05/rollout-compress-1.tmp")
    write(tmp_path, b"{}", key=".tmp/rollout-compression.lock")
    for key in ("skills/a/SKILL.md", "extensions/a.md", ".git/a.md", "phase2_workspace_diff.md", "notes.txt"):
        write(tmp_path, b"at work", key=f"memories/{key}")
    wanted = [
        "AGENTS.md",
        f"archived_sessions/rollout-2026-05-05T10-00-00-{THREAD}.jsonl",
        "memories/MEMORY.md",
        "memories/rollout_summaries/a.md",
        "session_index.jsonl",
        f"sessions/2026-05-05/rollout-2026-05-05T10-00-00-{THREAD}.jsonl",
        f"sessions/rollout-2025-05-07-{THREAD}.json",
        "state_12.sqlite",
        "state_9.sqlite",
    ]
    for key in wanted:
        write(tmp_path, b"{}", key=key)
    found = list(ADAPTER.find(tmp_path))
    assert sorted(entry.key for entry in found if isinstance(entry, Found)) == wanted
    assert not [entry for entry in found if isinstance(entry, Skipped)]
    assert [entry.key for entry in found if isinstance(entry, Found) and entry.form is Form.ROWS] == [
        "state_12.sqlite",
        "state_9.sqlite",
    ]


@pytest.mark.req("SEC-4")
def test_secrets_beside_the_logs_and_in_other_columns_reach_nothing(tmp_path: Path) -> None:
    home = Path(shutil.copytree(TRAPS, tmp_path / "codex"))
    assert "never-read" in (home / "auth.json").read_text()
    read = list(feeding.read("codex", home))
    assert read
    assert "never-read" not in repr(read)


@pytest.mark.parametrize(
    ("env", "roots"),
    [
        ({}, ["/home/dev/.codex"]),
        ({"CODEX_HOME": "  "}, ["/home/dev/.codex"]),
        ({"CODEX_HOME": "/data/codex"}, ["/data/codex"]),
        ({"CODEX_SQLITE_HOME": "/fast"}, ["/home/dev/.codex", "/fast"]),
        ({"CODEX_HOME": "/data/codex", "CODEX_SQLITE_HOME": "/data/codex"}, ["/data/codex"]),
    ],
)
def test_the_roots_follow_the_environment(env: dict[str, str], roots: list[str]) -> None:
    assert list(ADAPTER.roots(env, Path("/home/dev"))) == [Path(root) for root in roots]


def test_a_session_is_resumed_with_codex_resume() -> None:
    assert ADAPTER.resume(SessionId(THREAD)) == ("codex", "resume", THREAD)


@pytest.mark.req("ARC-3")
def test_a_file_with_a_broken_header_is_named_by_its_file_name(tmp_path: Path) -> None:
    write(
        tmp_path,
        b'{"timestamp":"2026-05-05T10:00:00Z","type":"session_meta","payload":{"id":"' + PARENT.encode(),
        at("10:00:00.500", "turn_context", cwd="/srv/shop"),
        user_event("10:00:01.000", "Hello"),
    )
    assert spoken(tmp_path) == [("user", "Hello")]
    assert opened(tmp_path).cwd == "/srv/shop"
    assert [reason for _, reason, _ in unread(tmp_path)] == ["unparsable"]


@pytest.mark.req("ARC-3", "ARC-6")
def test_behind_a_broken_header_the_header_of_another_thread_begins_a_copy(tmp_path: Path) -> None:
    write(
        tmp_path,
        b'{"timestamp":"2026-05-05T10:00:00Z","type":"session_meta","payload":{"id":"' + THREAD.encode(),
        meta(PARENT, "10:00:00.001"),
        user_event("10:00:00.002", "The parent's question"),
        user_event("10:00:09.000", "My question"),
    )
    assert spoken(tmp_path) == [("user", "My question")]
    assert spoken(tmp_path, PARENT) == []


def test_the_folder_of_a_turn_is_that_of_its_events(tmp_path: Path) -> None:
    write(
        tmp_path,
        meta(),
        user_event("10:00:01.000", "Here"),
        at("10:00:02.000", "turn_context", cwd="/srv/other"),
        user_event("10:00:03.000", "There"),
    )
    assert [e.cwd for e in settled(facts(tmp_path)).values() if e.kind is Kind.MESSAGE] == ["/srv/shop", "/srv/other"]


# --- drift, damage, chopping ----------------------------------------------------------------------------------------


@pytest.mark.req("ARC-8")
def test_unknown_records_are_counted_with_their_version_and_stop_nothing(tmp_path: Path) -> None:
    write(
        tmp_path,
        meta(cli_version="0.199.0"),
        event("10:00:01.000", "hologram", size=3),
        item("10:00:02.000", "thought_transfer"),
        completed("10:00:03.000", "Dream", id="d"),
        at("10:00:04.000", "teleport"),
        {"type": 5},
        user_event("10:00:05.000", "Still here"),
    )
    found = [fact for fact in facts(tmp_path) if isinstance(fact, Unread)]
    assert [(fact.line, fact.label) for fact in found] == [
        (2, "event_msg/hologram"),
        (3, "response_item/thought_transfer"),
        (4, "event_msg/item_completed/Dream"),
        (5, "teleport"),
        (6, "record/untyped"),
    ]
    assert {(fact.reason, fact.version) for fact in found} == {("unknown", "0.199.0")}
    assert [event.line for event in settled(facts(tmp_path)).values()] == [1, 2, 3, 4, 5, 6, 7]
    assert spoken(tmp_path) == [("user", "Still here")]


@pytest.mark.req("ARC-3")
def test_glued_torn_blank_and_foreign_lines_give_what_can_be_read(tmp_path: Path) -> None:
    glued = json.dumps(user_event("10:00:01.000", "One")) + json.dumps(model_item("10:00:02.000", "Two"))
    write(
        tmp_path,
        meta(),
        glued.encode(),
        b"",
        b"\0" * 64,
        b'{"timestamp":"2026-05-05T10:0',
        b'"text"',
        json.dumps(user_event("10:00:03.000", "Three\ud83d")).encode() + b"\r",
        json.dumps(model_item("10:00:04.000", "Fo\xff\u2028ur"), ensure_ascii=False).encode("latin-1", "replace"),
    )
    assert [text for _, text in spoken(tmp_path)] == ["One", "Two", "Three�", "Fo�?ur"]
    assert [(line, reason) for line, reason, _ in unread(tmp_path)] == [(5, "unparsable"), (6, "unparsable")]
    parts = [(event.line, event.part) for event in settled(facts(tmp_path)).values()]
    assert parts == [(1, 0), (2, 0), (2, 1), (7, 0), (8, 0)]


def _chopped(file: Found, cuts: Sequence[int]) -> list[Fact]:
    """Read a file in pieces: a new parser after each cut, that knows only the state of the last as JSON."""
    lines, state, read = feeding.lines("codex", file), None, []
    for begin, end in zip([0, *cuts], [*cuts, len(lines)], strict=True):
        parser = ADAPTER.parser(feeding.stream("codex", file), state)
        read += [fact for line in lines[begin:end] for fact in parser.feed(line)]
        remembered: Json = json.loads(json.dumps(parser.state()))
        state = remembered
    return read


def _files() -> Iterator[Found]:
    for home in (EVERYDAY, TRAPS):
        yield from (file for file in feeding.found("codex", home)[0] if file.form is not Form.ROWS)


@pytest.mark.req("ARC-2", "ARC-3")
@settings(max_examples=60, deadline=None, derandomize=True)
@given(data=st.data())
def test_however_a_file_is_chopped_the_facts_are_the_same(data: st.DataObject) -> None:
    file = data.draw(st.sampled_from(list(_files())))
    count = len(feeding.lines("codex", file))
    cuts = sorted(data.draw(st.sets(st.integers(0, count), max_size=6)))
    assert _chopped(file, cuts) == _chopped(file, [])


@pytest.mark.req("ARC-2")
def test_reading_on_never_changes_an_id_and_only_turns_messages_into_repeats() -> None:
    for file in _files():
        lines = feeding.lines("codex", file)
        whole = settled(_chopped(file, []))
        parser, read = ADAPTER.parser(feeding.stream("codex", file)), list[Fact]()
        for line in lines:
            read += parser.feed(line)
            for id_, seen in settled(read).items():
                assert replace(seen, kind=whole[id_].kind) == whole[id_]
                assert seen.kind in {whole[id_].kind, Kind.MESSAGE}


def test_what_a_parser_remembers_stays_small(tmp_path: Path) -> None:
    records = [meta()]
    for number in range(400):
        minute, second = divmod(number, 60)
        time = f"11:{minute:02}:{second:02}.000"
        records += [user_event(time, f"Question {number}"), model_item(time, f"Answer {number}")]
        records += [
            item(time, "function_call", name="quoth__search", arguments="{}", call_id=f"call_{number:024}"),
            item(time, "function_call_output", call_id=f"call_{number:024}", output="x" * 1_000),
        ]
    write(tmp_path, *records)
    assert len(json.dumps(parsed(tmp_path).state())) < 20_000


@pytest.mark.req("ARC-3")
def test_nesting_without_end_and_absurd_values_stop_nothing(tmp_path: Path) -> None:
    deep: Any = "x"
    for _ in range(200):
        deep = [{"content": deep}]
    absurd: list[Any] = [None, True, -1, 2**70, 1e300, "", "x", [], {}, [[]], [None], {"type": {}}, deep]
    records: list[Record | bytes] = [
        {"timestamp": stamp, "type": kind, "payload": value}
        for kind in ("session_meta", "turn_context", "response_item", "event_msg", "compacted", "world_state")
        for value in absurd
        for stamp in ("2026-05-05T10:00:00Z", value)
    ]
    records += [
        at("10:00:00.000", kind, **{"type": type_, **dict.fromkeys(("role", *_FIELDS), value)})
        for kind, type_ in [
            *(("response_item", name) for name in _ITEM_TYPES),
            *(("event_msg", name) for name in _EVENTS),
        ]
        for value in absurd
    ]
    write(tmp_path, *records, b'{"payload":' + b"[" * 10_000 + b"]" * 10_000 + b"}")
    read = facts(tmp_path)
    assert {fact.line for fact in read if isinstance(fact, Event | Unread)} == set(range(1, len(records) + 2))


_FIELDS = (
    "content",
    "item",
    "call_id",
    "output",
    "message",
    "action",
    "arguments",
    "images",
    "summary",
    "turn_id",
    "id",
)
_ITEM_TYPES = ("message", "reasoning", "function_call", "function_call_output", "local_shell_call", "agent_message")
_EVENTS = ("item_completed", "user_message", "agent_message", "turn_aborted", "thread_rolled_back", "mcp_tool_call_end")


# --- old files ------------------------------------------------------------------------------------------------------


@pytest.mark.req("ARC-8")
def test_the_bare_lines_of_2025_are_read(tmp_path: Path) -> None:
    home = Path(shutil.copytree(TRAPS, tmp_path / "codex"))
    thread = "7b1c0000-1111-4222-8333-000000000001"
    assert [text for _, text in spoken(home, thread)] == ["Почини сборку", "Починил", "Почини сборку", "Починил снова"]
    assert of_kind(home, Kind.TOOL_RESULT, thread) == ["ok\n", "ok"]
    assert {fact.cwd for fact in facts(home) if isinstance(fact, Opened) and fact.session == thread} == {
        None,
        "/srv/old",
    }


@pytest.mark.req("ARC-8")
@pytest.mark.parametrize("indent", [None, 2])
def test_a_whole_object_of_2025_is_read_on_one_line_or_on_many(tmp_path: Path, indent: int | None) -> None:
    whole = {
        "session": {"timestamp": "2025-05-07T08:00:00.000Z", "id": THREAD, "instructions": ""},
        "items": [user_item("", "写一个脚本")["payload"], model_item("", "写好了。")["payload"]],
    }
    written = json.dumps(whole, ensure_ascii=False, indent=indent)
    key = f"sessions/rollout-2025-05-07-{THREAD}.json"
    (tmp_path / "sessions").mkdir()
    (tmp_path / key).write_text(written, encoding="utf-8")
    assert spoken(tmp_path) == [("user", "写一个脚本"), ("assistant", "写好了。")]
    events = list(settled(facts(tmp_path)).values())
    assert {(e.first_line, e.line) for e in events} == {(1, written.count("\n") + 1)}
    assert {e.time for e in events} == {1_746_604_800_000}
