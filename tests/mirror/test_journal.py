"""The journal keeps observations in order, survives a killed writer, and tells of damage."""

from __future__ import annotations

import json
import os
import stat
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mirror.processes import (
    answer_of,
    append_places_with_file_limit,
    channel,
    first_device,
    start,
    tell_journal,
)
from quoth.core.errors import JournalDamaged, NewerFormat
from quoth.core.ids import ProjectId, SourceId
from quoth.core.model import Form, Found, Named, Place, Root, Signature, Stream
from quoth.mirror.journal import JournalFile

ROOT = Root(SourceId("claude-code"), Path("/home/dev/.claude"), "claude-0123abcd")
SHOP = Named(ProjectId("git:example.org/dev/shop"), "Shop", "dev")


class Stopped:
    """A clock that stands still."""

    def now(self) -> int:
        return 1_790_000_000_123


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path


def _found(key: str, **other: Any) -> Found:
    path = other.pop("path", ROOT.path / key)
    return Found(key, path, Form.LOG, key.rpartition("/")[2], Signature(1, 2, 3, 1_700_000_000_987_654_321, 5), **other)


def _begin(journal: JournalFile, *keys: str, generation: int = 1) -> list[Stream]:
    return list(journal.begin_all([(ROOT, _found(key), generation) for key in keys]))


def _place(cwd: str, branch: str = "main") -> Place:
    return Place(cwd, ProjectId("git:example.org/dev/app"), "app", "dev", "/home/dev/app", branch)


def _records(home: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (home / "observations.jsonl").read_bytes().splitlines()]


@pytest.mark.req("INV-1", "ARC-1")
def test_what_was_observed_is_the_same_in_a_new_process(home: Path) -> None:
    journal = JournalFile(home, clock=Stopped())
    streams = _begin(journal, "projects/a.jsonl", "projects/b.jsonl")
    again = _begin(journal, "projects/a.jsonl", generation=2)
    moved = journal.moved(streams[0], "/home/dev/.claude/projects/c.jsonl")
    journal.saw(_place("/home/dev/app"))
    journal.heard([SHOP, Named(ProjectId("dir:0a"), "面包店")])
    read = JournalFile(home)
    assert read.streams() == (moved, streams[1], *again)
    assert [stream.rank for stream in read.streams()] == [1, 2, 3]
    assert read.places() == {"/home/dev/app": _place("/home/dev/app")}
    assert read.named() == {SHOP.project: SHOP, "dir:0a": Named(ProjectId("dir:0a"), "面包店")}
    assert read.roots() == {("claude-code", "claude-0123abcd"): "/home/dev/.claude"}
    assert read.device() == journal.device()


@pytest.mark.req("INV-1")
def test_the_first_line_names_format_and_device_and_the_others_say_when(home: Path) -> None:
    journal = JournalFile(home, clock=Stopped())
    _begin(journal, "projects/a.jsonl")
    first, root, stream = _records(home)
    device, name = journal.device()
    assert first == {"k": "home", "format": 1, "device": device, "name": name, "at": Stopped().now()}
    assert len(bytes.fromhex(device)) == 16
    assert root == {
        "k": "root",
        "source": "claude-code",
        "name": "claude-0123abcd",
        "path": "/home/dev/.claude",
        "at": Stopped().now(),
    }
    assert stream == {
        "k": "stream",
        "source": "claude-code",
        "root": "claude-0123abcd",
        "key": "projects/a.jsonl",
        "generation": 1,
        "form": "log",
        "identity": "a.jsonl",
        "path": "/home/dev/.claude/projects/a.jsonl",
        "mtime": 1_700_000_000_987,
        "at": Stopped().now(),
    }


@pytest.mark.req("ARC-2")
def test_observing_again_what_is_known_writes_nothing(home: Path) -> None:
    journal = JournalFile(home)
    stream, *_ = _begin(journal, "a.jsonl", "b.jsonl")
    journal.saw(_place("/home/dev/app"))
    journal.heard([SHOP])
    before = (home / "observations.jsonl").read_bytes()
    assert _begin(JournalFile(home), "a.jsonl") == [stream]
    JournalFile(home).saw(_place("/home/dev/app"))
    JournalFile(home).heard([SHOP])
    assert JournalFile(home).moved(stream, stream.path) == stream
    assert (home / "observations.jsonl").read_bytes() == before
    journal.saw(_place("/home/dev/app", branch="other"))
    assert JournalFile(home).places()["/home/dev/app"].branch == "other"
    journal.heard([replace(SHOP, name="The shop")])
    assert JournalFile(home).named()[SHOP.project].name == "The shop"


@pytest.mark.req("ARC-4")
def test_paths_that_are_no_text_are_kept_printable(home: Path) -> None:
    name = os.fsdecode(b"caf\xe9\n\x1b[31m.jsonl")
    found = Found("k.jsonl", ROOT.path / f"{name}.zst", Form.LOG, name, Signature(1, 2, 3, 4, 5), compressed=True)
    (stream,) = JournalFile(home).begin_all([(ROOT, found, 1)])
    assert stream.path == "/home/dev/.claude/caf%E9\n\x1b[31m.jsonl"
    assert stream.identity == "caf%E9\n\x1b[31m.jsonl"
    assert JournalFile(home).streams() == (stream,)


def test_another_process_sees_what_was_appended(home: Path) -> None:
    writer, reader = JournalFile(home), JournalFile(home)
    assert reader.streams() == ()
    for n in range(5):
        _begin(writer, f"{n}.jsonl")
        assert reader.streams() == writer.streams()
    assert len(reader.streams()) == 5


@pytest.mark.req("INV-2")
def test_many_processes_that_begin_at_once_agree_on_one_device(home: Path) -> None:
    for attempt in range(20):
        folder = home / str(attempt)
        folder.mkdir()
        ours, theirs = channel()
        processes = [start(first_device, folder, theirs) for _ in range(3)]
        assert {ours.recv() for _ in processes} == {JournalFile(folder).device()}
        for process in processes:
            process.join()
        ours.close()
        theirs.close()
        assert [path.name for path in folder.iterdir()] == ["observations.jsonl"]


@pytest.mark.req("INV-2", "MMC-17")
def test_processes_that_write_at_once_lose_no_record_and_share_no_rank(home: Path) -> None:
    processes = [start(tell_journal, home, who, 40) for who in "ab"]
    for process in processes:
        process.join()
    journal, keys = JournalFile(home), {f"{who}-{n}" for who in "ab" for n in range(40)}
    assert [process.exitcode for process in processes] == [0, 0]
    assert {stream.key for stream in journal.streams()} == {f"{key}.jsonl" for key in keys}
    assert {place.name for place in journal.places().values()} == keys
    assert {told.name for told in journal.named().values()} == keys
    kinds = [record["k"] for record in _records(home)]
    assert {kind: kinds.count(kind) for kind in kinds} == {
        "home": 1,
        "root": 1,
        "stream": 80,
        "place": 80,
        "project": 80,
    }


@pytest.mark.req("INV-2")
def test_a_last_line_torn_at_any_byte_is_ignored_and_cut_off(home: Path) -> None:
    journal = JournalFile(home)
    kept = _begin(journal, "kept.jsonl")
    path = home / "observations.jsonl"
    before = path.read_bytes()
    _begin(journal, "torn.jsonl")
    torn = path.read_bytes()[len(before) :]
    for length in range(len(torn)):
        path.write_bytes(before + torn[:length])
        assert list(JournalFile(home).streams()) == kept
        assert [stream.rank for stream in _begin(JournalFile(home), "next.jsonl")] == [2]
        assert [record["key"] for record in _records(home)[2:]] == ["kept.jsonl", "next.jsonl"]


@pytest.mark.req("INV-2")
def test_a_home_killed_while_its_first_line_was_written_begins_again(home: Path) -> None:
    (home / "observations.jsonl").write_bytes(b'{"k":"home","for')
    _begin(JournalFile(home), "a.jsonl")
    assert [record["k"] for record in _records(home)] == ["home", "root", "stream"]


@pytest.mark.req("INV-6")
@pytest.mark.parametrize(
    "broken",
    [
        b"",
        b"{",
        b"[]",
        b"\0\0\0",
        b'{"k":"stream"}',
        b'{"k":"moved","rank":7,"path":"x"}',
        b'{"k":"home","format":1,"device":"","name":""}',
    ],
)
def test_a_broken_line_before_the_last_is_damage(home: Path, broken: bytes) -> None:
    _begin(JournalFile(home), "a.jsonl")
    path = home / "observations.jsonl"
    home_line, *others = path.read_bytes().splitlines()
    path.write_bytes(b"\n".join([home_line, broken, *others, b""]))
    before = path.read_bytes()
    journal = JournalFile(home)
    for _ in range(2):
        with pytest.raises(JournalDamaged, match="Line 2 "):
            journal.streams()
    with pytest.raises(JournalDamaged):
        _begin(journal, "b.jsonl")
    assert path.read_bytes() == before


@pytest.mark.req("INV-6")
def test_a_journal_that_does_not_begin_with_its_home_is_damaged(home: Path) -> None:
    (home / "observations.jsonl").write_bytes(b'{"k":"root","source":"a","name":"b","path":"c"}\n')
    with pytest.raises(JournalDamaged, match="Line 1 "):
        JournalFile(home).device()


@pytest.mark.req("ARC-12")
def test_a_journal_of_a_newer_program_is_refused_unchanged(home: Path) -> None:
    newer = b'{"k":"home","format":2,"device":"00","name":"n"}\n{"k":"new kind"}\n'
    (home / "observations.jsonl").write_bytes(newer)
    with pytest.raises(NewerFormat, match="format 2"):
        JournalFile(home).streams()
    with pytest.raises(NewerFormat):
        _begin(JournalFile(home), "a.jsonl")
    assert (home / "observations.jsonl").read_bytes() == newer


@pytest.mark.req("ARC-12")
def test_a_kind_of_record_we_do_not_know_is_passed_over_and_kept(home: Path) -> None:
    journal = JournalFile(home)
    _begin(journal, "a.jsonl")
    with (home / "observations.jsonl").open("ab") as file:
        file.write(b'{"k":"dream","of":"sheep"}\n')
    assert [stream.rank for stream in _begin(journal, "b.jsonl")] == [2]
    assert [record["k"] for record in _records(home)] == ["home", "root", "stream", "dream", "stream"]


def test_a_renewed_device_has_another_id_and_keeps_everything_else(home: Path) -> None:
    journal = JournalFile(home)
    streams = _begin(journal, "a.jsonl")
    before = journal.device()
    journal.renew()
    assert journal.device()[0] != before[0]
    assert JournalFile(home).device() == journal.device()
    assert list(JournalFile(home).streams()) == streams
    assert JournalFile(home).devices()[-1] == JournalFile(home).device()[0]
    assert len(set(JournalFile(home).devices())) == 2


@pytest.mark.req("INV-6", "ARC-11")
@pytest.mark.skipif(os.name != "posix", reason="needs a limit on file sizes")
def test_a_full_disk_is_told_and_leaves_whole_lines(home: Path) -> None:
    JournalFile(home).saw(_place("/home/dev/app"))
    size = (home / "observations.jsonl").stat().st_size
    assert answer_of(append_places_with_file_limit, home, size + 200, channel_at=2) == "store_failed"
    assert JournalFile(home).places() == {"/home/dev/app": _place("/home/dev/app")}
    assert (home / "observations.jsonl").stat().st_size == size


@pytest.mark.req("SEC-1")
@pytest.mark.skipif(os.name != "posix", reason="modes are a thing of POSIX")
def test_the_journal_is_for_its_owner_alone(home: Path) -> None:
    before = os.umask(0)
    try:
        JournalFile(home).device()
    finally:
        os.umask(before)
    assert [(path.name, stat.S_IMODE(path.stat().st_mode)) for path in home.iterdir()] == [
        ("observations.jsonl", 0o600)
    ]


@given(st.lists(st.text(max_size=8), min_size=1, max_size=6), st.text(max_size=8))
def test_any_text_comes_back_as_it_was_seen(
    tmp_path_factory: pytest.TempPathFactory, cwds: list[str], branch: str
) -> None:
    home = tmp_path_factory.mktemp("any")
    places = {cwd: _place(cwd, branch) for cwd in cwds}
    JournalFile(home).saw_all(places.values())
    assert JournalFile(home).places() == places
