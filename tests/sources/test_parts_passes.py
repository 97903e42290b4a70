"""What a pass over a database of sessions reads when clocks, rows and schemas do what they should not."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from shutil import copytree

import apsw
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import feeding
from parts_logs import Reader, Writer, ms, reader
from quoth.core.errors import ReadFailed
from quoth.core.model import Kind

STRIDE = 9 << 20  # characters after which a long pass leaves a mark


@pytest.fixture
def made(tmp_path: Path) -> Iterator[Writer]:
    writer = Writer(tmp_path / "opencode.db", "opencode-2")
    writer.session("ses_1", 0, title="First")
    writer.said("user", "msg_1", "ses_1", 1, "One.")
    writer.said("assistant", "msg_2", "ses_1", 20, "Two.")
    writer.newer("msg_3", "ses_3", "user", 0, 30, text="Three.")
    yield writer
    writer.close()


def opened(made: Writer) -> Reader:
    found = reader("opencode", made.path.parent)
    found.read()
    return found


@pytest.mark.req("ARC-2")
def test_a_database_in_which_nothing_changed_gives_nothing_new(made: Writer) -> None:
    found = opened(made)
    assert found.read() == []
    made.db.execute("INSERT INTO account VALUES ('a', 'b')")
    assert found.read() == []


@pytest.mark.req("ARC-2", "ARC-8")
@pytest.mark.parametrize(("source", "key"), [("opencode", "opencode.db"), ("zcode", "cli/db/db.sqlite")])
def test_odd_rows_are_told_once_and_not_at_every_pass(source: str, key: str, tmp_path: Path) -> None:
    home = Path(copytree(feeding.DATA / source / "traps" / "home", tmp_path / source))
    found = reader(source, home, key)
    assert found.read()
    assert found.read() == []


@pytest.mark.req("ARC-3")
def test_ids_that_are_no_valid_text_are_read(made: Writer) -> None:
    made.db.execute(
        "INSERT INTO message VALUES (CAST(x'6dff' AS TEXT), CAST(x'73fe' AS TEXT), 1, 1, '{\"role\":\"user\"}');"
        "INSERT INTO part VALUES ('prt_1', CAST(x'6dff' AS TEXT), CAST(x'73fe' AS TEXT), 1, 1, "
        '\'{"type":"text","text":"Odd."}\')'
    )
    assert ("user", "Odd.") in opened(made).spoken()


@pytest.mark.req("ARC-2")
def test_only_the_message_that_changed_is_told_again(made: Writer) -> None:
    found = opened(made)
    made.change("part", "prt_msg_2", 60, type="text", text="Two and a half.")
    assert [json.loads(row)["row"]["id"] for row in found.read()[:-1]] == ["ses_1", "msg_2", "prt_msg_2"]
    assert found.events["opencode:msg_2#0"].text == "Two and a half."
    made.db.execute(
        "UPDATE session_message SET data = json_set(data, '$.text', 'Three!'), time_updated = ? WHERE id = 'msg_3'",
        (ms(70),),
    )
    assert [json.loads(row)["type"] for row in found.read()] == ["session_message", "pass"]
    assert found.events["opencode:msg_3"].text == "Three!"


def test_a_text_that_grows_is_one_event_that_keeps_its_place(made: Writer) -> None:
    found = opened(made)
    made.message("msg_4", "ses_1", 40, role="assistant")
    made.part("prt_4", "msg_4", "ses_1", 40, type="text", text="")
    found.read()
    for at, text in ((41, "It"), (42, "It grows.")):
        made.change("part", "prt_4", at, type="text", text=text)
        found.read()
    assert [event.text for event in found.events.values()][-1] == "It grows."
    assert found.events["opencode:msg_4#0"].kind is Kind.MESSAGE


def test_a_new_title_is_told_though_nothing_was_said(made: Writer) -> None:
    found = opened(made)
    made.db.execute("UPDATE session SET title = 'Second', time_updated = ?", (ms(99),))
    assert [json.loads(row)["type"] for row in found.read()] == ["session", "pass"]
    assert found.titles() == {"ses_1": "Second"}


@pytest.mark.req("ARC-10")
def test_rows_that_come_late_or_say_a_wrong_time_are_found(made: Writer) -> None:
    found = opened(made)
    made.said("user", "msg_late", "ses_1", 27, "Written before, seen after.")  # by a transaction that took long
    made.said("user", "msg_old", "ses_1", -9_000, "From an import.")
    made.said("user", "msg_ahead", "ses_1", 9e6, "A clock that was ahead.")
    made.put("message", 0, id="msg_never", session_id="ses_1", data='{"role": "user"}', time_updated=None)
    made.part("prt_never", "msg_never", "ses_1", 0, type="text", text="No time at all.")
    found.read()
    made.change("part", "prt_msg_1", 50, type="text", text="One, after the clock was right again.")
    found.read()
    texts = {text for _, text in found.spoken()}
    assert {"Written before, seen after.", "From an import.", "A clock that was ahead.", "No time at all."} <= texts
    assert found.events["opencode:msg_1"].text == "One, after the clock was right again."


@pytest.mark.req("ARC-10")
def test_after_the_clock_was_set_back_changes_are_still_seen(made: Writer) -> None:
    found = opened(made)
    found.now = 1_800
    made.change("part", "prt_msg_1", 15, type="text", text="Stamped in the past.")
    found.read()
    assert found.events["opencode:msg_1"].text == "Stamped in the past."


def test_row_ids_that_a_vacuum_gave_anew_hide_nothing(made: Writer) -> None:
    found = opened(made)
    made.db.execute("DELETE FROM part WHERE id = 'prt_msg_1'; DELETE FROM message WHERE id = 'msg_1'")
    made.db.execute("VACUUM")
    made.said("user", "msg_5", "ses_1", 80, "Behind the vacuum.")
    found.read()
    assert found.spoken()[-1] == ("user", "Behind the vacuum.")
    assert "opencode:msg_1" in found.events  # what was said stays


@pytest.mark.req("ARC-5")
def test_what_stands_only_in_the_write_ahead_log_is_read(made: Writer) -> None:
    made.db.execute("PRAGMA journal_mode = WAL")
    made.said("user", "msg_6", "ses_1", 90, "Not in the file yet.")
    found = opened(made)
    assert ("user", "Not in the file yet.") in found.spoken()


@pytest.mark.req("ARC-5")
def test_a_damaged_database_fails_in_words_and_is_read_once_it_is_whole(made: Writer) -> None:
    found = opened(made)
    made.said("user", "msg_7", "ses_1", 95, "After the damage.")
    whole = made.path.read_bytes()
    made.path.write_bytes(b"rubble" + whole[6:])
    with pytest.raises(ReadFailed, match="damaged"):
        found.read()
    made.path.write_bytes(whole)
    found.read()
    assert found.spoken()[-1] == ("user", "After the damage.")


def test_the_newest_session_comes_first(made: Writer) -> None:
    made.session("ses_2", 500, title="Newest")
    made.said("user", "msg_8", "ses_2", 501, "Newest.")
    assert opened(made).spoken()[0] == ("user", "Newest.")


@pytest.mark.req("ARC-2", "ARC-5")
def test_a_long_pass_that_was_stopped_goes_on_behind_the_last_mark(made: Writer) -> None:
    for nth in range(3):
        made.session(f"ses_long{nth}", 1_000 + nth)
        made.said("user", f"msg_long{nth}", f"ses_long{nth}", 1_000 + nth, f"{nth} " + "x" * STRIDE)
    found = reader("opencode", made.path.parent)
    found.read(most=5)  # a session, its message, the long part, a mark, and the next session
    assert found.tables()[3] == "pass"
    made.change("part", "prt_msg_long2", 1_100, type="text", text="Changed meanwhile.")
    found.read()
    again = [line for line in found.lines if b'"id":"msg_long2"' in line]
    assert len(again) == 1
    found.read()
    assert found.events["opencode:msg_long2"].text == "Changed meanwhile."
    assert {event.text[0] for event in found.events.values() if event.session.startswith("ses_long")} == {"0", "1", "C"}


@pytest.mark.req("ARC-5")
def test_what_is_remembered_stays_small_however_much_changes_at_once(made: Writer) -> None:
    with made.db:
        for nth in range(3_000):
            made.said("user", f"msg_many{nth}", "ses_1", 100, f"Number {nth}.")
    found = opened(made)
    assert found.parser is not None
    assert len(json.dumps(found.parser.state())) < 64_000
    assert len(found.spoken()) == 3_003


@pytest.mark.req("ARC-5")
def test_a_database_without_a_single_index_is_read_in_one_go(tmp_path: Path) -> None:
    with apsw.Connection(str(tmp_path / "opencode.db")) as db:
        db.execute(
            "CREATE TABLE message(id, session_id, time_created, time_updated, data);"
            "CREATE TABLE part(id, message_id, session_id, time_created, time_updated, data)"
        )
        numbers = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000)"
        db.execute(
            f"""INSERT INTO message {numbers} SELECT 'm' || i, 's' || (i % 50), i, i, '{{"role":"user"}}' FROM n"""
        )
        db.execute(
            f"""INSERT INTO part {numbers} SELECT 'p' || i, 'm' || i, 's' || (i % 50), i, i,
            '{{"type":"text","text":"t' || i || '"}}' FROM n"""
        )
    found = reader("opencode", tmp_path)
    assert len(found.read()) == 40_001
    assert len(found.spoken()) == 20_000


# --- laws -----------------------------------------------------------------------------------------------------------

_writes = st.tuples(st.sampled_from(["say", "answer", "newer", "change", "rename"]), st.integers(0, 3))
_passes = st.tuples(st.sampled_from(["pass", "stopped"]), st.integers(1, 6))


@pytest.mark.req("ARC-2")
@given(steps=st.lists(_writes | _passes, max_size=25))
@settings(max_examples=60, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
def test_however_passes_and_writes_alternate_the_events_are_those_of_one_pass(
    steps: list[tuple[str, int]], tmp_path_factory: pytest.TempPathFactory
) -> None:
    made = Writer(tmp_path_factory.mktemp("law") / "opencode.db", "opencode-2")
    made.db.execute("PRAGMA synchronous = OFF")
    found = reader("opencode", made.path.parent)
    for at, (what, which) in enumerate(steps, 1):
        _step(made, found, what, which, at * 7)
    found.read()
    once = reader("opencode", made.path.parent)
    once.read()
    assert _told(found) == _told(once)
    assert found.titles() == once.titles()
    made.close()


def _step(made: Writer, found: Reader, what: str, which: int, at: int) -> None:
    match what:
        case "say" | "answer":
            made.said("user" if what == "say" else "assistant", f"msg_{at}", f"ses_{which}", at, f"Said at {at}.")
        case "newer":
            made.newer(f"msg_{at}", f"ses_v{which}", "user", at, at, text=f"Newer at {at}.")
        case "change":
            for (part,) in list(made.db.execute("SELECT id FROM part ORDER BY id LIMIT 1 OFFSET ?", (which,))):
                made.change("part", part, at, type="text", text=f"Changed at {at}.")
        case "rename":
            made.session(f"ses_{which}", at, title=f"Title of {at}")
        case "pass":
            found.read()
        case "stopped":
            found.read(most=which)


def _told(found: Reader) -> dict[str, tuple[str, Kind, str]]:
    return {event.id: (event.session, event.kind, event.text) for event in found.events.values()}
