"""Short runs of the soak and the kills of the bench, and proof that their checks can fail."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from bench.promises import Content
from bench.subject import Store
from bench.writers import Diary, Version, Writer

from bench import promises
from quoth.core.model import Filter

ROOT = Path(__file__).parents[2]


def bench(what: str, report: Path, *options: str) -> dict[str, bool | None]:
    """Run the bench as a person would and return which of its rows are as promised."""
    command = [sys.executable, "-m", "bench", what, *options, "--json", str(report)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return {row["work"]: row["ok"] for row in json.loads(report.read_text(encoding="utf-8"))["rows"]}


@pytest.mark.req("INV-1", "INV-2", "ARC-1", "ARC-7")
def test_a_watcher_beside_writers_and_kills_loses_nothing_and_repeats_nothing(tmp_path: Path) -> None:
    judged = bench("soak", tmp_path / "report.json", "--seconds", "8", "--seed", "11")
    assert {work for work, ok in judged.items() if ok} >= {
        "versions in the mirror, byte for byte",
        "logs on the disk, newest generation",
        "what was said, once",
        "answered while it ran, still there",
        "answers after a rebuild, the same",
        "open files, last quarter",
    }


@pytest.mark.req("INV-1", "INV-2", "ARC-7")
def test_kills_between_changes_of_logs_lose_nothing_and_repeat_nothing(tmp_path: Path) -> None:
    judged = bench("kills", tmp_path / "report.json", "--kills", "25", "--seed", "5")
    assert [work for work, ok in judged.items() if ok is None] == ["kills"]


# --- the checks can fail ----------------------------------------------------------------------------------------------


@pytest.fixture
def store(tmp_path: Path) -> Store:
    store = Store(tmp_path / "logs", tmp_path / "home")
    store.home.mkdir()
    return store


@pytest.fixture
def diary(store: Store) -> Diary:
    """Treat some logs badly with a pass after each change, as long as it takes to have several lives."""
    writer = Writer(store.logs, 0, 7)
    for _ in range(25):
        writer.step()
        store.ingest()
    return writer.stop()


def everything(diary: Diary) -> list[Content]:
    return [Content(*pair) for pair in zip(diary.sessions, map(bytes, diary.lives), strict=True)]


def test_what_the_store_holds_passes_every_check(store: Store, diary: Diary) -> None:
    with store.open() as kernel:
        contents = [Content(*pair) for pair in zip(diary.sessions, map(bytes, diary.lives), strict=True)]
        assert promises.mirrored(kernel, contents).wrong == []
        assert promises.on_disk(kernel, store.logs).wrong == []
        assert promises.said_once(kernel, [diary], contents).wrong == []
        assert promises.rebuilt(kernel).wrong == []


def test_a_version_that_the_mirror_does_not_hold_is_found(store: Store, diary: Diary) -> None:
    lost = Content(diary.sessions[0], bytes(diary.lives[0]) + b"more")
    with store.open() as kernel:
        assert len(promises.mirrored(kernel, [lost]).wrong) == 1


def test_a_log_that_was_not_read_to_its_end_is_found(store: Store, diary: Diary) -> None:
    log = next(path for path in store.logs.rglob("*.jsonl"))
    with log.open("ab") as file:
        file.write(b"more")
    with store.open() as kernel:
        assert promises.on_disk(kernel, store.logs).wrong == [str(log)]


def test_an_event_that_is_missing_twice_or_was_never_said_is_found(store: Store, diary: Diary) -> None:
    with store.open() as kernel:
        said = promises.said_once(kernel, [Diary()], everything(diary)).wrong
        assert any(what.endswith("was never said") for what in said)
        missing = Content("nobody", b'{"type":"user","uuid":"1","message":{"content":"w9n1 r0 hello"}}\n')
        assert promises.said_once(kernel, [diary], [missing]).wrong == ["w9n1 is missing"]


def test_an_answer_that_went_away_is_found(store: Store, diary: Diary) -> None:
    with store.open() as kernel:
        known = [event.id for event in promises.events(kernel)]
        assert promises.resolved(kernel, [*known, "claude-code:gone"]).wrong == ["claude-code:gone"]


def test_an_answer_that_a_rebuild_changes_is_found(store: Store, diary: Diary) -> None:
    with store.open() as kernel:
        (session, *_) = kernel.index.sessions(Filter(), limit=1, offset=0)
        kernel.index.gone([], among=[stream.source for stream in kernel.journal.streams()])
        stream = next(stream for stream in kernel.journal.streams() if session.session in stream.identity)
        kernel.journal.moved(stream, "/elsewhere.jsonl")
        assert promises.rebuilt(kernel).wrong != []


def test_a_version_counts_only_when_a_whole_pass_saw_it() -> None:
    diary = Diary(["s"], [bytearray(b"abcdef")], [Version(0, 2, since=10, until=20), Version(0, 4, since=30, until=40)])
    sizes = {
        passes: [len(content.data) for content in promises.required([diary], list(passes))]
        for passes in (((10, 20),), ((9, 15),), ((12, 25),), ((12, 18), (30, 39)), ((35, 41),))
    }
    assert sizes == {
        ((10, 20),): [2],
        ((9, 15),): [],
        ((12, 25),): [],
        ((12, 18), (30, 39)): [4],
        ((35, 41),): [],
    }
