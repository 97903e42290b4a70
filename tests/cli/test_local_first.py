"""Nothing leaves the machine: a day of use with every connection and name look-up refused."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from running import Run

SAMPLES = Path(__file__).parent.parent / "data" / "sources"

_CONNECTIONS = ["socket.connect", "socket.getaddrinfo", "socket.gethostbyname", "socket.sendto"]
_PROGRAMS = ["subprocess.Popen", "os.system", "os.exec", "os.posix_spawn"]
_REFUSING = """
import os, sys

def refuse(event, args):
    if event in EVENTS:
        with open(os.environ["REFUSED"], "a") as log:
            log.write(f"{event} {args!r}\\n")
        raise PermissionError(event)

sys.addaudithook(refuse)
"""


@pytest.mark.req("INV-9")
def test_a_day_of_use_opens_no_connection_and_starts_no_program(run: Run, person: Path, tmp_path: Path) -> None:
    hooks = tmp_path / "hooks"
    hooks.mkdir()
    (hooks / "sitecustomize.py").write_text(f"EVENTS = {[*_CONNECTIONS, *_PROGRAMS]}\n{_REFUSING}")
    shutil.copytree(SAMPLES / "claude-code" / "everyday" / "home", person / ".claude")
    shutil.copytree(SAMPLES / "codex" / "everyday" / "home", person / ".codex")
    refused = tmp_path / "refused"
    env = {"PYTHONPATH": str(hooks), "REFUSED": str(refused)}
    assert "REFUSED" in run.environment(env)
    for day in (
        ["sync"],
        ["search", "缓存"],
        ["timeline", "--since", "500w"],
        ["status"],
        ["doctor", "--json"],
        ["project", "list"],
        ["rebuild"],
        ["backup", str(tmp_path / "backup")],
        [],
    ):
        run(*day, env=env)
    assert not refused.exists(), refused.read_text()


@pytest.mark.req("INV-9")
def test_an_agent_that_asks_opens_no_connection_either(run: Run, person: Path, tmp_path: Path) -> None:
    hooks = tmp_path / "hooks"
    hooks.mkdir()
    (hooks / "sitecustomize.py").write_text(f"EVENTS = {_CONNECTIONS}\n{_REFUSING}")
    shutil.copytree(SAMPLES / "codex" / "everyday" / "home", person / ".codex")
    refused = tmp_path / "refused"
    called = {"name": "search", "arguments": {"query": "取整"}}
    asked = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": called})
    done = run("mcp", stdin=f"{asked}\n", env={"PYTHONPATH": str(hooks), "REFUSED": str(refused)})
    assert json.loads(json.loads(done.out)["result"]["content"][0]["text"])["events"]
    assert not refused.exists(), refused.read_text()


def test_the_refusal_itself_works(run: Run, tmp_path: Path) -> None:
    hooks = tmp_path / "hooks"
    hooks.mkdir()
    (hooks / "sitecustomize.py").write_text(
        f"EVENTS = {_CONNECTIONS}\n{_REFUSING}import socket\nsocket.create_connection(('127.0.0.1', 9))\n"
    )
    refused = tmp_path / "refused"
    run("--version", env={"PYTHONPATH": str(hooks), "REFUSED": str(refused)}, check=False)
    assert "socket" in refused.read_text()
