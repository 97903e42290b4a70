"""The contract of Origin, correcting: versions, forks, and what other contracts decided about an entry."""

from __future__ import annotations

from datetime import datetime

import pytest
from desk import CHOICE, ENTRY, Desk, ids, quoted, stated

from quoth.core.ids import EntryId
from quoth.core.ledger.operations import Judge, Verdict, asserting
from quoth.core.ledger.values import EntryKind, Statement

WORDS = "PostgreSQL 16 for staging"


@pytest.mark.req("ORI-23", "ORI-27", "ORI-43", "ORI-44", "ORI-53", "ORI-55")
def test_a_correction_is_a_new_version_and_the_old_one_stays(desk: Desk) -> None:
    event = desk.say("It became PostgreSQL 17 after all.")
    origin = desk.client()
    first = stated(origin, sources=quoted(WORDS), valid_from="2026-10-01")
    second = desk.other().call("correct", id=first["id"], text="Staging runs 17.", sources=[{"event_id": event}])
    assert set(second) == {"entry"}
    second = second["entry"]
    third = origin.call("correct", id=second["id"], text="All run 17.", kind="knowledge", confidence=1)["entry"]
    for newer, older in ((second, first), (third, second)):
        assert set(newer) == ENTRY
        assert (newer["supersedes"], newer["root"]) == (older["id"], first["id"])
        assert datetime.fromisoformat(newer["created"]) > datetime.fromisoformat(older["created"])
    kept = ("kind", "confidence", "valid_from", "valid_to")
    assert {name: second[name] for name in kept} == {name: first[name] for name in kept}
    assert second["author"].startswith("codex@")
    assert (third["kind"], third["confidence"]) == ("knowledge", 1.0)
    old = origin.call("get", id=first["id"])
    assert (old["entry"]["status"], old["entry"]["superseded_by"]) == ("superseded", third["id"])
    assert old["entry"]["concurrent"] is False
    history = origin.call("get", id=third["id"])["history"]
    assert old["history"] == history
    assert ids(history) == [first["id"], second["id"], third["id"]]
    assert [version["status"] for version in history] == ["superseded", "superseded", "active"]
    assert ids(origin.call("get", id=third["id"])["sources"])[-1] == event
    assert len(origin.call("get", id=third["id"])["sources"]) == 2
    assert ids(origin.call("search", query="17", scope="entries")["entries"]) == [third["id"]]
    assert origin.call("search", query="postgresql 16", scope="entries")["entries"] == []


@pytest.mark.req("ORI-53", "ORI-72")
def test_absent_keeps_a_time_and_null_takes_it_away(desk: Desk) -> None:
    origin = desk.client()
    entry = stated(origin, sources=quoted(WORDS), valid_from="2026-01-01", valid_to="2999-01-01")
    kept = origin.call("correct", id=entry["id"], text="Kept.", valid_from="")["entry"]
    assert (kept["valid_from"], kept["valid_to"]) == (entry["valid_from"], entry["valid_to"])
    cleared = origin.call("correct", id=kept["id"], text="Cleared.", valid_from=None, valid_to=None)["entry"]
    assert (cleared["valid_from"], cleared["valid_to"]) == (None, None)
    ended = origin.call("correct", id=cleared["id"], text="Ended.", valid_to="1h", sources=[])["entry"]
    assert ended["valid_to"] is not None
    assert origin.call("search", scope="entries")["entries"] == []


@pytest.mark.req("ORI-54")
def test_only_the_current_version_can_be_corrected(desk: Desk) -> None:
    origin = desk.client()
    first = stated(origin, sources=quoted(WORDS))
    second = origin.call("correct", id=first["id"], text="Second.")["entry"]
    third = origin.call("correct", id=second["id"], text="Third.")["entry"]
    assert origin.refusal("correct", id=first["id"], text="Late.") == (
        f"Entry {first['id']} was already corrected; its current version is {third['id']}. Correct that one instead."
    )
    assert origin.refusal("correct", id="ent_00000000dead", text="x") == "Unknown entry or event ent_00000000dead."
    assert origin.refusal("correct", id=third["id"]) == "`text` must be given."


@pytest.mark.req("ORI-24", "ORI-43")
def test_a_version_that_lost_to_one_that_did_not_know_it_is_concurrent(desk: Desk) -> None:
    origin = desk.client()
    first = stated(origin, sources=quoted(WORDS))
    root = EntryId(first["id"])
    ours = origin.call("correct", id=first["id"], text="Ours.")["entry"]
    theirs = EntryId(f"ent_{'f' * 32}")
    created = desk.version(ours["id"]).version.created_at + 1
    statement = Statement(
        text="Theirs.", kind=EntryKind.MEMORY, type="note", created_at=created, author="codex@elsewhere"
    )
    desk.write(asserting(theirs, statement, root=root, supersedes=root, saw=[root]))
    got = origin.call("get", id=ours["id"])
    assert set(ids(got["history"])) == {first["id"], ours["id"], theirs}
    concurrent = {entry: origin.call("get", id=entry)["entry"]["concurrent"] for entry in ids(got["history"])}
    assert concurrent == {first["id"]: False, ours["id"]: True, theirs: False}
    assert got["entry"]["superseded_by"] == theirs
    origin.call("correct", id=theirs, text="Settled.")
    assert origin.call("get", id=ours["id"])["entry"]["concurrent"] is False


# --- what other contracts did ---


@pytest.mark.req("ORI-26")
def test_a_negated_entry_has_ended(desk: Desk) -> None:
    origin = desk.client()
    entry = stated(origin, sources=quoted(WORDS))
    root = EntryId(entry["id"])
    desk.write(Judge(Verdict.NEGATE, root, root))
    assert origin.call("search", query="postgresql", scope="entries")["entries"] == []
    got = origin.call("get", id=entry["id"])["entry"]
    assert got == {**entry, "valid_to": entry["created"]}


@pytest.mark.req("ORI-16")
@pytest.mark.parametrize("verdict", [Verdict.QUARANTINE, Verdict.SEAL])
def test_what_is_quarantined_or_sealed_counts_as_forgotten(verdict: Verdict, desk: Desk) -> None:
    origin = desk.client()
    entry = stated(origin, "Kraken is the name of it.", sources=quoted(WORDS))
    root = EntryId(entry["id"])
    desk.write(Judge(verdict, root, root))
    for tool, more in (("get", {}), ("sources", {}), ("correct", {"text": "x"})):
        assert origin.refusal(tool, id=entry["id"], **more) == f"{entry['id']} has been forgotten."
    for client in (origin, desk.client("quoth")):
        assert client.call("search", query="kraken")["entries"] == []
    assert "Kraken" not in str(desk.client("quoth").used("get", id=entry["id"]))
    assert CHOICE in [event["text"] for event in origin.call("search", query="staging")["events"]]
