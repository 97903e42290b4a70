"""Local state: decisions survive kills and other processes, and a file of a newer program is left alone."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import apsw
import pytest

from quoth.core.errors import InvalidArgument, NewerFormat, StoreFailed
from quoth.core.ids import ProjectId
from quoth.core.model import Exclusion
from quoth.core.times import LATEST
from quoth.services.pause import Pause
from quoth.storage._state import StateFile, migrations

A, B, C = (ProjectId(f"git:host/o/{name}") for name in "abc")


@pytest.fixture
def state(tmp_path: Path) -> Iterator[StateFile]:
    opened = StateFile(tmp_path / "state.db")
    yield opened
    opened.close()


def _again(state: StateFile, tmp_path: Path) -> StateFile:
    state.close()
    return StateFile(tmp_path / "state.db")


class Stopped:
    """A clock that stands still until it is set."""

    def __init__(self, now: int) -> None:
        self.at = now

    def now(self) -> int:
        return self.at


def test_exclusions_are_a_set_that_survives_closing(state: StateFile, tmp_path: Path) -> None:
    folder, source = Exclusion("folder", "/src/客户"), Exclusion("source", "codex")
    assert [state.exclude(folder), state.exclude(source), state.exclude(folder)] == [True, True, False]
    reopened = _again(state, tmp_path)
    assert reopened.exclusions() == [folder, source]
    assert [reopened.include(folder), reopened.include(folder)] == [True, False]
    assert reopened.exclusions() == [source]
    reopened.close()


@pytest.mark.req("QUO-11")
def test_a_pause_ends_by_itself_or_when_the_person_resumes(state: StateFile) -> None:
    clock = Stopped(1_000_000)
    pause = Pause(state, clock)
    assert pause.pause("2h") == 1_000_000 + 7_200_000
    assert pause.until() == state.paused_until() == 8_200_000
    clock.at = 8_200_000
    assert pause.until() is None
    assert pause.pause() == state.paused_until() == LATEST
    assert [pause.resume(), pause.resume()] == [True, False]
    assert state.paused_until() is None


def test_a_pause_of_no_known_length_is_refused(state: StateFile) -> None:
    with pytest.raises(InvalidArgument, match="duration"):
        Pause(state, Stopped(0)).pause("a while")
    assert state.paused_until() is None


def test_merged_projects_stay_flat_however_they_were_merged(state: StateFile) -> None:
    state.merge_project(A, B)
    state.merge_project(B, C)
    assert state.project_merges() == {A: C, B: C}
    state.merge_project(C, A)
    assert state.project_merges() == {B: A, C: A}
    state.merge_project(ProjectId("dir:x"), C)
    assert state.project_merges()[ProjectId("dir:x")] == A
    with pytest.raises(InvalidArgument):
        state.merge_project(A, A)


def test_the_last_name_of_a_project_counts(state: StateFile) -> None:
    state.rename_project(A, "one")
    state.rename_project(A, "пекарня")
    assert state.project_names() == {A: "пекарня"}


@pytest.mark.req("SEC-1")
def test_the_state_is_readable_by_its_owner_alone(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        state = StateFile(tmp_path / "state.db")
        state.pause(None)
        state.copy(tmp_path / "copy.db")
        modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in tmp_path.iterdir()}
        state.close()
    finally:
        os.umask(before)
    assert set(modes) >= {"state.db", "state.db-wal", "copy.db"}
    assert set(modes.values()) == {0o600}


def test_a_copy_is_whole_while_another_connection_writes(state: StateFile, tmp_path: Path) -> None:
    state.exclude(Exclusion("source", "codex"))
    other = StateFile(tmp_path / "state.db")
    other.exclude(Exclusion("source", "claude-code"))
    state.copy(tmp_path / "copy.db")
    other.close()
    copy = StateFile(tmp_path / "copy.db")
    assert copy.exclusions() == state.exclusions()
    assert copy.check() == []
    copy.close()


@pytest.mark.req("ARC-12")
def test_a_state_of_a_newer_program_is_refused_and_left_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "state.db"
    StateFile(path).close()
    with apsw.Connection(str(path)) as db:
        db.execute(f"PRAGMA user_version = {len(migrations()) + 1}")
    db.close()
    before = path.read_bytes()
    with pytest.raises(NewerFormat, match="Upgrade Quoth"):
        StateFile(path)
    assert path.read_bytes() == before


@pytest.mark.req("INV-6")
def test_a_file_that_is_no_database_is_an_error_in_words(tmp_path: Path) -> None:
    (tmp_path / "state.db").write_bytes(b"no database " * 100)
    with pytest.raises(StoreFailed, match=r"state\.db"):
        StateFile(tmp_path / "state.db")
    with pytest.raises(StoreFailed):
        StateFile(tmp_path / "missing" / "state.db")


def test_damage_is_found_by_the_check(state: StateFile, tmp_path: Path) -> None:
    for number in range(400):
        state.exclude(Exclusion("pattern", f"{number:0200}"))
    path = tmp_path / "state.db"
    state.close()
    data = bytearray(path.read_bytes())
    data[-3 * 4096 :] = b"\xff" * (3 * 4096)
    path.write_bytes(data)
    damaged = StateFile(path)
    assert damaged.check() != []
    damaged.close()


_WRITER = """
import sys
from pathlib import Path
from quoth.core.model import Exclusion
from quoth.storage._state import StateFile
state = StateFile(Path(sys.argv[1]))
for number in range(25):
    assert state.exclude(Exclusion("pattern", f"{sys.argv[2]}-{number}"))
    print(number, flush=True)
"""


def test_processes_that_open_and_write_at_once_lose_nothing(tmp_path: Path) -> None:
    command = [sys.executable, "-c", _WRITER, str(tmp_path / "state.db")]
    writers = [subprocess.Popen([*command, str(n)], stdout=subprocess.PIPE) for n in range(4)]
    acknowledged = [len(writer.communicate(timeout=60)[0].split()) for writer in writers]
    assert acknowledged == [25] * 4
    assert [writer.returncode for writer in writers] == [0] * 4
    state = StateFile(tmp_path / "state.db")
    assert len(state.exclusions()) == 100
    state.close()


@pytest.mark.req("INV-2")
def test_what_was_acknowledged_before_a_kill_is_there(tmp_path: Path) -> None:
    writer = subprocess.Popen([sys.executable, "-c", _WRITER, str(tmp_path / "state.db"), "x"], stdout=subprocess.PIPE)
    assert writer.stdout is not None
    last = int([writer.stdout.readline() for _ in range(7)][-1])
    writer.kill()
    writer.communicate(timeout=60)
    state = StateFile(tmp_path / "state.db")
    kept = {exclusion.value for exclusion in state.exclusions()}
    assert kept >= {f"x-{number}" for number in range(last + 1)}
    state.close()
