"""What ZCode keeps, what its samples give, and what is a copy in it."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import apsw
import pytest

import feeding
from parts_logs import Reader, Writer, ms, reader, tool
from quoth.core.errors import ReadFailed
from quoth.core.ids import SessionId
from quoth.core.model import Found, Kind, Opened, Role, Skipped, Unread
from quoth.sources.zcode import ADAPTER

MAIN = "sess_967ee56b-ce8d-404b-a062-906fef3185d4"
CHILD = "sess_subagent_agent_ce584b25-84ef-4154-aa5c-86472d223593"
KEY = "cli/db/db.sqlite"


@pytest.fixture
def everyday(tmp_path: Path) -> Path:
    return Path(shutil.copytree(feeding.DATA / "zcode" / "everyday" / "home", tmp_path / "zcode"))


@pytest.fixture
def traps(tmp_path: Path) -> Path:
    return Path(shutil.copytree(feeding.DATA / "zcode" / "traps" / "home", tmp_path / "zcode"))


def read(home: Path) -> Reader:
    found = reader("zcode", home)
    found.read()
    return found


def writer(home: Path) -> Writer:
    return Writer(home / KEY, "zcode")


# --- the everyday sample --------------------------------------------------------------------------------------------


@pytest.mark.req("ARC-9")
def test_the_person_and_the_model_are_told_from_hidden_context_and_steps(everyday: Path) -> None:
    found = read(everyday)
    assert found.spoken(MAIN) == [
        ("user", "把日志从纯文本改成 JSON，每行一条，时间用 UTC。"),
        ("assistant", "已经改好：logging 使用 JSON 格式化器，时间为 UTC。"),
        ("user", "Run the tests once more, please."),
    ]
    assert found.events["zcode:prt_z0"].kind is Kind.META
    assert found.titles()[MAIN] == "迁移日志格式"
    assert {event.agent_version for event in found.events.values()} == {"3.4.1"}
    assert {event.cwd for event in found.events.values()} == {"/home/dev/demo-app"}


@pytest.mark.req("ARC-6", "ARC-9")
def test_a_subagent_is_a_child_session_whose_prompt_nobody_typed(everyday: Path) -> None:
    found = read(everyday)
    (opened,) = [fact for fact in found.of(Opened) if fact.session == CHILD]
    assert opened.parent == MAIN
    assert found.events["zcode:prt_k1"].kind is Kind.META
    assert found.spoken(CHILD) == [("assistant", "没有测试依赖旧格式。")]


def test_a_call_that_was_running_gets_its_result_when_the_row_is_written_again(everyday: Path) -> None:
    found = read(everyday)
    assert "zcode:prt_z2c:out" in found.events
    assert "zcode:prt_z5:out" not in found.events
    call = found.events["zcode:prt_z5"]
    with apsw.Connection(str(everyday / KEY)) as db:
        db.execute(
            "UPDATE part SET data = json_set(data, '$.state.status', 'completed', '$.state.output', '12 passed'), "
            "time_updated = 1792465299000 WHERE id = 'prt_z5'"
        )
    assert [json.loads(row)["type"] for row in found.read()] == ["session", "message", "part", "pass"]
    assert found.events["zcode:prt_z5:out"].text == "12 passed"
    assert (call.kind, call.text) == (Kind.TOOL_USE, 'bash\n{"command":"pytest -q"}')
    assert found.spoken(MAIN)[-1] == ("user", "Run the tests once more, please.")


# --- who spoke, and in which order ----------------------------------------------------------------------------------


def test_the_sequence_tells_the_order_and_not_the_times(traps: Path) -> None:
    found = [event.id for event in read(traps).events.values() if event.session == "sess_a"]
    assert found[:4] == ["zcode:prt_a1", "zcode:prt_a2a", "zcode:prt_a2b", "zcode:msg_a3"]


@pytest.mark.req("ARC-9")
def test_reminders_summaries_and_notices_are_no_speech(traps: Path) -> None:
    assert read(traps).spoken("sess_a") == [
        ("user", "Rename the tables to English."),
        ("assistant", "Done, all four."),
        ("user", "Words on the message itself."),
        ("user", "/goal all tests pass"),
    ]


@pytest.mark.req("ARC-9")
def test_traffic_of_our_own_tools_is_marked(traps: Path) -> None:
    found = read(traps).events
    assert {event.id for event in found.values() if event.own} == {"zcode:prt_a9a", "zcode:prt_a9a:out"}


def test_the_person_may_speak_inside_a_subagents_session(traps: Path) -> None:
    assert read(traps).spoken("sess_subagent_agent_1") == [("user", "Only the last one, please.")]


def test_an_answer_that_failed_says_why(traps: Path) -> None:
    wrong = read(traps).events["zcode:msg_a9:error"]
    assert (wrong.role, wrong.kind, wrong.text) == (Role.SYSTEM, Kind.SYSTEM, "APIError: quota")


def test_a_title_that_the_person_gave_outweighs_a_made_one_and_the_first_words_are_none(traps: Path) -> None:
    titles = read(traps).titles()
    assert titles["sess_a"] == "Tables"
    assert "sess_i" not in titles


# --- copies ---------------------------------------------------------------------------------------------------------


@pytest.mark.req("ARC-6")
def test_a_fork_lists_its_own_words_and_names_its_origin(traps: Path) -> None:
    found = read(traps)
    assert found.spoken("sess_f") == [("user", "Its original was deleted."), ("user", "Now to Russian.")]
    assert {o.forked_from for o in found.of(Opened) if o.session == "sess_f"} == {"sess_a"}
    assert {o.parent for o in found.of(Opened) if o.session == "sess_f"} == {None}


@pytest.mark.req("ARC-6")
def test_what_was_imported_from_another_agent_counts_there(traps: Path) -> None:
    found = read(traps)
    assert found.spoken("sess_i") == [("user", "去掉旧表。"), ("assistant", "已去掉。")]
    copies = [unread for unread in found.of(Unread) if unread.reason == "replayed"]
    assert len(copies) == 6  # a message and its part each: two imported, one of a fork


@pytest.mark.req("ARC-6")
def test_going_on_with_an_imported_session_counts_in_later_passes_too(traps: Path) -> None:
    found = read(traps)
    later = writer(traps)
    later.message("msg_i5", "sess_i", 900, role="assistant", parentID="msg_i3", row={"sequence": 5})
    later.part("prt_i5", "msg_i5", "sess_i", 900, type="text", text="还有一张表。", row={"sequence": 0})
    later.close()
    found.read()
    assert found.spoken("sess_i")[-1] == ("assistant", "还有一张表。")


@pytest.mark.req("ARC-6")
def test_an_import_that_says_so_itself_needs_no_index(traps: Path) -> None:
    shutil.rmtree(traps / "v2")
    assert read(traps).spoken("sess_i") == [("user", "去掉旧表。"), ("assistant", "已去掉。")]


@pytest.mark.req("ARC-5")
def test_a_damaged_index_of_tasks_does_not_stop_the_sessions(traps: Path) -> None:
    (traps / "v2" / "tasks-index.sqlite").write_bytes(b"no database" * 100)
    assert read(traps).spoken("sess_f")


# --- schemas --------------------------------------------------------------------------------------------------------


@pytest.mark.req("ARC-5", "ARC-8")
def test_columns_of_older_and_newer_versions_may_be_missing_or_new(tmp_path: Path) -> None:
    home = writer(tmp_path)
    home.session("sess_1", title="Старое")
    home.said("user", "msg_1", "sess_1", 1, "Без порядка.")
    for table, column in (("session", "task_type"), ("session", "title_source"), ("message", "sequence")):
        home.db.execute(f"ALTER TABLE {table} DROP COLUMN {column}")
    home.db.execute("ALTER TABLE part ADD COLUMN mood TEXT DEFAULT 'new and unknown'")
    home.close()
    found = read(tmp_path)
    assert found.spoken() == [("user", "Без порядка.")]
    assert found.titles() == {"sess_1": "Старое"}
    assert b"new and unknown" not in b"".join(found.lines)


@pytest.mark.req("ARC-5")
def test_a_database_of_something_else_is_told_and_not_guessed_at(tmp_path: Path) -> None:
    (tmp_path / "cli" / "db").mkdir(parents=True)
    with apsw.Connection(str(tmp_path / KEY)) as db:
        db.execute("CREATE TABLE recipes(id TEXT, cake TEXT)")
    with pytest.raises(ReadFailed, match="unknown schema"):
        read(tmp_path)


@pytest.mark.req("ARC-3", "ARC-8")
def test_values_of_any_kind_in_any_column_stop_nothing(tmp_path: Path) -> None:
    home = writer(tmp_path)
    home.said("user", "msg_1", "sess_1", 1, "Before.")
    home.put("message", 2, id=None, session_id=17, data=b"\xff\xfe", sequence="first")
    home.put(
        "part", 3, id=4.5, message_id="msg_1", session_id=None, data='{"type": ["text"], "text": 7}', sequence=b"x"
    )
    home.put(
        "session", 4, id="sess_2", directory=3, title=None, parent_id=b"\x00\xff", task_type=1, time_created="soon"
    )
    home.said("user", "msg_5", "sess_1", 5, "Behind.")
    found = read(tmp_path)
    assert sorted(text for _, text in found.spoken()) == ["Before.", "Behind."]
    assert "message" in {unread.label for unread in found.of(Unread)}
    home.put("part", 6, id="prt_6", message_id=None, session_id="sess_1", data='{"type": "text", "text": "Whose?"}')
    found.read()
    assert found.events["zcode:prt_6"].kind is Kind.META


# --- places ---------------------------------------------------------------------------------------------------------


def test_only_the_database_and_memory_are_read(everyday: Path) -> None:
    found = [entry.key for entry in ADAPTER.find(everyday) if isinstance(entry, Found)]
    assert [key for key in found if not ADAPTER.memory_file(key)] == [KEY]
    assert len(found) == 4


@pytest.mark.req("ARC-4")
def test_a_link_out_of_the_home_is_told_and_not_followed(tmp_path: Path) -> None:
    outside = Writer(tmp_path / "elsewhere.sqlite", "zcode")
    outside.close()
    (tmp_path / "home" / "cli" / "db").mkdir(parents=True)
    (tmp_path / "home" / KEY).symlink_to(tmp_path / "elsewhere.sqlite")
    assert [type(entry) for entry in ADAPTER.find(tmp_path / "home")] == [Skipped]


@pytest.mark.parametrize("said", ["", "   "])
def test_the_home_is_the_usual_one_unless_a_variable_names_another(tmp_path: Path, said: str) -> None:
    assert ADAPTER.roots({"ZCODE_STORAGE_DIR": said}, tmp_path) == [tmp_path / ".zcode"]
    assert ADAPTER.roots({"ZCODE_STORAGE_DIR": "/srv/z"}, tmp_path) == [Path("/srv/z")]


def test_the_home_of_the_beta_channel_is_read_beside_it(tmp_path: Path) -> None:
    (tmp_path / ".zcode-beta").mkdir()
    assert ADAPTER.roots({}, tmp_path) == [tmp_path / ".zcode", tmp_path / ".zcode-beta"]


def test_a_database_that_is_named_by_itself_is_read(tmp_path: Path) -> None:
    home = Writer(tmp_path / "mine.sqlite", "zcode")
    home.said("user", "msg_1", "sess_1", 1, "Somewhere else.")
    home.close()
    roots = ADAPTER.roots({"ZCODE_SESSION_DB_PATH": str(tmp_path / "mine.sqlite")}, tmp_path)
    assert read(roots[-1]).spoken() == [("user", "Somewhere else.")]


def test_a_session_is_resumed_by_its_id_and_a_subagents_not_at_all() -> None:
    assert ADAPTER.resume(SessionId(MAIN)) == ("zcode", "--resume", MAIN)
    assert ADAPTER.resume(SessionId(CHILD)) is None


def test_an_event_has_the_time_of_its_row_or_of_the_call(tmp_path: Path) -> None:
    home = writer(tmp_path)
    home.message("msg_1", "sess_1", 1, role="assistant")
    home.part("prt_1", "msg_1", "sess_1", 5, type="text", text="A row's time.")
    home.part("prt_2", "msg_1", "sess_1", 9, **tool("completed", "x", command="ls"))
    home.close()
    found = read(tmp_path).events
    assert (found["zcode:prt_1"].time, found["zcode:prt_2"].time) == (ms(5), ms(1))
