"""`quoth sync`: first look, reading, pausing, and saying loudly what did not go well."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from running import Run


@pytest.mark.req("QUO-11")
@pytest.mark.usefixtures("logged")
def test_a_dry_run_says_what_would_be_read_and_reads_nothing(run: Run) -> None:
    looks = run("sync", "--dry-run", "--json").json()["roots"]
    assert {look["source"]: look["changed"] for look in looks if look["files"]} == {"claude-code": 7, "codex": 5}
    assert all(look["bytes"] > 1000 for look in looks if look["files"])
    assert "about a second" in run("sync", "--dry-run").out
    assert run("search", "bread", "--no-sync", check=False).code == 3


@pytest.mark.usefixtures("logged")
def test_reading_twice_reads_nothing_new(run: Run) -> None:
    first = {source["source"]: source for source in run("sync", "--json").json()["sources"]}
    assert first["claude-code"]["events"] > 100
    assert first["codex"]["events"] > 50
    assert {source["events"] for source in run("sync", "--json").json()["sources"]} == {0}


@pytest.mark.usefixtures("logged")
def test_one_source_can_be_read_alone(run: Run) -> None:
    assert [s["source"] for s in run("sync", "--source", "codex", "--json").json()["sources"]] == ["codex"]
    done = run("sync", "--source", "cdoex", check=False)
    assert (done.code, done.err.startswith("Unknown source cdoex.")) == (3, True)


@pytest.mark.req("QUO-11")
@pytest.mark.usefixtures("logged")
def test_a_paused_home_reads_nothing_until_resumed_and_says_so(run: Run) -> None:
    assert "until" not in run("sync", "--pause").out
    assert "until" in run("sync", "--pause", "2h").out
    assert run("search", "bread", check=False).code == 3
    assert run("sync").err.startswith("Reading is paused")
    run("sync", "--resume")
    run("sync")
    assert run("search", "bread").out


@pytest.mark.req("QUO-11")
@pytest.mark.usefixtures("logged")
def test_what_is_excluded_is_not_read_until_it_is_included_again(run: Run) -> None:
    run("exclude", "add", "--folder", "/home/mina/crumb-web")
    run("sync")
    assert run("search", "allergens", check=False).code == 3
    assert "/home/mina/crumb-web" in run("exclude", "list").out
    run("exclude", "remove", "--folder", "/home/mina/crumb-web")
    assert run("exclude", "remove", "--folder", "/home/mina/crumb-web", check=False).code == 3
    assert run("search", "allergens").out


@pytest.mark.req("QUO-11")
@pytest.mark.usefixtures("logged")
def test_what_was_left_out_is_counted_and_a_project_keeps_its_name(run: Run) -> None:
    run("sync")
    assert run("exclude", "add", "--project", "crumb-web").out == "Nothing more is read of project crumb-web.\n"
    assert run("exclude").out.split() == ["project", "crumb-web"]
    assert "Left out as you said: 3 files." in run("sync").out
    assert "project crumb-web" in run("status").out


@pytest.mark.usefixtures("logged")
def test_watching_one_source_reads_no_other(run: Run) -> None:
    watch = subprocess.Popen(
        run.command("sync", "--watch", "--source", "codex", "--json"),
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=run.environment(),
    )
    try:
        assert watch.stdout
        assert [s["source"] for s in json.loads(watch.stdout.readline())["sources"]] == ["codex"]
    finally:
        watch.kill()
        watch.communicate()


@pytest.mark.usefixtures("logged")
def test_a_watch_with_an_interval_of_0_looks_once(run: Run) -> None:
    assert "claude-code" in run("sync", "--watch", env={"QUOTH_WATCH_INTERVAL_MS": "0"}).out


def test_agents_that_are_not_here_take_no_row(run: Run, person: Path) -> None:
    for args in (["sync"], ["sync", "--dry-run"]):
        done = run(*args)
        assert done.out == ""
        assert done.err.startswith("No agent keeps logs here")
    assert "Nothing is kept yet." in run("search", "bread", check=False).err
    assert "Nothing is kept yet." in run("timeline", check=False).err
    (person / ".codex" / "sessions").mkdir(parents=True)
    status = run("status").out
    assert status.index("codex") < status.index("Not on this machine: ") < status.index("claude-code")


@pytest.mark.req("INV-6")
def test_a_file_that_can_not_be_read_is_listed_and_ends_with_1(logged: Path, run: Run) -> None:
    name = "rollout-2026-01-01T00-00-00-019c1d5d-9c00-7716-9648-332216821d60.jsonl"
    broken = logged / ".codex" / "archived_sessions" / f"{name}.zst"
    broken.parent.mkdir()
    broken.write_bytes(b"this was never compressed")
    done = run("sync", check=False)
    assert done.code == 1
    assert name in done.err.replace("\n", "")
    assert run("search", "bread").out


@pytest.mark.req("INV-6")
@pytest.mark.usefixtures("logged")
def test_another_reader_does_not_stop_an_answer(run: Run, home: Path) -> None:
    from quoth.wiring import Kernel

    run("sync")
    kernel = Kernel({"HOME": str(run.person), "QUOTH_HOME": str(home), "QUOTH_WORKER": "off"})
    with kernel.lock():
        done = run("search", "bread")
    kernel.close()
    assert done.out
    assert "Another process" in done.err


@pytest.mark.req("INV-6", "QUO-10")
def test_what_nobody_expected_is_one_sentence_without_words_of_a_log(run: Run, home: Path) -> None:
    home.parent.joinpath("file").write_text("x")
    env = {"QUOTH_HOME": str(home.parent / "file" / "below")}
    done = run("search", "x", "--json", env=env, check=False)
    assert done.code == 1
    assert set(json.loads(done.err)["error"]) == {"code", "message"}
    assert "Traceback" not in run("search", "x", env=env, check=False).err
