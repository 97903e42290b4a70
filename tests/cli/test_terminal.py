"""What a person sees: colour, width, progress, and nothing of a log that acts on the terminal."""

from __future__ import annotations

import json
import re
import signal
import subprocess
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from rich.cells import cell_len

from quoth.core.query import Query
from quoth.surfaces.cli.demo.claude_log import ClaudeLog
from quoth.surfaces.cli.demo.talks import Talk, Turn
from quoth.surfaces.cli.shown.words import matched
from running import Run

OnTerminal = Callable[..., Any]  # a Screen of conftest.py

_RESUME = re.compile(r"(claude --resume|codex resume) \S+$")

HOSTILE = "pwned \x1b]0;evil\x07\x1b[31m\x9b5n \u202egnp.exe \u2066x [bold red]markup[/] :smile: \x00 end"


@pytest.fixture
def hostile(person: Path) -> None:
    facts = {"agent": "claude-code", "title": HOSTILE, "project": "x", "branch": HOSTILE}
    talk = Talk("hostile", facts, (Turn(">", HOSTILE), Turn("$", f"Bash: {HOSTILE}"), Turn("=", HOSTILE)))
    log = ClaudeLog(talk, datetime.now(UTC) - timedelta(hours=1))
    log.fill()
    log.write(person / ".claude")


@pytest.mark.req("SEC-2")
@pytest.mark.usefixtures("hostile")
@pytest.mark.parametrize("command", ["search", "timeline", "get", "sources", "open", "raw", "json"])
def test_nothing_of_a_log_acts_on_the_terminal(run: Run, on_terminal: OnTerminal, command: str) -> None:
    run("sync")
    event = run("search", "pwned", "--json").json()["events"][0]
    args = {
        "search": ["search", "pwned"],
        "timeline": ["timeline"],
        "get": ["get", event["id"]],
        "sources": ["sources", event["id"]],
        "open": ["open", event["id"], "--tools"],
        "raw": ["sources", event["id"], "--raw"],
        "json": ["get", event["id"], "--json"],
    }[command]
    into_a_pipe = "" if command == "raw" else run(*args).out  # exact bytes are what --raw is for
    for raw in (on_terminal(*args).raw, into_a_pipe):
        kept = re.sub(r"\x1b\[[0-9;]*m|\x1b\[\?25[lh]|\x1b\[2K|\x1b\[1A", "", raw.replace("\x1b[31m[", ""))
        assert "\x1b" not in kept
        assert not re.search("[\x00\x07\x80-\x9f\u202a-\u202e\u2066-\u2069]", raw)


@pytest.mark.req("SEC-2")
@pytest.mark.usefixtures("hostile")
def test_markup_in_a_log_is_shown_as_it_is(run: Run) -> None:
    run("sync")
    event = run("search", "pwned", "--json").json()["events"][0]
    said = run("get", event["id"]).out
    assert "[bold red]markup[/] :smile:" in said
    assert "␛]0;evil␇" in said


@pytest.mark.req("QUO-10")
@pytest.mark.usefixtures("logged")
def test_a_terminal_has_color_unless_no_color_is_set(run: Run, on_terminal: OnTerminal) -> None:
    run("sync")
    assert on_terminal("search", "bread").has_color
    plain = on_terminal("search", "bread", env={"NO_COLOR": "1"})
    assert "\x1b" not in plain.raw
    assert "[bread]" in plain.text


@pytest.mark.parametrize(
    ("snippet", "words", "marked"),
    [
        ("see [docs] about [bread]", "bread", ["bread"]),
        ("数据库存 UTC，显示时用门店的[时区]", "时区", ["时区"]),
        ("order[Deadline] in [Bread]crumbs[0]", "deadline bread", ["Deadline", "Bread"]),
    ],
)
def test_only_matches_are_marked_not_the_brackets_of_the_text(snippet: str, words: str, marked: list[str]) -> None:
    shown = matched(snippet, Query.parse(words), styled=True)
    assert [shown.plain[span.start : span.end] for span in shown.spans] == marked


@pytest.mark.usefixtures("logged")
def test_the_first_reading_looks_first_then_shows_progress_and_the_next_step(on_terminal: OnTerminal) -> None:
    screen = on_terminal("sync")
    assert screen.code == 0
    look, progress, done = (screen.text.index(word) for word in ("to read", "Reading", "new events"))
    assert look < progress < done
    assert re.search(r"\d+ events", screen.text)
    assert "quoth search" in screen.text[done:]
    assert "to read" not in on_terminal("sync").text


@pytest.mark.usefixtures("logged")
@pytest.mark.parametrize("columns", [50, 80, 100, 140])
def test_no_line_is_wider_than_the_terminal(run: Run, on_terminal: OnTerminal, columns: int) -> None:
    run("sync")
    for args in (["timeline", "--since", "30d"], ["search", "时区"], ["status"], ["sync", "--dry-run"]):
        for line in on_terminal(*args, columns=columns).text.splitlines():
            assert cell_len(line.rstrip()) <= columns or _RESUME.search(line), line


@pytest.mark.usefixtures("logged")
def test_a_command_to_be_copied_is_never_cut_nor_broken(run: Run, on_terminal: OnTerminal) -> None:
    run("sync")
    (session, *_) = run("timeline", "--since", "30d", "--json").json()["sessions"]
    for args in (["timeline", "--since", "30d"], ["open", session["session"]]):
        assert any(line.endswith(session["resume"]) for line in on_terminal(*args, columns=50).text.splitlines())


@pytest.mark.usefixtures("logged")
def test_sentences_break_between_words(run: Run, on_terminal: OnTerminal) -> None:
    run("sync")
    for args in (["search", "zeppelin"], ["open", "0"], ["link", "nobody"]):
        said = on_terminal(*args, columns=50).text
        whole = run(*args, check=False)
        assert max(map(cell_len, said.splitlines())) <= 50
        assert said.split() == (whole.out + whole.err).split()


@pytest.mark.usefixtures("logged")
def test_json_is_laid_out_for_a_person_and_compact_for_a_program(run: Run, on_terminal: OnTerminal) -> None:
    run("sync")
    assert len(on_terminal("status", "--json").text.splitlines()) > 10
    assert len(run("status", "--json").out.splitlines()) == 1
    assert json.loads(on_terminal("status", "--json").text) == run("status", "--json").json()


@pytest.mark.req("QUO-10")
@pytest.mark.usefixtures("logged")
def test_a_reader_that_has_read_enough_is_no_failure(run: Run) -> None:
    run("sync")
    command = subprocess.Popen(
        run.command("timeline", "--since", "90d"), stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=run.environment()
    )
    assert command.stdout
    command.stdout.close()
    assert command.stderr
    said = command.stderr.read()
    command.stderr.close()
    assert (command.wait(60), said) == (0, b"")


@pytest.mark.req("INV-6")
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
@pytest.mark.usefixtures("logged")
def test_an_answer_that_could_not_be_written_is_a_failure(run: Run) -> None:
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            run.command("status", "--json"), stdout=full, stderr=subprocess.PIPE, env=run.environment(), check=False
        )
    assert done.returncode == 1
    assert b"OSError" in done.stderr
    assert b"Traceback" not in done.stderr


@pytest.mark.usefixtures("logged")
def test_words_that_are_no_text_are_simply_not_found(run: Run) -> None:
    command = [*map(str.encode, run.command("search")), b"caf\xe9"]
    done = subprocess.run(command, capture_output=True, env=run.environment(), check=False)
    assert done.returncode == 3, done.stderr


@pytest.mark.usefixtures("logged")
def test_interrupting_is_quiet_and_ends_with_130(run: Run) -> None:
    command = subprocess.Popen(
        run.command("sync", "--watch"), stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=run.environment()
    )
    assert command.stdout
    assert command.stderr
    assert b"Watching" in command.stderr.readline()
    assert command.stdout.readline()
    command.send_signal(signal.SIGINT)
    out, err = command.communicate(timeout=60)
    assert command.returncode == 130
    assert b"Traceback" not in out + err


@pytest.mark.req("QUO-10")
def test_bare_quoth_says_what_was_found_and_the_next_step(logged: Path, run: Run, on_terminal: OnTerminal) -> None:
    first = on_terminal().text
    assert "~/.claude" in first
    assert "quoth sync" in first
    run("sync")
    later = run().out
    assert "claude-code" in later
    assert "quoth search" in later
    run("rebuild")
    assert run().out == later
    assert run("--json").json()["sources"]


def test_bare_quoth_on_a_machine_without_agents_points_at_the_demo(run: Run) -> None:
    assert "quoth demo" in run().out
