"""The doctor looks whether links work: with real servers, and never with one that we did not write ourselves."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from quoth.core.links import Level
from quoth.hosts._probe import ask
from quoth.services._findings import Check
from quoth.wiring import Kernel
from services.archive import Archive


@pytest.fixture
def archive(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Archive:
    """Return an archive whose person has Claude Code alone and works in a workspace."""
    (tmp_path / "work").mkdir()
    monkeypatch.chdir(tmp_path / "work")
    archive = Archive(tmp_path)
    archive.claude.mkdir()
    archive.env["PATH"] = "/nowhere"
    return archive


def _checks(archive: Archive) -> Mapping[str, Check]:
    found: list[Check] = archive.ask(lambda kernel: kernel.link_checks.checks())
    checks = {check.id: check for check in found}
    assert len(checks) == len(found)
    return checks


def _wrong(archive: Archive) -> dict[str, str]:
    return {check.id: check.status for check in _checks(archive).values() if check.status != "pass"}


def _link(archive: Archive, **more: str) -> None:
    archive.ask(lambda kernel: kernel.link.link(["claude-code"], **more))


@pytest.mark.req("QUO-9")
def test_hosts_that_are_not_here_or_not_linked_are_said_and_no_fault(archive: Archive) -> None:
    assert _wrong(archive) == {}
    messages = {name: check.message for name, check in _checks(archive).items()}
    assert "is not on this machine" in messages["host:codex"]
    assert "quoth link claude-code" in messages["link:claude-code"]
    assert messages.keys() == {"host:claude-code", "link:claude-code", "host:codex"}


@pytest.mark.req("QUO-9")
def test_a_link_is_followed_to_a_server_that_answers_and_to_the_last_session(archive: Archive) -> None:
    archive.log().write_bytes(b"".join(archive.records(["hello", "hi"])))
    _link(archive)
    _link(archive, dialect="origin")
    assert _wrong(archive) == {"session:claude-code": "warn"}
    archive.sync()
    before = {path: path.read_bytes() for path in archive.home.rglob("raw/**/*") if path.is_file()}
    assert _wrong(archive) == {}
    checks = _checks(archive)
    assert "answers with" in checks["server:claude-code"].message
    assert "2026-10-19" in checks["session:claude-code"].message
    assert checks["server:claude-code"] in archive.ask(lambda kernel: kernel.doctor.run())
    assert before == {path: path.read_bytes() for path in archive.home.rglob("raw/**/*") if path.is_file()}


@pytest.mark.skipif(os.name != "posix", reason="the stranger is a shell script")
def test_a_program_of_a_stranger_is_named_and_never_started(archive: Archive, tmp_path: Path) -> None:
    stranger = tmp_path / "work/quoth"
    stranger.write_text(f"#!/bin/sh\ntouch '{tmp_path / 'was-started'}'\n")
    stranger.chmod(0o755)
    entry = {"command": str(stranger), "args": ["mcp"]}
    (tmp_path / "work/.mcp.json").write_text(json.dumps({"mcpServers": {"quoth": entry}}))
    assert _wrong(archive).keys() >= {"pinned:claude-code"}
    assert str(stranger) in _checks(archive)["pinned:claude-code"].message
    assert "server:claude-code" not in _checks(archive)
    assert not (tmp_path / "was-started").exists()


@pytest.mark.parametrize(
    ("changed", "why"),
    [({"command": "/gone/quoth"}, "is not there"), ({"env": {"QUOTH_HOME": "/other"}}, "another store")],
)
def test_an_entry_of_another_time_is_to_be_linked_again(
    archive: Archive, tmp_path: Path, changed: dict[str, object], why: str
) -> None:
    _link(archive)
    file = tmp_path / "work/.mcp.json"
    entry = json.loads(file.read_text())["mcpServers"]["quoth"]
    file.write_text(json.dumps({"mcpServers": {"quoth": {**entry, **changed}}}))
    assert why in _checks(archive)["pinned:claude-code"].message
    _link(archive)
    assert "pinned:claude-code" not in _wrong(archive)


def test_an_entry_that_vanished_and_a_file_that_broke_are_found(archive: Archive, tmp_path: Path) -> None:
    _link(archive)
    (tmp_path / "work/.mcp.json").write_text("{}")
    assert _wrong(archive) == {"link:claude-code": "warn"}
    assert "is gone" in _checks(archive)["link:claude-code"].message
    (tmp_path / "work/.mcp.json").write_text("{")
    assert _wrong(archive) == {"link:claude-code": "fail"}


def test_the_store_of_an_entry_is_the_one_that_is_examined(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "work").mkdir()
    monkeypatch.chdir(tmp_path / "work")
    (tmp_path / ".codex").mkdir()
    usual, other = ({"HOME": str(tmp_path), "PATH": "", **more} for more in ({}, {"QUOTH_HOME": str(tmp_path / "q")}))
    for env, level in ((usual, Level.WORKSPACE), (other, Level.GLOBAL)):
        kernel = Kernel(env)
        kernel.link.link(["codex"], level=level)
        (pinned,) = [check for check in kernel.link_checks.checks() if check.id == "pinned:codex"]
        assert (pinned.status == "pass") == (level is Level.WORKSPACE)
        kernel.close()


@pytest.mark.parametrize(
    ("code", "failure"),
    [
        ("import time; time.sleep(99)", "no answer within"),
        ("raise SystemExit(3)", "status 3"),
        ("print('hello')", "something else than the protocol"),
        ('print(\'{"id": 2, "error": {}}\')', "did not list"),
        ('print(\'[]\'); print(\'{"id": 2, "result": {"tools": 7}}\')', "did not list"),
    ],
)
def test_a_server_that_does_not_answer_is_described_and_ended(code: str, failure: str) -> None:
    seconds = 1.0 if "sleep" in code else 30.0
    answer = ask([sys.executable, "-c", code], dict(os.environ), seconds=seconds)
    assert failure in (answer.failure or "")
    assert answer.tools == 0


def test_a_server_that_cannot_be_started_is_described() -> None:
    assert "no such file" in (ask(["/nowhere/quoth", "mcp"], {}).failure or "")


def test_a_look_at_a_server_sees_neither_the_persons_home_nor_the_store() -> None:
    code = (
        "import json, os\n"
        "homes = {os.environ[name] for name in ('HOME', 'QUOTH_HOME')}\n"
        "alone = len(homes) == 1 and not os.listdir(homes.pop())\n"
        "print(json.dumps({'id': 2, 'result': {'tools': [1] * (7 if alone else 0)}}))"
    )
    assert ask([sys.executable, "-c", code], {"HOME": "/home/ada", "QUOTH_HOME": "/home/ada/.quoth"}).tools == 7
