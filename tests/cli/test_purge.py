"""Purging through the real command: only a person does it, after seeing what goes."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import filelock
import pytest

from cli.conftest import Screen
from quoth.core.spelling import normal
from quoth.readers.compressed import chunks
from running import Run

pytestmark = pytest.mark.usefixtures("logged")


@pytest.fixture
def synced(run: Run) -> Run:
    run("sync")
    return run


def found(run: Run, words: str = "deposit") -> list[str]:
    answer = run("search", words, "--no-sync", "--json", check=False)
    return [event["id"] for event in answer.json()["events"]] if answer.code == 0 else []


def holding(home: Path, words: str) -> list[str]:
    return [path.name for path in home.rglob("*") if path.is_file() and normal(words) in normal(_text(path))]


def _text(path: Path) -> str:
    data = b"".join(chunks(path, compressed=True)) if path.suffix == ".zst" else path.read_bytes()
    return data.decode("utf-8", "replace")


@pytest.mark.req("SEC-8", "QUO-10")
@pytest.mark.parametrize("args", [["--all"], ["--words", "deposit"], ["codex:1"]])
def test_purging_is_refused_without_a_terminal_and_from_an_agents_shell(
    synced: Run, on_terminal: Callable[..., Screen], args: list[str]
) -> None:
    before = found(synced)
    piped = synced("purge", *args, "--yes", check=False)
    assert piped.code == 1
    assert "Only you can purge what is kept, and standard input is no terminal" in piped.err
    agent = on_terminal("purge", *args, "--yes", env={"CLAUDECODE": "1"})
    assert agent.code == 1
    assert "CLAUDECODE says that an agent" in agent.text
    assert found(synced) == before


@pytest.mark.req("INV-5", "SEC-8")
def test_a_person_sees_what_goes_and_agrees(synced: Run, on_terminal: Callable[..., Screen]) -> None:
    event, *others = found(synced)
    screen = on_terminal("purge", event, typed="y\n")
    assert (screen.code, "Would purge 1 event." in screen.text, "Purged: 1 event." in screen.text) == (0, True, True)
    assert found(synced) == others
    assert on_terminal("purge", event, "--yes").text.strip() == "It is purged already."


@pytest.mark.req("INV-5")
def test_words_are_in_no_file_afterwards(synced: Run, on_terminal: Callable[..., Screen]) -> None:
    assert holding(synced.home, "deposit")
    screen = on_terminal("purge", "--words", "Deposit", "--yes", "--json")
    assert screen.code == 0
    assert json.loads(screen.text[screen.text.index("{\n") : screen.text.rindex("}") + 1])["lines"] > 0
    assert holding(synced.home, "deposit") == []
    synced("sync")
    assert holding(synced.home, "deposit") == []
    assert found(synced) == []
    checks = {check["id"]: check["status"] for check in synced("doctor", "--deep", "--json").json()["checks"]}
    assert (checks["mirror"], checks["index"]) == ("pass", "pass")


@pytest.mark.req("SEC-8")
def test_whoever_does_not_agree_changes_nothing(synced: Run, on_terminal: Callable[..., Screen]) -> None:
    before = found(synced)
    assert on_terminal("purge", *before, typed="n\n").code == 130
    assert on_terminal("purge", "--all", typed="yes\n").code == 130
    assert found(synced) == before


@pytest.mark.req("QUO-10")
def test_a_dry_run_needs_no_terminal_and_only_tells(synced: Run) -> None:
    before = found(synced)
    said = synced("purge", before[0], "--dry-run").out
    assert "Would purge 1 event." in said
    assert before[0] in said
    answer = synced("purge", "--words", "deposit", "--dry-run", "--json").json()
    assert set(before) <= set(answer["events"])
    assert synced("purge", "--words", "nobody ever said that", "--dry-run", check=False).code == 3
    assert synced("purge", "--words", "a", "--dry-run", check=False).code == 2
    assert synced("purge", "codex:nobody", "--dry-run", check=False).code == 3
    assert synced("purge", "--dry-run", check=False).code == 2
    assert synced("purge", before[0], "--all", "--dry-run", check=False).code == 2
    assert found(synced) == before


@pytest.mark.req("QUO-12")
def test_all_leaves_nothing_behind(synced: Run, on_terminal: Callable[..., Screen]) -> None:
    assert set(synced("purge", "--all", "--dry-run", "--json").json()["goes"]) >= {"raw", "state.db", "locks"}
    screen = on_terminal("purge", "--all", typed="everything\n")
    assert (screen.code, "Removed: " in screen.text) == (0, True)
    assert not synced.home.exists()
    assert on_terminal("purge", "--all", "--yes").code == 3
    assert not synced.home.exists()


@pytest.mark.req("QUO-12")
def test_all_leaves_what_is_not_ours(synced: Run, on_terminal: Callable[..., Screen]) -> None:
    (synced.home / "letter.txt").write_text("to my aunt")
    (synced.home / "index-1.db-wal").write_text("old")
    screen = on_terminal("purge", "--all", "--yes")
    assert "letter.txt" in screen.text
    assert [path.name for path in synced.home.iterdir()] == ["letter.txt"]


@pytest.mark.req("QUO-12")
def test_all_waits_for_nobody(synced: Run, on_terminal: Callable[..., Screen]) -> None:
    with filelock.FileLock(synced.home / "locks" / "ingest.lock"):
        screen = on_terminal("purge", "--all", "--yes")
    assert (screen.code, "Another process is busy" in screen.text) == (1, True)
    assert (synced.home / "raw").is_dir()
