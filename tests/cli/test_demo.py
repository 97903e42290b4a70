"""`quoth demo`: the first thing that a new person sees."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import click
import pytest
from rich.cells import cell_len

from quoth.surfaces.cli.demo import agent
from running import Run


def test_the_demo_shows_the_main_job_in_plain_text(run: Run, person: Path, home: Path) -> None:
    before = sorted(person.rglob("*"))
    done = run("demo")
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
        "$ quoth mcp",
        "$ quoth status",
    ):
        assert shown in done.out
    assert "\x1b" not in done.out
    assert sorted(person.rglob("*")) == before
    assert not home.exists()


@pytest.mark.req("QUO-2", "ORI-12")
def test_the_demo_asks_itself_as_an_agent_does(run: Run) -> None:
    said = run("demo", "--json").json()["quoth mcp"]
    assert [each["method"] for each in said] == ["initialize", "tools/list", "tools/call"]
    hello, listed, called = (each["result"] for each in said)
    assert hello["serverInfo"]["name"] == "quoth"
    (event,) = json.loads(called["content"][0]["text"])["events"]
    shown = run("demo").out
    assert ", ".join(tool["name"] for tool in listed["tools"]) in shown
    assert event["source"] == "codex"
    assert event["id"] in shown


@pytest.mark.req("QUO-5", "QUO-6", "ORI-62", "SEC-8")
def test_the_demo_remembers_corrects_forgets_restores_and_proves(run: Run) -> None:
    answers = run("demo", "--json").json()
    remembered, history = answers["quoth remember"], answers["quoth history"]
    assert remembered["verdict"] == "ADD"
    assert [version["status"] for version in history["versions"]] == ["superseded", "active"]
    forgotten = answers["quoth forget"]
    assert forgotten["forgotten_entries"] == [version["id"] for version in history["versions"]]
    assert answers["refused"].startswith("Only you can restore")
    assert answers["quoth restore"]["restored_entries"] == forgotten["forgotten_entries"]
    assert answers["quoth verify"]["ok"] is True
    assert answers["quoth verify"]["findings"] == []


def test_a_server_that_does_not_answer_is_told_in_a_sentence(tmp_path: Path) -> None:
    mute = tmp_path / "quoth"
    mute.mkdir()
    (mute / "__init__.py").touch()
    (mute / "__main__.py").touch()
    with pytest.raises(click.ClickException, match=r"^`quoth mcp` did not answer initialize\.$"):
        agent.ask("bread", agent.environment({}, {"PYTHONPATH": str(tmp_path)}), tmp_path)


@pytest.mark.parametrize("columns", [60, 80, 100, 200])
def test_the_demo_fits_the_terminal(on_terminal: Callable[..., Any], columns: int) -> None:
    screen = on_terminal("demo", columns=columns)
    assert screen.code == 0
    lines = [line for line in screen.text.splitlines() if "--resume" not in line]  # to be copied: never broken by us
    assert max(cell_len(line.rstrip()) for line in lines if "\r" not in line) <= columns


def test_the_demo_draws_a_picture_that_asks_nothing_of_the_network(run: Run, tmp_path: Path) -> None:
    picture = tmp_path / "demo.svg"
    assert run("demo", "--svg", picture).out == ""
    text = picture.read_text("utf-8")
    ElementTree.fromstring(text)
    assert not re.search(r"url\(['\"]?https?:|@import|@font-face|<image|href=", text)
    assert str(tmp_path.parent.parent) not in text
    assert "时区" in text


def test_a_demo_that_is_kept_can_be_asked_further(run: Run, tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    run("demo", "--keep", kept)
    env = {"HOME": str(kept), "QUOTH_HOME": str(kept / ".quoth")}
    assert run("search", "sourdough", env=env).out
    assert run("demo", "--keep", kept, check=False).code == 1
