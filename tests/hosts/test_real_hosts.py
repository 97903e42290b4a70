"""Real agents read what we write, start our server and list its tools; what they write themselves survives us."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import Any

import pytest

from hosts.real import Agent, agent
from running import Run


@pytest.fixture
def workspace(person: Path) -> Path:
    folder = person / "work/bakery"
    (folder / ".git/refs").mkdir(parents=True)
    (folder / ".git/objects").mkdir()
    (folder / ".git/HEAD").write_text("ref: refs/heads/main\n")
    return folder


@pytest.fixture
def claude(request: pytest.FixtureRequest, person: Path) -> Agent:
    return agent("claude", request.config.cache.mkdir("agents"), person)


@pytest.fixture
def codex(request: pytest.FixtureRequest, person: Path) -> Agent:
    (person / ".codex").mkdir()
    return agent("codex", request.config.cache.mkdir("agents"), person)


def _run_printed(said: str, agent: Agent, cwd: Path) -> None:
    """Run the command line that stands in backquotes as the person would."""
    program, *words = shlex.split(said.split("`")[1])
    assert program == agent.program.name
    agent.run(*words, cwd=cwd)


@pytest.mark.req("ENG-25", "ENG-26")
def test_claude_code_asks_for_approval_and_then_connects(
    run: Run, claude: Agent, workspace: Path, person: Path
) -> None:
    run("link", "claude-code", cwd=workspace)
    assert "Pending approval" in claude.run("mcp", "list", cwd=workspace)
    (person / ".claude").mkdir(exist_ok=True)
    (person / ".claude/settings.json").write_text('{"enabledMcpjsonServers": ["quoth", "origin"]}')
    run("link", "claude-code", "--dialect", "origin", cwd=workspace)
    listed = claude.run("mcp", "list", cwd=workspace)
    assert listed.count("✔ Connected") == 2, listed
    assert [line.partition(":")[0] for line in listed.splitlines() if "Connected" in line] == ["quoth", "origin"]


@pytest.mark.req("ENG-25")
def test_the_command_that_is_printed_for_claude_code_links_and_unlinks(
    run: Run, claude: Agent, workspace: Path
) -> None:
    _run_printed(run("link", "claude-code", "--global", cwd=workspace).out, claude, workspace)
    assert "quoth: " in claude.run("mcp", "list", cwd=workspace)
    assert "already starts" in run("link", "claude-code", "--global", cwd=workspace).out
    _run_printed(run("unlink", "--all", cwd=workspace, check=False).out, claude, workspace)
    assert run("unlink", "--all", cwd=workspace).code == 0
    assert "quoth" not in claude.run("mcp", "list", cwd=workspace)


@pytest.mark.req("ENG-26", "ENG-36")
def test_what_claude_code_adds_stays_when_we_go(run: Run, claude: Agent, workspace: Path) -> None:
    run("link", "claude-code", cwd=workspace)
    claude.run("mcp", "add", "--scope", "project", "other", "--", "npx", "other", cwd=workspace)
    run("unlink", "claude-code", cwd=workspace)
    left = json.loads((workspace / ".mcp.json").read_text())
    assert list(left["mcpServers"]) == ["other"]
    assert "other: npx other" in claude.run("mcp", "list", cwd=workspace)


def _tools(codex: Agent, cwd: Path) -> dict[str, Any]:
    """Let Codex start its servers, and return what each lists."""
    hello = {"id": 1, "method": "initialize", "params": {"clientInfo": {"name": "tests", "version": "1"}}}
    listing = {"id": 2, "method": "mcpServerStatus/list", "params": {}}
    answer = codex.ask([hello, {"method": "initialized"}, listing], until=2, cwd=cwd)
    return {server["name"]: server["tools"] for server in answer["data"]}


@pytest.mark.req("ENG-25", "ENG-26")
def test_codex_starts_the_server_and_lists_its_tools(run: Run, codex: Agent, workspace: Path) -> None:
    run("link", "codex", "--global", cwd=workspace)
    assert "search" in _tools(codex, workspace)["quoth"]
    assert "timeline" in _tools(codex, workspace)["quoth"]


@pytest.mark.req("ENG-25")
def test_codex_reads_a_workspace_once_the_person_trusts_it(
    run: Run, codex: Agent, workspace: Path, person: Path
) -> None:
    run("link", "codex", cwd=workspace)
    assert json.loads(codex.run("mcp", "list", "--json", cwd=workspace)) == []
    trust = f'[projects.{json.dumps(str(workspace))}]\ntrust_level = "trusted"\n'
    (person / ".codex/config.toml").write_text(trust)
    (listed,) = json.loads(codex.run("mcp", "list", "--json", cwd=workspace))
    assert (listed["name"], listed["enabled"]) == ("quoth", True)
    run("unlink", "codex", cwd=workspace)
    assert json.loads(codex.run("mcp", "list", "--json", cwd=workspace)) == []


@pytest.mark.req("ENG-26", "ENG-36")
def test_what_codex_writes_around_our_table_stays_when_we_go(
    run: Run, codex: Agent, workspace: Path, person: Path
) -> None:
    config = person / ".codex/config.toml"
    config.write_text('# mine\nmodel = "gpt-5.2-codex" # why\n')
    before = config.read_bytes()
    run("link", "codex", "--global", cwd=workspace)
    codex.run("mcp", "add", "other", "--", "npx", "other", cwd=workspace)
    run("unlink", "codex", "--global", cwd=workspace)
    (left,) = json.loads(codex.run("mcp", "list", "--json", cwd=workspace))
    assert left["name"] == "other"
    codex.run("mcp", "remove", "other", cwd=workspace)
    assert config.read_bytes().strip() == before.strip()
    run("link", "codex", "--global", cwd=workspace)
    codex.run("mcp", "remove", "quoth", cwd=workspace)
    assert run("unlink", "--all", cwd=workspace).code == 0
    assert config.read_bytes().strip() == before.strip()
