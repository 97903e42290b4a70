"""Logs that will hardly grow any more are compressed in the mirror, and nothing that is asked or read can tell."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import pytest

from indexing import NOON, SOURCE, stream
from quoth.core.errors import StoreFailed
from quoth.core.model import Progress, Signature, StreamState
from quoth.mirror.files import MirrorFiles
from quoth.services._plan import Registry
from quoth.services._sealing import resting, seal
from services.archive import Archive

TALK = [f"The oven was {degrees} degrees warm, and nobody knows why." for degrees in range(30)]
WEEK = 7 * 24 * 3_600_000


def aged(log: Path) -> bytes:
    """Make a log look as if nobody had touched it for long, and return what it holds."""
    os.utime(log, ns=(0, NOON * 1_000_000 + log.stat().st_size))
    return log.read_bytes()


def add(log: Path, lines: Iterable[bytes]) -> None:
    with log.open("ab") as file:
        file.writelines(lines)


def raw(archive: Archive) -> list[int]:
    """Return how many bytes of each stream lie raw."""
    return sorted(path.stat().st_size for path in (archive.home / "raw").rglob("*.tail"))


def room(archive: Archive) -> int:
    return sum(path.stat().st_size for path in (archive.home / "raw").rglob("*") if path.is_file())


def sealed(archive: Archive) -> list[int]:
    """Return up to which byte the index knows each stream to be sealed."""
    return [state.sealed for state in archive.ask(lambda kernel: kernel.index.streams())]


def mirrored(archive: Archive) -> list[bytes]:
    mirror = MirrorFiles(archive.home)
    assert [problem for name in mirror.names() for problem in mirror.check(name)] == []
    return sorted(b"".join(mirror.read(name)) for name in mirror.names())


@pytest.mark.req("ARC-1", "ARC-2")
def test_a_log_nobody_writes_to_is_sealed_takes_less_room_and_answers_the_same(archive: Archive) -> None:
    add(archive.log(), archive.records(TALK))
    archive.sync()
    before, size, log = archive.answers(), room(archive), aged(archive.log())
    archive.sync()
    assert raw(archive) == [len(log)], "what a pass sees changed is left to a later one"
    archive.sync()
    assert raw(archive) == [0]
    assert room(archive) < size / 3
    assert mirrored(archive) == [log]
    assert archive.answers() == before
    archive.rebuild()
    assert archive.answers() == before


@pytest.mark.req("ARC-1")
def test_a_log_that_is_old_when_it_is_first_seen_never_lies_raw(archive: Archive) -> None:
    add(archive.log(), archive.records(TALK))
    log = aged(archive.log())
    archive.sync()
    assert raw(archive) == []
    assert mirrored(archive) == [log]
    assert sealed(archive) == [len(log)]
    other = Archive(archive.folder, "raw")
    archive.log().touch()
    other.sync()
    assert raw(other) == [len(log)]
    assert archive.answers()["events"] == other.answers()["events"]


@pytest.mark.req("ARC-1", "ARC-3")
def test_a_sealed_log_that_grows_again_is_the_same_as_one_that_was_never_sealed(archive: Archive) -> None:
    add(archive.log(), archive.records(TALK))
    aged(archive.log())
    archive.sync()
    frames = next((archive.home / "raw").rglob("*.zst")).read_bytes()
    add(archive.log(), archive.records(["So it goes on."], first=100))
    log = aged(archive.log())
    archive.sync()
    archive.sync()
    assert mirrored(archive) == [log]
    assert raw(archive)[0] > 0, "one more line is not worth a frame"
    add(archive.log(), archive.records(TALK, first=200))
    log = aged(archive.log())
    archive.sync()
    archive.sync()
    assert (mirrored(archive), raw(archive), sealed(archive)) == ([log], [0], [len(log)])
    assert next((archive.home / "raw").rglob("*.zst")).read_bytes().startswith(frames)
    other = Archive(archive.folder, "never-sealed")
    archive.log().touch()
    other.sync()
    assert archive.answers()["events"] == other.answers()["events"]


@pytest.mark.req("ARC-1", "ARC-7")
def test_logs_that_are_gone_or_were_rewritten_are_sealed_and_those_in_use_are_not(archive: Archive) -> None:
    logs = {name: archive.log(name) for name in ("gone", "rewritten", "used")}
    for n, (name, log) in enumerate(logs.items()):
        log.write_bytes(b"".join(archive.records(TALK, first=1 + 100 * n, session=name)))
    held = [log.read_bytes() for log in logs.values()]
    archive.sync()
    logs["gone"].unlink()
    logs["rewritten"].write_bytes(b"".join(archive.records(["All new."], first=900, session="rewritten")))
    archive.sync()
    before = archive.answers()
    archive.sync()
    assert raw(archive) == [0, 0, logs["rewritten"].stat().st_size, logs["used"].stat().st_size]
    assert mirrored(archive) == sorted([*held, logs["rewritten"].read_bytes()])
    assert archive.answers() == before


@pytest.mark.req("ARC-1")
def test_a_lost_index_seals_nothing_twice(archive: Archive) -> None:
    add(archive.log(), archive.records(TALK))
    log = aged(archive.log())
    archive.sync()
    frames = next((archive.home / "raw").rglob("*.zst")).read_bytes()
    archive.rebuild()
    assert sealed(archive) == [0]
    archive.sync()
    archive.sync()
    assert next((archive.home / "raw").rglob("*.zst")).read_bytes() == frames
    assert sealed(archive) == [len(log)]


# --- the decision


def read_to(
    offset: int, *, rank: int = 1, age: int = WEEK, gone: bool = False, sealed: int = 0, key: str = "a"
) -> StreamState:
    written = Signature(1, 1, offset, (NOON - age) * 1_000_000, 0)
    return StreamState(stream(rank, key=key), Progress(9, offset, None, written), gone, sealed)


def chosen(*states: StreamState, changed: Sequence[int] = ()) -> list[int]:
    found = resting(Registry(states), sources=[SOURCE], changed=changed, now=NOON)
    return [state.stream.rank for state in found]


@pytest.mark.parametrize(
    ("state", "is_chosen"),
    [
        (read_to(4096), True),
        (read_to(4095), False),
        (read_to(4096, age=WEEK - 1), False),
        (read_to(4096, age=-WEEK), False),
        (read_to(4096, age=0, gone=True), True),
        (read_to(9000, sealed=9000), False),
        (read_to(9000, sealed=4904), True),
        (StreamState(stream(), Progress(9, 9000, None, None)), False),
    ],
)
def test_what_rests_and_is_worth_it_is_chosen(state: StreamState, *, is_chosen: bool) -> None:
    assert chosen(state) == [1] * is_chosen
    assert chosen(state, changed=[1]) == []


def test_the_largest_are_chosen_first_and_not_all_at_once() -> None:
    states = [read_to(5000 + rank, rank=rank, key=f"{rank}") for rank in range(1, 1001)]
    assert chosen(*states) == list(range(1000, 800, -1))


# --- the time it may take


class Ticking:
    """A clock that goes on whenever it is looked at."""

    def __init__(self, step: int) -> None:
        self._now, self._step = NOON, step

    def now(self) -> int:
        self._now += self._step
        return self._now


class Refusing(MirrorFiles):
    """A mirror on a full disk."""

    def seal(self, names: Iterable[str], *, at_least: int = 1) -> Mapping[str, int]:
        raise StoreFailed("Writing the mirror", "No space left on device")


def test_sealing_ends_when_its_time_is_over(home: Path) -> None:
    states = [read_to(5000, rank=rank, key=f"{rank}") for rank in range(1, 101)]
    assert len(seal(MirrorFiles(home), states, Ticking(1))) == 100
    assert 0 < len(seal(MirrorFiles(home), states, Ticking(300))) < 100


def test_a_full_disk_stops_no_pass(home: Path) -> None:
    assert seal(Refusing(home), [read_to(5000)], Ticking(1)) == {}
