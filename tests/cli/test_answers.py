"""The verbs through the real command: data on standard output, JSON as the services give it, exit codes."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest

from running import Run

pytestmark = pytest.mark.usefixtures("logged")


@pytest.fixture
def synced(run: Run) -> Run:
    run("sync")
    return run


def one_event(run: Run, words: str = "idempotency key") -> dict[str, str]:
    event: dict[str, str] = run("search", words, "--no-sync", "--json").json()["events"][0]
    return event


@pytest.mark.req("QUO-2", "QUO-10")
@pytest.mark.parametrize("words", ["idempotency key", "时区", "шлем уведомления"])
def test_a_search_reads_what_is_new_and_finds_it_in_any_language(run: Run, person: Path, words: str) -> None:
    for agent in (".claude", ".codex"):
        (person / agent).rename(person / f"parked{agent}")
    run("sync")
    for agent in (".claude", ".codex"):
        (person / f"parked{agent}").rename(person / agent)
    done = run("search", words, "--json")
    answer = done.json()
    assert set(answer) == {"entries", "events", "next"}
    assert answer["events"][0]["snippet"].count("[") >= 1
    assert done.err == ""


@pytest.mark.req("QUO-11")
@pytest.mark.usefixtures("logged")
def test_the_first_reading_of_all_is_left_to_sync(run: Run) -> None:
    done = run("search", "idempotency", check=False)
    assert done.code == 3
    assert "`quoth sync`" in done.err
    assert [source["files"] for source in run("status", "--json").json()["sources"] if source["files"]] == []


@pytest.mark.req("QUO-2")
def test_options_narrow_a_search_and_a_cursor_goes_on(synced: Run) -> None:
    first = synced("search", "the", "--source", "codex", "--limit", "2", "--json").json()
    assert {event["source"] for event in first["events"]} == {"codex"}
    second = synced("search", "the", "--source", "codex", "--limit", "2", "--cursor", first["next"], "--json").json()
    assert not {e["id"] for e in first["events"]} & {e["id"] for e in second["events"]}
    assert synced("search", "the", "--project", "crumb-web", "--json").json()["events"]
    assert synced("search", "the", "--until", "365d", check=False).code == 3


@pytest.mark.req("QUO-2")
def test_tools_are_searched_only_when_asked(synced: Run) -> None:
    assert synced("search", "offset-naive", check=False).code == 3
    events = synced("search", "offset-naive", "--tools", "--json").json()["events"]
    assert {event["kind"] for event in events} == {"tool_result"}


@pytest.mark.req("QUO-10")
def test_nothing_found_ends_with_3_and_says_so_apart_from_the_data(synced: Run) -> None:
    done = synced("search", "zeppelin", check=False)
    assert (done.code, done.out) == (3, "")
    assert "Nothing found" in done.err
    answered = synced("search", "zeppelin", "--json", check=False)
    assert (answered.code, answered.json()["events"], answered.err) == (3, [], "")


@pytest.mark.req("QUO-10")
@pytest.mark.parametrize(
    "args", [["get", "claude-code:none"], ["sources", "codex:none"], ["open", "claude-code:none"], ["timeline", "none"]]
)
def test_an_unknown_id_ends_with_3_and_a_sentence(synced: Run, args: list[str]) -> None:
    done = synced(*args, check=False)
    assert (done.code, done.out) == (3, "")
    assert done.err.startswith("Unknown ")
    assert json.loads(synced(*args, "--json", check=False).err)["error"]["code"].startswith("unknown_")


@pytest.mark.req("QUO-4")
def test_the_timeline_lists_sessions_with_the_command_that_goes_on(synced: Run) -> None:
    sessions = synced("timeline", "--since", "30d", "--json").json()["sessions"]
    named = {session["title"]: session for session in sessions}
    assert "cd /home/mina/crumb && claude --resume " in named["Deposits for wedding cakes"]["resume"]
    assert "codex resume " in named["自提时间差了八小时"]["resume"]
    text = synced("timeline", "--since", "30d").out
    assert named["自提时间差了八小时"]["resume"] in text.replace("\n", "")
    assert "自提时间差了八小时" in text


@pytest.mark.req("QUO-4")
def test_a_session_can_be_given_by_its_beginning(synced: Run) -> None:
    event = one_event(synced)
    answer = synced("timeline", event["session"][:8], "--json").json()
    assert answer["session"]["session"] == event["session"]
    said = synced("timeline", event["session"][:8]).out
    assert "Customers charged twice on slow networks" in said
    assert said.index("Two customers were charged twice") < said.index("Refunded by hand")


@pytest.mark.req("QUO-4")
def test_get_shows_an_event_in_full(synced: Run) -> None:
    event = one_event(synced)
    answer = synced("get", event["id"], "--json").json()
    assert answer["cwd"] == "/home/mina/crumb"
    assert answer["text"].split()[0] in synced("get", event["id"]).out


@pytest.mark.req("QUO-4", "INV-3")
def test_sources_give_the_exact_line_of_the_agents_file(synced: Run) -> None:
    event = one_event(synced)
    (source, *_) = synced("sources", event["id"], "--json").json()
    line = Path(source["original_file"]).read_bytes().split(b"\n")[source["line"] - 1]
    raw = synced("sources", event["id"], "--raw").out
    assert raw.encode() == line + b"\n"
    assert hashlib.sha256(line).hexdigest() == source["sha256"]
    place = f"{source['original_file']}:{source['line']}"
    assert synced("open", event["id"], "--file").out == f"{place}\n"
    assert synced("open", event["id"], "--raw").out == raw
    assert place in synced("sources", event["id"], env={"COLUMNS": "400"}).out


@pytest.mark.req("QUO-4", "QUO-11")
def test_open_shows_the_conversation_around_an_event_and_how_to_go_on(synced: Run) -> None:
    event = one_event(synced, "deposit refundable until")
    wide = {"COLUMNS": "400"}
    near = synced("open", event["id"], "--around", "1", env=wide).out
    whole = synced("open", event["id"], "--all", env=wide).out
    assert "▶ " in near
    assert "earlier; --all shows them" in near
    assert "have a rule" not in near
    assert "What do we have already?" in whole
    assert whole.rstrip().splitlines()[-1].strip().startswith("cd /home/mina/crumb && claude --resume ")
    shown = synced("open", event["id"], "--json").json()
    assert shown["event"] == event["id"]
    assert event["id"] in {one["id"] for one in shown["events"]}


@pytest.mark.req("QUO-10")
def test_a_pipe_gets_no_color_and_no_control_codes(synced: Run) -> None:
    for args in (["search", "bread"], ["timeline", "--since", "30d"], ["status"], [], ["doctor"]):
        done = synced(*args, env={"FORCE_COLOR": "1", "CLICOLOR_FORCE": "1", "TTY_COMPATIBLE": "1"})
        assert "\x1b" not in done.out + done.err


def test_json_needs_neither_the_printing_of_tables_nor_git_nor_toml(synced: Run) -> None:
    done = synced("search", "bread", "--json", env={"PYTHONPROFILEIMPORTTIME": "1"})
    assert "quoth.wiring" in done.err
    for heavy in ("rich", "dulwich", "tomlkit"):
        assert f" {heavy}\n" not in done.err


def test_output_in_an_old_encoding_is_escaped_and_stays_json(synced: Run) -> None:
    old = {"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    assert synced("search", "时区", "--json", env=old).json()["events"]
    assert "\\u65f6" in synced("search", "时区", env=old).out
