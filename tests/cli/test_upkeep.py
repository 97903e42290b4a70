"""Looking after the archive: projects, settings, rebuild, backup and restore, status and doctor."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from running import Run

pytestmark = pytest.mark.usefixtures("logged")


def answers(run: Run, env: dict[str, str | None] | None = None) -> list[object]:
    asked = (["search", "deposit"], ["timeline", "--since", "30d"], ["project", "list"])
    return [run(*args, "--json", env=env).json() for args in asked]


def test_rebuild_gives_the_same_answers(run: Run) -> None:
    run("sync")
    before = answers(run)
    assert "events" in run("rebuild").out
    assert answers(run) == before


@pytest.mark.req("QUO-13")
def test_a_backup_restores_into_an_empty_home(run: Run, tmp_path: Path) -> None:
    run("sync")
    before = answers(run)
    done = run("backup", tmp_path / "backup", "--json").json()
    assert done["files"] > 5
    elsewhere: dict[str, str | None] = {"QUOTH_HOME": str(tmp_path / "elsewhere")}
    assert run("restore", "--from", tmp_path / "backup", "--json", env=elsewhere).json()["events"] > 200
    assert answers(run, elsewhere) == before
    refused = run("restore", "--from", tmp_path / "backup", "--json", env=elsewhere, check=False)
    assert (refused.code, json.loads(refused.err)["error"]["code"]) == (1, "backup_refused")


def test_projects_are_listed_renamed_and_merged(run: Run) -> None:
    run("sync")
    listed = run("project", "list", "--json").json()["projects"]
    assert {project["name"]: project["paths"] for project in listed} == {
        "crumb": ["/home/mina/crumb"],
        "crumb-web": ["/home/mina/crumb-web"],
    }
    assert "The bakery" in run("project", "rename", "crumb", "The bakery").out
    assert "The bakery" in run("project", "merge", "crumb-web", "The bakery").out
    (only,) = run("project", "list", "--json").json()["projects"]
    assert only["sessions"] == sum(project["sessions"] for project in listed)
    assert run("project", "rename", "nowhere", "x", check=False).code == 3


def test_the_memory_of_another_home_is_found_by_the_name_of_its_project(run: Run, tmp_path: Path) -> None:
    run("sync")
    run("remember", "Bread is baked at five.", "--uncited", "by hand", "--type", "decision", "--project", "crumb")
    run("export", "--out", tmp_path / "memory.jsonl")
    (tmp_path / "other").mkdir()
    elsewhere = {"QUOTH_HOME": str(tmp_path / "second"), "HOME": str(tmp_path / "other")}
    assert run("project", "list", "--json", env=elsewhere).json()["projects"] == []
    run("import", tmp_path / "memory.jsonl", env=elsewhere)
    (only,) = run("project", "list", "--json", env=elsewhere).json()["projects"]
    assert (only["name"], only["paths"], only["sessions"], only["events"]) == ("crumb", [], 0, 0)
    assert "crumb" in run("project", "list", env=elsewhere).out
    assert "Bread is baked at five." in run("brief", "--project", "crumb", env=elsewhere).out
    assert "is baked at five." in run("search", "bread", "--project", "crumb", env=elsewhere).out


def test_settings_are_listed_set_and_taken_back(run: Run) -> None:
    assert "watch.interval_ms = 60000" in run("config", "list").out
    assert run("config", "set", "watch.interval_ms", "30000").out == "30000\n"
    assert run("config", "get", "watch.interval_ms", "--json").json()["value"] == 30000
    assert run("config", "unset", "watch.interval_ms").out == "60000\n"
    assert run("config", "set", "watch.interval_ms", "often", check=False).code == 2
    assert run("config", "get", "no.such", check=False).code == 2


@pytest.mark.req("QUO-9")
def test_status_says_per_source_what_is_kept(run: Run) -> None:
    run("sync")
    answer = run("status", "--json").json()
    kept = {source["source"]: source for source in answer["sources"]}
    assert kept["claude-code"]["files"] == 7
    assert kept["codex"]["events"] > 50
    text = run("status").out
    assert "last read" in text
    assert str(run.home) in text.replace("\n", "")


@pytest.mark.req("QUO-9", "INV-6")
def test_doctor_passes_a_sound_archive_and_fails_a_damaged_one(run: Run, home: Path) -> None:
    run("sync")
    assert "checks passed" in run("doctor").out
    (log, *_) = sorted(home.rglob("raw/**/*.zst")) or sorted(home.rglob("raw/**/*.tail"))
    log.write_bytes(b"nothing of it")
    done = run("doctor", "--deep", "--json", check=False)
    failed = [check for check in done.json()["checks"] if check["status"] == "fail"]
    assert done.code == 1
    assert failed
    assert all(check["remedy"] for check in failed)
    assert failed[0]["message"].split()[0] in run("doctor", "--deep", check=False).out
