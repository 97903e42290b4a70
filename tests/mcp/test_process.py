"""The real server over real logs: reading in the background, ending, many servers at once, a hostile folder."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from memory import Memory
from sample_logs import Silent, logged
from wire import PATIENCE, Wire

from quoth.mirror.home import ingest_lock
from quoth.surfaces.mcp.archive import Archive
from quoth.surfaces.mcp.door import load, parse
from quoth.surfaces.mcp.passes import Pass
from quoth.wiring import Kernel
from running import Run
from services.archive import Archive as Logs

Connect = Callable[..., Wire]

EVENT = "claude-code:44f11915-c1c3-4747-af15-94f7510325ef"
SEARCH = {"query": "parser"}


def append(run: Run, text: str, *, n: int) -> str:
    """Let an agent write a line, and return the id of its event."""
    logs = Logs(run.person)
    path = run.person / ".claude" / "projects" / "-work-bakery" / "6b1c2f6e-8f0a-4d7e-9d55-3a1c5e0f7a11.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    record = logs.record(text, n=n)
    with path.open("ab") as file:
        file.write(record)
    return f"claude-code:{json.loads(record)['uuid']}"


def await_event(wire: Wire, event: str) -> None:
    """Ask for an event until it is there; `get` reads no logs itself."""
    end = time.monotonic() + PATIENCE
    while wire.result("tools/call", {"name": "get", "arguments": {"id": event}})["isError"]:
        assert time.monotonic() < end, f"{event} never came"


def has(run: Run, event: str) -> bool:
    kernel = Kernel(run.environment())
    try:
        return kernel.index.event(kernel.index.resolve(event) or event) is not None  # type: ignore[arg-type]
    finally:
        kernel.close()


# --- fresh ---


@pytest.mark.req("ORI-2", "ORI-64")
def test_a_question_finds_what_was_written_before_it(run: Run, person: Path, connect: Connect) -> None:
    logged(person)
    wire = connect("--dialect", "origin")
    assert [event["id"] for event in wire.call("search", **SEARCH)["events"]] == [EVENT]
    assert wire.call("timeline", since="2000-01-01")["sessions"]


@pytest.mark.req("ORI-63")
def test_the_logs_are_read_when_the_server_starts(run: Run, person: Path, connect: Connect) -> None:
    logged(person)
    wire = connect(ORIGIN_WATCH_INTERVAL_MS="0")
    wire.result("tools/list")
    await_event(wire, EVENT)


@pytest.mark.req("ORI-66")
def test_new_lines_are_read_while_nobody_asks(run: Run, connect: Connect) -> None:
    first = append(run, "rye", n=1)
    wire = connect(ORIGIN_WATCH_INTERVAL_MS="100")
    wire.result("tools/list")
    await_event(wire, first)
    await_event(wire, append(run, "wheat", n=2))


@pytest.mark.req("ORI-63", "ORI-72")
def test_a_pass_of_another_process_delays_no_answer_and_is_told(
    run: Run, home: Path, person: Path, connect: Connect
) -> None:
    logged(person)
    with ingest_lock(home):
        wire = connect()
        wire.greet()
        wire.result("tools/list")
        [answer, note] = wire.texts("search", **SEARCH)
        assert json.loads(answer)["events"] == []
        assert note == "Note: new log lines are still being read; this answer has what is stored so far."


@pytest.mark.req("ORI-72", "QUO-11")
def test_paused_reading_is_told(run: Run, person: Path, connect: Connect) -> None:
    logged(person)
    run("sync", "--pause", "1h")
    [answer, note] = connect().texts("search", **SEARCH)
    assert json.loads(answer)["events"] == []
    assert note == "Note: reading is paused; this answer has what was read before."


@pytest.mark.req("ORI-67")
def test_what_was_said_last_is_read_when_the_client_closes(run: Run, connect: Connect) -> None:
    wire = connect(ORIGIN_WATCH_INTERVAL_MS="0")
    wire.call("search", query="anything")
    event = append(run, "the very last word", n=1)
    assert wire.close() == 0
    assert has(run, event)


@pytest.mark.req("ORI-67")
def test_what_was_said_last_is_read_when_the_host_ends_the_server(run: Run, connect: Connect) -> None:
    wire = connect(ORIGIN_WATCH_INTERVAL_MS="0")
    wire.call("search", query="anything")
    event = append(run, "the very last word", n=1)
    assert wire.terminate() == 0
    assert has(run, event)


@pytest.mark.req("ORI-67")
def test_a_pass_that_takes_too_long_is_ended(run: Run, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in run.environment().items():
        monkeypatch.setenv(name, value)
    with ingest_lock(home):
        passing = Pass()
        assert not passing.wait(0)
        passing.stop()
        assert passing.wait(0)
    assert passing.note is not None


def test_a_client_that_never_says_a_word_gets_none(connect: Connect) -> None:
    wire = connect()
    assert wire.close() == 0
    assert wire.errors == ""


def test_a_client_that_dies_in_the_middle_of_a_line_ends_the_server(connect: Connect) -> None:
    wire = connect()
    wire.greet()
    wire.write(b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"na')
    assert wire.close() == 0
    assert "Traceback" not in wire.errors


def test_a_host_that_closes_standard_error_is_served(run: Run, person: Path) -> None:
    logged(person)
    line = b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search","arguments":{"query":"parser"}}}'
    closed = ["sh", "-c", 'exec "$@" 2>&-', "sh", *run.command("mcp", "--nonsense")]
    done = subprocess.run(closed, input=line, env=run.environment(), cwd=person, capture_output=True, check=True)
    [reply] = done.stdout.splitlines()
    assert EVENT in reply.decode()


def test_everything_asked_before_the_end_is_answered(run: Run, person: Path, connect: Connect) -> None:
    logged(person)
    wire = connect()
    asked = [wire.send("tools/call", {"name": "search", "arguments": SEARCH}, modern=True) for _ in range(20)]
    assert wire.close() == 0
    assert all(not wire.reply_to(request)["result"]["isError"] for request in asked)


# --- together ---


@pytest.mark.req("ARC-2", "ORI-2")
def test_ten_servers_on_one_home_all_answer_and_read_everything_once(run: Run, person: Path, connect: Connect) -> None:
    logged(person)
    wires = [connect(f"--dialect={'origin' if number % 2 else 'quoth'}") for number in range(10)]
    answers: list[Any] = []

    def use(number: int, wire: Wire) -> None:
        wire.result("tools/list", modern=bool(number % 3))
        for turn in range(6):
            if turn == 3:
                append(run, f"loaf {number} of ten", n=number)
            wire.call("search", query="loaf")
            wire.call("timeline", since="2000-01-01")
        answers.append(number)
        wire.close()

    threads = [threading.Thread(target=use, args=pair) for pair in enumerate(wires)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(2 * PATIENCE)
    assert sorted(answers) == [*range(10)]
    assert all(wire.process.returncode == 0 for wire in wires)
    found = run("search", "loaf", "--limit", "100", "--no-sync", "--json").json()["events"]
    assert sorted(event["text"] for event in found) == [f"loaf {number} of ten" for number in range(10)]
    again = Run(person, run.home.with_name("again"))
    counted = [each("status", "--json").json()["sources"] for each in (run, again) if each("sync", "--json")]
    assert [each["events"] for each in counted[0]] == [each["events"] for each in counted[1]]
    assert not [check for check in run("doctor", "--json").json()["checks"] if check["status"] == "fail"]


@pytest.mark.req("INV-1")
def test_a_new_index_is_noticed_by_a_server_that_runs(tmp_path: Path) -> None:
    logs = Logs(tmp_path)
    logs.log().write_bytes(logs.record("rye", n=1))
    logs.sync()
    archive = Archive(logs.kernel)
    client = Memory(load("quoth"), archive)
    assert len(client.call("search", query="rye")["events"]) == 1
    logs.rebuild()
    with logs.log().open("ab") as file:
        file.write(logs.record("more rye", n=2))
    logs.sync()
    assert len(client.call("search", query="rye")["events"]) == 2
    archive.close()


# --- safe ---


def test_nothing_is_imported_from_the_folder_an_agent_works_in(run: Run, person: Path, connect: Connect) -> None:
    logged(person)
    marker = person / "was-run"
    for name in ("json", "quoth", "apsw", "hmac"):
        (person / f"{name}.py").write_text(f"open({str(marker)!r}, 'w')\n")
    wire = connect()
    assert wire.call("search", **SEARCH)["events"]
    assert wire.close() == 0
    assert not marker.exists()


@pytest.mark.req("ORI-16")
def test_a_home_that_can_not_be_is_a_tool_error(home: Path, connect: Connect) -> None:
    home.write_text("no folder")
    wire = connect()
    answer = wire.result("tools/call", {"name": "search", "arguments": SEARCH})
    assert answer["isError"]
    assert "can't hold the store" in answer["content"][0]["text"]
    assert wire.close() == 0


def test_broken_settings_are_told_and_keep_nobody_from_answers(home: Path, person: Path, connect: Connect) -> None:
    logged(person)
    home.mkdir()
    (home / "config.toml").write_text("[watch\n")
    wire = connect()
    wire.result("tools/list")
    assert wire.call("search", **SEARCH)["events"]
    wire.close()
    assert "config.toml can't be used" in wire.errors


# --- options ---


@pytest.mark.req("ENG-8")
def test_an_unknown_option_is_ignored_and_told(connect: Connect) -> None:
    wire = connect("--always-load", "--dialect", "origin", "--color=never")
    assert wire.greet()["serverInfo"]["name"] == "origin"
    wire.close()
    assert wire.errors.splitlines() == [
        "quoth mcp: unknown option '--always-load' is ignored",
        "quoth mcp: unknown option '--color' is ignored",
    ]


@pytest.mark.parametrize("name", ["nope", "", "_archive", "../origin", "os", "origin.py", "Origin"])
def test_an_unknown_dialect_ends_with_the_names_there_are(name: str, run: Run) -> None:
    done = run("mcp", "--dialect", name, check=False)
    assert (done.code, done.out) == (2, "")
    assert done.err.endswith("the dialects are hmg, memory-mcp, origin, quoth\n")


def test_the_dialect_is_ours_unless_told_otherwise() -> None:
    assert [parse(given).dialect for given in ([], ["--dialect", "origin"], ["--dialect=origin"], ["--dialect"])] == [
        "quoth",
        "origin",
        "origin",
        "",
    ]


def test_the_help_is_that_of_a_command(run: Run) -> None:
    assert "quoth mcp --dialect origin" in run("mcp", "--help").out


def test_the_server_is_no_command_among_options(run: Run) -> None:
    assert run("--json", "mcp", check=False).code == 2


# --- light ---

_HEAVY = {
    "apsw",
    "asyncio",
    "click",
    "dulwich",
    "logging",
    "orjson",
    "rich",
    "socket",
    "sqlite3",
    "subprocess",
    "tomlkit",
}


@pytest.mark.parametrize("dialect", ["quoth", "origin"])
def test_the_first_answer_imports_nothing_heavy(dialect: str) -> None:
    program = (
        "import sys; from quoth.surfaces.mcp import door;"
        f"door.load({dialect!r}); print(*{{name.partition('.')[0] for name in sys.modules}})"
    )
    done = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True)
    assert not _HEAVY & {*done.stdout.split()}


@pytest.mark.req("ORI-13")
def test_times_are_those_of_the_servers_zone(run: Run, person: Path, connect: Connect) -> None:
    logged(person)
    [event] = connect(TZ="Asia/Shanghai").call("search", **SEARCH)["events"]
    assert event["time"] == "2026-10-21T23:00:02.137+08:00"


def test_the_samples_are_read_whole(archived: Run) -> None:
    kernel = Kernel(archived.environment())
    assert kernel.ingest.run(Silent()).events == 0
    kernel.close()
