"""What Pi keeps where, and what its samples give: a tree in one file, forks that copy it, and an older format."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

import feeding
from quoth.core.ids import SessionId
from quoth.core.model import Event, Fact, Found, Kind, Opened, Role, Titled, Unread
from quoth.sources.pi import ADAPTER
from running import Run

SAMPLES = feeding.DATA / "pi"
PORTS = "fff004e3-146b-49da-a16e-77eda7e00c6b"
FIRST, DEPLOY, FORK, FORK_OF_FORK, LOGS = (f"7f1e0000-0000-4000-8000-00000000000{n}" for n in range(1, 6))

Record = dict[str, Any]


def facts(case: str) -> list[Fact]:
    return [fact for said in feeding.read("pi", SAMPLES / case / "home") for fact in said.facts]


def events(case: str, session: str) -> list[Event]:
    return [fact for fact in facts(case) if isinstance(fact, Event) and fact.session == session]


def spoken(found: Sequence[Event]) -> list[tuple[int, Role, str]]:
    return [(event.line, event.role, event.text) for event in found if event.kind is Kind.MESSAGE]


def write(person: Path, session: str, *records: Record, stamp: str = "2026-08-01T09-00-00-000Z") -> None:
    path = person / ".pi" / "agent" / "sessions" / "--srv-shop--" / f"{stamp}_{session}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(f"{json.dumps(record)}\n" for record in records), encoding="utf-8")


def header(session: str, at: str, **more: Any) -> Record:
    return {"type": "session", "id": session, "timestamp": at, "cwd": "/srv/shop", **more}


def said(text: str, at: str, role: str = "user", **more: Any) -> Record:
    return {"type": "message", "timestamp": at, "message": {"role": role, "content": text}, **more}


def listed(run: Run, *args: str) -> list[dict[str, Any]]:
    sessions: list[dict[str, Any]] = run("timeline", "--since", "2020-01-01", "--json", *args).json()["sessions"]
    return sessions


# --- samples --------------------------------------------------------------------------------------------------------


@pytest.mark.req("ARC-3", "ARC-9")
def test_the_everyday_sample_says_what_was_said_on_both_branches() -> None:
    found = events("everyday", PORTS)
    assert spoken(found) == [
        (3, Role.USER, "Which port does the dev server use?"),
        (6, Role.ASSISTANT, "Port 5199, set in vite.config.ts."),
        (8, Role.USER, "И какой порт у тестового сервера?"),
        (9, Role.ASSISTANT, "5200, он задан в package.json."),
    ]
    tools = [(event.kind, event.text) for event in found if event.kind in {Kind.TOOL_USE, Kind.TOOL_RESULT}]
    assert tools == [
        (Kind.TOOL_USE, 'read\n{"path":"vite.config.ts"}'),
        (Kind.TOOL_RESULT, "server: { port: 5199 }"),
    ]
    assert [fact.title for fact in facts("everyday") if isinstance(fact, Titled)] == ["Dev server ports"]
    assert {event.cwd for event in found} == {"/home/dev/demo-app"}


@pytest.mark.req("ARC-9")
def test_skills_summaries_and_what_extensions_put_in_are_not_the_persons_words() -> None:
    found = events("traps", DEPLOY)
    by_person = [text for _, role, text in spoken(found) if role is Role.USER]
    assert by_person == ["把这个分支部署到测试环境。", "Und jetzt in die Produktion."]
    meta = {event.text for event in found if event.kind is Kind.META}
    assert {"The branch is deployed.", "Remember the changelog.", "[image image/png, 3 KB]"} <= meta
    assert any(text.startswith("<skill name=") for text in meta)
    assert not any("secret plan" in event.text for event in found)


@pytest.mark.req("ARC-9")
def test_a_command_of_the_person_is_tool_traffic() -> None:
    ran = [event for event in events("traps", DEPLOY) if ":00000006" in event.id]
    assert [(event.role, event.kind, event.text) for event in ran] == [
        (Role.USER, Kind.TOOL_USE, "curl -s localhost:8080/health"),
        (Role.USER, Kind.TOOL_RESULT, "ok"),
    ]


@pytest.mark.req("ARC-9")
def test_calls_of_our_own_tools_and_their_results_are_ours() -> None:
    own = [event.text for event in events("traps", DEPLOY) if event.own]
    assert own == ['quoth__search\n{"query":"部署"}', "Deployed last on Monday."]


@pytest.mark.req("ARC-3", "ARC-8")
def test_torn_glued_and_unknown_entries_are_counted_and_stop_nothing() -> None:
    unread = [fact for fact in facts("traps") if isinstance(fact, Unread) and fact.reason != "replayed"]
    assert [(fact.line, fact.reason, fact.label) for fact in unread] == [
        (11, "unknown", "message/hologram"),
        (12, "unknown", "holodeck"),
        (14, "unparsable", "torn"),
        (16, "unparsable", "not JSON"),
    ]
    assert [event.part for event in events("traps", DEPLOY) if event.line == 14] == [0, 1]


@pytest.mark.req("ARC-6")
def test_a_fork_keeps_the_ids_of_what_it_copied() -> None:
    original = {event.id: event.text for event in events("traps", DEPLOY)}
    copied = [event for event in events("traps", FORK) if event.id in original]
    assert [event.text for event in copied] == [original[event.id] for event in copied]
    assert len({event.line for event in copied}) == 5
    own = [event.text for event in events("traps", FORK) if event.id not in original and event.text]
    assert own == ["A question in the fork.", "An answer in the fork."]
    opened = [fact.forked_from for fact in facts("traps") if isinstance(fact, Opened) and fact.session == FORK]
    assert opened == [DEPLOY]


def test_entries_of_two_sessions_may_have_the_same_ids() -> None:
    found = [*events("traps", DEPLOY), *events("traps", LOGS)]
    assert len({event.id for event in found}) == len(found)


def test_equal_words_of_the_oldest_format_are_two_events() -> None:
    twice = [event for event in events("traps", FIRST) if event.text == "да"]
    assert len({event.id for event in twice}) == 2


def test_what_made_an_answer_fail_is_said_by_the_system() -> None:
    failed = [event for event in events("traps", DEPLOY) if event.id.endswith(":error")]
    assert [(event.role, event.kind, event.text) for event in failed] == [(Role.SYSTEM, Kind.SYSTEM, "529 overloaded")]


# --- files ----------------------------------------------------------------------------------------------------------


@pytest.mark.req("SEC-4")
def test_only_sessions_are_read_wherever_a_version_put_them(tmp_path: Path) -> None:
    name = f"2026-08-01T09-00-00-000Z_{DEPLOY}.jsonl"
    for key in (f"sessions/--srv--/{name}", name, "auth.json", "settings.json", "notes.jsonl"):
        (tmp_path / key).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / key).write_text("{}\n", encoding="utf-8")
    found = sorted(entry.key for entry in ADAPTER.find(tmp_path) if isinstance(entry, Found))
    assert found == [name, f"sessions/--srv--/{name}"]
    assert ADAPTER.resume(SessionId(DEPLOY)) == ("pi", "--session", DEPLOY)


def test_the_folders_are_the_ones_that_the_agent_uses(tmp_path: Path) -> None:
    assert ADAPTER.roots({"PI_CODING_AGENT_DIR": " "}, tmp_path) == [tmp_path / ".pi" / "agent"]
    env = {"PI_CODING_AGENT_DIR": "~/pi", "PI_CODING_AGENT_SESSION_DIR": "/elsewhere"}
    assert ADAPTER.roots(env, tmp_path) == [tmp_path / "pi", Path("/elsewhere")]


# --- through the archive --------------------------------------------------------------------------------------------


@pytest.mark.req("ARC-6", "ARC-7")
def test_a_session_whose_format_is_migrated_counts_once(person: Path, run: Run) -> None:
    first, second, later = (f"2026-01-05T10:00:0{n}.000Z" for n in range(1, 4))
    entries = [said("Count the orders.", first), said("Twelve.", second, "assistant")]
    write(person, FIRST, header(FIRST, "2026-01-05T10:00:00.000Z"), *entries)
    run("sync")
    before = run("search", "orders", "--no-sync", "--json").json()["events"]
    migrated = [{**entry, "id": f"0000000{n}", "parentId": None} for n, entry in enumerate(entries, 1)]
    more = said("And the returns?", later, id="00000003", parentId="00000002")
    write(person, FIRST, header(FIRST, "2026-01-05T10:00:00.000Z", version=3), *migrated, more)
    run("sync")
    assert [event["id"] for event in run("search", "orders", "--no-sync", "--json").json()["events"]] == [
        before[0]["id"]
    ]
    assert run("search", "returns", "--no-sync", "--json").json()["events"]
    assert "Count the orders." in run("get", f"pi:{FIRST}:00000001").out


@pytest.mark.req("ARC-6")
def test_a_fork_of_a_fork_counts_only_what_is_new_in_it(person: Path, run: Run) -> None:
    times = [f"2026-08-0{day}T09:00:0{second}.000Z" for day in (1, 2, 3) for second in (0, 5)]
    write(person, DEPLOY, header(DEPLOY, times[0], version=3), said("in the first", times[1], id="00000001"))
    copies = [said("in the first", times[1], id="00000001"), said("in the second", times[3], id="00000002")]
    parents = [f"/x/2026-08-0{day}T09-00-00-000Z_{session}.jsonl" for day, session in ((1, DEPLOY), (2, FORK))]
    second = header(FORK, times[2], version=3, parentSession=parents[0])
    third = header(FORK_OF_FORK, times[4], version=3, parentSession=parents[1])
    write(person, FORK, second, *copies, stamp="2026-08-02T09-00-00-000Z")
    last = said("in the third", times[5], id="00000003")
    write(person, FORK_OF_FORK, third, *copies, last, stamp="2026-08-03T09-00-00-000Z")
    run("sync")
    shown = {session["session"]: (session["prompt"], session.get("forked_from")) for session in listed(run)}
    assert shown == {
        DEPLOY: ("in the first", None),
        FORK: ("in the second", DEPLOY),
        FORK_OF_FORK: ("in the third", FORK),
    }
    assert len(run("search", "in the", "--no-sync", "--json").json()["events"]) == 3


@pytest.mark.req("ARC-6")
def test_a_fork_whose_original_is_gone_still_has_its_history(person: Path, run: Run) -> None:
    fork = header(FORK, "2026-08-02T09:00:00.000Z", version=3, parentSession=f"2026-08-01T09-00-00-000Z_{DEPLOY}.jsonl")
    write(person, FORK, fork, said("long ago", "2026-08-01T09:00:05.000Z", id="00000001"))
    run("sync")
    assert [session["prompt"] for session in listed(run)] == ["long ago"]
