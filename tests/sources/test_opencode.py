"""What OpenCode keeps in three generations of stores, and that their events are the same ones."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

import feeding
from parts_logs import NOON, Reader, Writer, ms, reader, tool
from quoth.core.ids import SessionId
from quoth.core.model import Event, Found, Kind, Opened, Skipped, Unread
from quoth.sources.opencode import ADAPTER

OLDER = "ses_demo0001legacy"
NEWER = "ses_demo0002v2"
TREE = "ses_demo0000tree"
DATABASE = "opencode.db"


@pytest.fixture
def everyday(tmp_path: Path) -> Path:
    return Path(shutil.copytree(feeding.DATA / "opencode" / "everyday" / "home", tmp_path / "opencode"))


@pytest.fixture
def traps(tmp_path: Path) -> Path:
    return Path(shutil.copytree(feeding.DATA / "opencode" / "traps" / "home", tmp_path / "opencode"))


def read(home: Path, key: str | None = DATABASE) -> Reader:
    found = reader("opencode", home, key)
    found.read()
    return found


def newest(home: Path) -> Writer:
    return Writer(home / DATABASE, "opencode-2")


def said(found: Reader) -> dict[str, tuple[str, Kind, str]]:
    return {event.id: (event.role, event.kind, event.text) for event in found.events.values()}


# --- the everyday sample --------------------------------------------------------------------------------------------


@pytest.mark.req("ARC-9")
def test_both_generations_of_tables_give_their_sessions(everyday: Path) -> None:
    found = read(everyday)
    assert found.spoken(OLDER) == [
        ("user", "The login test fails once in ten runs."),
        ("assistant", "The test reads the clock twice around midnight."),
    ]
    assert found.spoken(NEWER) == [
        ("user", "Перенеси настройки из кода в файл config.toml."),
        ("assistant", "Готово, настройки читаются из config.toml."),
    ]
    assert found.titles() == {OLDER: "Flaky login test", NEWER: "Перенос настроек"}


def test_each_session_has_one_call_with_its_result(everyday: Path) -> None:
    found = read(everyday)
    assert found.texts(Kind.TOOL_USE) == [
        'edit\n{"filePath":"/home/dev/demo-app/config.toml"}',
        'bash\n{"command":"pytest -x tests/test_login.py"}',
    ]
    assert found.texts(Kind.TOOL_RESULT) == ["updated", "1 passed"]


@pytest.mark.req("ARC-9")
def test_synthetic_parts_and_messages_switches_and_compactions_are_no_speech(everyday: Path) -> None:
    kinds = {str(event.id): event.kind for event in read(everyday).events.values()}
    assert kinds["opencode:prt_o1b"] is Kind.META
    assert kinds["opencode:msg_v2_0"] is Kind.META
    assert kinds["opencode:msg_v2_3"] is Kind.SYSTEM
    assert kinds["opencode:msg_v2_4"] is Kind.META


def test_the_tree_of_files_gives_its_session(everyday: Path) -> None:
    found = read(everyday, f"storage/session/4f1c/{TREE}.json")
    assert found.spoken(TREE) == [
        ("user", "把 settings.py 拆成开发和生产两份。"),
        ("assistant", "已拆成 settings/dev.py 和 settings/prod.py。"),
    ]
    assert found.titles() == {TREE: "拆分配置文件"}
    assert {event.agent_version for event in found.events.values()} == {"1.0.220"}


# --- one event, whichever store it is read from ---------------------------------------------------------------------


def conversation(home: Path) -> Writer:
    """Write a session as OpenCode 1 does."""
    made = newest(home)
    made.session("ses_1", 0, title="Cart")
    made.message("msg_1", "ses_1", 1, role="user")
    made.part("prt_1a", "msg_1", "ses_1", 1, type="text", text="<file>cart.py</file>", synthetic=True)
    made.part("prt_1b", "msg_1", "ses_1", 1, type="text", text="Empty the cart.")
    made.message("msg_2", "ses_1", 2, role="assistant", path={"cwd": "/srv/shop"})
    made.part("prt_2a", "msg_2", "ses_1", 2, type="step-start")
    made.part("prt_2b", "msg_2", "ses_1", 2, type="reasoning", text="How?")
    made.part("prt_2c", "msg_2", "ses_1", 3, **tool("completed", "cart.py", command="ls"))
    made.part("prt_2d", "msg_2", "ses_1", 4, type="text", text="Emptied.")
    made.part("prt_2e", "msg_2", "ses_1", 5, type="step-finish")
    return made


def bring_over(made: Writer) -> None:
    """Write the same session as OpenCode 2 has it after it brought it over."""
    made.session("ses_1", 0, table="session_v2", title="Cart", version="2.0.5")
    made.newer("msg_1", "ses_1", "user", 0, 1, text="Empty the cart.")
    state = {"status": "completed", "input": {"command": "ls"}, "content": [{"type": "text", "text": "cart.py"}]}
    content: list[Mapping[str, Any]] = [
        {"type": "reasoning", "text": "How?"},
        {"type": "tool", "id": "c1", "name": "bash", "state": state, "time": {"created": ms(1)}},
        {"type": "text", "text": "Emptied."},
    ]
    made.newer("msg_2", "ses_1", "assistant", 1, 2, content=content)


@pytest.mark.req("ARC-2", "ARC-6")
def test_a_session_that_was_brought_over_keeps_the_ids_of_all_its_events(tmp_path: Path) -> None:
    made = conversation(tmp_path)
    found = read(tmp_path)
    before = said(found)
    bring_over(made)
    found.read()
    assert said(found) == before
    assert before["opencode:msg_2#1:out"] == ("user", Kind.TOOL_RESULT, "cart.py")


@pytest.mark.req("ARC-2")
def test_who_reads_only_after_the_older_tables_are_gone_finds_the_same_ids(tmp_path: Path) -> None:
    made = conversation(tmp_path)
    before = said(read(tmp_path))
    bring_over(made)
    for table in ("session", "message", "part"):
        made.db.execute(f"DROP TABLE {table}")
    after = said(read(tmp_path))
    assert after == {event: what for event, what in before.items() if event != "opencode:prt_1a"}


@pytest.mark.req("ARC-2")
def test_a_session_has_the_same_events_in_the_tree_and_in_the_database(tmp_path: Path) -> None:
    made = conversation(tmp_path)
    storage = tmp_path / "storage"
    for table, folder in (("session", "session/p"), ("message", "message/ses_1"), ("part", None)):
        column = "message_id" if table == "part" else "''"
        for row, message, data in made.db.execute(f"SELECT id, {column}, {_data(table)} FROM {table}"):
            more = {"messageID": message} if message else {}
            owner = {} if table == "session" else {"sessionID": "ses_1"}
            _write(
                storage / (folder or f"part/{message}") / f"{row}.json",
                {**json.loads(data), "id": row, **owner, **more},
            )
    assert said(read(tmp_path, "storage/session/p/ses_1.json")) == said(read(tmp_path))


def _data(table: str) -> str:
    return "json_object('directory', directory, 'title', title, 'version', version)" if table == "session" else "data"


def _write(path: Path, data: Mapping[str, Any]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(data, indent=2), encoding="utf-8")


@pytest.mark.req("ARC-6")
def test_what_was_not_brought_over_stands_where_it_was_said(traps: Path) -> None:
    found = [event.id for event in read(traps).events.values() if event.session == "ses_moved"]
    assert found[:3] == ["opencode:msg_m1", "opencode:prt_m2a", "opencode:msg_m3#0"]


def test_a_result_that_was_cleared_on_the_way_is_read_from_the_older_table(traps: Path) -> None:
    assert read(traps).events["opencode:msg_m3#0:out"].text == "cart.py"


@pytest.mark.req("ARC-6")
def test_what_is_written_to_both_generations_at_once_counts_once(traps: Path) -> None:
    found = read(traps)
    assert found.spoken("ses_both") == [("user", "Почему корзина пустая?")]
    assert "ses_both" not in found.titles()  # its title was made up from the time


# --- copies, children, and what nobody typed ------------------------------------------------------------------------


@pytest.mark.req("ARC-6")
@pytest.mark.parametrize(
    ("fork", "origin", "own"),
    [("ses_fork1", "ses_both", "Попробуем иначе."), ("ses_fork2", "ses_moved", "Call it basket instead.")],
)
def test_a_fork_lists_its_own_words_and_names_its_origin(traps: Path, fork: str, origin: str, own: str) -> None:
    found = read(traps)
    assert found.spoken(fork) == [("user", own)]
    assert origin in {opened.forked_from for opened in found.of(Opened) if opened.session == fork}
    assert any(unread.reason == "replayed" for unread in found.of(Unread))


@pytest.mark.req("ARC-6", "ARC-10")
def test_a_message_older_than_its_session_is_no_copy_when_no_session_has_the_original(tmp_path: Path) -> None:
    made = newest(tmp_path)
    made.session("ses_1", 100)
    made.said("user", "msg_1", "ses_1", 50, "The clock was wrong.")
    assert read(tmp_path).spoken() == [("user", "The clock was wrong.")]


@pytest.mark.req("ARC-6", "ARC-9")
def test_a_session_with_a_parent_is_a_subagents(traps: Path) -> None:
    found = read(traps)
    assert {opened.parent for opened in found.of(Opened) if opened.session == "ses_child"} == {"ses_both"}
    assert found.spoken("ses_child") == [("assistant", "In session.py.")]


@pytest.mark.req("ARC-9")
def test_a_compaction_is_no_speech_neither_its_question_nor_its_summary(traps: Path) -> None:
    assert {text for _, text in read(traps).spoken("ses_odd")} == {
        "This picture: \0 and a tab\tremain.",
        "over several lines, half a pair \ufffd and NaN",
        "not UTF-8: \ufffd",
    }


@pytest.mark.req("ARC-9")
def test_traffic_of_our_own_tools_is_marked(traps: Path) -> None:
    own = {event.id for event in read(traps).events.values() if event.own}
    assert own == {f"opencode:{event}{out}" for event in ("msg_m7#0", "msg_o3#0") for out in ("", ":out")}


def test_pictures_become_marks_in_every_generation(traps: Path) -> None:
    found = read(traps).events
    assert found["opencode:prt_o4a"].text == "[image/png, a.png, 4 KB]"
    assert found["opencode:msg_m4:file0"].text == "[image/png, shot.png, 2 KB]"


# --- damage and drift -----------------------------------------------------------------------------------------------


@pytest.mark.req("ARC-3", "ARC-8")
def test_unknown_kinds_and_broken_rows_are_counted_and_stop_nothing(traps: Path) -> None:
    counted = [(unread.reason, unread.label) for unread in read(traps).of(Unread) if unread.reason != "replayed"]
    assert counted == [
        ("unknown", "part/telepathy"),
        ("unparsable", "part"),
        ("unknown", "part/untyped"),
        ("unknown", "content/hologram"),
        ("unknown", "session_message/future-kind"),
    ]


@pytest.mark.req("ARC-3")
def test_a_part_whose_message_is_gone_is_kept_but_belongs_to_nobody(traps: Path) -> None:
    assert [e.kind for e in read(traps).events.values() if e.text == "whose message is gone"] == [Kind.META]


def test_a_session_without_a_row_of_its_own_is_read(traps: Path) -> None:
    assert read(traps).spoken("ses_norow") == [("user", "A session without a row of its own.")]


@pytest.mark.req("SEC-4")
def test_tables_and_columns_that_hold_secrets_are_not_mirrored(tmp_path: Path) -> None:
    made = conversation(tmp_path)
    made.db.execute("INSERT INTO account VALUES ('a', 'secret-token')")
    made.db.execute("ALTER TABLE session ADD COLUMN share_url TEXT DEFAULT 'https://share.example/secret-link'")
    assert b"secret" not in b"".join(read(tmp_path).lines)


def test_a_payload_is_mirrored_byte_for_byte(tmp_path: Path) -> None:
    made = newest(tmp_path)
    written = '{ "type":"text",  "text":"\\u0441\\u043f\\u0430\\u0441\\u0438\\u0431\\u043e",  "n": 1.50 }'
    made.put("part", 1, id="prt_1", message_id="msg_1", session_id="ses_1", data=written)
    assert written.encode() in b"".join(read(tmp_path).lines)


# --- the tree, pass by pass -----------------------------------------------------------------------------------------


def tree(home: Path) -> tuple[Reader, Path]:
    found = reader("opencode", home, f"storage/session/4f1c/{TREE}.json")
    return found, home / "storage"


def test_a_part_that_is_written_again_is_told_with_its_message(everyday: Path) -> None:
    found, storage = tree(everyday)
    path = storage / "part" / "msg_t2" / "prt_t2c.json"
    for file in storage.rglob("*.json"):
        os.utime(file, (NOON // 1000,) * 2)
    os.utime(path, (NOON // 1000 + 5,) * 2)
    found.read()
    path.write_text(path.read_text("utf-8").replace("已拆成", "已经拆成"), encoding="utf-8")
    os.utime(path, (NOON // 1000 + 9,) * 2)
    told = [json.loads(row) for row in found.read()]
    assert [record["file"] for record in told if record["type"] == "message"] == [f"message/{TREE}/msg_t2.json"]
    assert found.events["opencode:msg_t2#1"].text.startswith("已经拆成")


def test_older_files_that_appear_later_are_read(everyday: Path) -> None:
    found, storage = tree(everyday)
    shutil.move(storage / "part" / "msg_t1", storage / "aside")
    found.read()
    assert "opencode:msg_t1" not in found.events
    shutil.move(storage / "aside", storage / "part" / "msg_t1")
    found.read()
    assert found.events["opencode:msg_t1"].kind is Kind.MESSAGE


def test_a_session_of_the_tree_has_changed_when_one_of_its_messages_has(everyday: Path) -> None:
    key = f"storage/session/4f1c/{TREE}.json"
    before = reader("opencode", everyday, key).file.signature
    message = everyday / "storage" / "message" / TREE / "msg_t2.json"
    os.utime(message, ns=(0, message.stat().st_mtime_ns + 5_000_000_000))
    assert reader("opencode", everyday, key).file.signature != before


@pytest.mark.req("ARC-4")
def test_links_in_the_tree_are_not_followed(everyday: Path, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    shutil.move(everyday / "storage" / "part" / "msg_t2", outside)
    (everyday / "storage" / "part" / "msg_t2").symlink_to(outside)
    found, _ = tree(everyday)
    found.read()
    assert found.spoken() == [("user", "把 settings.py 拆成开发和生产两份。")]


# --- places ---------------------------------------------------------------------------------------------------------


def test_the_databases_of_all_channels_are_read(traps: Path) -> None:
    assert [entry.key for entry in ADAPTER.find(traps) if isinstance(entry, Found)] == ["opencode-beta.db", DATABASE]


def test_what_was_said_first_owns_what_several_stores_hold(everyday: Path) -> None:
    files = [entry for entry in ADAPTER.find(everyday) if isinstance(entry, Found)]
    assert [file.key for file in sorted(files, key=ADAPTER.age)] == [f"storage/session/4f1c/{TREE}.json", DATABASE]


@pytest.mark.req("ARC-4")
def test_a_compressed_database_is_told_and_not_read(tmp_path: Path) -> None:
    (tmp_path / "opencode.db.zst").write_bytes(b"?")
    assert [type(entry) for entry in ADAPTER.find(tmp_path)] == [Skipped]


def test_the_data_folder_is_below_xdg_data_home(tmp_path: Path) -> None:
    assert ADAPTER.roots({}, tmp_path) == [tmp_path / ".local" / "share" / "opencode"]
    assert ADAPTER.roots({"XDG_DATA_HOME": " "}, tmp_path) == [tmp_path / ".local" / "share" / "opencode"]
    assert ADAPTER.roots({"XDG_DATA_HOME": "/srv/data"}, tmp_path) == [Path("/srv/data/opencode")]


@pytest.mark.parametrize("named", [":memory:", "", "opencode.db", "opencode-mine.db"])
def test_a_named_database_that_is_none_or_found_anyway_adds_no_root(tmp_path: Path, named: str) -> None:
    assert len(ADAPTER.roots({"OPENCODE_DB": named}, tmp_path)) == 1


def test_a_database_that_is_named_by_itself_is_read(tmp_path: Path) -> None:
    made = Writer(tmp_path / "elsewhere" / "work.sqlite", "opencode-1")
    made.said("user", "msg_1", "ses_1", 1, "Somewhere else.")
    made.close()
    *_, root = ADAPTER.roots({"OPENCODE_DB": str(tmp_path / "elsewhere" / "work.sqlite")}, tmp_path)
    assert read(root, "work.sqlite").spoken() == [("user", "Somewhere else.")]


def test_a_session_is_resumed_by_its_id() -> None:
    assert ADAPTER.resume(SessionId(NEWER)) == ("opencode", "--session", NEWER)


def test_ids_that_can_not_be_printed_are_hashed(traps: Path) -> None:
    odd = [event for event in read(traps).events.values() if event.text == "with an odd id"]
    assert [isinstance(event, Event) and event.id for event in odd] == ["opencode:f3c5868510b1a514"]
