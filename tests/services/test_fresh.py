"""Before a write, what was just written in any log is read, and no file is missed (ORI-51, ORI-65, ORI-72)."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from feeding import adapter, cases, found, sources
from quoth.core.errors import Busy, StoreFailed
from quoth.readers import tree
from quoth.services._fresh import Fresh
from quoth.wiring import Kernel, SystemClock
from services.archive import Archive
from services.two_sessions import DIARY, SECRET, SHOP, STORES, Store, bread

NIGHT = "2c9a4c1e-5d1f-4c55-8b7a-0d6b1f1c2a33"
HOUR = 3_600_000


class Clock:
    """Shows an instant ahead of the machine's, and goes on by so much each time it is asked."""

    def __init__(self, ahead: int = 0, step: int = 0) -> None:
        self.shown, self.step = SystemClock().now() + ahead, step

    def now(self) -> int:
        self.shown += self.step
        return self.shown


def fresh(
    archive: Archive,
    clock: Clock | None = None,
    lock: Callable[[Kernel], AbstractContextManager[object]] = lambda kernel: kernel.lock(0.01),
) -> str | None:
    """Read what is recent as a new process does, and return what it says."""

    def run(kernel: Kernel) -> str | None:
        return Fresh(replace(kernel.ingest, lock=lambda: lock(kernel)), clock or Clock()).run()

    said: str | None = archive.ask(run)
    return said


def append(archive: Archive, text: str, *, n: int, **where: str) -> Path:
    path = archive.log(**where)
    with path.open("ab") as log:
        log.write(archive.record(text, n=n, session=path.stem))
    return path


def touch(path: Path, clock: Clock) -> None:
    """Let a file have been written at the instant that a clock shows."""
    os.utime(path, (clock.shown / 1000, clock.shown / 1000))


@pytest.fixture
def archive(archive: Archive) -> Archive:
    archive.log().write_bytes(b"".join(archive.records(["Which flour?", "Rye."])))
    archive.log(NIGHT).write_bytes(archive.record("Good night.", n=50, session=NIGHT))
    archive.sync()
    return archive


# --- what is read ---


@pytest.mark.req("ORI-51", "ORI-65")
def test_new_lines_of_a_known_log_are_read(archive: Archive) -> None:
    append(archive, "And wheat?", n=3)
    assert fresh(archive) is None
    assert "And wheat?" in archive.spoken()


@pytest.mark.req("ORI-51", "ORI-65", "ORI-72")
def test_a_log_that_rested_for_weeks_is_read_when_it_is_written_to_and_nothing_else_is(archive: Archive) -> None:
    weeks = Clock(ahead=500 * HOUR)
    append(archive, "Not of this hour.", n=3)
    touch(append(archive, "Good morning!", n=51, session=NIGHT), weeks)
    assert fresh(archive, weeks) is None
    assert "Good morning!" in archive.spoken()
    assert "Not of this hour." not in archive.spoken()


@pytest.mark.req("ORI-51")
@pytest.mark.parametrize("folder", ["-work-bakery", "-work-mill"])
def test_a_new_log_in_an_old_or_a_new_folder_is_read(archive: Archive, folder: str) -> None:
    clock = Clock(ahead=500 * HOUR)
    other = "8a1b6f0d-2f5d-4f0c-9a64-5b7d0c9e1f22"
    touch(append(archive, "A new start.", n=60, session=other, folder=folder), clock)
    assert fresh(archive, clock) is None
    assert "A new start." in archive.spoken()


@pytest.mark.req("ORI-51", "ORI-65")
def test_new_lines_are_read_beside_a_new_log_of_another_agent(archive: Archive) -> None:
    append(archive, "And wheat?", n=3)
    thread = "019cdc2d-99f0-7790-9870-954b1321bc2b"
    said = {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "Wheat is out."}]}
    records = [("session_meta", {"id": thread, "cwd": str(archive.project)}), ("response_item", said)]
    lines = [
        json.dumps({"timestamp": "2026-10-19T16:20:31.000Z", "type": kind, "payload": payload})
        for kind, payload in records
    ]
    archive.rollout(thread).write_text("\n".join(lines) + "\n")
    assert fresh(archive) is None
    assert {"And wheat?", "Wheat is out."} <= set(archive.spoken())
    before = archive.answers()
    archive.sync()
    assert archive.answers() == before


@pytest.mark.req("ORI-70")
def test_a_log_that_was_rewritten_begins_a_new_generation(archive: Archive) -> None:
    new = archive.log().with_suffix(".new")
    new.write_bytes(b"".join(archive.records(["Which flour?", "Spelt."])))
    new.replace(archive.log())
    assert fresh(archive) is None
    assert "Spelt." in archive.search("spelt")[0]["text"]
    generations = {stream.generation for stream in archive.ask(lambda kernel: kernel.journal.streams())}
    assert generations == {1, 2}
    before = archive.answers()
    archive.sync()
    assert archive.answers() == before


def test_a_log_that_moved_is_known_again(archive: Archive) -> None:
    moved = archive.log(folder="-work-mill")
    archive.log().rename(moved)
    with moved.open("ab") as log:
        log.write(archive.record("Moved.", n=3))
    assert fresh(archive) is None
    streams = archive.ask(lambda kernel: kernel.journal.streams())
    assert "Moved." in archive.spoken()
    assert [stream.path for stream in streams if stream.path == str(moved)]
    assert len(streams) == 2


@pytest.mark.req("ORI-65", "ARC-4")
@pytest.mark.parametrize("store", STORES, ids=lambda store: store.__name__)
def test_new_rows_of_a_database_are_read(archive: Archive, store: type[Store]) -> None:
    archive.ask(lambda kernel: kernel.exclude.add("folder", DIARY))
    kept = store(archive.folder)
    for n in (1, 2, 3):
        kept.say(n)
        assert fresh(archive) is None
        assert {bread(number) for number in range(1, n + 1)} <= set(archive.spoken())
    assert not any(SECRET in text for text in archive.spoken())


@pytest.mark.req("ORI-65")
def test_rows_of_a_known_database_are_read_without_a_survey_when_nothing_is_excluded(archive: Archive) -> None:
    kept = STORES[0](archive.folder)
    kept.say(1)
    archive.sync()
    kept.say(2)
    assert fresh(archive) is None
    assert bread(2) in archive.spoken()
    assert SHOP in {event["cwd"] for event in archive.answers()["details"].values()}


@pytest.mark.req("ARC-1", "ORI-65")
@pytest.mark.parametrize(
    ("source", "case"),
    [pytest.param(source, case, id=f"{source}-{case.name}") for source in sources() for case in cases(source)],
)
def test_every_file_that_a_pass_would_read_is_looked_at(tmp_path: Path, source: str, case: Path) -> None:
    home = Path(shutil.copytree(case / "home", tmp_path / "sample"))
    looked_at = set(tree.recent(home, adapter(source).knowledge.paths, since_ns=0))
    assert {file.path for file in found(source, home)[0]} <= looked_at


@pytest.mark.req("ARC-1", "ORI-65")
def test_a_home_that_was_never_read_is_read_as_a_pass_reads_it(archive: Archive) -> None:
    quick, whole = Archive(archive.folder, "quick"), Archive(archive.folder, "whole")
    for store in (STORES[0], STORES[3]):
        store(archive.folder).say(1)
    assert fresh(quick) is None
    whole.sync()
    before = quick.answers()
    assert [before[part] for part in ("sessions", "events")] == [
        whole.answers()[part] for part in ("sessions", "events")
    ]
    assert len(quick.spoken()) == 7
    quick.sync()
    assert quick.answers() == before


@pytest.mark.req("QUO-11")
@pytest.mark.parametrize(
    ("kind", "value"), [("folder", "work/bakery"), ("source", "claude-code"), ("pattern", "*-work-bakery*")]
)
def test_what_is_excluded_is_not_read(archive: Archive, kind: str, value: str) -> None:
    archive.ask(lambda kernel: kernel.exclude.add(kind, str(archive.folder / value) if kind == "folder" else value))
    append(archive, "Not for you.", n=3)
    assert fresh(archive) is None
    assert "Not for you." not in archive.spoken()


# --- when it can't be read ---


@pytest.mark.req("ORI-72")
def test_a_write_says_that_reading_is_paused(archive: Archive) -> None:
    archive.ask(lambda kernel: kernel.state.pause(1 << 62))
    append(archive, "And wheat?", n=3)
    assert (fresh(archive) or "").startswith("reading is paused")
    assert "And wheat?" not in archive.spoken()


@pytest.mark.req("ORI-72")
def test_a_write_waits_five_seconds_for_another_process_and_says_so(archive: Archive) -> None:
    append(archive, "And wheat?", n=3)
    tries = 0

    @contextmanager
    def held(kernel: Kernel) -> Iterator[None]:
        nonlocal tries
        tries += 1
        with kernel.lock(0.01):
            yield

    reader = archive.kernel()
    with reader.lock():
        said = fresh(archive, Clock(step=1_000), held)
    reader.close()
    assert (said or "").startswith("another process is reading")
    assert 2 <= tries <= 5


def test_a_write_goes_on_once_the_other_process_has_read_what_it_needs(archive: Archive) -> None:
    append(archive, "And wheat?", n=3)

    @contextmanager
    def reads_itself(kernel: Kernel) -> Iterator[None]:
        archive.sync()
        raise Busy("reading the logs")
        yield

    assert fresh(archive, None, reads_itself) is None
    assert "And wheat?" in archive.spoken()


@pytest.mark.req("PER-6")
def test_where_nothing_was_written_nobody_is_waited_for(archive: Archive) -> None:
    reader = archive.kernel()
    with reader.lock():
        assert fresh(archive) is None
    reader.close()


@pytest.mark.req("ORI-72", "ARC-3")
def test_after_five_seconds_a_write_goes_on_and_the_next_pass_reads_the_rest_once(archive: Archive) -> None:
    texts = [f"Loaf number {n}." for n in range(5_000)]
    with archive.log().open("ab") as log:
        log.writelines(archive.records(texts, first=100))
    said = fresh(archive, Clock(step=1_000))
    assert (said or "").startswith("new log lines are still being read")
    assert 2 < _counted(archive) < 5_002
    assert fresh(archive) is None
    assert _counted(archive) == 5_002


def _counted(archive: Archive) -> int:
    """Return how many events the session has."""
    sessions = archive.ask(lambda kernel: kernel.timeline.sessions(since=None, limit=500)["sessions"])
    (number,) = [int(each["events"]) for each in sessions if each["session"] == archive.log().stem]
    return number


@pytest.mark.req("INV-6")
def test_a_write_says_that_a_log_could_not_be_read(archive: Archive) -> None:
    archive.log(NIGHT).with_name(f"{'9' * 8}.jsonl.zst").write_bytes(b"no zstandard")
    append(archive, "And wheat?", n=3)
    assert "could not be read" in (fresh(archive) or "")
    assert "And wheat?" in archive.spoken()


@pytest.mark.req("INV-6")
def test_a_store_that_refuses_is_said_and_does_not_stop_the_write(archive: Archive) -> None:
    append(archive, "And wheat?", n=3)

    @contextmanager
    def refused(kernel: Kernel) -> Iterator[None]:
        raise StoreFailed("Locking the home", "no space left on device")
        yield

    assert "no space left" in (fresh(archive, None, refused) or "")


def test_the_service_that_writers_use_reads_what_is_recent(archive: Archive) -> None:
    append(archive, "And wheat?", n=3)
    assert archive.ask(lambda kernel: kernel.read_recent()) is None
    assert "And wheat?" in archive.spoken()
