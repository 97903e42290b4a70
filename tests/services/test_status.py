"""Status says what is there, what was left out and what to do next."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

import parts_logs
from quoth.core.times import from_iso
from services.archive import Archive
from services.remembering import PERSON, correct, forget, remember


def _status(archive: Archive) -> dict[str, Any]:
    return archive.ask(lambda kernel: kernel.status.run())


def _claude(archive: Archive) -> dict[str, Any]:
    return next(source for source in _status(archive)["sources"] if source["source"] == "claude-code")


def _write(archive: Archive, *extra: bytes) -> Path:
    log = archive.log()
    log.write_bytes(b"".join([*archive.records(["hello", "hi", "пока"]), *extra]))
    return log


@pytest.mark.req("QUO-9")
def test_a_source_is_counted_to_the_byte(archive: Archive) -> None:
    log = _write(archive)
    archive.sync()
    counted = _claude(archive)
    expected = {"files": 1, "bytes": log.stat().st_size, "sessions": 1, "events": 3, "lines": 3, "gone_files": 0}
    assert {name: counted[name] for name in expected} == expected
    assert counted["unknown_records"] == {}
    assert counted["skipped"] == []
    assert counted["last_ingest"] is not None
    assert _status(archive)["last_sync"] is not None


@pytest.mark.req("QUO-9", "ARC-3", "ARC-8")
def test_unknown_records_and_unparsable_lines_are_counted_and_found(archive: Archive) -> None:
    log = _write(archive, b'{"type": "hologram", "version": "9.9.9"}\n', b"{no json\n")
    archive.sync()
    counted = _claude(archive)
    assert counted["events"] == 3
    assert counted["unparsable_lines"] == 1
    assert counted["unparsable_at"] == [{"path": str(log), "line": 5}]
    assert [("hologram" in label, count) for label, count in counted["unknown_records"].items()] == [(True, 1)]
    assert "quoth doctor" in _status(archive)["next"]


@pytest.mark.req("QUO-9")
def test_reading_one_source_leaves_the_last_ingest_of_the_others(archive: Archive) -> None:
    _write(archive)
    archive.sync(only=["codex"])
    assert _status(archive)["last_sync"] is None
    archive.sync(only=["claude-code"])
    assert _claude(archive)["last_ingest"] == _status(archive)["last_sync"] is not None
    assert archive.ask(lambda kernel: kernel.index.last_pass()) is None


@pytest.mark.req("QUO-9", "INV-6")
def test_what_cannot_be_read_is_listed_with_its_reason(archive: Archive) -> None:
    _write(archive)
    os.mkfifo(archive.log("0" * 8 + "-0000-4000-8000-000000000000"))
    archive.sync()
    (skipped,) = _claude(archive)["skipped"]
    assert skipped["reason"] == "not_a_file"
    assert skipped["path"].endswith(".jsonl")


@pytest.mark.req("QUO-9")
def test_a_log_that_is_gone_is_counted_and_its_events_stay(archive: Archive) -> None:
    _write(archive)
    archive.sync()
    archive.log().unlink()
    archive.sync()
    counted = _claude(archive)
    assert (counted["gone_files"], counted["events"]) == (1, 3)


@pytest.mark.req("QUO-9")
def test_the_sizes_of_the_stores_are_what_the_disk_holds(archive: Archive) -> None:
    _write(archive)
    archive.sync()
    sizes = _status(archive)["sizes"]
    mirrored = sum(path.stat().st_size for path in (archive.home / "raw").rglob("*") if path.is_file())
    assert sizes["mirror"] == mirrored > 0
    assert sizes["journal"] == (archive.home / "observations.jsonl").stat().st_size
    assert sizes["total"] == sum(size for name, size in sizes.items() if name != "total")


@pytest.mark.req("QUO-9")
@pytest.mark.parametrize(("source", "variable"), [("opencode", "OPENCODE_DB"), ("zcode", "ZCODE_SESSION_DB_PATH")])
def test_a_root_that_is_a_database_itself_is_there(archive: Archive, source: str, variable: str) -> None:
    database = archive.folder / "elsewhere" / "sessions.sqlite"
    archive.env[variable] = str(database)
    assert not _exists(archive, source, database)
    writer = parts_logs.Writer(database, "opencode-1" if source == "opencode" else "zcode")
    writer.session("ses_1")
    writer.said("user", "msg_1", "ses_1", 1, "How long must the dough rest?")
    assert _exists(archive, source, database)
    archive.sync()
    assert archive.spoken() == ["How long must the dough rest?"]
    (roots,) = (check for check in archive.ask(lambda kernel: kernel.doctor.run()) if check.id == "roots")
    assert str(database) in roots.message


def _exists(archive: Archive, source: str, path: Path) -> bool:
    roots = next(found["roots"] for found in _status(archive)["sources"] if found["source"] == source)
    return any(root["exists"] for root in roots if root["path"] == str(path))


@pytest.mark.req("QUO-11")
def test_what_the_person_decided_is_shown(archive: Archive) -> None:
    _write(archive)
    archive.sync()
    archive.ask(lambda kernel: kernel.exclude.add("source", "codex"))
    archive.ask(lambda kernel: kernel.pause.pause("2h"))
    status = _status(archive)
    assert status["excluded"] == [{"kind": "source", "value": "codex", "name": "codex"}]
    assert status["paused"] is True
    assert status["paused_until"] is not None
    assert "--resume" in status["next"]
    archive.ask(lambda kernel: kernel.pause.pause())
    assert (_status(archive)["paused"], _status(archive)["paused_until"]) == (True, None)


@pytest.mark.req("QUO-9")
def test_the_next_step_fits_what_is_there(archive: Archive) -> None:
    steps = [_status(archive)["next"]]
    _write(archive)
    steps.append(_status(archive)["next"])
    archive.sync()
    steps.append(_status(archive)["next"])
    assert ["quoth demo" in steps[0], "Run `quoth sync`" in steps[1], "quoth search" in steps[2]] == [True] * 3


def test_everything_is_plain_json(archive: Archive) -> None:
    _write(archive)
    archive.sync()
    status = _status(archive)
    assert json.loads(json.dumps(status)) == status


@pytest.mark.req("QUO-9")
def test_memory_is_counted_with_the_head_of_the_ledger(archive: Archive) -> None:
    _write(archive)
    archive.sync()
    empty = {"operations": 0, "newest": None, "entries": 0, "tombstones": 0}
    assert _status(archive)["ledger"] == empty
    assert not (archive.home / "ledger.db").exists()
    entry = remember(archive, "It was said.", "hello")
    correct(archive, entry, "It was said twice.")
    gone = remember(archive, "Nothing.")
    forget(archive, gone)
    (tombstone,) = archive.ask(lambda kernel: kernel.forget.tombstones())
    counted = _status(archive)["ledger"]
    assert (counted["operations"], counted["entries"], counted["tombstones"]) == (4, 1, 1)
    newest = archive.ask(lambda kernel: kernel.ledger.since(3)[0].operation.header.time.ms)
    assert from_iso(counted["newest"]) == newest
    archive.ask(lambda kernel: kernel.undo.run(tombstone["tombstone"], by=PERSON, how="terminal"))
    counted = _status(archive)["ledger"]
    assert (counted["operations"], counted["entries"], counted["tombstones"]) == (5, 2, 0)
    sizes = _status(archive)["sizes"]
    assert sizes["ledger"] >= (archive.home / "ledger.db").stat().st_size > 0
