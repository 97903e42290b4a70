"""Our own dialect, reading: the same answers as the command line, in pages."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from memory import Memory

from quoth.surfaces.mcp.archive import Archive
from running import Run

EVENT = "claude-code:44f11915-c1c3-4747-af15-94f7510325ef"


@pytest.fixture
def quoth(asked: Callable[[str], Memory[Archive]]) -> Memory[Archive]:
    return asked("quoth")


@pytest.mark.req("QUO-1")
def test_the_tools_come_in_their_order_each_saying_when_to_use_it(quoth: Memory[Archive]) -> None:
    tools = quoth.result("tools/list")["tools"]
    order = ["search", "recall", "timeline", "get", "sources", "remember", "correct", "forget", "handoff"]
    assert [tool["name"] for tool in tools] == order
    for tool in tools:
        sentences = tool["description"].removesuffix(".").split(". ")
        assert 1 <= len(sentences) <= 2
        assert "Use it" in tool["description"]


@pytest.mark.req("QUO-2", "QUO-4")
@pytest.mark.parametrize(
    ("tool", "arguments", "words"),
    [
        ("search", {"query": "parser"}, ["parser"]),
        ("search", {"limit": 3}, ["--limit", "3"]),
        ("timeline", {"since": "2000-01-01", "source": "codex"}, ["--since", "2000-01-01", "--source", "codex"]),
        ("timeline", {"session": "0567346b-5565-4406-a40f-0e1ffaaf6457"}, ["0567346b-5565-4406-a40f-0e1ffaaf6457"]),
        ("get", {"id": EVENT}, [EVENT]),
    ],
)
def test_a_tool_and_its_command_give_the_same_answer(
    tool: str, arguments: dict[str, Any], words: list[str], quoth: Memory[Archive], archived: Run
) -> None:
    fresh = () if tool == "get" else ("--no-sync",)
    assert quoth.call(tool, **arguments) == archived(tool, *words, "--json", *fresh).json()


def pages(quoth: Memory[Archive], tool: str, kind: str, **arguments: Any) -> list[Any]:
    """Return all items of a listing, page by page."""
    found, cursor = [], None
    while cursor != "":
        answer = quoth.call(tool, **arguments, limit=3, cursor=cursor)
        found += answer[kind]
        cursor = answer["next"] or ""
    return found


@pytest.mark.req("QUO-2", "QUO-4")
@pytest.mark.parametrize(
    ("tool", "kind", "arguments"),
    [
        ("search", "events", {"query": "line"}),
        ("search", "events", {}),
        ("timeline", "sessions", {"since": "2000-01-01"}),
        ("timeline", "events", {"session": "476d63f8-f5ae-4551-ace9-4c99eb13a75e", "include_tools": True}),
    ],
)
def test_pages_put_together_are_the_whole(
    tool: str, kind: str, arguments: dict[str, Any], quoth: Memory[Archive]
) -> None:
    whole = quoth.call(tool, **arguments, limit=100)
    assert pages(quoth, tool, kind, **arguments) == whole[kind]
    assert whole["next"] is None


@pytest.mark.req("QUO-2")
def test_a_cursor_belongs_to_its_question(quoth: Memory[Archive]) -> None:
    cursor = quoth.call("search", limit=1)["next"]
    assert "`cursor` must be the `next`" in quoth.refusal("search", query="parser", cursor=cursor)


@pytest.mark.req("QUO-4")
def test_sources_answers_every_place_of_an_event(quoth: Memory[Archive]) -> None:
    assert [place["line"] for place in quoth.call("sources", id=EVENT)] == [1, 2]


@pytest.mark.req("QUO-4")
def test_a_session_says_how_to_go_on_with_it(quoth: Memory[Archive]) -> None:
    answer = quoth.call("timeline", session="0567346b-5565-4406-a40f-0e1ffaaf6457")
    assert answer["session"]["resume"].endswith("claude --resume 0567346b-5565-4406-a40f-0e1ffaaf6457")
