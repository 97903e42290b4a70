"""Memory through the real command: what a person and an agent's shell write, find, put right and trace."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from cli.conftest import Screen
from running import Run

pytestmark = pytest.mark.usefixtures("logged")

_AGENT = {"CLAUDECODE": "1"}


@pytest.fixture
def synced(run: Run) -> Run:
    run("sync")
    return run


def quoted(run: Run) -> tuple[str, str]:
    """Return an event of the demo's sessions and some words of it."""
    event = run("search", "deposit refund", "--no-sync", "--json").json()["events"][0]
    return event["id"], " ".join(event["text"].split()[:6])


def remember(run: Run, *args: str, **kwargs: Any) -> dict[str, Any]:
    answer: dict[str, Any] = run("remember", *args, "--json", **kwargs).json()
    return answer


@pytest.mark.req("QUO-5", "ORI-25", "ORI-50")
def test_a_statement_is_kept_with_the_words_it_comes_from(synced: Run) -> None:
    event, words = quoted(synced)
    answer = remember(synced, "Deposits are refunded in full.", "--type", "rule", "--quote", words)
    assert answer["verdict"] == "ADD"
    assert answer["entry"]["author"].startswith("user@")
    got = synced("get", answer["entry"]["id"], "--json").json()
    assert [(cited["id"], " ".join(cited["quote"].split())) for cited in got["sources"]] == [(event, words)]
    listed = synced("sources", answer["entry"]["id"], "--json").json()
    assert Path(listed[0]["original_file"]).read_text("utf-8").splitlines()[listed[0]["line"] - 1] == listed[0]["raw"]


@pytest.mark.req("QUO-5")
def test_events_and_quotes_of_equal_number_belong_together(synced: Run) -> None:
    event, words = quoted(synced)
    answer = remember(synced, "Refunds are whole.", "--event", event, "--quote", words)
    sources = synced("get", answer["entry"]["id"], "--json").json()["sources"]
    assert [cited["id"] for cited in sources] == [event]
    assert sources[0]["quote"]


@pytest.mark.req("QUO-5", "SEC-8")
def test_an_agents_shell_writes_as_that_agent_and_has_to_cite(synced: Run) -> None:
    refused = synced("remember", "Uncited.", env=_AGENT, check=False)
    assert refused.code == 2
    assert "sources" in refused.err
    answer = remember(synced, "Cited.", "--uncited", "seen on the machine", env=_AGENT)
    assert answer["entry"]["author"].startswith("claude-code@")


@pytest.mark.req("QUO-6", "ORI-54")
def test_a_correction_keeps_the_old_version_and_names_the_current_one(synced: Run) -> None:
    first = remember(synced, "The oven takes 12 trays.")["entry"]["id"]
    second = synced("correct", first[-12:], "The oven takes 14 trays.", "--reason", "counted", "--json").json()["entry"]
    versions = synced("history", first, "--json").json()["versions"]
    assert [version["text"] for version in versions] == ["The oven takes 12 trays.", "The oven takes 14 trays."]
    assert versions[1]["reason"] == "counted"
    late = synced("correct", first, "The oven takes 16 trays.", check=False)
    assert late.code == 2
    assert f"its current version is {second['id']}" in late.err


@pytest.mark.req("QUO-6", "QUO-10")
def test_a_correction_that_changes_nothing_says_so(synced: Run) -> None:
    entry = remember(synced, "The oven takes 12 trays.")["entry"]["id"]
    assert synced("correct", entry).out.startswith("Nothing to correct")
    assert synced("correct", entry, "--confidence", "0.6").out.startswith("Corrected.")
    assert len(synced("history", entry, "--json").json()["versions"]) == 2


@pytest.mark.req("QUO-10")
def test_what_is_to_be_copied_stays_on_one_line_however_narrow_the_terminal(synced: Run) -> None:
    event, words = quoted(synced)
    entry = remember(synced, "Refunds are whole.", "--quote", words)["entry"]["id"]
    (source,) = synced("sources", entry, "--json").json()
    narrow = {"COLUMNS": "30"}
    assert f"{source['original_file']}:{source['line']}" in synced("sources", entry, env=narrow).out.splitlines()
    assert f"  {entry}" in synced("search", "refunds whole", env=narrow).out.splitlines()
    assert f"  {event}" in synced("get", entry, env=narrow).out.splitlines()


@pytest.mark.req("QUO-2", "QUO-10")
def test_a_search_shows_entries_before_events(synced: Run) -> None:
    entry = remember(synced, "Deposit and refund go through the same ledger.", "--name", "refunds")["entry"]["id"]
    both = synced("search", "deposit refund").out
    assert both.index(entry) < both.index("claude-code:" if "claude-code:" in both else "codex:")
    only = synced("search", "deposit refund", "--in", "entries", "--json").json()
    assert [found["id"] for found in only["entries"]] == [entry]
    assert only["events"] == []
    assert synced("search", "deposit refund", "--in", "entries", "--kind", "cognition", check=False).code == 3


@pytest.mark.req("QUO-10")
def test_a_statement_may_come_from_standard_input(synced: Run) -> None:
    answer = remember(synced, "-", "--type", "note", stdin="烤箱 每天 早上 六点 预热。\n".encode())
    assert answer["entry"]["text"] == "烤箱 每天 早上 六点 预热。"
    assert synced("search", "预热", "--in", "entries", "--json").json()["entries"]


@pytest.mark.req("QUO-10", "SEC-2")
def test_a_person_sees_what_was_kept_and_nothing_acts_on_the_terminal(
    synced: Run, on_terminal: Callable[..., Screen]
) -> None:
    shown = on_terminal("remember", "Preheat \x1b[31mthe oven\x1b[0m at six.", "--type", "rule")
    assert shown.code == 0
    assert "Remembered." in shown.text
    assert "\x1b[31mthe oven" not in shown.raw
    entry = synced("search", "preheat", "--in", "entries", "--json").json()["entries"][0]["id"]
    assert "rule" in on_terminal("get", entry).text
    assert "●" in on_terminal("history", entry).text


@pytest.mark.req("QUO-10")
def test_sources_of_an_entry_that_cites_nothing_say_so(synced: Run) -> None:
    entry = remember(synced, "The oven is blue.")["entry"]["id"]
    shown = synced("sources", entry, check=False)
    assert (shown.code, shown.out) == (3, "")
    assert "cites nothing" in shown.err


@pytest.mark.req("QUO-9")
def test_a_new_index_knows_when_the_logs_were_read(synced: Run) -> None:
    before = synced("status", "--json").json()["last_sync"]
    synced("rebuild")
    assert synced("status", "--json").json()["last_sync"] == before
