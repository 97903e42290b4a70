"""What OpenClaw keeps where: Pi's entries in files, and since 2026.8 in a database, of which only news is read."""

from __future__ import annotations

import json
import shutil
import sqlite3
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import feeding
from quoth.core.errors import ReadFailed
from quoth.core.ids import SessionId
from quoth.core.model import Event, Fact, Form, Found, Json, Kind, Line, Opened, Role, Titled, Unread
from quoth.readers.compressed import zstd
from quoth.sources._openclaw_rows import Ladder, ladder
from quoth.sources.openclaw import ADAPTER
from running import Run

SAMPLES = feeding.DATA / "openclaw"
ALARM, FLOWERS, CRON, DELETED, RESET, TOPIC, ARCHIVED = (f"0c1a0000-0000-4000-8000-00000000000{n}" for n in range(1, 8))
SCHEMA = """
CREATE TABLE transcript_events(session_id TEXT NOT NULL, seq INTEGER NOT NULL, event_json TEXT,
  created_at INTEGER NOT NULL, event_zstd BLOB, PRIMARY KEY(session_id, seq));
CREATE TABLE session_windows(session_id TEXT PRIMARY KEY, session_key TEXT, updated_at INTEGER, account_id TEXT);
CREATE TABLE session_nodes(session_key TEXT PRIMARY KEY, label TEXT, entry_json TEXT, updated_at INTEGER);
CREATE TABLE transcript_rewrite_watermarks(session_id TEXT PRIMARY KEY, updated_at INTEGER);
"""

Record = dict[str, Any]


def facts(case: str) -> list[tuple[str, Fact]]:
    return [(said.key, fact) for said in feeding.read("openclaw", SAMPLES / case / "home") for fact in said.facts]


def spoken(found: Iterable[Fact], session: str) -> list[tuple[Role, str]]:
    events = [fact for fact in found if isinstance(fact, Event) and fact.session == session]
    return [(event.role, event.text) for event in events if event.kind is Kind.MESSAGE]


def said(number: int, words: str, role: str = "user", **more: Any) -> Record:
    message = {"role": role, "content": words, **more}
    stamp = f"2026-09-10T10:{number // 60:02}:{number % 60:02}.000Z"
    return {"type": "message", "id": f"{number:08x}", "timestamp": stamp, "message": message}


class Store:
    """An agent's database as a test changes it, and a reader that remembers what it has seen."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "agents" / "main" / "agent" / "openclaw-agent.sqlite"
        self.path.parent.mkdir(parents=True)
        self.root = folder
        self.state: Json = None
        self.number = 0
        self.run(*[statement for statement in SCHEMA.split(";") if statement.strip()])

    def run(self, *statements: str, values: Sequence[object] = ()) -> None:
        with closing(sqlite3.connect(self.path)) as database:
            for statement in statements:
                database.execute(statement, values)
            database.commit()

    def add(self, session: str, *records: Record | str, start: int = 0) -> None:
        for seq, record in enumerate(records, start):
            written = record if isinstance(record, str) else json.dumps(record)
            self.run(
                "INSERT INTO transcript_events VALUES(?, ?, ?, 1789000000000, NULL)", values=(session, seq, written)
            )

    def read(self) -> list[Fact]:
        """Read what is new, each row by a parser that knows only the state of the one before."""
        (file,) = (found for found in ADAPTER.find(self.root) if isinstance(found, Found))
        found: list[Fact] = []
        for row in list(ADAPTER.rows(file, self.state)):
            self.number += 1
            parser = ADAPTER.parser(feeding.stream("openclaw", file), self.state)
            found.extend(parser.feed(Line(self.number, row)))
            self.state = json.loads(json.dumps(parser.state()))
        return found

    def words(self) -> list[str]:
        return [fact.text for fact in self.read() if isinstance(fact, Event)]


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path)


# --- samples --------------------------------------------------------------------------------------------------------


@pytest.mark.req("ARC-3", "ARC-9")
def test_the_everyday_sample_is_read_from_files_and_rows_alike() -> None:
    found = [fact for _, fact in facts("everyday")]
    assert spoken(found, ALARM) == [
        (Role.USER, "When does the backup of the photos run?"),
        (Role.ASSISTANT, "Every night at half past two."),
    ]
    assert spoken(found, FLOWERS) == [
        (Role.USER, "Напомни завтра полить цветы."),
        (Role.ASSISTANT, "Хорошо, напомню завтра в девять."),
    ]
    assert spoken(found, CRON) == [(Role.ASSISTANT, "该浇花了。"), (Role.USER, "好的，谢谢，已经浇了。")]
    titles = {fact.session: fact.title for fact in found if isinstance(fact, Titled)}
    assert titles == {ALARM: "Photo backup", FLOWERS: "Цветы"}


@pytest.mark.req("ARC-9")
def test_envelopes_wake_ups_and_forwarded_texts_are_not_the_persons_words() -> None:
    found = [fact for _, fact in facts("traps")]
    assert spoken(found, TOPIC) == [
        (Role.USER, "In the topic: which door is open?"),
        (Role.USER, "Look [at 2026-05-07 10:00] and"),
    ]
    assert spoken(found, RESET) == [(Role.ASSISTANT, "Hello!")]
    injected = [fact.text for fact in found if isinstance(fact, Event) and fact.id.endswith(":injected")]
    assert any("buy now" in text for text in injected)
    assert any("Exec finished" in text for text in injected)


@pytest.mark.req("ARC-6")
def test_what_two_stores_hold_has_one_id() -> None:
    of = {
        form: {fact.id: fact.text for key, fact in facts("traps") if key.endswith(form) and isinstance(fact, Event)}
        for form in (f"{ALARM}.jsonl", f".checkpoint.{ALARM[:-1]}9.jsonl", f"{ARCHIVED}.jsonl", ".sqlite")
    }
    rows = of.pop(".sqlite")
    for found in of.values():
        assert found
        assert found.items() <= rows.items()


@pytest.mark.req("ARC-3", "ARC-8")
def test_an_event_that_is_no_json_is_counted_and_stops_nothing() -> None:
    found = [fact for key, fact in facts("traps") if key.endswith(".sqlite")]
    assert [(fact.reason, fact.label) for fact in found if isinstance(fact, Unread)] == [("unparsable", "not JSON")]
    assert (Role.USER, "Without an id.") in spoken(found, ARCHIVED)


@pytest.mark.req("SEC-4", "ARC-7")
def test_sessions_put_aside_are_read_and_nothing_else(copied: Callable[[Path], Path]) -> None:
    home = copied(SAMPLES / "traps")
    for name in ("openclaw.json", "agents/main/agent/auth-profiles.json", "agents/main/sessions/x.jsonl.lock"):
        (home / name).write_text("{}", encoding="utf-8")
    found = {entry.key.rpartition("/")[2]: entry for entry in ADAPTER.find(home) if isinstance(entry, Found)}
    assert sorted(found) == [
        f"{ALARM}.checkpoint.{ALARM[:-1]}9.jsonl",
        f"{ALARM}.jsonl",
        f"{DELETED}.jsonl.deleted.2026-06-01T00-00-00.000Z",
        f"{RESET}.jsonl.reset.2026-06-02T00-00-00.000Z",
        f"{TOPIC}-topic-42.jsonl",
        f"{ARCHIVED}.jsonl",
        "openclaw-agent.sqlite",
    ]
    assert found[f"{DELETED}.jsonl.deleted.2026-06-01T00-00-00.000Z"].identity == f"main/{DELETED}"
    in_order = sorted(found.values(), key=ADAPTER.age)
    assert [entry.form for entry in in_order][-1] is Form.ROWS
    assert in_order.index(found[f"{ALARM}.checkpoint.{ALARM[:-1]}9.jsonl"]) < in_order.index(found[f"{ALARM}.jsonl"])


def test_the_folders_are_the_ones_that_the_agent_uses(tmp_path: Path) -> None:
    assert ADAPTER.roots({"OPENCLAW_STATE_DIR": " "}, tmp_path) == [tmp_path / ".openclaw"]
    assert ADAPTER.roots({"OPENCLAW_STATE_DIR": "/elsewhere"}, tmp_path) == [Path("/elsewhere")]
    (tmp_path / ".openclaw-work").mkdir()
    (tmp_path / ".moltbot").mkdir()
    (tmp_path / ".clawdbot").symlink_to(tmp_path / ".openclaw-work")
    assert [root.name for root in ADAPTER.roots({}, tmp_path)] == [".openclaw", ".openclaw-work", ".moltbot"]
    assert ADAPTER.resume(SessionId(ALARM)) is None


# --- news of a database ---------------------------------------------------------------------------------------------


@pytest.mark.req("ARC-2")
def test_rows_are_read_once(store: Store) -> None:
    store.add("s1", said(1, "one"), said(2, "two"))
    assert store.words() == ["one", "two"]
    assert store.words() == []
    store.add("s2", said(1, "three"))
    store.add("s1", said(3, "four"), start=2)
    assert store.words() == ["three", "four"]


@pytest.mark.req("ARC-7")
def test_a_session_that_is_written_anew_is_read_again_though_row_ids_repeat(store: Store) -> None:
    store.add("s1", said(1, "one"), said(2, "two"))
    store.add("s2", said(1, "three"), said(2, "four"), said(3, "five"))
    store.words()
    store.run("DELETE FROM transcript_events WHERE session_id = 's2'")
    store.add("s2", said(1, "three"), said(2, "better"))
    assert "better" in store.words()
    assert store.words() == []
    store.add("s2", said(3, "six"), said(4, "seven"), start=2)
    assert store.words() == ["six", "seven"]


@pytest.mark.req("ARC-7")
def test_a_rewrite_that_ends_as_before_is_known_by_its_watermark(store: Store) -> None:
    store.add("s1", said(1, "one"), said(2, "two"), said(3, "three"))
    store.words()
    store.run(
        "UPDATE transcript_events SET event_json = replace(event_json, 'one', 'uno')",
        "INSERT INTO transcript_rewrite_watermarks VALUES('s1', 1789000000001)",
    )
    assert "uno" in store.words()
    assert store.words() == []
    store.add("s1", said(4, "four"), start=3)
    assert store.words() == ["four"]


@pytest.mark.req("ARC-2")
def test_an_event_that_is_compressed_later_is_no_news(store: Store) -> None:
    record = json.dumps(said(1, "одно слово"))
    store.add("s1", record)
    assert store.words() == ["одно слово"]
    packed = zstd.compress(record.encode())
    store.run("UPDATE transcript_events SET event_json = NULL, event_zstd = ?", values=(packed,))
    assert store.words() == []
    store.run("UPDATE transcript_events SET event_zstd = ?", values=(packed[:-4],))
    assert [fact.reason for fact in store.read() if isinstance(fact, Unread)] == ["unparsable"]


@pytest.mark.req("ARC-2")
def test_what_a_session_is_called_is_read_when_it_changes(store: Store) -> None:
    store.run(
        "INSERT INTO session_windows VALUES('s1', 'agent:main:main', 1000, 'never-read')",
        "INSERT INTO session_nodes VALUES('agent:main:main', 'First', 'never-read', 1000)",
    )
    assert store.read() == [Opened(SessionId("s1")), Titled(SessionId("s1"), "First", 1, 1)]
    store.run("UPDATE session_windows SET updated_at = 2000")
    assert store.read() == []
    store.run("UPDATE session_nodes SET label = 'Second', updated_at = 3000")
    assert [fact.title for fact in store.read() if isinstance(fact, Titled)] == ["Second"]
    assert "never-read" not in json.dumps(store.state)


@pytest.mark.req("ARC-5")
def test_state_stays_small_however_many_rows_and_sessions_there_are(store: Store) -> None:
    with closing(sqlite3.connect(store.path)) as database:
        events = [(f"session-{n % 500}", n, json.dumps(said(n % 3000, "x"))) for n in range(4_000)]
        database.executemany("INSERT INTO transcript_events VALUES(?, ?, ?, 1, NULL)", events)
        windows = [(f"session-{n}", f"agent:main:{n}", 1_000 + n) for n in range(500)]
        database.executemany("INSERT INTO session_windows VALUES(?, ?, ?, NULL)", windows)
        database.commit()
    (file,) = (found for found in ADAPTER.find(store.root) if isinstance(found, Found))
    parser = ADAPTER.parser(feeding.stream("openclaw", file))
    rows = list(ADAPTER.rows(file, None))
    assert len(rows) == 4_500
    for number, row in enumerate(rows, 1):
        list(parser.feed(Line(number, row)))
    assert len(json.dumps(parser.state())) < 64_000
    assert list(ADAPTER.rows(file, parser.state())) == []


@given(st.integers(1, 3_000), st.integers(0, 3_000))
@settings(deadline=None, max_examples=50)
def test_a_ladder_has_a_rung_near_every_row(rows: int, lost: int) -> None:
    climbed = Ladder()
    for row in range(rows):
        climbed.climb({"rowid": row, "session_id": "s", "event_json": "{}"})
    rungs = list(ladder(json.loads(json.dumps(climbed.state()))).rungs)
    assert rungs == sorted(rungs)
    assert len(rungs) <= 128
    kept = max(0, rows - 1 - lost)
    below = max((rung for rung in rungs if rung <= kept), default=-1)
    assert kept - below <= max(2, 0.5 * (rows - kept))


@pytest.mark.req("ARC-5")
@pytest.mark.parametrize(
    "damage", ["DROP TABLE transcript_events", "ALTER TABLE transcript_events DROP COLUMN event_json"]
)
def test_a_database_of_another_schema_is_reported(store: Store, damage: str) -> None:
    store.run(damage)
    with pytest.raises(ReadFailed) as failed:
        store.read()
    assert failed.value.reason == "unknown_schema"


@pytest.mark.req("ARC-5")
def test_missing_and_new_columns_and_odd_values_are_no_trouble(store: Store) -> None:
    store.run(
        "ALTER TABLE transcript_events DROP COLUMN event_zstd",
        "ALTER TABLE transcript_events ADD COLUMN navigation_json TEXT",
        "DROP TABLE session_nodes",
        "INSERT INTO session_windows VALUES('s1', NULL, 'soon', NULL)",
        "INSERT INTO transcript_events VALUES('a:b', 'x', CAST(x'7bff7d' AS TEXT), 'never', NULL)",
        "INSERT INTO transcript_events VALUES('a:b', 1, NULL, 1, NULL)",
    )
    store.add("a:b", said(1, "found"), start=2)
    found = store.read()
    assert len([fact for fact in found if isinstance(fact, Unread)]) == 2
    (event,) = [fact for fact in found if isinstance(fact, Event)]
    assert (event.text, ":" in event.session) == ("found", False)


@pytest.mark.req("ARC-5")
def test_a_list_of_sessions_that_is_being_written_is_tried_again(tmp_path: Path) -> None:
    path = tmp_path / "agents" / "main" / "sessions" / "sessions.json"
    path.parent.mkdir(parents=True)
    path.write_text('{"agent:main:main": {"sessionId"', encoding="utf-8")
    (file,) = (found for found in ADAPTER.find(tmp_path) if isinstance(found, Found))
    with pytest.raises(ReadFailed):
        list(ADAPTER.rows(file, None))
    entry = {"sessionId": ALARM, "label": "Photos", "updatedAt": 5, "skillsSnapshot": "never-read"}
    path.write_text(json.dumps({"agent:main:main": entry, "odd": 7}, indent=2), encoding="utf-8")
    (row,) = ADAPTER.rows(file, None)
    assert b"never-read" not in row
    parser = ADAPTER.parser(feeding.stream("openclaw", file))
    assert [fact.title for fact in parser.feed(Line(1, row)) if isinstance(fact, Titled)] == ["Photos"]
    assert list(ADAPTER.rows(file, parser.state())) == []


# --- through the archive --------------------------------------------------------------------------------------------


@pytest.mark.req("ARC-2", "ARC-6", "ARC-7")
def test_a_migration_to_the_database_that_leaves_both_counts_each_entry_once(person: Path, run: Run) -> None:
    home = Path(shutil.copytree(SAMPLES / "traps" / "home", person / ".openclaw"))
    database = home / "agents" / "main" / "agent" / "openclaw-agent.sqlite"
    aside = database.with_name("aside")
    database.rename(aside)
    run("sync")
    before = run("timeline", "--since", "2020-01-01", "--json").json()["sessions"]
    aside.rename(database)
    run("sync")
    after = run("timeline", "--since", "2020-01-01", "--json").json()["sessions"]
    counts = {session["session"]: session["events"] for session in before}
    grown = {session["session"]: session["events"] - counts[session["session"]] for session in after}
    assert {session: count for session, count in grown.items() if count} == {ALARM: 1, ARCHIVED: 1}
    talk = run("open", ALARM).out
    assert talk.index("half past two") < talk.index("And of the music?") < talk.index("At three.")


@pytest.mark.req("ARC-7")
def test_a_session_that_is_reset_keeps_its_place(person: Path, run: Run) -> None:
    folder = person / ".openclaw" / "agents" / "main" / "sessions"
    folder.mkdir(parents=True)
    log = folder / f"{ALARM}.jsonl"
    log.write_text(f"{json.dumps(said(1, 'a moving question'))}\n", encoding="utf-8")
    run("sync")
    log.rename(folder / f"{ALARM}.jsonl.reset.2026-09-11T00-00-00.000Z")
    run("sync")
    (source,) = [one for one in run("status", "--json").json()["sources"] if one["source"] == "openclaw"]
    assert (source["events"], source["gone_files"]) == (1, 0)


def test_a_session_that_is_only_named_is_none(person: Path, run: Run) -> None:
    home = person / ".openclaw" / "agents" / "main"
    (home / "sessions").mkdir(parents=True)
    entries = {"agent:main:main": {"sessionId": ALARM, "label": "Nothing said", "updatedAt": 5}}
    (home / "sessions" / "sessions.json").write_text(json.dumps(entries), encoding="utf-8")
    run("sync")
    assert run("timeline", "--since", "2020-01-01", "--json", check=False).json()["sessions"] == []
    (source,) = [one for one in run("status", "--json").json()["sources"] if one["source"] == "openclaw"]
    assert (source["files"], source["silent_files"], source["sessions"]) == (1, 0, 0)
