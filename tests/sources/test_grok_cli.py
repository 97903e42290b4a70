"""What the adapter of the community's grok-cli says of its samples and of databases made for one trap each."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

import feeding
from quoth.core.errors import ReadFailed
from quoth.core.ids import SessionId
from quoth.core.model import Event, Fact, Json, Kind, Opened, Role, Titled, Unread
from quoth.core.model import Line as Row
from quoth.sources.grok_cli import ADAPTER

CART = "5f0c2a91b7de"
EXPORT = "a93be0417c25"


def _read(home: Path, state: Json = None) -> tuple[list[Fact], Json]:
    """Read what is new in a home since a parser had that state, as ingestion does."""
    (file,) = feeding.found("grok-cli", home)[0]
    parser = ADAPTER.parser(feeding.stream("grok-cli", file), state)
    lines = [Row(number, data) for number, data in enumerate(ADAPTER.rows(file, state), 1)]
    facts = [fact for line in lines for fact in parser.feed(line)]
    return facts, json.loads(json.dumps(parser.state()))


def _events(facts: list[Fact]) -> list[Event]:
    return [fact for fact in facts if isinstance(fact, Event)]


def _spoken(case: str, session: str) -> list[tuple[Role, str]]:
    facts, _ = _read(feeding.DATA / "grok-cli" / case / "home")
    return [(e.role, e.text) for e in _events(facts) if e.kind is Kind.MESSAGE and e.session == session]


@contextmanager
def _database(home: Path) -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(home / "grok.db", isolation_level=None)) as database:
        yield database


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """Return a home with a database of one session that said hello."""
    with _database(tmp_path) as database:
        database.executescript("""
            CREATE TABLE sessions (id TEXT PRIMARY KEY, title TEXT, cwd_at_start TEXT, updated_at TEXT);
            CREATE TABLE messages (session_id TEXT, seq INTEGER, role TEXT, message_json TEXT, created_at TEXT,
                                   PRIMARY KEY (session_id, seq));
            CREATE TABLE compactions (id INTEGER PRIMARY KEY, session_id TEXT, summary TEXT, created_at TEXT);
            INSERT INTO sessions VALUES ('s1', NULL, '/srv/shop', '2026-05-01T10:00:00.000Z');
        """)
        _say(database, 1, "hello", "2026-05-01T10:00:00.000Z")
    return tmp_path


def _say(database: sqlite3.Connection, seq: int, words: str, at: str, session: str = "s1") -> None:
    message = json.dumps({"role": "user", "content": words})
    database.execute("INSERT INTO messages VALUES (?, ?, 'user', ?, ?)", (session, seq, message, at))


# --- the samples ----------------------------------------------------------------------------------------------------


def test_person_and_model_are_told_apart() -> None:
    assert _spoken("everyday", CART) == [
        (Role.USER, "Счётчик в корзине не обновляется после удаления товара."),
        (Role.ASSISTANT, "Посмотрю, где считается количество."),
        (Role.ASSISTANT, "Счётчик теперь слушает событие удаления."),
        (Role.USER, "Проверь ещё пустую корзину, вот снимок."),
        (Role.ASSISTANT, "Пустая корзина показывает ноль."),
    ]
    assert [words for _, words in _spoken("everyday", EXPORT)] == [
        "给导出接口加一个分页参数。",
        "已加 page 和 size，默认每页 50 条。",
    ]


def test_title_and_directory_come_from_the_session() -> None:
    facts, _ = _read(feeding.DATA / "grok-cli/everyday/home")
    assert [fact.title for fact in facts if isinstance(fact, Titled)] == ["Счётчик корзины"]
    opened = {fact.session: fact.cwd for fact in facts if isinstance(fact, Opened)}
    assert opened == {CART: "/home/dev/demo-shop", EXPORT: "/home/dev/demo-api"}


@pytest.mark.req("ARC-9")
def test_a_compaction_and_a_notice_are_no_speech() -> None:
    everyday, _ = _read(feeding.DATA / "grok-cli/everyday/home")
    traps, _ = _read(feeding.DATA / "grok-cli/traps/home")
    assert next(e.kind for e in _events(everyday) if e.id.endswith(":compaction:1")) is Kind.META
    assert next(e.kind for e in _events(traps) if e.text == "Background task b1 finished.") is Kind.SYSTEM


@pytest.mark.req("ARC-9")
def test_traffic_of_our_own_tools_is_marked() -> None:
    facts, _ = _read(feeding.DATA / "grok-cli/traps/home")
    tools = [event for event in _events(facts) if event.kind in {Kind.TOOL_USE, Kind.TOOL_RESULT}]
    assert [event.own for event in tools] == [True, True, False, True, True, False, False, False]


@pytest.mark.req("ARC-3", "ARC-8")
def test_what_can_not_be_read_is_counted_and_stops_nothing() -> None:
    facts, _ = _read(feeding.DATA / "grok-cli/traps/home")
    unread = [(fact.line, fact.reason, fact.label) for fact in facts if isinstance(fact, Unread)]
    assert unread == [(7, "unknown", "assistant/hologram"), (9, "unparsable", "messages"), (12, "unknown", "messages")]
    assert _events(facts)[-1].text == "broken \ufffd byte"


@pytest.mark.req("SEC-4")
def test_only_the_database_is_read_and_of_it_only_what_is_known(home: Path) -> None:
    (home / "user-settings.json").write_text('{"apiKey": "invented"}')
    with _database(home) as database:
        database.execute("CREATE TABLE accounts (token TEXT)")
        database.execute("INSERT INTO accounts VALUES ('invented-token')")
        database.execute("ALTER TABLE sessions ADD COLUMN api_key TEXT DEFAULT 'invented-key'")
    (file,) = feeding.found("grok-cli", home)[0]
    assert file.key == "grok.db"
    assert b"invented" not in b"".join(ADAPTER.rows(file, None))


def test_another_home_of_grok_build_is_none_of_its_business() -> None:
    assert ADAPTER.roots({"GROK_HOME": "/srv/grok"}, Path("/home/a")) == [Path("/home/a/.grok")]


def test_a_session_is_resumed_by_the_option_of_this_program() -> None:
    assert ADAPTER.resume(SessionId(CART)) == ("grok", "--session", CART)


# --- a database that changes ----------------------------------------------------------------------------------------


@pytest.mark.req("ARC-2")
def test_nothing_new_gives_no_rows(home: Path) -> None:
    _, state = _read(home)
    assert _read(home, state) == ([], state)


@pytest.mark.req("ARC-2")
def test_only_new_messages_and_changed_sessions_are_read_again(home: Path) -> None:
    _, state = _read(home)
    with _database(home) as database:
        _say(database, 2, "again", "2026-05-01T10:00:01.000Z")
        database.execute("UPDATE sessions SET title = 'Greeting', updated_at = '2026-05-01T10:00:02.000Z'")
    facts, state = _read(home, state)
    assert [event.text for event in _events(facts)] == ["again"]
    assert [fact.title for fact in facts if isinstance(fact, Titled)] == ["Greeting"]
    assert _read(home, state)[0] == []


@pytest.mark.req("ARC-2")
def test_sessions_that_changed_in_the_same_moment_are_all_read(home: Path) -> None:
    _, state = _read(home)
    with _database(home) as database:
        database.execute("INSERT INTO sessions VALUES ('s2', 'Other', '/srv/api', '2026-05-01T10:00:00.000Z')")
        database.execute("INSERT INTO sessions VALUES ('s3', 'Undated', '/srv/web', NULL)")
        database.execute("INSERT INTO sessions VALUES ('s4', 'Older', '/srv/web', '2026-04-01T10:00:00.000Z')")
    facts, state = _read(home, state)
    assert {fact.session for fact in facts if isinstance(fact, Opened)} == {"s2", "s3", "s4"}
    assert _read(home, state)[0] == []


@pytest.mark.req("ARC-2")
def test_sessions_without_a_time_are_read_once_also_when_others_change(home: Path) -> None:
    with _database(home) as database:
        undated = [(f"u{number}", None) for number in range(400)]
        database.executemany("INSERT INTO sessions (id, updated_at) VALUES (?, ?)", undated)
    _, state = _read(home)
    assert _read(home, state)[0] == []
    with _database(home) as database:
        database.execute(
            "UPDATE sessions SET title = 'Greeting', updated_at = '2026-05-01T10:00:02.000Z' WHERE id = 's1'"
        )
    facts, _ = _read(home, state)
    assert {fact.session for fact in facts if isinstance(fact, Opened)} == {"s1"}


@pytest.mark.req("ARC-7")
def test_row_numbers_that_begin_anew_lose_nothing(home: Path) -> None:
    with _database(home) as database:
        for seq in range(2, 10):
            _say(database, seq, f"words {seq}", f"2026-05-01T10:00:0{seq}.000Z")
    _, state = _read(home)
    with _database(home) as database:
        database.execute("DELETE FROM messages WHERE seq > 3")
        _say(database, 1, "in another session", "2026-05-01T10:01:00.000Z", session="s2")
    facts, state = _read(home, state)
    assert [event.text for event in _events(facts)] == ["in another session"]
    assert _read(home, state)[0] == []


@pytest.mark.req("ARC-5")
def test_a_writer_beside_us_is_read_from_its_log(home: Path) -> None:
    with _database(home) as database:
        database.execute("PRAGMA journal_mode = WAL")
        _say(database, 2, "in the log only", "2026-05-01T10:00:01.000Z")
        assert [event.text for event in _events(_read(home)[0])] == ["hello", "in the log only"]


@pytest.mark.req("ARC-5")
def test_a_database_without_messages_is_reported(home: Path) -> None:
    with _database(home) as database:
        database.execute("DROP TABLE messages")
    with pytest.raises(ReadFailed, match="unknown schema"):
        _read(home)


@pytest.mark.req("ARC-5")
def test_missing_tables_and_columns_are_no_failure(home: Path) -> None:
    with _database(home) as database:
        database.execute("DROP TABLE sessions")
        database.execute("DROP TABLE compactions")
        database.execute("ALTER TABLE messages DROP COLUMN created_at")
        database.execute("ALTER TABLE messages DROP COLUMN role")
    facts, state = _read(home)
    assert [(event.text, event.time) for event in _events(facts)] == [("hello", None)]
    assert _read(home, state)[0] == []


@pytest.mark.req("ARC-5")
def test_values_of_the_wrong_type_are_counted(home: Path) -> None:
    with _database(home) as database:
        database.execute("INSERT INTO messages VALUES ('s1', 'two', 7, x'ff00', 3.5)")
        database.execute("INSERT INTO messages VALUES (NULL, NULL, NULL, NULL, NULL)")
    facts, _ = _read(home)
    assert [fact.reason for fact in facts if isinstance(fact, Unread)] == ["unparsable", "unknown"]


@pytest.mark.req("ARC-5")
def test_the_state_stays_small_whatever_the_database_holds(home: Path) -> None:
    with _database(home) as database:
        sessions = [(f"s{number:06}", "2026-05-01T10:00:00.000Z") for number in range(2_000)]
        database.executemany("INSERT INTO sessions (id, updated_at) VALUES (?, ?)", sessions)
        for seq in range(2, 2_000):
            _say(database, seq, "again", "2026-05-01T10:00:01.000Z")
    assert len(json.dumps(_read(home)[1])) < 64_000
