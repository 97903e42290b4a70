"""The official clients, the inspector and the conformance suite: programs that others wrote for servers like ours."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import goldens
import pytest
from node_tools import Node, installed

from running import Run

HERE = Path(__file__).parent
TOOLS = ["search", "recall", "timeline", "get", "sources", "remember", "correct", "forget", "handoff"]
REFUSED = [True, "Unknown entry or event codex:none."]
INSPECTOR = "node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js"
CONFORMANCE = "node_modules/@modelcontextprotocol/conformance/dist/index.js"

# Progress is told while a call runs, which takes a stream; the contract of Origin rules streams out at /mcp (ORI-6).
BASELINE = "server:\n  - tools-call-with-progress\n"


@pytest.fixture(scope="module")
def node(request: pytest.FixtureRequest) -> Node:
    cache = request.config.cache
    assert cache is not None
    return installed(Path(cache.mkdir("mcp-node")))


@pytest.fixture
def loopback() -> Iterator[str]:
    """Return the address of the protocol core behind a transport for tests."""
    command = [sys.executable, "loopback.py"]
    with subprocess.Popen(command, cwd=HERE, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        yield f"http://127.0.0.1:{process.stdout.readline().strip()}/mcp"
        process.communicate()


def check_seen(seen: Any, version: str | None) -> None:
    assert seen["tools"] == TOOLS
    assert seen["refused"] == REFUSED
    assert [event["id"] for event in json.loads(seen["found"])["events"]]
    assert seen["version"] == version


@pytest.mark.req("ENG-1", "ENG-2", "ENG-4", "ORI-2")
def test_the_official_python_client_reads_the_archive_in_both_eras(archived: Run) -> None:
    command = [sys.executable, str(HERE / "official_client.py"), *archived.command("mcp")]
    done = subprocess.run(command, env=archived.environment(), check=True, capture_output=True, text=True, timeout=60)
    seen = json.loads(done.stdout)
    check_seen(seen["legacy"], "2025-11-25")
    check_seen(seen["auto"], "2026-07-28")
    check_seen(seen["2026-07-28"], "2026-07-28")


@pytest.mark.req("ENG-1", "ENG-2", "ENG-4", "ORI-2")
def test_the_official_typescript_clients_read_the_archive_in_both_eras(node: Node, archived: Run) -> None:
    done = node.run("clients.mjs", json.dumps(archived.command("mcp")), env=archived.environment())
    seen = json.loads(done.stdout)
    check_seen(seen["older"], None)
    check_seen(seen["legacy"], "2025-11-25")
    check_seen(seen["modern"], "2026-07-28")


def check_kept(kept: Any) -> None:
    entry, done, got, gone, refused = kept
    assert got["entry"]["text"] == done["entry"]["text"]
    assert gone["forgotten_entries"] == [entry]
    assert refused == [True, f"{entry} has been forgotten."]


@pytest.mark.req("ENG-1", "QUO-5", "QUO-6")
def test_the_official_python_client_remembers_and_forgets_in_both_eras(run: Run) -> None:
    command = [sys.executable, str(HERE / "official_client.py"), "--write", *run.command("mcp")]
    done = subprocess.run(command, env=run.environment(), check=True, capture_output=True, text=True, timeout=60)
    for kept in json.loads(done.stdout).values():
        check_kept(kept)


@pytest.mark.req("ENG-1", "QUO-5", "QUO-6")
def test_the_official_typescript_clients_remember_and_forget_in_both_eras(node: Node, run: Run) -> None:
    done = node.run("clients.mjs", json.dumps(run.command("mcp")), "write", env=run.environment())
    for kept in json.loads(done.stdout).values():
        check_kept(kept)


def told(run: Run) -> list[str]:
    """Return what makes the inspector tell the server where its home is: it hands down little else."""
    ours = {name: value for name, value in run.environment().items() if name.startswith("QUOTH_")}
    return [word for name, value in ours.items() for word in ("-e", f"{name}={value}")]


def test_the_inspector_finds_no_fault_with_the_schemas_of_the_tools(node: Node, archived: Run) -> None:
    for dialect in goldens.NAMES:
        command = archived.command("mcp", f"--dialect={dialect}")
        asked = ("--cli", "--strict", *told(archived), *command, "--method", "tools/list")
        done = node.run(INSPECTOR, *asked, env=archived.environment())
        shown = [tool["name"] for tool in goldens.shown(dialect)["tools"]]
        assert [tool["name"] for tool in json.loads(done.stdout)["tools"]] == shown


def test_the_inspector_calls_a_tool(node: Node, archived: Run) -> None:
    call = ("--method", "tools/call", "--tool-name", "search", "--tool-arg", "query=parser", "limit=1")
    done = node.run(INSPECTOR, "--cli", *told(archived), *archived.command("mcp"), *call, env=archived.environment())
    content = json.loads(done.stdout)["content"]
    assert len(json.loads(content[0]["text"])["events"]) == 1


@pytest.mark.req("ENG-2", "ENG-3", "ENG-4")
def test_the_protocol_core_passes_the_official_conformance_suite(node: Node, loopback: str, tmp_path: Path) -> None:
    baseline = tmp_path / "baseline.yml"
    baseline.write_text(BASELINE)
    options = ("--requirements", "2026-07-28", "--expected-failures", str(baseline), "-o", str(tmp_path / "results"))
    done = node.run(CONFORMANCE, "server", "--url", loopback, *options, check=False)
    assert done.returncode == 0, done.stdout[-4000:]
    assert "Baseline check passed" in done.stdout
