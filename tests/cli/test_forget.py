"""Forgetting and restoring through the real command, in a pipe, in an agent's shell and on a terminal."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from cli.conftest import Screen
from running import Run

pytestmark = pytest.mark.usefixtures("logged")

_MARKS = ("CLAUDECODE", "CODEX_SANDBOX", "CURSOR_AGENT", "GEMINI_CLI", "OPENCODE", "AI_AGENT", "AGENT")


@pytest.fixture
def synced(run: Run) -> Run:
    run("sync")
    return run


def found(run: Run) -> list[str]:
    events = run("search", "deposit", "--no-sync", "--json").json()["events"]
    return [event["id"] for event in events]


def forget(run: Run, *args: str, **kwargs: Any) -> dict[str, Any]:
    answer: dict[str, Any] = run("forget", *args, "--reason", "Not ours.", "--json", **kwargs).json()
    return answer


def tombstones(run: Run) -> list[dict[str, Any]]:
    listed: list[dict[str, Any]] = run("forget", "--list", "--json").json()["tombstones"]
    return listed


@pytest.mark.req("ORI-57", "ORI-60", "QUO-6")
def test_what_is_forgotten_is_not_found_any_more(synced: Run) -> None:
    event, *others = found(synced)
    answer = forget(synced, event)
    assert (answer["forgotten_entries"], answer["excluded_events"]) == ([], 1)
    assert found(synced) == others
    gone = synced("get", event, "--json", check=False)
    assert (gone.code, json.loads(gone.err)["error"]["message"]) == (3, f"{event} has been forgotten.")


def test_a_person_reads_what_was_hidden_and_under_which_id(synced: Run) -> None:
    entry = synced("remember", "Deposits are whole.", "--json").json()["entry"]["id"]
    said = synced("forget", entry, "--reason", "It was wrong.").out
    (listed,) = tombstones(synced)
    assert "Forgotten: 1 entry." in said
    assert listed["tombstone"] in said
    assert entry in said
    text = synced("forget", "--list").out
    assert all(part in text for part in (listed["tombstone"], "It was wrong.", entry, listed["by"]))
    assert "Deposits are whole" not in text


def test_an_entry_with_several_versions_is_counted_as_one(run: Run) -> None:
    entries = [_remembered(run, text) for text in ("Deposits are whole.", "Ovens stay on.")]
    run("correct", entries[0], "Deposits are halved.")
    assert "Would hide 1 entry in 2 versions." in run("forget", entries[0], "--dry-run").out
    said = run("forget", *entries, "--reason", "Both were wrong.").out
    assert "Forgotten: 2 entries in 3 versions." in said


def _remembered(run: Run, text: str) -> str:
    return str(run("remember", text, "--uncited", "by hand", "--json").json()["entry"]["id"])


@pytest.mark.req("QUO-6")
def test_a_dry_run_only_tells(synced: Run) -> None:
    before = found(synced)
    said = synced("forget", *before[:2], "--dry-run").out
    assert "Would hide 2 events." in said
    assert all(event in said for event in before[:2])
    assert (found(synced), tombstones(synced)) == (before, [])
    assert "Nothing was forgotten." in synced("forget", "--list").err


def test_a_long_list_is_folded_and_json_has_all(synced: Run) -> None:
    events = synced("search", "the", "--no-sync", "--limit", "20", "--json").json()["events"]
    ids = [event["id"] for event in events]
    assert len(ids) > 10
    assert f"… and {len(ids) - 8} more; --json has all" in synced("forget", *ids, "--dry-run").out
    assert set(synced("forget", *ids, "--dry-run", "--json").json()["events"]) == set(ids)


def test_forgetting_again_says_that_it_is_done(synced: Run) -> None:
    event, *_ = found(synced)
    forget(synced, event)
    assert "forgotten already" in synced("forget", event, "--reason", "Again.").out
    assert len(tombstones(synced)) == 1


@pytest.mark.parametrize(
    "args",
    [
        ("forget",),
        ("forget", "ent_00000000"),
        ("forget", "--list", "ent_00000000"),
        ("forget", "ent_00000000", "--reason", " "),
        ("restore",),
        ("restore", "tmb_1", "--from", "folder"),
    ],
)
def test_what_makes_no_sense_is_wrong_use(synced: Run, args: tuple[str, ...]) -> None:
    assert synced(*args, check=False).code == 2


@pytest.mark.req("QUO-10")
def test_an_unknown_id_is_nothing_found(synced: Run) -> None:
    refused = synced("forget", "nothing", "--reason", "x", check=False)
    assert (refused.code, refused.err) == (3, "Unknown entry or event nothing.\n")


@pytest.mark.req("QUO-6", "QUO-10")
def test_a_person_who_gives_the_wrong_part_of_an_id_learns_which_one_is_right(run: Run) -> None:
    entry = run("remember", "Deploy on Tuesdays.", "--uncited", "by hand", "--json").json()["entry"]["id"]
    assert "Deploy on Tuesdays." in run("get", entry[-8:]).out
    end = " A short id is the last 8 or more characters of a whole one, not the first."
    whole = " The id of an event is given whole."
    cuts = {entry[:12]: end, f"{entry[:12]}…": end, entry[4:20]: end, entry[-5:]: end, "claude-code:00": whole}
    for given, advice in {**cuts, f"ent_{'0' * 32}": "", "bread": ""}.items():
        refused = run("get", given, check=False)
        assert (refused.code, refused.err) == (3, f"Unknown entry or event {given}.{advice}\n")
    told = json.loads(run("get", entry[:12], "--json", check=False).err)["error"]
    assert told == {"code": "unknown_id", "message": f"Unknown entry or event {entry[:12]}.{end}"}


@pytest.mark.req("SEC-8", "ORI-25")
def test_an_agents_shell_forgets_in_the_name_of_the_agent(synced: Run) -> None:
    one, other, *_ = found(synced)
    forget(synced, one, env={"CLAUDECODE": "1"})
    forget(synced, other)
    assert [each["by"].partition("@")[0] for each in tombstones(synced)] == ["user", "claude-code"]


# --- restoring ---


@pytest.mark.req("ORI-62", "SEC-8")
def test_the_person_restores_on_a_terminal(synced: Run, on_terminal: Callable[..., Screen]) -> None:
    before = found(synced)
    tombstone = forget(synced, before[0])["tombstone"]
    screen = on_terminal("restore", tombstone, "--reason", "It was ours.")
    assert (screen.code, "Visible again: 1 event." in screen.text) == (0, True)
    assert found(synced) == before
    assert tombstones(synced)[0]["restored"] is True
    again = on_terminal("restore", tombstone)
    assert (again.code, "was restored before; nothing changed" in again.text) == (0, True)


@pytest.mark.req("SEC-8", "ORI-62")
def test_restoring_is_refused_in_a_pipe(synced: Run) -> None:
    tombstone = forget(synced, found(synced)[0])["tombstone"]
    refused = synced("restore", tombstone, "--json", check=False)
    error = json.loads(refused.err)["error"]
    assert (refused.code, error["code"]) == (1, "person_only")
    assert error["message"] == (
        "Only you can restore what was forgotten, and standard input is no terminal. "
        "Run the command yourself in a terminal."
    )
    assert tombstones(synced)[0]["restored"] is False


@pytest.mark.req("SEC-8")
@pytest.mark.parametrize("mark", _MARKS)
def test_restoring_is_refused_on_a_terminal_that_an_agent_started(
    synced: Run, on_terminal: Callable[..., Screen], mark: str
) -> None:
    screen = on_terminal("restore", "tmb_" + "0" * 32, env={mark: "1"})
    said = " ".join(screen.text.split())
    assert (screen.code, f"{mark} says that an agent" in said) == (1, True)


@pytest.mark.req("SEC-8")
def test_both_reasons_are_said(synced: Run) -> None:
    refused = synced("restore", "tmb_" + "0" * 32, env={"CODEX_SANDBOX": "seatbelt"}, check=False)
    assert "standard input is no terminal and CODEX_SANDBOX says that an agent (codex) started" in refused.err


@pytest.mark.req("QUO-13")
def test_a_backup_is_restored_without_a_terminal(synced: Run, tmp_path: Path) -> None:
    synced("backup", tmp_path / "backup")
    elsewhere: dict[str, str | None] = {"QUOTH_HOME": str(tmp_path / "elsewhere"), "CLAUDECODE": "1"}
    assert "is restored" in synced("restore", "--from", tmp_path / "backup", env=elsewhere).out
