"""Processes that write vectors at once, are killed, or find a torn file: what was answered is there, and whole."""

from __future__ import annotations

import os
import random
import resource
import struct
from pathlib import Path

import pytest

pytest.importorskip("numpy", reason="needs the extra `local`")

from hypothesis import given, settings
from hypothesis import strategies as st

from children import acknowledge, begin, ended, needs_fork
from quoth.core.errors import StoreFailed
from quoth.core.vectors import Vectors
from storage.vectors import cache, closing, key, named, slowly, vector, windows

__all__ = ["closing"]  # a fixture

pytestmark = needs_fork

PROCESSES, EACH, KILLS = 3, 15, 20


@pytest.mark.req("INV-2")
def test_processes_that_put_the_same_texts_at_once_hold_each_once(tmp_path: Path) -> None:
    def work(who: int) -> None:
        one = cache(tmp_path)
        for number in range(EACH):
            one.put(named([number, f"{who}-{number}"]))

    pids = [begin(lambda who=who: work(who)) for who in range(PROCESSES)]  # type: ignore[misc]
    assert [ended(pid) for pid in pids] == [0] * PROCESSES
    names = [*range(EACH), *(f"{who}-{number}" for who in range(PROCESSES) for number in range(EACH))]
    one = cache(tmp_path)
    assert len(one) == len(names)
    held = {key(name): vector(name) for name in names}
    assert one.nearest(vector("asked"), limit=10) == slowly(held, vector("asked"), limit=10)
    assert one.check() == []


@pytest.mark.req("INV-2")
def test_a_killed_writer_loses_nothing_that_it_answered(tmp_path: Path) -> None:
    answered = tmp_path / "answered"
    answered.touch()
    source = random.Random(3)

    def work(round_: int) -> None:
        one = cache(tmp_path)
        for number in range(10_000):
            name = f"{round_}-{number}"
            one.put([(key(name), windows(name, f"{name}b", f"{name}c"))])
            acknowledge(answered, f"+{name}")
            if number % 3 == 2:
                acknowledge(answered, f"?{name}")
                one.forget([key(name)])
                acknowledge(answered, f"-{name}")

    for round_ in range(KILLS):
        ended(begin(lambda round_=round_: work(round_), kill_after=source.uniform(0.01, 0.2)))  # type: ignore[misc]
    lines = answered.read_text().splitlines()
    put, tried, gone = ({line[1:] for line in lines if line[0] == sign} for sign in "+?-")
    one = cache(tmp_path)
    one.put(named(["the next one"]))  # a writer finishes what another left
    assert one.missing(map(key, put - tried)) == []
    assert {*one.missing(map(key, gone))} == {*map(key, gone)}
    assert len(one) % 3 == 1, "a text has all of its windows, or none"
    assert one.check() == []


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("torn")


@settings(max_examples=25, deadline=None)
@given(cut=st.integers(0, 200_000), flips=st.lists(st.tuples(st.integers(0, 200_000), st.integers(1, 255)), max_size=3))
def test_a_torn_file_is_read_as_far_as_it_is_whole_and_goes_on(
    folders: Path, cut: int, flips: list[tuple[int, int]]
) -> None:
    home = folders / str(len([*folders.iterdir()]))
    one = cache(home)
    one.put(named(range(1500)))
    one.close()
    path = home / "vectors-m.bin"
    content = bytearray(path.read_bytes()[:cut])
    for at, mask in flips:
        if at < len(content):
            content[at] ^= mask
    path.write_bytes(content)
    one.nearest(vector(1), limit=10)  # what is damaged may be missed, and nothing else happens
    one.put(named(["later"]))
    assert one.nearest(vector("later"), limit=1)[0].key == key("later")
    assert {near.key for near in one.nearest(vector(1), limit=3)} <= {*map(key, range(1500)), key("later")} or flips


@pytest.mark.req("INV-6")
@pytest.mark.parametrize("content", [b"", b"short", b"x" * 5000])
def test_a_file_that_becomes_garbage_while_it_is_open_is_begun_anew(tmp_path: Path, content: bytes) -> None:
    one = cache(tmp_path)
    one.put(named(range(20)))
    with (tmp_path / "vectors-m.bin").open("r+b") as file:  # in its place, as a bad copy does
        file.truncate(len(content))
        file.write(content)
    assert one.nearest(vector(1), limit=3) == []
    assert len(one.missing([key(1), key(2)])) == 2
    assert "damaged" in one.check()[0]
    assert one.put(named(range(3))) == 3
    assert one.nearest(vector(1), limit=1)[0].key == key(1)


def test_a_row_that_is_not_what_was_written_is_noticed(tmp_path: Path) -> None:
    one = cache(tmp_path)
    one.put(named(range(3000)))
    path = tmp_path / "vectors-m.bin"
    content = bytearray(path.read_bytes())
    content[content.index(key(1))] ^= 1
    path.write_bytes(content)
    assert "damaged" in cache(tmp_path).check()[0]


def test_a_last_row_that_is_not_whole_is_cut_off_by_the_next_writer(tmp_path: Path) -> None:
    one = cache(tmp_path)
    one.put(named(["first"]))
    one.put(named(["second"]))
    replace(tmp_path / "vectors-m.bin", halves("second"), halves("third"))
    one.put(named(["later"]))
    assert one.missing([key("first"), key("second"), key("later")]) == [key("second")]
    assert one.check() == []


@pytest.mark.req("INV-5")
def test_what_a_killed_process_left_of_a_row_is_wiped_by_the_next_writer(tmp_path: Path) -> None:
    one = cache(tmp_path)
    one.put(named(["wiped by half"]))
    one.put(named(["not yet counted"]))
    path = tmp_path / "vectors-m.bin"
    replace(path, key("wiped by half"), bytes(16))
    with path.open("r+b") as file:
        file.seek(512)
        file.write(struct.pack("<Q", 1))
    assert one.forget([key("something else")]) == 0
    for name in ("wiped by half", "not yet counted"):
        assert halves(name) not in path.read_bytes()
    assert len(one) == 0


def replace(path: Path, old: bytes, new: bytes) -> None:
    content = path.read_bytes()
    assert content.count(old) == 1
    path.write_bytes(content.replace(old, new))


def halves(name: object) -> bytes:
    return struct.pack("<8e", *next(iter(vector(name))))


@pytest.mark.req("INV-2")
def test_many_vectors_are_put_as_a_whole_or_not_at_all(tmp_path: Path) -> None:
    source = random.Random(8)
    rows = [vector(number, dimensions=384) for number in range(400)]

    def work(round_: int) -> None:
        one = cache(tmp_path, dimensions=384)
        for number in range(1000):
            one.put([(key(f"{round_}-{number}-{place}"), row) for place, row in enumerate(rows)])

    for round_ in range(15):
        ended(begin(lambda round_=round_: work(round_), kill_after=source.uniform(0.01, 0.08)))  # type: ignore[misc]
        one = cache(tmp_path, dimensions=384)
        assert len(one) % 400 == 0
        assert one.check() == []
    assert len(one) > 0


def test_a_full_disk_is_an_error_and_leaves_what_was_there(tmp_path: Path) -> None:
    one = cache(tmp_path)
    one.put(named(range(1000)))
    size = (tmp_path / "vectors-m.bin").stat().st_size

    def work() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
        with pytest.raises(StoreFailed):
            cache(tmp_path).put(named(range(1000, 1100)))

    assert ended(begin(work)) == 0
    assert len(one) == 1000
    assert one.check() == []
    assert one.put(named(range(990, 1100))) == 100
    assert one.nearest(vector(1050), limit=1)[0].key == key(1050)


def test_a_vector_read_while_another_process_wipes_it_is_never_a_wrong_text(tmp_path: Path) -> None:
    one = cache(tmp_path)
    one.put(named(range(200)))

    def work() -> None:
        other = cache(tmp_path)
        for name in range(100):
            other.forget([key(name)])

    pid = begin(work)
    names = {*map(key, range(200))}
    asked = Vectors(8, vector(1).data)
    while os.waitpid(pid, os.WNOHANG)[0] == 0:
        assert {near.key for near in one.nearest(asked, limit=300)} <= names
    assert len(one) == 100
