"""What the Cursor adapter says of its samples, sentence by sentence, and of records made for one trap each."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import feeding
from cursor_stores import State, Store, answered, asked
from quoth.core.model import Event, Fact, Kind, Opened, Role, Skipped, Titled, Unread
from quoth.core.times import from_iso
from quoth.sources._cursor_places import folder_named
from quoth.sources._cursor_words import divide, when
from quoth.sources.cursor import ADAPTER
from running import Run

FLICKER = "b75c1eb8-d6a1-4114-aa10-4c27e1a7d7b6"
BUILD = "2bb4fb12-3069-4dcf-ac40-3fbc87b8f238"
FOCUS = "1e150d8e-a7b3-44f5-a9ae-c381abb05177"
CHILD = "1f27ead6-0c3e-4deb-a595-1915553a60d7"
REACT = "9a3f5c1e-6b2d-4f80-9c47-1d2e3f405162"
TRAP = "a0000000-0000-4000-8000-00000000000"
USER, MODEL = Role.USER, Role.ASSISTANT


@cache
def _facts(case: str) -> list[Fact]:
    home = feeding.DATA / "cursor" / case / "home"
    return [fact for said in feeding.read("cursor", home) for fact in said.facts]


def events(case: str, session: str) -> list[Event]:
    return [fact for fact in _facts(case) if isinstance(fact, Event) and fact.session == session]


def spoken(case: str, session: str) -> list[tuple[Role, str]]:
    return [(event.role, event.text) for event in events(case, session) if event.kind is Kind.MESSAGE]


def opened(case: str, session: str) -> list[Opened]:
    return [fact for fact in _facts(case) if isinstance(fact, Opened) and fact.session == session]


def title(case: str, session: str) -> str | None:
    titles = [fact for fact in _facts(case) if isinstance(fact, Titled) and fact.session == session]
    return max(titles, key=lambda said: said.weight).title if titles else None


def labels(case: str) -> set[tuple[str, str]]:
    return {(fact.reason, fact.label) for fact in _facts(case) if isinstance(fact, Unread)}


def user(text: str) -> dict[str, Any]:
    return {"role": "user", "message": {"content": [{"type": "text", "text": text}]}}


# --- the everyday samples -------------------------------------------------------------------------------------------


def test_a_session_of_the_editor_is_read_in_the_order_of_its_list() -> None:
    said = events("everyday", FLICKER)
    assert [(event.role, event.kind) for event in said] == [
        (USER, Kind.MESSAGE),
        (MODEL, Kind.META),
        (MODEL, Kind.TOOL_USE),
        (USER, Kind.TOOL_RESULT),
        (MODEL, Kind.MESSAGE),
    ]
    assert said[1].text == "The class is set after hydration."
    assert said[2].text == 'read_file_v2\n{"target_file":"app/layout.tsx"}'
    assert said[3].id == f"{said[2].id}:out"
    assert said[4].time == from_iso("2026-10-19T10:00:20.000Z")


def test_a_session_of_the_editor_has_its_title_and_project() -> None:
    assert title("everyday", FLICKER) == "Dark mode flicker"
    assert opened("everyday", FLICKER)[0].cwd == "/home/dev/demo-web"


@pytest.mark.req("ARC-6")
def test_a_bubble_outside_the_list_and_a_second_copy_are_no_part_of_the_conversation() -> None:
    texts = [fact.text for fact in _facts("everyday") if isinstance(fact, Event)]
    assert not [text for text in texts if "abandoned" in text or "left" in text]
    assert texts.count("The page flashes white before dark mode starts. How do we stop that?") == 1


@pytest.mark.req("ARC-3", "ARC-10")
def test_a_session_of_2025_keeps_its_order_without_times_or_title() -> None:
    assert spoken("everyday", BUILD) == [
        (USER, "Как ускорить сборку, она занимает шесть минут?"),
        (MODEL, "Включите кэш зависимостей и собирайте пакеты параллельно."),
    ]
    assert title("everyday", BUILD) is None
    assert {said.cwd for said in opened("everyday", BUILD)} == {None}
    assert [event.time for event in events("everyday", BUILD)] == [1756792800000, 1756792810000]


def test_a_transcript_takes_its_time_from_the_prompt_and_no_text_from_hidden_thoughts() -> None:
    assert spoken("everyday", FOCUS) == [
        (USER, "给按钮加上键盘焦点样式，鼠标点击时不要显示。"),
        (MODEL, "我先看一下按钮组件。"),
        (MODEL, "改用 :focus-visible 即可，另外两个组件也一起改了。"),
        (USER, "再检查一下对比度。"),
    ]
    first, second = events("everyday", FOCUS)[:2]
    assert (first.time, second.time) == (from_iso("2026-10-19T10:30:00Z"), None)


def test_a_transcript_finds_its_folder_behind_the_lossy_name() -> None:
    assert opened("everyday", FOCUS) == [Opened(opened("everyday", FOCUS)[0].session, cwd="/home/dev/demo-web")]


@pytest.mark.req("ARC-6", "ARC-9")
def test_a_subagent_is_a_child_session_and_its_prompt_was_not_said_by_the_person() -> None:
    assert [said.parent for said in opened("everyday", CHILD)] == [FOCUS]
    assert spoken("everyday", CHILD) == [(MODEL, "link.css 和 tab.css。")]


@pytest.mark.req("ARC-9")
def test_a_chat_of_the_command_line_is_followed_from_its_root() -> None:
    assert spoken("everyday", REACT) == [
        (USER, "Why does the build warn about two Reacts?"),
        (MODEL, "I will look at the lockfile."),
        (MODEL, "One dependency brings its own copy; add an override for it."),
    ]
    assert [e.text for e in events("everyday", REACT) if e.kind is Kind.TOOL_RESULT] == ["2"]
    assert title("everyday", REACT) == "Two copies of React"
    assert opened("everyday", REACT)[0].cwd == "/home/dev/demo-web"
    assert events("everyday", REACT)[3].time == from_iso("2026-10-20T07:05:00Z")


@pytest.mark.req("SEC-4")
def test_no_token_or_key_of_the_samples_is_taken_out() -> None:
    for case in feeding.cases("cursor"):
        for said in feeding.read("cursor", case / "home"):
            assert b"NOT-A-REAL" not in said.line.data


# --- traps ----------------------------------------------------------------------------------------------------------


@pytest.mark.req("ARC-9")
def test_calls_of_our_own_tools_and_their_results_are_marked_in_every_store() -> None:
    own = [fact.text.split("\n")[0] for fact in _facts("traps") if isinstance(fact, Event) and fact.own]
    assert sorted(own) == [
        "CallMcpTool",
        "CallMcpTool",
        "Shell",
        "mcp_quoth_search",
        "what was said before",
        '{"text":"an older quote"}',
    ]


@pytest.mark.req("ARC-9")
def test_what_cursor_puts_around_the_words_is_kept_apart() -> None:
    assert [text for role, text in spoken("traps", f"{TRAP}8") if role is USER] == [
        "Почему падает тест?",
        "<div>is this tag mine?</div>",
        "plain words behind a block",
        "continue",
        "continue",
        "a bare text",
        "cr at the end",
        "when?",
    ]
    kept = {event.text for event in events("traps", f"{TRAP}8") if event.id.endswith(":context")}
    assert "<system_reminder>\nBe brief.\n</system_reminder>" in kept
    assert "<attached_files>\nunclosed by the cut" in kept


@pytest.mark.req("ARC-9")
def test_simulated_and_delegated_prompts_and_summaries_are_not_the_person() -> None:
    assert [text for role, text in spoken("traps", f"{TRAP}1") if role is USER] == ["請修好快取"]
    assert [role for role, _ in spoken("traps", f"{TRAP}3")] == [MODEL]
    assert [text for role, text in spoken("traps", f"{TRAP}6") if role is USER] == [
        "First, on a node.",
        "again",
        "again",
    ]


def test_words_beside_a_call_and_thoughts_have_ids_of_their_own() -> None:
    ids = [event.id.rpartition(f"{TRAP}1:")[2] for event in events("traps", f"{TRAP}1")]
    assert ids == ["b1", "b2", "b2:out", "b3:thinking", "b3:text", "b3", "b4", "b7"]


def test_bubbles_inside_their_session_and_times_of_nodes_are_read() -> None:
    assert spoken("traps", f"{TRAP}2") == [(USER, "Inline question?"), (MODEL, "Inline answer.")]
    assert title("traps", f"{TRAP}2") == "Old inline"
    assert [event.time for event in events("traps", f"{TRAP}6")[:2]] == [1792404060000, 1792404061000]


def test_a_workspace_tells_the_folder_of_sessions_that_do_not() -> None:
    assert opened("traps", f"{TRAP}1")[0].cwd == "/srv/shop"
    assert "/srv/My Shop" in {said.cwd for said in opened("traps", f"{TRAP}3")}
    assert opened("traps", f"{TRAP}6")[0].cwd == "/srv/shop"  # its root says so, and the chat's folder is its hash


@pytest.mark.req("ARC-3", "ARC-8")
def test_what_is_not_understood_is_counted() -> None:
    assert labels("traps") == {
        ("unknown", "bubble type 7"),
        ("unparsable", "bubble row"),
        ("unknown", "composer without an id"),
        ("unknown", "role oracle"),
        ("unknown", "assistant/hologram"),
        ("unknown", "store.db whose conversation can't be read"),
        ("unknown", "shape_of_tomorrow"),
        ("unknown", "oracle"),
        ("unparsable", "not an object"),
        ("unparsable", "not JSON"),
    }


@pytest.mark.req("QUO-9")
def test_an_old_transcript_in_plain_text_is_told_and_not_read() -> None:
    skipped = feeding.found("cursor", feeding.DATA / "cursor" / "traps" / "home")[1]
    assert [(Path(thing.path).name, thing.reason) for thing in skipped] == [("old.txt", "plain_text_transcript")]
    assert all(isinstance(thing, Skipped) for thing in skipped)


@pytest.mark.req("ARC-6")
def test_equal_words_are_told_apart_by_how_often_they_were_said() -> None:
    ids = [event.id for event in events("traps", f"{TRAP}8") if event.text == "continue"]
    assert ids[1] == f"{ids[0]}#2"


# --- words and places -----------------------------------------------------------------------------------------------


@pytest.mark.req("ARC-10")
@pytest.mark.parametrize(
    ("said", "instant"),
    [
        ("Monday, Oct 19, 2026, 6:30 PM (UTC+8)", "2026-10-19T10:30:00Z"),
        ("Tuesday, Jan 6, 2026, 12:05 AM (UTC-3:30)", "2026-01-06T03:35:00Z"),
        ("Friday, September 4, 2026 at 12:00 PM (UTC)", "2026-09-04T12:00:00Z"),
        ("Sunday, Mar 1, 2026, 23:59:58 (GMT+0530)", "2026-03-01T18:29:58Z"),
        ("Monday, Oct 19, 2026, 6:30 PM", None),
        ("Monday, Foo 19, 2026, 6:30 PM (UTC+8)", None),
        ("Monday, Feb 31, 2026, 6:30 PM (UTC+8)", None),
        ("", None),
    ],
)
def test_a_time_in_prose_is_an_instant_when_it_names_its_zone(said: str, instant: str | None) -> None:
    assert when(said) == (from_iso(instant) if instant else None)


@pytest.mark.parametrize(
    ("whole", "said"),
    [
        ("<user_query>\nfix it\n</user_query>", "fix it"),
        ("<user_query>what is </user_query> for?</user_query>", "what is </user_query> for?"),
        ("what is <user_query> for?", "what is <user_query> for?"),
        ("<rules>always</rules>\n<user_info>me</user_info> go", "go"),
        ("<rulesets>mine</rulesets>", "<rulesets>mine</rulesets>"),
        ("", ""),
    ],
)
def test_the_words_of_the_person_are_found(whole: str, said: str) -> None:
    assert divide(whole).said == said


@pytest.mark.parametrize(
    ("slug", "path", "folder"),
    [
        ("home-dev-demo-web", "/home/dev/demo-web/ui/a.css", "/home/dev/demo-web"),
        ("home-dev-demo-web", "/home/dev/demo-web", "/home/dev/demo-web"),
        ("srv-my-shop", "/srv/my_shop/", "/srv/my_shop"),
        ("c-Users-dev-shop", "c:\\Users\\dev\\shop\\a.py", "c:\\Users\\dev\\shop"),
        ("home-dev-demo-web", "/home/dev/demo-website/a.css", None),
        ("home-dev-demo-web", "demo-web/a.css", None),
        ("", "/", None),
    ],
)
def test_a_folder_is_known_by_its_name_only_when_a_path_lies_in_it(slug: str, path: str, folder: str | None) -> None:
    assert folder_named(slug, {"n": 1, "path": path}) == folder


@pytest.mark.parametrize(
    ("env", "folders"),
    [
        ({}, [".config/Cursor/User", ".cursor"]),
        ({"XDG_CONFIG_HOME": "/x"}, ["/x/Cursor/User", ".cursor"]),
        ({"CURSOR_CONFIG_DIR": "/c", "XDG_CONFIG_HOME": " "}, [".config/Cursor/User", "/c"]),
        ({"CURSOR_CONFIG_DIR": "/c", "CURSOR_DATA_DIR": "/d"}, [".config/Cursor/User", "/d", "/c"]),
    ],
)
def test_the_folders_are_those_that_cursor_s_variables_name(
    env: dict[str, str], folders: list[str], tmp_path: Path
) -> None:
    assert ADAPTER.roots(env, tmp_path) == [tmp_path / folder for folder in folders]


def test_the_editor_is_found_where_the_system_keeps_it(tmp_path: Path) -> None:
    for folder in ("Library/Application Support/Cursor/User", "Roaming/Cursor/User", ".config/cursor"):
        (tmp_path / folder).mkdir(parents=True)
    found = ADAPTER.roots({"APPDATA": str(tmp_path / "Roaming")}, tmp_path)
    mac, windows = tmp_path / "Library/Application Support/Cursor/User", tmp_path / "Roaming/Cursor/User"
    assert found == [windows, mac, tmp_path / ".cursor", tmp_path / ".config/cursor"]


# --- one session in several stores ----------------------------------------------------------------------------------


def _transcribed(person: Path, session: str, *lines: dict[str, Any]) -> None:
    file = person / f".cursor/projects/srv-shop/agent-transcripts/{session}/{session}.jsonl"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))


def _in_editor(person: Path, session: str) -> None:
    state = State(person / ".config/Cursor/User")
    state.composer(session, ["a", "b", "c"], name="The till", createdAt=1_792_404_000_000)
    state.bubble(session, "a", "Why is the till slow?")
    tool = {"name": "read_file_v2", "rawArgs": '{"target_file":"till.py"}', "result": "code", "status": "completed"}
    state.bubble(session, "b", "", by=2, capabilityType=15, toolFormerData=tool)
    state.bubble(session, "c", "It sorts all day.", by=2)


@pytest.mark.req("ARC-6")
def test_a_session_in_three_stores_is_one_whose_old_ids_stay_resolvable(run: Run, person: Path) -> None:
    session = f"{TRAP}1"
    call = {"type": "tool_use", "name": "Read", "input": {"path": "/srv/shop/till.py"}}
    answer = {"role": "assistant", "message": {"content": [call, {"type": "text", "text": "It sorts all day."}]}}
    _transcribed(person, session, user("<user_query>Why is the till slow?</user_query>"), answer)
    run("sync")
    before = _shown(run, session)
    assert len(before) == 3

    store = Store(person / ".cursor", session)
    store.say(asked("Why is the till slow?"), answered("It sorts all day."), asked("Only here."))
    run("sync")
    assert [event["text"] for event in _shown(run, session)] == [
        "Why is the till slow?",
        "It sorts all day.",
        "Only here.",
    ]

    _in_editor(person, session)
    run("sync")
    shown = _shown(run, session)
    assert sorted(event["text"].partition("\n")[0] for event in shown) == [
        "It sorts all day.",
        "Only here.",
        "Why is the till slow?",
        "code",
        "read_file_v2",
    ]
    assert len(run("search", "till slow", "--json").json()["events"]) == 1
    (row,) = run("timeline", "--since", "2020-01-01", "--json").json()["sessions"]
    assert (row["title"], row["events"]) == ("The till", 5)
    asked_before, read_before, _ = before
    assert run("get", asked_before["id"], "--json").json()["id"] == f"cursor:{session}:a"
    assert run("get", read_before["id"], "--json").json()["text"].startswith("Read\n")  # hidden, and still there

    answers = _shown(run, session)
    run("rebuild")
    assert _shown(run, session) == answers


def _shown(run: Run, session: str) -> list[dict[str, Any]]:
    shown: list[dict[str, Any]] = run("timeline", session, "--include-tools", "--json").json()["events"]
    return shown
