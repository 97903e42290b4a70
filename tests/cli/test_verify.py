"""Proving, exporting and importing from the command line."""

from __future__ import annotations

import json
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from cli.conftest import Screen
from running import Run

_SECRET = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"


@pytest.fixture
def remembered(run: Run, logged: Path) -> str:
    """Return the id of an entry that cites words of a session; another one cites nothing."""
    run("sync")
    (event, *_) = run("search", "deposit", "--json").json()["events"]
    run("remember", "Never deploy on Fridays.", "--type", "rule")
    answer = run("remember", "Deposits are asked for.", "--event", event["id"], "--name", "deposits", "--json").json()
    return str(answer["entry"]["id"])


@pytest.mark.req("INV-3", "QUO-10")
@pytest.mark.usefixtures("remembered")
def test_verify_proves_a_sound_store(run: Run) -> None:
    assert run("verify", "--json").json() == {
        "ok": True,
        "operations": 2,
        "citations": 1,
        "destroyed": 0,
        "elsewhere": 0,
        "findings": [],
    }
    assert run("verify").out == "Everything is proved: 2 operations, 1 citation.\n"


@pytest.mark.req("INV-3", "INV-6", "QUO-10")
@pytest.mark.usefixtures("remembered")
def test_verify_tells_what_was_changed_without_its_words_and_fails(run: Run, home: Path) -> None:
    for log in home.rglob("raw/**/*.tail"):
        log.write_bytes(log.read_bytes().replace(b"eposit", b"EPOSIT"))
    done = run("verify", "--json", check=False)
    (found,) = done.json()["findings"]
    assert (done.code, found["code"]) == (1, "line_changed")
    shown = run("verify", check=False)
    assert (shown.code, "line_changed" in shown.out, "1 finding in" in shown.out) == (1, True, True)
    assert "EPOSIT" not in shown.out


@pytest.mark.usefixtures("remembered")
def test_a_bar_shows_how_far_verifying_is(on_terminal: Callable[..., Screen]) -> None:
    screen = on_terminal("verify")
    assert (screen.code, "Verifying" in screen.text, "1/1" in screen.text) == (0, True, True)
    assert "Everything is proved" in screen.text


@pytest.mark.req("QUO-10")
def test_an_export_comes_back_elsewhere(run: Run, tmp_path: Path, remembered: str) -> None:
    out = tmp_path / "memory.jsonl"
    assert run("export", "--out", out, "--json").json() == {"path": str(out), "files": 1, "entries": 2}
    assert stat.S_IMODE(out.stat().st_mode) == 0o600
    assert run("export").out.splitlines()[1:] == out.read_text("utf-8").splitlines()[1:]
    elsewhere: dict[str, str | None] = {"QUOTH_HOME": str(tmp_path / "elsewhere")}
    preview = run("import", out, "--dry-run", env=elsewhere).out
    assert "deposits" in preview
    assert "2 entries would be added" in preview
    assert run("import", out, env=elsewhere).out == "2 entries added.\n"
    assert run("import", out, "--json", env=elsewhere).json()["duplicates"] == 2
    assert run("get", remembered, "--json", env=elsewhere).json()["entry"]["text"] == "Deposits are asked for."


@pytest.mark.req("SEC-2")
def test_an_export_can_do_nothing_to_a_terminal(run: Run, on_terminal: Callable[..., Screen]) -> None:
    run("remember", "Look \x1b]0;owned\x07 \x9b31m \u202e here.")
    for format_ in ("csv", "jsonl"):
        screen = on_terminal("export", "--format", format_)
        assert (screen.code, "Look" in screen.text) == (0, True)
        assert not set(screen.raw) & set("\x1b\x9b\x07\u202e")


@pytest.mark.usefixtures("remembered")
def test_a_table_and_notes_are_written(run: Run, tmp_path: Path) -> None:
    assert run("export", "--format", "csv").out.count("\r\n") == 3
    assert "2 entries in" in run("export", "--format", "markdown", "--out", tmp_path / "notes").out
    assert (tmp_path / "notes/deposits.md").read_text("utf-8").startswith("---\nid: ent_")
    assert run("export", "--format", "markdown", check=False).code == 2
    assert run("export", "--out", tmp_path / "notes", check=False).code == 2


@pytest.mark.req("SEC-10", "QUO-10")
def test_notes_are_imported_and_what_is_left_is_told(run: Run, tmp_path: Path) -> None:
    notes = tmp_path / "notes"
    notes.mkdir()
    (notes / "rule.md").write_text(f"---\ntype: rule\n---\nSign with {_SECRET} only.")
    (notes / "empty.md").write_text("")
    done = run("import", notes)
    assert "1 entry added" in done.out
    assert "1 secret taken out" in done.out
    assert f"Left: {notes / 'empty.md'} (empty)" in done.out.replace("\n", "")
    assert _SECRET not in run("export").out
    (notes / "broken.md").write_text("---\na: [\n---\nx")
    refused = run("import", notes, "--json", check=False)
    assert (refused.code, json.loads(refused.err)["error"]["code"]) == (1, "import_refused")


@pytest.mark.req("QUO-9")
@pytest.mark.usefixtures("remembered")
def test_status_and_doctor_tell_of_memory(run: Run) -> None:
    assert run("status", "--json").json()["ledger"]["entries"] == 2
    assert "2 entries" in run("status").out
    assert "The index shows all of the ledger: 2 operations." in run("doctor").out
