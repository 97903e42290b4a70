"""Ledger, mirror and index are held against one another: whichever was changed behind our back is found."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from quoth.core.ids import DeviceId, EventId, SourceId, entry_id
from quoth.core.ledger.operations import Destroy, asserting
from quoth.core.ledger.values import Citation, EntryKind, Statement, StoredAnchor
from quoth.wiring import Unseen
from services.archive import Archive
from services.remembering import (
    PERSON,
    SAID,
    append,
    begun,
    codes,
    correct,
    event_of,
    forget,
    index_of,
    remember,
    tail_of,
    tamper,
    verify,
)

QUOTE = "moved staging  to PostgreSQL 16 TODAY"


@pytest.fixture
def archive(tmp_path: Path) -> Archive:
    """Return an archive with an entry in two versions that cites words of a session, and one that cites nothing."""
    archive = begun(tmp_path)
    entry = remember(archive, "Staging runs PostgreSQL 16.", QUOTE)
    correct(archive, entry, "Staging runs PostgreSQL 17.", reason="it was upgraded")
    remember(archive, "Never deploy on Fridays.")
    return archive


@pytest.mark.req("INV-3")
def test_a_sound_store_proves_every_operation_and_citation(archive: Archive) -> None:
    found = verify(archive)
    assert found == {"ok": True, "operations": 3, "citations": 1, "destroyed": 0, "elsewhere": 0, "findings": []}
    assert json.loads(json.dumps(found)) == found


def test_a_store_without_memory_is_sound_and_gets_no_ledger(tmp_path: Path) -> None:
    archive = begun(tmp_path)
    assert verify(archive)["ok"] is True
    assert not (archive.home / "ledger.db").exists()


@pytest.mark.req("INV-1", "INV-3")
def test_a_rebuilt_index_proves_the_same(archive: Archive) -> None:
    before = verify(archive)
    archive.rebuild()
    assert verify(archive) == before


@pytest.mark.req("INV-5")
def test_forgotten_memory_is_still_proved(archive: Archive) -> None:
    forget(archive, event_of(archive, SAID))
    found = verify(archive)
    assert (found["ok"], found["operations"], found["citations"]) == (True, 4, 1)


@pytest.mark.req("INV-5")
def test_a_destroyed_event_is_counted_and_no_finding(archive: Archive) -> None:
    append(archive, Destroy(events=(EventId(event_of(archive, SAID)),)))
    found = verify(archive)
    assert (found["ok"], found["citations"], found["destroyed"]) == (True, 1, 1)


@pytest.mark.req("INV-5")
def test_destroying_an_entry_leaves_a_chain_that_verifies(archive: Archive) -> None:
    entry = remember(archive, "Something that must go.", "change the connection strings")
    append(archive, Destroy(entries=(entry_id(bytes.fromhex(entry[4:])),)))
    assert (verify(archive)["ok"], verify(archive)["citations"]) == (True, 1)


@pytest.mark.req("INV-5")
def test_a_purge_leaves_a_store_that_verifies(archive: Archive) -> None:
    remember(archive, "The strings change.", "change the connection strings")
    plan = archive.ask(lambda kernel: kernel.purge.run([], "PostgreSQL", by=PERSON, meter=Unseen()))
    assert not plan.is_empty
    found = verify(archive)
    assert (found["ok"], found["operations"], found["citations"]) == (True, 5, 1)


# --- the mirror ---


@pytest.mark.req("INV-3", "INV-6")
def test_a_changed_line_of_the_mirror_is_found(archive: Archive) -> None:
    tail, event = tail_of(archive), event_of(archive, SAID)
    tail.write_bytes(tail.read_bytes().replace(b"PostgreSQL 16", b"PostgreSQL 61"))
    (found,) = verify(archive)["findings"]
    assert (found["code"], found["event"]) == ("line_changed", event)
    assert "PostgreSQL" not in json.dumps(found)


@pytest.mark.req("INV-3", "INV-6")
def test_a_lost_line_of_the_mirror_is_found(archive: Archive) -> None:
    tail_of(archive).write_bytes(b"")
    assert codes(archive) == ["line_missing"]


def test_a_log_that_no_observation_names_any_more_is_found(archive: Archive) -> None:
    journal = archive.home / "observations.jsonl"
    kept = [line for line in journal.read_bytes().splitlines(keepends=True) if b'"k":"stream"' not in line]
    journal.write_bytes(b"".join(kept))
    assert codes(archive) == ["line_missing"]


# --- the index ---


@pytest.mark.req("INV-3")
def test_a_changed_event_of_the_index_is_found(archive: Archive) -> None:
    tamper(index_of(archive), "UPDATE texts SET text = replace(text, 'PostgreSQL 16', 'PostgreSQL 61')")
    assert codes(archive) == ["quote_changed"]


def test_a_changed_entry_of_the_index_is_found_and_mended_by_a_rebuild(archive: Archive) -> None:
    tamper(index_of(archive), "UPDATE entries SET data = replace(data, 'PostgreSQL 17', 'PostgreSQL 71')")
    (found,) = verify(archive)["findings"]
    assert found["code"] == "entry_changed"
    assert "quoth rebuild" in found["message"]
    archive.rebuild()
    assert verify(archive)["ok"] is True


@pytest.mark.parametrize(
    ("sql", "code"),
    [
        ("DELETE FROM entries WHERE place = 1", "entry_missing"),
        ("UPDATE entries SET id = 'ent_' || substr(id, 5, 31) || 'x' WHERE place = 1", "entry_changed"),
        ("UPDATE entries SET state = 'forgotten' WHERE place = 1", "entry_changed"),
    ],
)
def test_an_entry_that_the_index_lost_or_changed_is_found(archive: Archive, sql: str, code: str) -> None:
    tamper(index_of(archive), sql)
    assert code in codes(archive)


def test_an_entry_that_only_the_index_knows_is_found(archive: Archive) -> None:
    tamper(
        index_of(archive), "UPDATE entries SET data = replace(data, id, 'ent_' || hex(zeroblob(16))) WHERE place = 1"
    )
    assert sorted(codes(archive)) == ["entry_missing", "entry_unknown"]


def test_a_ledger_that_was_replaced_by_an_older_one_is_found(archive: Archive) -> None:
    archive.ask(lambda kernel: kernel.ledger.copy(archive.folder / "older.db"))
    remember(archive, "Something newer.")
    for path in archive.home.glob("ledger.db*"):
        path.unlink()
    (archive.folder / "older.db").rename(archive.home / "ledger.db")
    assert codes(archive) == ["ledger_short"]


@pytest.mark.req("INV-3")
def test_an_event_that_the_index_lost_is_found(archive: Archive) -> None:
    tamper(index_of(archive), "DELETE FROM events")
    assert codes(archive) == ["event_unresolved"]


# --- the ledger ---


@pytest.mark.req("INV-5")
def test_a_changed_payload_of_the_ledger_is_found(archive: Archive) -> None:
    sql = "UPDATE payloads SET data = CAST(replace(CAST(data AS TEXT), 'PostgreSQL 17', 'PostgreSQL 71') AS BLOB)"
    tamper(archive.home / "ledger.db", sql + " WHERE number = 2")
    assert "payload" in codes(archive)


@pytest.mark.parametrize(
    ("sql", "code"),
    [
        ("UPDATE operations SET actor = 'user@elsewhere' WHERE number = 2", "changed"),
        ("DELETE FROM operations WHERE number = 2", "gap"),
        ("DELETE FROM operations WHERE number = 3", "tail"),
        ("DELETE FROM payloads WHERE number = 2", "missing"),
        ("UPDATE payloads SET data = CAST('{' AS BLOB) WHERE number = 2", "unreadable"),
    ],
)
@pytest.mark.req("INV-5")
def test_a_changed_ledger_is_found(archive: Archive, sql: str, code: str) -> None:
    tamper(archive.home / "ledger.db", sql)
    assert code in codes(archive)


def test_a_lost_ledger_is_found(archive: Archive) -> None:
    for path in archive.home.glob("ledger.db*"):
        path.unlink()
    assert codes(archive) == ["ledger_missing"]


@pytest.mark.req("INV-3")
def test_words_that_index_and_ledger_agree_on_and_the_log_does_not_hold_are_found(archive: Archive) -> None:
    tamper(index_of(archive), "UPDATE texts SET text = replace(text, 'PostgreSQL 16', 'OceanBase 9')")
    remember(archive, "Staging runs OceanBase.", "staging to OceanBase 9 today")
    assert codes(archive) == ["quote_changed", "quote_not_in_line"]


def _statement(text: str) -> Statement:
    return Statement(
        text=text, kind=EntryKind.KNOWLEDGE, type="fact", created_at=1_790_000_000_000, author="codex@desk"
    )


# --- what is not here ---


def test_a_lost_key_is_a_finding_and_no_new_one_is_made(archive: Archive) -> None:
    (archive.home / "store.key").unlink()
    assert codes(archive) == ["key_missing"]
    assert not (archive.home / "store.key").exists()


def test_another_key_proves_no_quote(archive: Archive) -> None:
    (archive.home / "store.key").write_bytes(b"k" * 32)
    assert codes(archive) == ["quote_changed"]


def test_what_only_another_device_has_is_counted_and_no_finding(archive: Archive) -> None:
    anchor = StoredAnchor(DeviceId("e" * 32), SourceId("codex"), "sessions-1234abcd/a.jsonl", 1, 3, 3, b"s" * 32)
    citation = Citation(EventId("codex:elsewhere:1"), "words", (0, 5), b"m" * 32, anchor)
    append(archive, asserting(entry_id(b"e" * 16), _statement("said elsewhere"), [citation]))
    found = verify(archive)
    assert (found["ok"], found["citations"], found["elsewhere"]) == (True, 2, 1)
