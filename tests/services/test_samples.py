"""What the archive answers of the everyday samples of both agents, said session by session."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from services.archive import Archive

SAMPLES = Path(__file__).parent.parent / "data" / "sources"

# session: (title, prompt shown, what the person said, what the model said)
CLAUDE: dict[str, tuple[str | None, str | None, list[str], list[str]]] = {
    "ce162b77-4cfe-4dbe-a760-20fa0e1effa0": (
        "Empty CSV in nightly export",
        None,
        [
            "The nightly export writes an empty CSV when the orders table has no rows for the day. "
            "Find out why and fix it.",
            "Good. Remember: we always keep the header row, the importer on the other side needs it.",
        ],
        [
            "I will look at the export job first.",
            "The job created the file before it had written the header row. "
            "An empty day now produces a CSV with only the header.",
            "Noted: exports always contain the header row.",
        ],
    ),
    "476d63f8-f5ae-4551-ace9-4c99eb13a75e": (
        "缓存失效排查",
        None,
        [
            "用户反馈价格更新后页面仍显示旧数据，帮我查一下缓存为什么没有失效。",
            "那就统一用一个函数生成键，再补一个测试。",
        ],
        [
            "写入价格时用的键带租户前缀，而删除缓存时没有前缀，所以旧值会一直留到过期。",
            "已改为统一的 cache_key()，还有一个用例需要更新期望值。",
        ],
    ),
    "d4172aba-61c5-48cc-a0b7-6d461cabeefd": (
        "Поиск старого клиента оплаты",
        None,
        ["Проверь, где в проекте ещё используется старый клиент оплаты, и составь список файлов."],
        [
            "Запустил поиск в фоне, как только он закончится, соберу список.",
            "Старый клиент остался в двух файлах: src/orders.py и src/refunds.py.",
        ],
    ),
    "agent-a7c31e0b52d9f4866": ("Поиск старого клиента", None, [], ["src/orders.py, src/refunds.py"]),
    "0567346b-5565-4406-a40f-0e1ffaaf6457": (
        None,
        "Why does the parser stop at line 3?",
        ["Why does the parser stop at line 3?", "also check line 9"],
        ["It stops at an emoji that was cut in half: \ufffd", "Line 9 has a Latin-1 byte."],
    ),
    "0928b98e-fa52-45fb-a23a-44fa10b2b3de": (
        "Retry logic for the uploader",
        None,
        ["Add a retry with backoff to the uploader."],
        ["I will ask a helper to read the uploader.", "Added three attempts with a growing pause."],
    ),
}
CODEX: dict[str, tuple[str | None, str | None, list[str], list[str]]] = {
    "019cdc2d-99f0-7790-9870-954b1321bc2b": (
        "Rate limit for login",
        None,
        [
            "Rate limit the login endpoint: five tries per minute per address.",
            "Now do the same for password reset.",
        ],
        ["The login handler now allows five tries per minute per address; the sixth gets status 429."],
    ),
    "01a1533f-7898-7357-9a4f-c0bdaac9daf6": (
        "周报合计误差",
        None,
        [
            "周报里的合计列和明细对不上，差了两分钱，查一下是不是四舍五入的问题。",
            "直接改成小数类型吧。",
            "不要换类型，最后统一取整就行。",
        ],
        [
            "每一行先取整再相加，误差会累积。应当先相加，最后再取整。",
            "已把金额改为 Decimal。",
            "好的，只在输出合计时取整一次。",
        ],
    ),
    "01a15342-d010-7603-97f9-641b64715fbe": (None, None, [], ["测试全部通过。"]),
    "019c1d5d-9c00-7716-9648-332216821d60": (
        None,
        "Почему бот отвечает дважды на одно сообщение?",
        ["Почему бот отвечает дважды на одно сообщение?"],
        ["Обработчик подключается два раза: при запуске и после переподключения."],
    ),
}


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    archive = Archive(tmp_path_factory.mktemp("samples"))
    shutil.copytree(SAMPLES / "claude-code" / "everyday" / "home", archive.claude)
    shutil.copytree(SAMPLES / "codex" / "everyday" / "home", archive.codex)
    report = archive.sync()
    assert report.failed == 0
    return archive.answers()


@pytest.mark.req("ARC-6", "ARC-9")
@pytest.mark.parametrize("session", [*CLAUDE, *CODEX])
def test_a_session_has_its_title_and_exactly_what_was_said(answers: dict[str, Any], session: str) -> None:
    title, prompt, person, model = {**CLAUDE, **CODEX}[session]
    (row,) = [row for row in answers["sessions"] if row["session"] == session]
    said = [event for event in answers["events"][session] if event["kind"] == "message"]
    assert (row["title"], row["prompt"]) == (title, prompt)
    assert [event["text"] for event in said if event["role"] == "user"] == person
    assert [event["text"] for event in said if event["role"] == "assistant"] == model


@pytest.mark.req("ARC-6")
def test_sessions_are_where_their_logs_say_and_subagents_are_children(answers: dict[str, Any]) -> None:
    by_id = {row["session"]: row for row in answers["sessions"]}
    parents = {session: row["parent"] for session, row in by_id.items() if row["parent"]}
    assert parents == {
        "agent-a7c31e0b52d9f4866": "d4172aba-61c5-48cc-a0b7-6d461cabeefd",
        "0928b98e-fa52-45fb-a23a-44fa10b2b3de/sidechain": "0928b98e-fa52-45fb-a23a-44fa10b2b3de",
        "01a15342-d010-7603-97f9-641b64715fbe": "01a1533f-7898-7357-9a4f-c0bdaac9daf6",
    }
    assert by_id["ce162b77-4cfe-4dbe-a760-20fa0e1effa0"]["project"] == "demo-app"
    assert by_id["0928b98e-fa52-45fb-a23a-44fa10b2b3de"]["project"] == "old-tool"
    assert by_id["019cdc2d-99f0-7790-9870-954b1321bc2b"]["project"] == "demo-api"


@pytest.mark.req("ARC-6")
def test_the_fork_counts_its_question_and_its_answer_alone(answers: dict[str, Any]) -> None:
    fork = "47b82aec-c135-4b11-a14a-812ffd23dfdf"
    said = [event for event in answers["events"][fork] if event["kind"] == "message"]
    assert [event["role"] for event in said] == ["user", "assistant"]
    (row,) = [row for row in answers["sessions"] if row["session"] == fork]
    assert row["forked_from"] == "ce162b77-4cfe-4dbe-a760-20fa0e1effa0"


@pytest.mark.req("QUO-11")
def test_each_session_shows_how_its_agent_resumes_it(answers: dict[str, Any]) -> None:
    by_id = {row["session"]: row["resume"] for row in answers["sessions"]}
    claude, codex = "ce162b77-4cfe-4dbe-a760-20fa0e1effa0", "019cdc2d-99f0-7790-9870-954b1321bc2b"
    assert by_id[claude] == f"cd /home/dev/demo-app && claude --resume {claude}"
    assert by_id[codex] == f"cd /home/dev/demo-api && codex resume {codex}"
    assert by_id["agent-a7c31e0b52d9f4866"] is None


@pytest.mark.req("ARC-9")
def test_tool_calls_have_their_results(answers: dict[str, Any]) -> None:
    events = answers["events"]["019cdc2d-99f0-7790-9870-954b1321bc2b"]
    tools = [(event["kind"], event["id"].split(":", 2)[2]) for event in events if event["kind"].startswith("tool")]
    assert tools == [
        ("tool_use", "call_demo1"),
        ("tool_result", "call_demo1:out"),
        ("tool_use", "call_demo2"),
        ("tool_result", "call_demo2:out"),
    ]
