"""Promises of the whole archive: private files, newer formats, hostile text, drift that shows."""

from __future__ import annotations

import json
import os
import shutil
import stat
from pathlib import Path

import apsw
import pytest

from quoth.core.errors import NewerFormat
from services.archive import CLAUDE_SESSION, Archive

SAMPLES = Path(__file__).parent.parent / "data" / "sources"
TALK = ["Where is the price list?", "In prices.yaml."]


def modes(folder: Path) -> dict[str, int]:
    return {str(path.relative_to(folder)): stat.S_IMODE(path.stat().st_mode) for path in [folder, *folder.rglob("*")]}


@pytest.mark.req("SEC-1")
@pytest.mark.skipif(os.name == "nt", reason="modes are POSIX")
def test_only_the_person_can_read_the_home_and_a_backup_of_it(archive: Archive) -> None:
    os.umask(0)  # the loosest there is
    try:
        archive.log().write_bytes(b"".join(archive.records(TALK)))
        archive.sync()
        archive.rebuild()
        archive.ask(lambda kernel: kernel.config.set("watch.interval_ms", "5000"))
        archive.ask(lambda kernel: kernel.backup.run(archive.folder / "backup"))
    finally:
        os.umask(0o022)
    for folder in (archive.home, archive.folder / "backup"):
        found = modes(folder)
        assert len(found) > 6
        assert {mode for path, mode in found.items() if (folder / path).is_dir()} == {0o700}
        assert {mode for path, mode in found.items() if (folder / path).is_file()} == {0o600}


@pytest.mark.req("ARC-12")
def test_a_newer_journal_is_refused_and_left_alone(archive: Archive) -> None:
    archive.log().write_bytes(b"".join(archive.records(TALK)))
    archive.sync()
    journal = archive.home / "observations.jsonl"
    first, *rest = journal.read_bytes().splitlines(keepends=True)
    newer = json.dumps({**json.loads(first), "format": 99}).encode() + b"\n" + b"".join(rest)
    journal.write_bytes(newer)
    with pytest.raises(NewerFormat, match="format 99"):
        archive.sync()
    assert journal.read_bytes() == newer


@pytest.mark.req("ARC-12")
def test_a_newer_state_is_refused_and_left_alone(archive: Archive) -> None:
    archive.sync()
    db = apsw.Connection(str(archive.home / "state.db"))
    db.execute("pragma user_version = 99").fetchall()
    db.close()
    with pytest.raises(NewerFormat, match="99"):
        archive.sync()


@pytest.mark.req("ARC-12")
def test_an_index_of_a_newer_program_stays_beside_ours(archive: Archive) -> None:
    archive.log().write_bytes(b"".join(archive.records(TALK)))
    theirs = archive.home / "index-9999.db"
    archive.sync()
    theirs.write_bytes(b"theirs")
    archive.rebuild()
    assert archive.spoken() == TALK
    assert theirs.read_bytes() == b"theirs"
    assert len(list(archive.home.glob("index-*.db"))) == 2


@pytest.mark.req("OV-22")
def test_odd_characters_in_what_was_said_break_nothing(archive: Archive) -> None:
    lines_apart = ["line\u2028separator", "para\u2029graph", "next\u0085line"]
    odd = [*lines_apart, "nul\u0000here", "\u200fright\u202eto left", "😀"]
    lines = archive.records(odd)
    lines.append(archive.record("half", n=90).replace(b'"half"', b'"half \\ud83d pair"'))
    archive.log().write_bytes(b"".join(lines))
    archive.sync()
    assert archive.spoken() == [*odd[:3], "nul\ufffdhere", *odd[4:], "half \ufffd pair"]
    for word in ("separator", "graph", "here", "pair"):
        assert len(archive.search(word)) == 1, word


@pytest.mark.req("OV-22")
def test_a_chinese_name_of_two_hundred_characters_breaks_no_file_name(archive: Archive) -> None:
    folder = "项" * 80  # 240 bytes: as long as a file system takes
    log = archive.log(folder=folder)
    title = {"type": "custom-title", "customTitle": "题" * 200, "sessionId": CLAUDE_SESSION}
    log.write_bytes(b"".join(archive.records(TALK)) + json.dumps(title).encode() + b"\n")
    archive.sync()
    (session,) = archive.answers()["sessions"]
    assert session["title"] == "题" * 200
    assert archive.spoken() == TALK
    places = archive.answers()["sources"].values()
    assert all(Path(place["mirror_file"] + ".tail").exists() for listed in places for place in listed)


@pytest.mark.req("ARC-8", "QUO-9")
def test_records_of_unknown_types_are_counted_and_stop_nothing(archive: Archive) -> None:
    strange = {"type": "telepathy", "uuid": "9c0e7f7e-0000-4000-8000-00000000000f", "version": "9.9.9"}
    lines = [*archive.records(TALK), json.dumps(strange).encode() + b"\n", b'{"type": broken}\n']
    archive.log().write_bytes(b"".join([*lines, archive.record("And after that?", n=60)]))
    archive.sync()
    assert archive.spoken() == [*TALK, "And after that?"]
    (source,) = [s for s in archive.ask(lambda kernel: kernel.status.run())["sources"] if s["source"] == "claude-code"]
    assert sum(source["unknown_records"].values()) == 1
    assert "telepathy" in next(iter(source["unknown_records"]))
    assert source["unparsable_lines"] == 1


@pytest.mark.req("ARC-5")
def test_a_database_that_is_locked_or_broken_is_reported_and_read_later(archive: Archive) -> None:
    shutil.copytree(SAMPLES / "codex" / "everyday" / "home", archive.codex)
    database = next(archive.codex.glob("state_*.sqlite"))
    whole = database.read_bytes()
    database.write_bytes(whole[:4096] + b"\xff" * (len(whole) - 4096))
    report = archive.sync()
    by_source = {source.source: source for source in report.sources}
    assert by_source["codex"].failed == 1
    assert by_source["codex"].skipped[0].path.endswith(database.name)
    assert by_source["codex"].events > 20
    database.write_bytes(whole)
    writer = apsw.Connection(str(database))
    writer.execute("begin exclusive").fetchall()
    locked = {source.source: source for source in archive.sync().sources}["codex"]
    writer.execute("rollback").fetchall()
    writer.close()
    free = {source.source: source for source in archive.sync().sources}["codex"]
    assert (locked.failed, free.failed) == (1, 0)
