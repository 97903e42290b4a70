"""Who spoke in Codex's logs, and what only repeats it, was injected, or is our own."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from codex_logs import (
    PARENT,
    THREAD,
    Record,
    at,
    completed,
    event,
    facts,
    item,
    meta,
    model_event,
    model_item,
    of_kind,
    opened,
    settled,
    spoken,
    user_completed,
    user_event,
    user_item,
    write,
)
from quoth.core.model import Kind

# --- who spoke ------------------------------------------------------------------------------------------------------


@pytest.mark.req("ARC-9")
def test_without_events_the_items_are_the_persons_words_minus_injected_ones(tmp_path: Path) -> None:
    write(
        tmp_path,
        meta(),
        user_item("10:00:01.000", "<environment_context>\n  <cwd>/srv</cwd>\n</environment_context>"),
        user_item("10:00:02.000", "<b> is not rendered bold"),
        model_item("10:00:03.000", "Escaped."),
        user_item("10:00:04.000", "Thanks"),
    )
    assert spoken(tmp_path) == [
        ("user", "<b> is not rendered bold"),
        ("assistant", "Escaped."),
        ("user", "Thanks"),
    ]


@pytest.mark.req("ARC-9")
def test_answered_items_stay_messages_when_a_later_version_adds_events(tmp_path: Path) -> None:
    write(
        tmp_path,
        meta(),
        user_item("10:00:01.000", "An old question"),
        model_item("10:00:02.000", "An old answer"),
        user_item("10:00:03.000", "A new question"),
        user_event("10:00:03.001", "A new question"),
        model_item("10:00:04.000", "A new answer"),
    )
    assert [text for _, text in spoken(tmp_path)] == [
        "An old question",
        "An old answer",
        "A new question",
        "A new answer",
    ]


@pytest.mark.req("ARC-9")
def test_an_interrupted_question_stays_a_message_when_a_later_version_adds_events(tmp_path: Path) -> None:
    write(
        tmp_path,
        meta(),
        user_item("10:00:01.000", "An old question"),
        event("10:00:02.000", "turn_aborted", reason="interrupted"),
        user_item("10:00:03.000", "A new question"),
        user_event("10:00:03.001", "A new question"),
    )
    assert [text for _, text in spoken(tmp_path)] == ["An old question", "A new question"]


@pytest.mark.req("ARC-9")
def test_an_unknown_injected_item_is_no_message_once_events_tell_the_persons_words(tmp_path: Path) -> None:
    write(
        tmp_path,
        meta(),
        user_item("10:00:01.000", "<brand_new_injection>before</brand_new_injection>"),
        user_item("10:00:02.000", "Question"),
        user_event("10:00:02.001", "Question"),
        user_item("10:00:03.000", "<brand_new_injection>after</brand_new_injection>"),
        model_item("10:00:04.000", "Answer"),
    )
    assert [text for _, text in spoken(tmp_path)] == ["Question", "Answer"]


@pytest.mark.req("ARC-9")
def test_files_with_both_kinds_of_user_events_count_each_word_once(tmp_path: Path) -> None:
    write(
        tmp_path,
        meta(),
        user_item("10:00:01.000", "Go on"),
        user_event("10:00:01.001", "Go on"),
        user_completed("10:00:01.001", "Go on"),
        user_event("10:00:02.000", "Go on"),
        user_item("10:00:02.001", "Go on"),
        user_completed("10:00:02.002", "Go on", "item-2"),
    )
    assert spoken(tmp_path) == [("user", "Go on"), ("user", "Go on")]


def test_the_same_prompt_in_two_turns_is_said_twice(tmp_path: Path) -> None:
    one = [
        user_item("10:00:01.000", "continue"),
        user_event("10:00:01.001", "continue"),
        model_item("10:00:02.000", "1"),
    ]
    two = [
        user_item("10:00:03.000", "continue"),
        user_event("10:00:03.001", "continue"),
        model_item("10:00:04.000", "2"),
    ]
    write(tmp_path, meta(), *one, *two)
    assert [text for _, text in spoken(tmp_path)] == ["continue", "1", "continue", "2"]


@pytest.mark.parametrize(
    "records",
    [
        [model_item("10:00:01.000", "Done."), model_event("10:00:01.001", "Done.")],
        [model_event("10:00:01.000", "Done."), model_item("10:00:01.001", "Done.")],
        [model_event("10:00:01.000", "Done.")],
        [completed("10:00:01.000", "AgentMessage", id="m", content=[{"type": "Text", "text": "Done."}])],
        [completed("10:00:01.000", "agentMessage", id="m", content=[{"type": "text", "text": "Done."}])],
    ],
    ids=["item first", "event first", "event alone", "completed alone", "camel case"],
)
def test_an_answer_counts_once_in_whatever_shape_and_order_it_is_written(tmp_path: Path, records: list[Record]) -> None:
    write(tmp_path, meta(), user_event("10:00:00.500", "Do it"), *records)
    assert spoken(tmp_path) == [("user", "Do it"), ("assistant", "Done.")]


def test_an_event_that_lacks_the_marks_at_the_end_of_an_answer_repeats_it(tmp_path: Path) -> None:
    answer = "The totals differ because every row is rounded before it is added up."
    write(
        tmp_path,
        meta(),
        model_item("10:00:01.000", f"{answer}\n<citation>m</citation>"),
        model_event("10:00:01.001", answer),
    )
    assert len(spoken(tmp_path)) == 1


@pytest.mark.req("ARC-9")
def test_of_an_editors_prompt_only_the_request_is_the_persons(tmp_path: Path) -> None:
    prompt = "# Context from my IDE setup:\n\n## Open tabs:\n- plan.md\n\n## My request for Codex:\nRename it.\n"
    write(tmp_path, meta(), user_item("10:00:01.000", prompt), user_event("10:00:01.001", prompt))
    assert spoken(tmp_path) == [("user", "Rename it.")]
    assert of_kind(tmp_path, Kind.META).count("# Context from my IDE setup:\n\n## Open tabs:\n- plan.md") == 2


@pytest.mark.req("ARC-9")
def test_injected_blocks_in_the_same_item_as_the_prompt_are_split_off(tmp_path: Path) -> None:
    write(
        tmp_path, meta(), user_item("10:00:01.000", "# AGENTS.md instructions for /srv\n\nUse tabs.", "Fix the tabs.")
    )
    assert spoken(tmp_path) == [("user", "Fix the tabs.")]


@pytest.mark.req("ARC-9")
def test_a_typed_prompt_that_looks_injected_is_the_persons_when_an_event_says_so(tmp_path: Path) -> None:
    prompt = "<turn_aborted> appears in my log, why?"
    write(tmp_path, meta(), user_item("10:00:01.000", prompt), user_event("10:00:01.001", prompt))
    assert spoken(tmp_path) == [("user", prompt)]


@pytest.mark.req("ARC-9")
def test_injected_context_that_old_versions_wrote_as_an_event_is_no_message(tmp_path: Path) -> None:
    block = "<environment_context>\n  <cwd>/srv</cwd>\n</environment_context>"
    write(
        tmp_path,
        meta(),
        user_event("10:00:01.000", block),
        user_event("10:00:02.000", "Use tabs.", kind="user_instructions"),
    )
    assert spoken(tmp_path) == []


@pytest.mark.req("ARC-9")
@pytest.mark.parametrize(
    "header",
    [
        {"source": {"subagent": {"thread_spawn": {"parent_thread_id": PARENT}}}},
        {"parent_thread_id": PARENT, "thread_source": "subagent"},
        {"source": {"subagent": "review"}, "session_id": PARENT},
    ],
)
def test_what_a_subagent_is_told_is_never_the_persons_word(tmp_path: Path, header: Record) -> None:
    write(tmp_path, meta(**header), user_item("10:00:01.000", "Check it"), user_event("10:00:01.001", "Check it"))
    assert spoken(tmp_path) == []
    assert opened(tmp_path).parent == PARENT
    assert not opened(tmp_path).hidden


def test_the_same_answer_to_another_instruction_is_no_repeat(tmp_path: Path) -> None:
    write(
        tmp_path,
        meta(parent_thread_id=PARENT),
        user_event("10:00:01.000", "Check the tests"),
        model_item("10:00:02.000", "Passed."),
        user_event("10:00:03.000", "Check the types"),
        model_event("10:00:04.000", "Passed."),
    )
    assert spoken(tmp_path) == [("assistant", "Passed."), ("assistant", "Passed.")]


@pytest.mark.req("ARC-9")
@pytest.mark.parametrize(
    "header",
    [
        {"thread_source": "memory_consolidation"},
        {"thread_source": "guardian_review"},
        {"source": {"subagent": "memory_consolidation"}},
        {"source": {"subagent": {"other": "guardian"}}},
    ],
)
def test_threads_of_the_programs_own_housekeeping_are_hidden(tmp_path: Path, header: Record) -> None:
    write(tmp_path, meta(**header), user_event("10:00:01.001", "Consolidate"))
    assert opened(tmp_path).hidden
    assert spoken(tmp_path) == []


# --- our own tools --------------------------------------------------------------------------------------------------


@pytest.mark.req("ARC-9")
@pytest.mark.parametrize(
    "call",
    [
        {"type": "function_call", "name": "mcp__quoth__search", "arguments": "{}"},
        {"type": "function_call", "name": "memory-mcp__recall", "arguments": "{}"},
        {"type": "function_call", "name": "search", "namespace": "mcp__origin__", "arguments": "{}"},
        {"type": "function_call", "name": "exec_command", "arguments": '{"cmd":"quoth search cart"}'},
        {
            "type": "function_call",
            "name": "shell",
            "arguments": '{"command":["bash","-lc","cd /srv && X=1 quoth get 1"]}',
        },
        {"type": "local_shell_call", "action": {"type": "exec", "command": ["/usr/bin/quoth", "timeline"]}},
        {"type": "custom_tool_call", "name": "exec", "input": "await tools.mcp__quoth__recall({})"},
        {"type": "custom_tool_call", "name": "exec", "input": 'await tools.exec_command({cmd: "quoth search x"})'},
    ],
    ids=lambda call: json.dumps(call)[-40:],
)
def test_calls_of_our_own_tools_and_their_results_are_marked(tmp_path: Path, call: Record) -> None:
    path = write(
        tmp_path,
        meta(),
        at("10:00:01.000", "response_item", call_id="call_1", **call),
        item("10:00:02.000", "function_call_output", call_id="call_1", output="an old memory"),
        item("10:00:03.000", "function_call_output", call_id="call_2", output="a fresh result"),
    )
    assert path.exists()
    own = {e.id.rpartition(f"{THREAD}:")[2]: e.own for e in settled(facts(tmp_path)).values() if "call_" in e.id}
    assert own == {"call_1": True, "call_1:out": True, "call_2:out": False}


@pytest.mark.parametrize(
    "call",
    [
        {"type": "function_call", "name": "exec_command", "arguments": '{"cmd":"rg quoth src"}'},
        {"type": "function_call", "name": "exec_command", "arguments": '{"cmd":"cat notes/quoth"}'},
        {"type": "function_call", "name": "mcp__quothing__search", "arguments": "{}"},
        {"type": "custom_tool_call", "name": "apply_patch", "input": "+ tools.mcp__quoth__recall({})"},
    ],
    ids=lambda call: json.dumps(call)[-40:],
)
def test_calls_that_only_mention_our_tools_are_ordinary(tmp_path: Path, call: Record) -> None:
    write(tmp_path, meta(), at("10:00:01.000", "response_item", call_id="call_1", **call))
    assert not any(event.own for event in settled(facts(tmp_path)).values())


@pytest.mark.req("ARC-9")
@pytest.mark.parametrize(
    "record",
    [
        completed("10:00:01.000", "McpToolCall", id="m", server="quoth", tool="search", result={"content": []}),
        completed("10:00:01.000", "mcpToolCall", id="m", server="quoth", tool="search"),
        completed("10:00:01.000", "CommandExecution", id="c", command=["bash", "-lc", "quoth search x"]),
        event("10:00:01.000", "mcp_tool_call_end", invocation={"server": "quoth", "tool": "search", "arguments": {}}),
    ],
)
def test_the_inner_view_of_our_own_tools_is_marked_too(tmp_path: Path, record: Record) -> None:
    write(tmp_path, meta(), record)
    assert [event.own for event in settled(facts(tmp_path)).values()] == [False, True]


# --- what is no text ------------------------------------------------------------------------------------------------


def test_images_become_marks_and_encrypted_content_nothing(tmp_path: Path) -> None:
    png = "iVBORw0KGgo" + "A" * 3_000
    image = f"data:image/png;base64,{png}"
    write(
        tmp_path,
        meta(),
        item(
            "10:00:01.000",
            "message",
            role="user",
            content=[
                {"type": "input_text", "text": "<image name=[Image #1]>"},
                {"type": "input_image", "image_url": image},
                {"type": "input_text", "text": "</image>"},
                {"type": "input_text", "text": "Like this?"},
            ],
        ),
        user_event("10:00:01.001", "Like this?", images=[image], local_images=["/home/dev/a.png"]),
        item("10:00:02.000", "reasoning", summary=[], content=None, encrypted_content="gAAAAsecret"),
        item(
            "10:00:02.500", "agent_message", content=[{"type": "encrypted_content", "encrypted_content": "gAAAAsecret"}]
        ),
        item("10:00:02.600", "function_call_output", call_id="b", output=[{"a": {"encrypted_content": "gAAAAsecret"}}]),
        item("10:00:03.000", "function_call_output", call_id="c", output=[{"type": "input_image", "image_url": image}]),
        item("10:00:04.000", "function_call_output", call_id="d", output=f"![]({image})"),
        item("10:00:05.000", "function_call_output", call_id="e", output="B" * 5_000),
        completed(
            "10:00:06.000", "McpToolCall", result={"content": [{"type": "image", "data": png, "mimeType": "image/png"}]}
        ),
    )
    texts = [event.text for event in settled(facts(tmp_path)).values()]
    assert texts[1:] == [
        "Like this?\n[image image/png, 2 KB]",
        "Like this?\n[image image/png, 2 KB]\n[image /home/dev/a.png]",
        "",
        "",
        '{"a":{}}',
        "[image image/png, 2 KB]",
        "![]([image/png, 2 KB])",
        "[data, 4 KB]",
        "[image image/png, 2 KB]",
    ]
    assert spoken(tmp_path) == [("user", texts[2])]
