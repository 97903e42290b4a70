"""What is read of Cursor's databases while Cursor writes them: what is new, once, in order, and nothing else."""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import apsw
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import feeding
from cursor_stores import State, Store, answered, asked
from quoth.core.errors import ReadFailed
from quoth.core.model import Event, Fact, Found, Json, Line, Unread
from quoth.sources.cursor import ADAPTER

ONE, TWO = "5a1e0000-0000-4000-8000-000000000001", "5a1e0000-0000-4000-8000-000000000002"


@dataclass
class Reader:
    """Mirrors a database over many passes: `lines` is what the mirror holds."""

    lines: list[bytes] = field(default_factory=list)
    memory: Json = None
    facts: list[Fact] = field(default_factory=list)

    def read(self, found: Found, *, stop: int | None = None) -> list[bytes]:
        """Make a pass, or only its first lines as when it is killed, and return what was new."""
        new: list[bytes] = []
        for row in ADAPTER.rows(found, self.memory):
            if stop is not None and len(new) >= stop:
                break
            new.append(row)
        parser = ADAPTER.parser(feeding.stream("cursor", found), self.memory)
        for row in new:
            self.lines.append(row)
            self.facts += parser.feed(Line(len(self.lines), row))
        self.memory = json.loads(json.dumps(parser.state()))
        return new

    @property
    def said(self) -> dict[str, str]:
        """Return the last version of every event."""
        return {fact.id: fact.text for fact in self.facts if isinstance(fact, Event)}

    @property
    def first_said(self) -> list[str]:
        """Return the ids of events in the order in which they were read first."""
        return list(dict.fromkeys(fact.id for fact in self.facts if isinstance(fact, Event)))


def kinds(rows: Sequence[bytes]) -> list[str]:
    return [json.loads(row)["type"] for row in rows]


def texts(reader: Reader) -> list[str]:
    return list(reader.said.values())


# --- state.vscdb ----------------------------------------------------------------------------------------------------


@pytest.mark.req("ARC-2")
def test_an_unchanged_database_gives_nothing_the_second_time(tmp_path: Path) -> None:
    state, reader = State(tmp_path), Reader()
    state.composer(ONE, ["a"])
    state.bubble(ONE, "a", "hello")
    state.item("composer.composerHeaders", {"allComposers": [{"composerId": ONE, "name": "Greeting"}]})
    assert kinds(reader.read(state.found)) == ["reading", "composer", "bubble", "read", "composers"]
    assert reader.read(state.found) == []


@pytest.mark.req("ARC-2")
def test_only_what_is_new_is_read_again(tmp_path: Path) -> None:
    state, reader = State(tmp_path), Reader()
    for session in (ONE, TWO):
        state.composer(session, ["a"])
        state.bubble(session, "a", "hello")
    reader.read(state.found)
    state.bubble(ONE, "b", "more", by=2)
    state.composer(ONE, ["a", "b"])
    rows = reader.read(state.found)
    assert kinds(rows) == ["reading", "composer", "bubble", "read"]
    assert json.loads(rows[1])["bubbles"] == ["b"]
    assert texts(reader) == ["hello", "hello", "more"]


@pytest.mark.req("ARC-3")
@pytest.mark.parametrize("is_updated", [False, True])
def test_a_row_written_again_or_changed_in_place_is_a_revision_of_its_event(tmp_path: Path, is_updated: bool) -> None:
    state, reader = State(tmp_path), Reader()
    running = {"name": "Shell", "rawArgs": '{"command":"make"}', "status": "running"}
    state.composer(ONE, ["a", "b"])
    state.bubble(ONE, "a", by=2, capabilityType=15, toolFormerData=running)
    state.bubble(ONE, "b", "I wait", by=2)
    reader.read(state.found)
    assert list(reader.said.values()) == ['Shell\n{"command":"make"}', "I wait"]
    done = {"type": 2, "toolFormerData": {**running, "status": "completed", "result": "ok"}}
    if is_updated:
        state.run("UPDATE cursorDiskKV SET value = ? WHERE key = ?", json.dumps(done), f"bubbleId:{ONE}:a")
    else:
        state.put(f"bubbleId:{ONE}:a", done)
    assert kinds(reader.read(state.found)) == ["reading", "composer", "bubble", "read"]
    assert reader.said[f"cursor:{ONE}:a:out"] == "ok"
    assert reader.first_said == [f"cursor:{ONE}:a", f"cursor:{ONE}:b", f"cursor:{ONE}:a:out"]


@pytest.mark.req("ARC-2")
def test_a_row_written_again_unchanged_is_not_read_again(tmp_path: Path) -> None:
    state, reader = State(tmp_path), Reader()
    for session in (ONE, TWO):
        state.composer(session, ["a"])
        state.bubble(session, "a", "hello")
    reader.read(state.found)
    state.bubble(ONE, "a", "hello")
    state.composer(ONE, ["a"])
    assert reader.read(state.found) == []


@pytest.mark.req("ARC-3")
def test_a_bubble_written_before_its_session_lists_it_is_read_when_it_does(tmp_path: Path) -> None:
    state, reader = State(tmp_path), Reader()
    state.composer(ONE, ["a"])
    state.bubble(ONE, "a", "hello")
    state.bubble(ONE, "b", "early", by=2)
    reader.read(state.found)
    assert texts(reader) == ["hello"]
    state.composer(ONE, ["a", "b"])
    reader.read(state.found)
    assert texts(reader) == ["hello", "early"]


@pytest.mark.req("ARC-3")
def test_an_empty_or_missing_row_is_read_once_it_is_filled(tmp_path: Path) -> None:
    state, reader = State(tmp_path), Reader()
    state.composer(ONE, ["a", "b"])
    state.put(f"bubbleId:{ONE}:a", None)
    reader.read(state.found)
    assert texts(reader) == []
    state.run("UPDATE cursorDiskKV SET value = ? WHERE key = ?", '{"type":1,"text":"now"}', f"bubbleId:{ONE}:a")
    state.bubble(ONE, "b", "late", by=2)
    reader.read(state.found)
    assert texts(reader) == ["now", "late"]


@pytest.mark.req("ARC-3")
def test_rows_that_take_the_numbers_of_deleted_ones_are_read(tmp_path: Path) -> None:
    state, reader = State(tmp_path), Reader()
    state.composer(ONE, ["a"])
    state.bubble(ONE, "a", "stays")
    state.composer(TWO, ["b", "c", "d"])
    for bubble in "bcd":
        state.bubble(TWO, bubble, f"deleted {bubble}")
    reader.read(state.found)
    state.run("DELETE FROM cursorDiskKV WHERE key GLOB ?", f"*{TWO}*")
    state.bubble(ONE, "e", "new", by=2)
    state.composer(ONE, ["a", "e"])
    assert kinds(reader.read(state.found)) == ["reading", "composer", "bubble", "read"]
    assert "new" in texts(reader)
    assert "deleted c" in texts(reader)  # the archive keeps what the agent deletes


@pytest.mark.req("ARC-3", "ARC-5")
def test_a_database_whose_rows_were_numbered_anew_is_read_once_more(tmp_path: Path) -> None:
    state, reader = State(tmp_path), Reader()
    state.put("checkpointId:x", "filler")
    state.composer(ONE, ["a"])
    state.bubble(ONE, "a", "hello")
    reader.read(state.found)
    state.run("DELETE FROM cursorDiskKV WHERE key = 'checkpointId:x'")
    state.run("VACUUM")
    state.bubble(ONE, "b", "more", by=2)
    state.composer(ONE, ["a", "b"])
    reader.read(state.found)
    assert texts(reader) == ["hello", "more"]
    assert reader.read(state.found) == []


@pytest.mark.req("ARC-2")
@pytest.mark.parametrize("stop", range(8))
def test_a_first_reading_that_was_stopped_goes_on(tmp_path: Path, stop: int) -> None:
    state, reader = State(tmp_path), Reader()
    for session in (ONE, TWO):
        state.composer(session, ["a", "b"])
        state.bubble(session, "a", "hello")
        state.bubble(session, "b", "answer", by=2)
    reader.read(state.found, stop=stop)
    state.bubble(ONE, "a", "hello, corrected")
    reader.read(state.found)
    reader.read(state.found)
    assert texts(reader) == ["hello, corrected", "answer", "hello", "answer"]
    assert reader.read(state.found) == []


@pytest.mark.req("SEC-4")
def test_nothing_but_known_keys_is_taken_out(tmp_path: Path) -> None:
    state = State(tmp_path)
    state.composer(ONE, ["a"], context={"secret": "CONTEXT-SECRET"})
    state.bubble(ONE, "a", "hello")
    state.item("cursorAuth/accessToken", "TOKEN-SECRET")
    state.item("composer.composerHeaders", {"allComposers": [{"composerId": ONE, "note": "LIST-SECRET"}]})
    state.put("agentKv:blob:00", {"role": "user", "content": "BLOB-SECRET"})
    state.put("mcp:token", "MCP-SECRET")
    state.put(f"messageRequestContext:{ONE}:a", {"env": "ENV-SECRET"})
    reader = Reader()
    reader.read(state.found)
    reader.read(state.found)
    assert b"hello" in b"".join(reader.lines)
    assert b"SECRET" not in b"".join(reader.lines)


@pytest.mark.req("ARC-1")
def test_the_value_of_a_row_is_mirrored_as_it_is(tmp_path: Path) -> None:
    state, reader = State(tmp_path), Reader()
    values = ['{ "type":1,  "text":"spaced" }', '{"type":1,\n"text":"two lines"}', '{"type":1,"text":"torn']
    state.composer(ONE, ["a", "b", "c", "d"])
    for bubble, value in zip("abc", values, strict=True):
        state.put(f"bubbleId:{ONE}:{bubble}", value)
    state.put(f"bubbleId:{ONE}:d", b'{"type":1,"text":"caf\xe9"}')
    reader.read(state.found)
    _, _, a, b, c, d, _ = reader.lines
    assert a.endswith(b',"value":' + values[0].encode() + b"}")
    assert [json.loads(row)["text"] for row in (b, c)] == values[1:]
    assert json.loads(d)["base64"] == "eyJ0eXBlIjoxLCJ0ZXh0IjoiY2Fm6SJ9"
    assert texts(reader) == ["spaced", "two lines", "caf\ufffd"]
    assert Unread(5, "unparsable", "bubble row") in reader.facts


@pytest.mark.req("ARC-5")
def test_a_row_beyond_reason_is_told_and_not_read(tmp_path: Path) -> None:
    state, reader = State(tmp_path), Reader()
    state.composer(ONE, ["a", "b"])
    state.run("INSERT INTO cursorDiskKV VALUES (?, zeroblob(70000000))", f"bubbleId:{ONE}:a")
    state.bubble(ONE, "b", "small", by=2)
    reader.read(state.found)
    assert kinds(reader.lines) == ["reading", "composer", "large", "bubble", "read"]
    assert Unread(3, "unknown", "large row") in reader.facts


@pytest.mark.req("ARC-5")
def test_what_is_remembered_stays_small_whatever_the_database_holds(tmp_path: Path) -> None:
    state, reader = State(tmp_path), Reader()
    with closing(state.open()) as database, database:
        for number in range(400):
            session = f"5a1e0000-0000-4000-8000-{number:012}"
            bubbles = [f"b0b0b0b0-0000-4000-8000-{n:012}" for n in range(5)]
            row = {"fullConversationHeadersOnly": [{"bubbleId": bubble} for bubble in bubbles]}
            pairs = [(f"bubbleId:{session}:{bubble}", '{"type":1,"text":"hi"}') for bubble in bubbles]
            database.executemany(
                "INSERT INTO cursorDiskKV VALUES (?, ?)", [(f"composerData:{session}", json.dumps(row)), *pairs]
            )
    reader.read(state.found)
    assert len(reader.said) == 2_000
    assert len(json.dumps(reader.memory)) < 64 * 1024
    assert reader.read(state.found) == []


@pytest.mark.req("ARC-5")
def test_a_database_of_another_kind_is_refused(tmp_path: Path) -> None:
    state = State(tmp_path)
    state.run("DROP TABLE ItemTable")
    state.run("DROP TABLE cursorDiskKV")
    with pytest.raises(ReadFailed, match="unknown schema"):
        list(ADAPTER.rows(state.found, None))


@pytest.mark.req("ARC-5")
@pytest.mark.parametrize("gone", ["ItemTable", "cursorDiskKV"])
def test_a_database_with_one_of_the_tables_is_read(tmp_path: Path, gone: str) -> None:
    state, reader = State(tmp_path), Reader()
    state.composer(ONE, ["a"])
    state.bubble(ONE, "a", "hello")
    state.item("composer.composerData", {"allComposers": [{"composerId": ONE, "name": "Greeting"}]})
    state.run(f"DROP TABLE {gone}")
    assert kinds(reader.read(state.found))[-1] == ("read" if gone == "ItemTable" else "composers")


@pytest.mark.req("ARC-5")
def test_rows_that_a_writer_has_not_yet_moved_out_of_its_log_are_read(tmp_path: Path) -> None:
    state, reader = State(tmp_path), Reader()
    with closing(state.open()) as writer:
        writer.execute("PRAGMA journal_mode = wal").fetchall()
        writer.execute("PRAGMA wal_autocheckpoint = 0").fetchall()
        row = {"fullConversationHeadersOnly": [{"bubbleId": "a"}]}
        writer.execute("INSERT INTO cursorDiskKV VALUES (?, ?)", (f"composerData:{ONE}", json.dumps(row)))
        writer.execute("INSERT INTO cursorDiskKV VALUES (?, ?)", (f"bubbleId:{ONE}:a", '{"type":1,"text":"hot"}'))
        reader.read(state.found)
    assert texts(reader) == ["hot"]


BUBBLES = ["a", "b", "c", "d"]


@st.composite
def writes(draw: st.DrawFn) -> tuple[Any, ...]:
    session = draw(st.sampled_from([ONE, TWO]))
    match draw(
        st.sampled_from(["bubble", "bubble", "list", "list", "update", "delete", "other", "vacuum", "read", "stop"])
    ):
        case "bubble":
            return ("bubble", session, draw(st.sampled_from(BUBBLES)), draw(st.sampled_from(["x", "y", "z"])))
        case "list":
            return ("list", session, draw(st.permutations(BUBBLES))[: draw(st.integers(1, 4))])
        case "update":
            return ("update", session, draw(st.sampled_from(BUBBLES)), draw(st.sampled_from(["x", "y", "z"])))
        case "delete":
            return ("delete", draw(st.integers(0, 8)))
        case "stop":
            return ("stop", draw(st.integers(0, 6)))
        case other:
            return (other,)


@pytest.mark.req("ARC-2", "ARC-3")
@settings(max_examples=50, deadline=None)
@given(st.lists(writes(), max_size=14))
def test_however_it_was_written_and_read_everything_listed_is_known_as_it_stands(steps: list[tuple[Any, ...]]) -> None:
    with TemporaryDirectory() as folder:
        state, reader = State(Path(folder)), Reader()
        state.put("checkpointId:0", "filler")
        for number, step in enumerate(steps):
            _write(state, reader, step, number)
        reader.read(state.found)
        fresh = Reader()
        fresh.read(state.found)
        assert {id_: reader.said.get(id_) for id_ in fresh.said} == fresh.said
        reader.read(state.found)  # its marks alone, when the row that a stopped pass had marked was written again
        assert reader.read(state.found) == []


def _write(state: State, reader: Reader, step: tuple[Any, ...], number: int) -> None:
    match step:
        case ("bubble", session, bubble, text):
            state.bubble(session, bubble, text)
        case ("list", session, bubbles):
            state.composer(session, bubbles)
        case ("update", session, bubble, text):
            value = json.dumps({"type": 1, "text": text})
            state.run("UPDATE cursorDiskKV SET value = ? WHERE key = ?", value, f"bubbleId:{session}:{bubble}")
        case ("delete", above):
            state.run("DELETE FROM cursorDiskKV WHERE rowid > ?", above)
        case ("other",):
            state.put(f"checkpointId:{number}", "filler")
        case ("vacuum",):
            state.run("VACUUM")
        case ("read",):
            reader.read(state.found)
        case ("stop", lines):
            reader.read(state.found, stop=lines)


# --- store.db -------------------------------------------------------------------------------------------------------


@pytest.mark.req("ARC-2")
def test_a_conversation_that_grew_gives_its_new_messages(tmp_path: Path) -> None:
    store, reader = Store(tmp_path, ONE), Reader()
    store.say(asked("one"), answered("two"))
    assert kinds(reader.read(store.found)) == ["chat", "message", "message"]
    assert reader.read(store.found) == []
    store.say(asked("one"), answered("two"), asked("one"), name="Counting")
    assert kinds(reader.read(store.found)) == ["chat", "message"]
    assert texts(reader) == ["one", "two", "one"]


@pytest.mark.req("ARC-6")
def test_a_conversation_that_was_taken_back_keeps_what_was_said(tmp_path: Path) -> None:
    store, reader = Store(tmp_path, ONE), Reader()
    store.say(asked("one"), answered("two"))
    reader.read(store.found)
    store.say(asked("one"), answered("another"))
    reader.read(store.found)
    assert texts(reader) == ["one", "two", "another"]
    assert reader.read(store.found) == []


@pytest.mark.req("ARC-2")
@pytest.mark.parametrize("stop", range(4))
def test_a_conversation_whose_reading_was_stopped_is_read_to_its_end(tmp_path: Path, stop: int) -> None:
    store, reader = Store(tmp_path, ONE), Reader()
    store.say(asked("one"), answered("two"), asked("three"))
    reader.read(store.found, stop=stop)
    reader.read(store.found)
    assert texts(reader) == ["one", "two", "three"]
    assert reader.read(store.found) == []


@pytest.mark.req("SEC-4")
def test_the_key_of_a_store_stays_where_it_is(tmp_path: Path) -> None:
    store, reader = Store(tmp_path, ONE), Reader()
    store.say(asked("one"))
    reader.read(store.found)
    assert b"NOT-A-REAL-KEY" not in b"".join(reader.lines)


@pytest.mark.req("ARC-5")
@pytest.mark.parametrize("root", [b"\x9f\x03\xff", b"", b"\x0a\xff\xff\xff\xff\xff\xff\xff\xff\xff\x7f", b"\x08" * 40])
def test_a_store_that_can_t_be_understood_is_told_once(tmp_path: Path, root: bytes) -> None:
    store, reader = Store(tmp_path, ONE), Reader()
    store.root(root)
    reader.read(store.found)
    assert Unread(1, "unknown", "store.db whose conversation can't be read") in reader.facts
    assert reader.read(store.found) == []


@pytest.mark.req("ARC-5")
def test_a_store_without_its_tables_or_rows_is_no_catastrophe(tmp_path: Path) -> None:
    store = Store(tmp_path, ONE)
    assert kinds(Reader().read(store.found)) == ["chat"]
    with closing(store.open()) as database:
        database.execute("DROP TABLE meta")
    with pytest.raises(ReadFailed, match="unknown schema"):
        list(ADAPTER.rows(store.found, None))


@pytest.mark.req("ARC-5")
def test_a_damaged_database_is_refused(tmp_path: Path) -> None:
    store = Store(tmp_path, ONE)
    store.path.write_bytes(b"SQLite format 3\0" + b"\x01" * 4_000)
    with pytest.raises(ReadFailed):
        list(ADAPTER.rows(store.found, None))


@pytest.mark.req("ARC-3")
@given(
    state=st.recursive(
        st.none() | st.integers() | st.text(max_size=5),
        lambda v: (
            st.lists(v)
            | st.dictionaries(
                st.sampled_from(
                    ["mark", "begun", "sessions", "rows", "open", "n", "chain", "own", "seen", "again", ONE]
                ),
                v,
            )
        ),
    )
)
@settings(max_examples=100, deadline=None)
def test_a_state_that_makes_no_sense_is_no_state(state: Any) -> None:
    for case in feeding.cases("cursor"):
        for file in feeding.found("cursor", case / "home")[0]:
            json.dumps(ADAPTER.parser(feeding.stream("cursor", file), state).state())


@pytest.mark.req("ARC-3", "ARC-8")
@given(data=st.data())
@settings(max_examples=150, deadline=None)
def test_damaged_rows_never_stop_a_parser(data: st.DataObject) -> None:
    file, rows = data.draw(st.sampled_from(ROWS))
    parser = ADAPTER.parser(feeding.stream("cursor", file))
    for number, row in enumerate(rows, 1):
        record = json.loads(row)
        key = data.draw(st.sampled_from([*record, "type", "value"]))
        record[key] = data.draw(st.sampled_from([None, 1, "x", [], {}, [None], {"type": 2}, {"role": "user"}, 10**30]))
        for fact in parser.feed(Line(number, json.dumps(record).encode())):
            feeding.printed(file.key, fact).encode()
        json.dumps(parser.state())


ROWS = [
    (file, [line.data for line in feeding.lines("cursor", file)])
    for case in feeding.cases("cursor")
    for file in feeding.found("cursor", case / "home")[0]
    if file.key.endswith(("db", "vscdb"))
]


def test_the_sample_databases_hold_rows() -> None:
    assert len(ROWS) == 6
    assert isinstance(apsw.sqlite_lib_version(), str)
