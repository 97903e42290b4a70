"""Which ids of Codex's records last, and what is a copy."""

from __future__ import annotations

import hashlib
import struct
from pathlib import Path

import pytest

from codex_logs import (
    PARENT,
    THREAD,
    at,
    completed,
    event,
    facts,
    item,
    meta,
    model_event,
    model_item,
    opened,
    settled,
    spoken,
    unread,
    user_completed,
    user_event,
    user_item,
    v7,
    write,
)
from quoth.core.model import Opened

# --- copies ---------------------------------------------------------------------------------------------------------

COPIED = [user_event("10:00:00.003", "The parent's question"), model_item("10:00:00.004", "The parent's answer")]
OWN = [user_event("10:05:00.000", "My question"), model_item("10:05:01.000", "My answer")]


@pytest.mark.req("ARC-6")
def test_history_copied_into_a_fork_with_new_times_counts_once(tmp_path: Path) -> None:
    write(tmp_path, meta(forked_from_id=PARENT), meta(PARENT, "10:00:00.001", cwd="/elsewhere"), *COPIED, *OWN)
    assert spoken(tmp_path) == [("user", "My question"), ("assistant", "My answer")]
    assert opened(tmp_path).forked_from == PARENT
    assert [line for line, reason, _ in unread(tmp_path) if reason == "replayed"] == [2, 3, 4]
    assert {e.cwd for e in settled(facts(tmp_path)).values()} == {"/srv/shop"}


@pytest.mark.req("ARC-6")
def test_the_first_turn_of_its_own_ends_a_copy_however_soon_it_begins(tmp_path: Path) -> None:
    write(
        tmp_path,
        meta(parent_thread_id=PARENT),
        meta(PARENT, "10:00:00.001"),
        event("10:00:00.050", "task_started", turn_id=v7("10:00:00.040")),
        model_item("10:00:00.300", "A quick answer"),
    )
    assert spoken(tmp_path) == [("assistant", "A quick answer")]


@pytest.mark.req("ARC-6")
def test_a_long_copy_ends_only_with_a_turn_of_its_own(tmp_path: Path) -> None:
    write(
        tmp_path,
        meta(forked_from_id=PARENT),
        meta(PARENT, "10:00:00.001"),
        at("10:00:00.002", "turn_context", turn_id=v7("09:30:00.000"), cwd="/elsewhere"),
        user_event("10:00:02.500", "The parent's question"),
        event("10:00:09.000", "task_started", turn_id=v7("10:00:08.000")),
        user_event("10:00:09.001", "My question"),
    )
    assert spoken(tmp_path) == [("user", "My question")]


@pytest.mark.req("ARC-6")
def test_a_migrated_fork_that_lost_its_parents_header_still_counts_once(tmp_path: Path) -> None:
    write(
        tmp_path,
        meta(forked_from_id=PARENT, history_mode="paginated"),
        event("10:00:00.002", "task_started", turn_id=v7("09:30:00.000")),
        user_completed("10:00:00.003", "The parent's question"),
        event("10:05:00.000", "task_started", turn_id=v7("10:05:00.000")),
        user_completed("10:05:00.001", "My question", "item-2"),
    )
    assert spoken(tmp_path) == [("user", "My question")]


def test_a_resumed_thread_with_a_second_header_of_its_own_hides_nothing(tmp_path: Path) -> None:
    write(
        tmp_path,
        meta(),
        user_event("10:00:01.000", "One"),
        meta(time="10:00:01.100", cli_version="0.121.0", git={"branch": "next"}),
        user_event("10:00:01.200", "Two"),
    )
    assert spoken(tmp_path) == [("user", "One"), ("user", "Two")]
    last = list(settled(facts(tmp_path)).values())[-1]
    assert (last.agent_version, last.git_branch) == ("0.121.0", "next")
    assert len([fact for fact in facts(tmp_path) if isinstance(fact, Opened)]) == 1


# --- ids ------------------------------------------------------------------------------------------------------------


@pytest.mark.req("ARC-6", "ARC-7")
def test_migration_to_the_paginated_form_keeps_every_id(tmp_path: Path) -> None:
    legacy = [
        meta(),
        event("10:00:00.500", "turn_started", turn_id="t"),
        user_item("10:00:01.000", "Fix it"),
        user_event("10:00:01.001", "Fix it", images=[], local_images=[]),
        item("10:00:02.000", "function_call", name="shell", arguments="{}", call_id="call_1"),
        item("10:00:03.000", "function_call_output", call_id="call_1", output="ok"),
        event("10:00:03.500", "patch_apply_end", call_id="call_1", stdout="Success", changes={}),
        event("10:00:03.600", "context_compacted"),
        model_item("10:00:04.000", "Fixed."),
        model_event("10:00:04.001", "Fixed."),
        event("10:00:05.000", "token_count", info=None),
        event("10:00:05.000", "token_count", info=None),
    ]
    paginated = [
        meta(history_mode="paginated"),
        event("10:00:00.500", "task_started", turn_id="t", started_at=1),
        item("10:00:01.000", "message", role="user", content=[{"type": "input_text", "text": "Fix it"}], phase=None),
        user_completed("10:00:01.001", "Fix it"),
        item("10:00:02.000", "function_call", name="shell", arguments="{}", call_id="call_1", id=None),
        item("10:00:03.000", "function_call_output", call_id="call_1", output="ok"),
        completed("10:00:03.500", "FileChange", id="call_1", changes={}, stdout="Success"),
        completed("10:00:03.600", "ContextCompaction", id="item-2"),
        model_item("10:00:04.000", "Fixed."),
        completed("10:00:04.001", "AgentMessage", id="item-3", content=[{"type": "Text", "text": "Fixed."}]),
        event("10:00:05.000", "token_count", info=None),
        event("10:00:05.000", "token_count", info={}),
    ]
    write(tmp_path / "before", *legacy)
    write(tmp_path / "after", *({"ordinal": number, **record} for number, record in enumerate(paginated)))
    before, after = settled(facts(tmp_path / "before")), settled(facts(tmp_path / "after"))
    assert list(before) == list(after)
    assert [event.kind for event in before.values()] == [event.kind for event in after.values()]


def test_the_id_rule_is_frozen(tmp_path: Path) -> None:
    write(
        tmp_path,
        meta(),
        user_event("10:00:01.000", "Fix  it\n"),
        user_event("10:00:01.000", "Fix it"),
        item("10:00:02.000", "function_call", name="shell", arguments="{}", call_id="call_1"),
        item("10:00:02.500", "function_call_output", call_id="call_1", output="ok"),
        item("10:00:03.000", "function_call", name="shell", arguments="{}", call_id="call_1"),
        item("10:00:03.500", "function_call_output", call_id="call_1", output="ok"),
        event("10:00:04.000", "web_search_end", query="x"),
        {"type": "message", "role": "assistant", "content": "Ж"},
    )
    said = _hashed("2026-05-05T10:00:01.000Z", "said/user", "Fixit")
    ids = [
        _hashed("2026-05-05T10:00:00.000Z", "session_meta", ""),
        said,
        f"{said}#2",
        "call_1",
        "call_1:out",
        "call_1#2",
        "call_1#2:out",
        _hashed("2026-05-05T10:00:04.000Z", "event_msg/WebSearch", ""),
        _hashed("", "message/assistant", '{"content":"Ж","role":"assistant","type":"message"}'),
    ]
    assert list(settled(facts(tmp_path))) == [f"codex:{THREAD}:{id_}" for id_ in ids]
    assert said == "320e4bad74d6e64d"


def _hashed(*parts: str) -> str:
    encoded = [part.encode() for part in parts]
    return hashlib.sha256(b"".join(struct.pack(">Q", len(part)) + part for part in encoded)).hexdigest()[:16]
