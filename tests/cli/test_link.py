"""`quoth link` and `quoth unlink` as a person and a script use them."""

from __future__ import annotations

import json
import sysconfig
from pathlib import Path

import pytest

from running import Run


@pytest.fixture
def workspace(person: Path) -> Path:
    folder = person / "bakery"
    folder.mkdir()
    (person / ".codex").mkdir()
    return folder


@pytest.mark.req("ENG-25", "ENG-36")
def test_linking_says_what_the_agent_starts_and_what_the_person_confirms(run: Run, workspace: Path) -> None:
    said = run("link", "claude-code", cwd=workspace).out
    assert f"mcp` as quoth: {workspace}/.mcp.json." in said
    assert "approve the server" in said
    again = run("link", "claude-code", cwd=workspace).out
    assert "already starts" in again
    gone = run("unlink", "claude-code", cwd=workspace).out
    assert "The file was ours and is gone." in gone
    assert list(workspace.iterdir()) == []


@pytest.mark.req("ENG-25")
def test_what_the_person_has_to_run_is_printed(run: Run, workspace: Path) -> None:
    said = run("link", "claude-code", "--global", "--name", "memory", cwd=workspace).out
    assert "run `claude mcp add --scope user memory " in said
    assert "is not edited" in said


@pytest.mark.req("QUO-10")
def test_json_tells_the_same(run: Run, workspace: Path) -> None:
    answer = run("link", "codex", "claude-code", "--json", cwd=workspace).json()
    assert answer["dry_run"] is False
    assert [(link["host"], link["level"], link["name"], link["status"]) for link in answer["links"]] == [
        ("codex", "workspace", "quoth", "linked"),
        ("claude-code", "workspace", "quoth", "linked"),
    ]
    assert all(Path(link["path"]).is_file() and link["command"][-1] == "mcp" for link in answer["links"])
    statuses = [link["status"] for link in run("unlink", "--all", "--json", cwd=workspace).json()["links"]]
    assert statuses == ["unlinked", "unlinked"]
    assert run("unlink", "--all", "--json").json() == {"links": [], "dry_run": False}


@pytest.mark.req("ENG-26")
def test_a_dry_run_prints_the_diff_and_nothing_is_there_afterwards(run: Run, workspace: Path, home: Path) -> None:
    said = run("link", "codex", "--dialect", "origin", "--dry-run", cwd=workspace).out
    assert said.startswith(f"--- /dev/null\n+++ {workspace}/.codex/config.toml\n@@ ")
    assert "+[mcp_servers.origin]" in said
    assert list(workspace.iterdir()) == []
    assert not home.exists()


@pytest.mark.req("QUO-10")
@pytest.mark.parametrize(
    ("args", "code", "said"),
    [
        (("link", "emacs"), 3, "Unknown agent emacs"),
        (("link", "codex", "--dialect", "klingon"), 2, "klingon"),
        (("link", "codex", "--name", "a b"), 2, "`--name` must be"),
        (("unlink", "codex"), 3, "Nothing of ours"),
        (("unlink", "--all", "codex"), 2, "--all is everything"),
        (("unlink", "--all"), 0, "Nothing of ours"),
    ],
)
def test_what_goes_wrong_has_its_exit_status(
    run: Run, workspace: Path, args: tuple[str, ...], code: int, said: str
) -> None:
    done = run(*args, cwd=workspace, check=False)
    assert (done.code, said in done.err) == (code, True), done.err


@pytest.mark.req("ENG-36")
def test_a_refused_file_fails_and_the_other_agent_is_linked(run: Run, workspace: Path) -> None:
    (workspace / ".mcp.json").write_text("{,}")
    done = run("link", "claude-code", "codex", cwd=workspace, check=False)
    assert done.code == 1
    assert ".mcp.json was left as it is: it is no valid JSON" in done.err
    assert "Codex starts" in done.out
    assert (workspace / ".mcp.json").read_text() == "{,}"


@pytest.mark.req("QUO-12")
def test_what_only_the_person_can_take_out_is_a_failure_until_it_is_done(run: Run, person: Path) -> None:
    entry = {"command": "quoth", "args": ["mcp"]}
    (person / ".claude.json").write_text(json.dumps({"mcpServers": {"mine": entry}}))
    done = run("unlink", "--all", check=False)
    assert done.code == 1
    assert "run `claude mcp remove --scope user mine`" in done.out
    (person / ".claude.json").write_text("{}")
    assert run("unlink", "--all").code == 0


@pytest.mark.req("QUO-9", "ENG-26")
def test_doctor_starts_what_was_linked(run: Run, workspace: Path) -> None:
    run("link", "codex", cwd=workspace)
    checks = {check["id"]: check for check in run("doctor", "--json", cwd=workspace).json()["checks"]}
    assert checks["pinned:codex"]["status"] == "pass"
    assert "answers with" in checks["server:codex"]["message"]


@pytest.mark.req("ENG-26")
def test_the_entry_starts_this_installation_by_name_where_the_shell_finds_it(run: Run, workspace: Path) -> None:
    scripts = sysconfig.get_path("scripts")
    (named,) = run("link", "codex", "--json", cwd=workspace, env={"PATH": scripts, "VIRTUAL_ENV": None}).json()["links"]
    (path,) = run("link", "codex", "--json", cwd=workspace, env={"PATH": "/nowhere"}).json()["links"]
    assert (named["status"], named["command"]) == ("linked", ["quoth", "mcp"])
    assert (path["status"], path["command"]) == ("repinned", [str(Path(scripts, "quoth")), "mcp"])
