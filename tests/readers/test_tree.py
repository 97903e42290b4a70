"""Only regular files below the root are listed; whatever else lies there is told of and never followed."""

from __future__ import annotations

import os
import socket
import tempfile
from pathlib import Path

import pytest

from mirror.processes import answer_of, as_nobody
from quoth.core.model import Skipped
from quoth.readers.tree import Entry, find
from readers.asking import LOGS, keys, skipped

POSIX = pytest.mark.skipif(os.name != "posix", reason="needs links, FIFOs and odd names")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "root"
    folder.mkdir()
    return folder


def _write(root: Path, *keys: str) -> None:
    for key in keys:
        (root / key).parent.mkdir(parents=True, exist_ok=True)
        (root / key).write_text(key)


def test_only_what_a_pattern_names_is_listed(root: Path) -> None:
    _write(root, "projects/p/a.jsonl", "projects/p/a.json", "projects/top.jsonl", "other/p/b.jsonl", "a.jsonl")
    _write(root, "projects/p/s/subagents/x.jsonl", "projects/subagents/y.jsonl", "projects/p/deep/b.jsonl")
    assert keys(root) == ["projects/p/a.jsonl", "projects/p/s/subagents/x.jsonl", "projects/subagents/y.jsonl"]
    assert skipped(root) == []


def test_an_entry_tells_what_the_file_system_says(root: Path) -> None:
    _write(root, "projects/p/a.jsonl")
    (entry,) = find(root, LOGS)
    assert isinstance(entry, Entry)
    status = (root / "projects/p/a.jsonl").stat()
    assert entry.path == root / "projects/p/a.jsonl"
    assert not entry.compressed
    assert (entry.signature.inode, entry.signature.size) == (status.st_ino, len("projects/p/a.jsonl"))
    assert (entry.signature.mtime_ns, entry.signature.ctime_ns) == (status.st_mtime_ns, status.st_ctime_ns)


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("**", ["a/b/c.x", "a/d.x", "e.x"]),
        ("**/*.x", ["a/b/c.x", "a/d.x", "e.x"]),
        ("a/**/*.x", ["a/b/c.x", "a/d.x"]),
        ("**/b/**", ["a/b/c.x"]),
        ("**/**/d.?", ["a/d.x"]),
        ("*/[bd]*", ["a/d.x"]),
        ("e.x", ["e.x"]),
        ("E.X", []),
        ("*", ["e.x"]),
    ],
)
def test_patterns_match_part_by_part(root: Path, pattern: str, expected: list[str]) -> None:
    _write(root, "a/b/c.x", "a/d.x", "e.x")
    assert sorted(keys(root, [pattern])) == expected


def test_a_root_that_is_missing_or_a_file_gives_nothing(root: Path) -> None:
    _write(root, "file")
    assert list(find(root / "none", LOGS)) == []
    assert [entry.reason for entry in find(root / "file", LOGS) if isinstance(entry, Skipped)] == ["unreadable"]


def test_a_compressed_file_has_the_key_of_its_plain_one_which_counts_when_both_exist(root: Path) -> None:
    _write(root, "projects/p/a.jsonl", "projects/p/a.jsonl.zst", "projects/p/b.jsonl.zst", "projects/p/c.zst")
    found = [(entry.key, entry.path.name, entry.compressed) for entry in find(root, LOGS) if isinstance(entry, Entry)]
    assert found == [
        ("projects/p/a.jsonl", "a.jsonl", False),
        ("projects/p/b.jsonl", "b.jsonl.zst", True),
    ]


@POSIX
@pytest.mark.req("ARC-4")
def test_what_is_no_file_is_told_of(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _write(root, "projects/p/folder.jsonl/inside", "projects/p/pair.jsonl.zst", "projects/p/fine.jsonl")
    monkeypatch.chdir(root / "projects/p")  # the path of a socket is limited to about 100 bytes
    for name in ("fifo.jsonl", "pair.jsonl", "unrelated"):
        os.mkfifo(name)
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind("socket.jsonl")
        assert keys(root) == ["projects/p/fine.jsonl", "projects/p/pair.jsonl"]
        names = ("fifo.jsonl", "folder.jsonl", "pair.jsonl", "socket.jsonl")
        assert skipped(root) == [(f"projects/p/{name}", "not_a_file") for name in names]


@POSIX
@pytest.mark.req("ARC-4")
def test_links_are_never_followed(root: Path, tmp_path: Path) -> None:
    _write(tmp_path, "outside/secret.jsonl", "outside/s/subagents/x.jsonl", "rooted/secret.jsonl")
    _write(root, "projects/p/a.jsonl", "elsewhere/b.jsonl")
    links = {
        "projects/p/secret.jsonl": tmp_path / "outside/secret.jsonl",
        "projects/p/loop.jsonl": root / "projects/p/loop.jsonl",
        "projects/p/dead.jsonl": tmp_path / "nowhere",
        "projects/p/same.jsonl": root / "projects/p/a.jsonl",
        "projects/p/up": root,
        "projects/out": tmp_path / "outside",
        "projects/twin": tmp_path / "rooted",
        "projects/in": root / "elsewhere",
        "unrelated": tmp_path / "outside",
        "projects/p/unrelated.txt": tmp_path / "outside/secret.jsonl",
    }
    for name, target in links.items():
        (root / name).symlink_to(target)
    assert keys(root) == ["projects/p/a.jsonl"]
    assert skipped(root) == [
        ("projects/out", "link_outside"),
        ("projects/p/dead.jsonl", "link_broken"),
        ("projects/p/loop.jsonl", "link_broken"),
        ("projects/p/secret.jsonl", "link_outside"),
        ("projects/twin", "link_outside"),
    ]


@POSIX
@pytest.mark.req("ARC-4")
def test_a_root_that_is_itself_a_link_is_read_and_a_neighbour_with_its_name_is_outside(
    root: Path, tmp_path: Path
) -> None:
    _write(root, "projects/p/a.jsonl")
    _write(tmp_path, "root-2/x.jsonl")
    (tmp_path / "link").symlink_to(root)
    (root / "projects/p/x.jsonl").symlink_to(tmp_path / "root-2/x.jsonl")
    assert keys(tmp_path / "link") == ["projects/p/a.jsonl"]
    assert [reason for _, reason in skipped(tmp_path / "link")] == ["link_outside"]


@POSIX
@pytest.mark.req("ARC-4")
def test_names_with_control_characters_or_no_text_give_keys_that_are_text(root: Path) -> None:
    folder = os.fsencode(root) + b"/projects/p"
    os.makedirs(folder)
    names = [b"line\nfeed.jsonl", b"\x1b[31mred.jsonl", b"caf\xe9.jsonl", "日本語.jsonl".encode()]
    for name in names:
        with open(folder + b"/" + name, "wb") as file:
            file.write(name)
    found = [entry for entry in find(root, LOGS) if isinstance(entry, Entry)]
    assert sorted(entry.key for entry in found) == [
        "projects/p/\x1b[31mred.jsonl",
        "projects/p/caf%E9.jsonl",
        "projects/p/line\nfeed.jsonl",
        "projects/p/日本語.jsonl",
    ]
    assert sorted(entry.path.read_bytes() for entry in found) == sorted(names)


@POSIX
@pytest.mark.req("ARC-4")
def test_two_names_that_print_alike_are_not_taken_for_one_file(root: Path) -> None:
    folder = os.fsencode(root) + b"/projects/p"
    os.makedirs(folder)
    for name in (b"caf\xe9.jsonl", b"caf%E9.jsonl"):
        with open(folder + b"/" + name, "wb") as file:
            file.write(name)
    (entry,) = [entry for entry in find(root, LOGS) if isinstance(entry, Entry)]
    assert entry.path.read_bytes() == b"caf%E9.jsonl"
    assert [reason for _, reason in skipped(root)] == ["name_taken"]


@POSIX
@pytest.mark.req("ARC-4")
def test_an_unreadable_folder_is_told_and_the_others_are_listed() -> None:
    with tempfile.TemporaryDirectory() as folder:  # other users can't enter the folders of the test runner
        root = Path(folder)
        root.chmod(0o755)
        _write(root, "projects/closed/a.jsonl", "projects/open/b.jsonl", "unrelated/c.jsonl")
        for closed in (root / "projects/closed", root / "unrelated"):
            closed.chmod(0)
        try:
            assert answer_of(as_nobody, keys, root, channel_at=1) == ["projects/open/b.jsonl"]
            assert answer_of(as_nobody, skipped, root, channel_at=1) == [("projects/closed", "unreadable")]
        finally:
            for closed in (root / "projects/closed", root / "unrelated"):
                closed.chmod(0o700)


@POSIX
@pytest.mark.req("ARC-4")
def test_a_folder_that_vanishes_while_it_is_listed_is_passed_over(root: Path) -> None:
    _write(root, "projects/a/1.jsonl", "projects/b/2.jsonl", "projects/c/3.jsonl")
    found: list[str] = []
    for entry in find(root, LOGS):
        assert isinstance(entry, Entry)
        found.append(entry.key)
        if entry.key.endswith("1.jsonl"):
            (root / "projects/b/2.jsonl").unlink()
            (root / "projects/b").rmdir()
    assert found == ["projects/a/1.jsonl", "projects/c/3.jsonl"]


def test_a_tree_deeper_than_the_interpreter_recurses_is_listed(root: Path) -> None:
    folders = [f"{root}/{'d/' * depth}" for depth in range(1, 1200)]
    try:
        for folder in folders:
            os.mkdir(folder)
        Path(folders[-1], "a.jsonl").touch()
        assert keys(root, ["**/*.jsonl"]) == ["d/" * 1199 + "a.jsonl"]
    finally:  # whoever cleans up after the tests may recurse
        Path(folders[-1], "a.jsonl").unlink()
        for folder in reversed(folders):
            os.rmdir(folder)
