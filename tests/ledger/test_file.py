"""The ledger's file: appended, read from a cursor, exchanged, destroyed, proved, copied, refused."""

from __future__ import annotations

import random
import stat
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import apsw
import pytest

from ledger import keeping
from ledger.keeping import DEVICE, NOW, append, everything, folded, opened, said_in, says, texts
from ledger.world import EVENTS, cited, statement, world
from quoth.core.errors import NewerFormat, StoreFailed
from quoth.core.ids import DeviceId, OperationId
from quoth.core.ledger import chain
from quoth.core.ledger.clock import AHEAD, Hybrid
from quoth.core.ledger.merge import affected_by, fold, reach
from quoth.core.ledger.operations import (
    Destroy,
    Forget,
    Operation,
    Subjects,
    affected,
    asserting,
    citing,
)
from quoth.core.ports import LedgerStore
from quoth.mirror.journal import JournalFile
from quoth.storage._ledger import LedgerFile
from quoth.storage._ledger_file import migrations

OTHER = DeviceId("e" * 32)


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[LedgerFile]:
    made = opened(tmp_path)
    yield made
    made.close()


def tampered(folder: Path, change: str) -> None:
    db = apsw.Connection(str(folder / "ledger.db"))
    db.execute(change)
    db.close()


def codes(ledger: LedgerStore) -> list[str]:
    return [found.code for found in ledger.verify()]


# --- appending and reading ---


def test_operations_come_back_as_they_were_written_chained_and_dated(ledger: LedgerFile, tmp_path: Path) -> None:
    first, second = append(ledger, says("one"), reason="asked")[0], append(ledger, says("two"), now=NOW - 5)[0]
    ledger.close()
    again = opened(tmp_path)
    assert everything(again) == [first, second]
    assert (first.header.sequence, second.header.sequence) == (1, 2)
    assert (first.header.previous, second.header.previous) == (chain.FIRST, first.header.hash)
    assert (first.header.time, second.header.time) == (Hybrid(NOW, 0), Hybrid(NOW, 1))
    assert (first.header.reason, first.header.actor, first.header.device) == ("asked", "codex@desk", DEVICE)
    assert again.operation(second.id) == second
    assert again.operation(OperationId("op_none")) is None
    assert codes(again) == []
    again.close()


def test_a_reader_goes_on_from_its_cursor(ledger: LedgerFile) -> None:
    append(ledger, *(says(f"text {number}") for number in range(5)))
    page = ledger.since(0, limit=3)
    assert [each.operation.header.sequence for each in page] == [1, 2, 3]
    assert [each.operation.header.sequence for each in ledger.since(page[-1].cursor)] == [4, 5]
    assert ledger.since(ledger.cursor()) == []


def test_what_is_decided_inside_writing_is_still_true_when_it_is_appended(ledger: LedgerFile, tmp_path: Path) -> None:
    other = opened(tmp_path)
    with ledger.writing():
        before = ledger.cursor()
        append(ledger, says("inside"))
        assert texts(ledger) == ["inside"]
        assert texts(other) == [], "nobody sees what is not decided yet"
    assert other.cursor() == before + 1
    other.close()


def test_a_block_that_fails_leaves_nothing(ledger: LedgerFile) -> None:
    def half() -> None:
        with ledger.writing():
            append(ledger, says("half"))
            raise RuntimeError

    with pytest.raises(RuntimeError):
        half()
    assert everything(ledger) == []
    assert append(ledger, says("whole"))[0].header.sequence == 1
    assert codes(ledger) == []


def test_a_draft_that_can_not_be_stored_takes_the_whole_call_with_it(ledger: LedgerFile) -> None:
    with pytest.raises(ValueError, match="surrogates"):
        append(ledger, says("good"), asserting(keeping.says("bad").entry, statement("\ud800")))
    assert everything(ledger) == []


def test_a_clock_that_was_days_ahead_is_forgiven_when_it_is_right_again(ledger: LedgerFile) -> None:
    wrong, right = append(ledger, says("a"), now=NOW + 9 * AHEAD)[0], append(ledger, says("b"))[0]
    assert (wrong.header.time.ms, right.header.time) == (NOW + 9 * AHEAD, Hybrid(NOW, 0))
    assert codes(ledger) == []


# --- other devices ---


def test_receiving_in_any_order_and_repeatedly_gives_the_ledger_of_the_sender(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    ours, theirs = opened(tmp_path / "a"), opened(tmp_path / "b")
    append(theirs, *(says(f"theirs {number}") for number in range(4)), device=OTHER)
    append(ours, says("ours"), now=NOW - 500)
    sent = list(theirs.records(OTHER, after=0))
    random.Random(1).shuffle(sent)
    received = ours.receive([*sent, *sent], now=NOW)
    assert (len(received.added), received.ahead, received.refused) == (4, (), ())
    assert {each.id for each in everything(ours)} >= {each.id for each in everything(theirs)}
    assert dict(ours.series()) == {DEVICE: 1, OTHER: 4}
    assert codes(ours) == []
    late = append(ours, says("after"), now=NOW - 500)[0]
    assert late.header.time > max(each.header.time for each in everything(theirs))
    assert ours.records(OTHER, after=2) == theirs.records(OTHER, after=2)
    ours.close()
    theirs.close()


def test_a_time_more_than_a_day_ahead_is_reported_and_does_not_move_our_clock(tmp_path: Path) -> None:
    (tmp_path / "b").mkdir()
    ours, theirs = opened(tmp_path), opened(tmp_path / "b")
    wrong = append(theirs, says("tomorrow"), device=OTHER, now=NOW + 2 * AHEAD)[0]
    assert ours.receive(theirs.records(OTHER, after=0), now=NOW).ahead == (wrong.id,)
    assert append(ours, says("today"))[0].header.time == Hybrid(NOW, 0)
    ours.close()
    theirs.close()


def test_a_record_that_was_changed_or_takes_anothers_place_is_refused(tmp_path: Path) -> None:
    (tmp_path / "b").mkdir()
    ours, theirs = opened(tmp_path), opened(tmp_path / "b")
    append(ours, says("ours"))
    append(theirs, says("forked"))
    [(record, payload)] = theirs.records(DEVICE, after=0)
    assert [found.code for found in ours.receive([(record, payload)], now=NOW).refused] == ["forked"]
    assert payload
    forged = chain.Payload(payload.salt, payload.data.replace(b"forked", b"forged"))
    (tmp_path / "c").mkdir()
    empty = opened(tmp_path / "c")
    unreadable = replace(record, bound=b"{}")
    unreadable = replace(unreadable, hash=chain.digest(unreadable))
    assert [found.code for found in empty.receive([(unreadable, None)], now=NOW).refused] == ["unreadable"]
    assert [found.code for found in empty.receive([(record, forged)], now=NOW).refused] == ["payload"]
    assert everything(empty) == []
    for each in (ours, theirs, empty):
        each.close()


def test_a_payload_may_come_later_than_its_record(tmp_path: Path) -> None:
    (tmp_path / "b").mkdir()
    ours, theirs = opened(tmp_path), opened(tmp_path / "b")
    append(theirs, says("late"), device=OTHER)
    [(record, payload)] = theirs.records(OTHER, after=0)
    ours.receive([(record, None)], now=NOW)
    assert (texts(ours), codes(ours)) == ([], ["missing"])
    assert len(ours.receive([(record, payload)], now=NOW).added) == 1
    assert (texts(ours), codes(ours)) == (["late"], [])
    ours.close()
    theirs.close()


def test_a_restored_home_goes_on_under_a_series_of_its_own(tmp_path: Path) -> None:
    for name in ("old", "new"):
        (tmp_path / name).mkdir()
    old, journal = opened(tmp_path / "old"), JournalFile(tmp_path / "old")
    append(old, says("before"), device=DeviceId(journal.device()[0]))
    old.copy(tmp_path / "new" / "ledger.db")
    (tmp_path / "new" / "observations.jsonl").write_bytes((tmp_path / "old" / "observations.jsonl").read_bytes())
    renewed = JournalFile(tmp_path / "new")
    renewed.renew()
    new = opened(tmp_path / "new")
    append(old, says("there"), device=DeviceId(journal.device()[0]))
    append(new, says("here"), device=DeviceId(renewed.device()[0]))
    for device, _ in old.series():
        assert new.receive(old.records(device, after=0), now=NOW).refused == ()
    assert sorted(texts(new)) == ["before", "here", "there"]
    assert codes(new) == []
    old.close()
    new.close()


# --- projecting root by root ---


def test_the_file_selects_what_decides_a_root_as_the_rules_do(tmp_path: Path) -> None:
    ledger, made, rng = opened(tmp_path), world(), random.Random(5)
    for _ in range(150):
        made.step(rng.randrange(3), rng.randrange(17), rng.randrange(1_024), rng.randrange(1_024))
    ours: list[Operation] = []
    for each in made.written:
        ours += append(ledger, each.body)
    whole = folded(ledger)
    for root in whole.roots:
        alone = fold(ledger.about(Subjects(frozenset({root}))))
        assert alone.roots[root] == whole.roots[root]
        assert alone.is_hidden(alone.roots[root]) == whole.is_hidden(whole.roots[root])
        for version in whole.roots[root].versions:
            assert alone.citations(version) == whole.citations(version)
    for event in EVENTS:
        assert fold(ledger.about(Subjects(events=frozenset({event})))).event(event) == whole.event(event)
    for operation in ours:
        changed, needed = affected(operation.body), reach(ours, affected_by([operation]))
        reached = ledger.reach(changed)
        assert reached.entries >= needed.entries
        assert reached.events >= needed.events
    ledger.close()


def test_an_event_is_looked_for_under_all_its_ids(ledger: LedgerFile) -> None:
    old, new = EVENTS[:2]
    body = asserting(says("a").entry, statement("a"), cited(old))
    append(ledger, body, Forget(events=(new,)))
    same = {old: [new], new: [old]}
    reached = ledger.reach(Subjects(events=frozenset({new})), same=same.__getitem__)
    assert reached.entries == {body.root}
    found = fold(ledger.about(reached, same=same.__getitem__), resolve=lambda _: new)
    assert found.is_hidden(found.roots[body.root])
    assert ledger.reach(Subjects(events=frozenset({new}))).entries == frozenset()


# --- destroying ---


def filled(ledger: LedgerFile, word: str) -> Subjects:
    """Write an entry that holds a word everywhere, between others that make the file large."""
    for number in range(60):
        append(ledger, says(f"filler {number} " + "x" * random.Random(number).randrange(1, 3_000)))
    body = asserting(
        says(word).entry, statement(f"{word} " * 400, name=word, fields={"where": word}), cited(*EVENTS[:2])
    )
    append(ledger, body, citing(body.entry, body.root, [*cited(EVENTS[2])]), reason=word)
    later = asserting(says("later").entry, statement(word), root=body.root, supersedes=body.entry, saw=[body.entry])
    append(ledger, later)
    for number in range(60, 90):
        append(ledger, says(f"filler {number} " + "y" * random.Random(number).randrange(1, 3_000)))
    return Subjects(frozenset({body.root}))


def test_destroyed_words_are_in_no_file_and_the_chain_still_verifies(ledger: LedgerFile, tmp_path: Path) -> None:
    [root] = filled(ledger, "XYZZYPLUGH").entries
    before = [(record.hash, record.bound) for record, _ in ledger.records(DEVICE, after=0)]
    assert said_in(tmp_path, "XYZZYPLUGH")
    append(ledger, Destroy((root,)), reason="asked")
    assert ledger.is_unscrubbed()
    assert ledger.check() == ["bytes of destroyed memory may still be in the file"]
    assert ledger.scrub()
    assert said_in(tmp_path, "XYZZYPLUGH") == []
    assert [(record.hash, record.bound) for record, _ in ledger.records(DEVICE, after=0)][:-1] == before
    assert (codes(ledger), ledger.check()) == ([], [])
    assert folded(ledger).roots[root].destroyed
    assert len(texts(ledger)) == 90


def test_words_that_arrive_after_their_destruction_are_never_stored(tmp_path: Path) -> None:
    for name in ("ours", "theirs"):
        (tmp_path / name).mkdir()
    ours, theirs = opened(tmp_path / "ours"), opened(tmp_path / "theirs")
    gone = says("XYZZYPLUGH")
    append(theirs, gone, device=OTHER)
    late = asserting(says("late").entry, statement("XYZZYPLUGH"), root=gone.root, supersedes=gone.entry)
    _, returned = append(ours, Destroy((gone.root,)), late)
    assert ours.receive(theirs.records(OTHER, after=0), now=NOW).refused == ()
    assert not ours.is_unscrubbed()
    assert said_in(tmp_path / "ours", "XYZZYPLUGH") == []
    assert returned.header.reason is None
    assert codes(ours) == []
    assert [version.statement for version in folded(ours).history(gone.entry)] == [None, None]
    ours.close()
    theirs.close()


def test_a_destroyed_payload_can_not_be_sent_again(tmp_path: Path) -> None:
    (tmp_path / "b").mkdir()
    ours, theirs = opened(tmp_path), opened(tmp_path / "b")
    [operation] = append(theirs, says("gone"), device=OTHER)
    sent = theirs.records(OTHER, after=0)
    ours.receive(sent, now=NOW)
    append(ours, Destroy(operations=(operation.id,)))
    assert ours.receive(sent, now=NOW).added == ()
    assert texts(ours) == []
    assert codes(ours) == []
    ours.close()
    theirs.close()


def test_what_a_killed_process_did_not_scrub_the_next_one_can(tmp_path: Path) -> None:
    ledger = opened(tmp_path)
    [root] = filled(ledger, "XYZZYPLUGH").entries
    append(ledger, Destroy((root,)))
    ledger.close()  # as if the process had died here
    again = opened(tmp_path)
    assert again.is_unscrubbed()
    assert again.scrub()
    assert said_in(tmp_path, "XYZZYPLUGH") == []
    again.close()


def test_scrubbing_says_that_a_reader_holds_the_old_words(ledger: LedgerFile, tmp_path: Path) -> None:
    [root] = filled(ledger, "XYZZYPLUGH").entries
    reader = apsw.Connection(str(tmp_path / "ledger.db"))
    reader.execute("BEGIN")
    reader.execute("SELECT count(*) FROM operations").fetchall()
    append(ledger, Destroy((root,)))
    assert (ledger.scrub(patience_ms=1), ledger.is_unscrubbed()) == (False, True)
    reader.close()
    assert (ledger.scrub(), ledger.is_unscrubbed()) == (True, False)
    assert said_in(tmp_path, "XYZZYPLUGH") == []


# --- proving ---


@pytest.mark.parametrize(
    ("change", "found"),
    [
        ("UPDATE operations SET actor = 'somebody@else' WHERE sequence = 2", {"changed"}),
        ("UPDATE operations SET bound = x'7b7d' WHERE sequence = 2", {"changed", "unreadable"}),
        ("UPDATE payloads SET data = x'7b7d' WHERE number = 2", {"payload", "unreadable"}),
        ("DELETE FROM payloads WHERE number = 2", {"missing"}),
        ("DELETE FROM operations WHERE sequence = 2", {"gap"}),
        ("DELETE FROM operations WHERE sequence = 3", {"tail"}),
        ("DELETE FROM subjects WHERE number = 2", {"subjects"}),
        ("UPDATE operations SET previous = zeroblob(32) WHERE sequence = 2", {"order", "changed"}),
    ],
)
def test_tampering_with_the_file_is_found(ledger: LedgerFile, tmp_path: Path, change: str, found: set[str]) -> None:
    append(ledger, says("one"), says("two"), says("three"))
    tampered(tmp_path, change)
    assert set(codes(ledger)) == found


def test_an_operation_rewritten_with_all_its_hashes_breaks_the_next_one(ledger: LedgerFile, tmp_path: Path) -> None:
    append(ledger, says("one"), says("two"), says("three"))
    record, payload = ledger.records(DEVICE, after=0)[1]
    assert payload
    first = ledger.records(DEVICE, after=0)[0][0]
    forged = chain.link(
        name=record.id,
        device=DEVICE,
        after=first,
        time=record.time,
        kind=record.kind,
        actor="somebody@else",
        bound=record.bound,
        payload=payload,
    )
    hashed = f"x'{forged.hash.hex()}'"
    tampered(tmp_path, f"UPDATE operations SET actor = 'somebody@else', hash = {hashed} WHERE sequence = 2")
    assert codes(ledger) == ["order"]


# --- the file ---


def test_only_the_person_may_read_the_ledger_and_its_copies(ledger: LedgerFile, tmp_path: Path) -> None:
    append(ledger, says("secret"))
    ledger.copy(tmp_path / "copy.db")
    assert {stat.S_IMODE(path.stat().st_mode) for path in tmp_path.iterdir()} == {0o600}


def test_a_copy_is_whole_and_holds_nothing_that_was_destroyed(ledger: LedgerFile, tmp_path: Path) -> None:
    [root] = filled(ledger, "XYZZYPLUGH").entries
    append(ledger, Destroy((root,)))
    target = tmp_path / "backup"
    target.mkdir()
    ledger.copy(target / "ledger.db")
    assert said_in(target, "XYZZYPLUGH") == []
    copied = opened(target)
    assert everything(copied) == everything(ledger)
    assert codes(copied) == []
    copied.close()
    with pytest.raises(StoreFailed):
        ledger.copy(target / "ledger.db")


@pytest.mark.req("ARC-12")
def test_a_newer_format_is_refused_and_left_as_it_is(tmp_path: Path) -> None:
    opened(tmp_path).close()
    tampered(tmp_path, f"PRAGMA user_version = {len(migrations()) + 1}")
    before = (tmp_path / "ledger.db").read_bytes()
    with pytest.raises(NewerFormat, match="ledger has format"):
        opened(tmp_path)
    assert (tmp_path / "ledger.db").read_bytes() == before


@pytest.mark.parametrize("content", [b"not a database" * 999, b"SQLite format 3\0" + b"\xff" * 5_000])
def test_a_file_that_is_no_ledger_is_said_in_a_sentence(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "ledger.db").write_bytes(content)
    with pytest.raises(StoreFailed, match=r"ledger\.db.*backup"):
        opened(tmp_path)
    assert (tmp_path / "ledger.db").read_bytes() == content


def test_damage_inside_the_file_is_found(ledger: LedgerFile, tmp_path: Path) -> None:
    append(ledger, *(says(f"{number}" * 500) for number in range(50)))
    assert ledger.check() == []
    ledger.close()
    path = tmp_path / "ledger.db"
    data = bytearray(path.read_bytes())
    data[20_000:24_000] = b"\0" * 4_000
    path.write_bytes(data)
    damaged = opened(tmp_path)
    assert damaged.check()
    damaged.close()


def test_the_file_is_what_the_services_ask_for(ledger: LedgerFile) -> None:
    store: LedgerStore = ledger
    opening: Callable[[Path], LedgerStore] = LedgerFile
    assert (store.cursor(), opening) == (0, LedgerFile)
