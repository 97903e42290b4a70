"""Whatever a model sends to a tool that writes, it gets an answer or a sentence, and nothing breaks."""

from __future__ import annotations

from typing import Any

import goldens
import pytest
from desk import Desk, quoted

WRONG: list[Any] = [None, "", " \n", "\x00\u202e", "x" * 9_000, 5, -0.5, True, [], [{}], [None, "x"], {"a": [1]}]


def filled(tool: str, entry: str) -> dict[str, Any]:
    """Return arguments that the tool takes."""
    said = {"kind": "memory", "text": f"Said to {tool}.", "sources": quoted("for staging"), "confidence": 1}
    return {"remember": said, "correct": {"id": entry, "text": "Put right."}}.get(
        tool, {"id": entry, "reason": "asked for"}
    )


@pytest.mark.req("ORI-16", "QUO-5", "QUO-6")
@pytest.mark.parametrize("tool", ["remember", "correct", "forget"])
@pytest.mark.parametrize("name", goldens.ARCHIVES)
def test_any_argument_is_taken_or_refused_in_a_sentence(name: str, tool: str, desk: Desk) -> None:
    client = desk.client(name)
    entry = client.call("remember", **filled("remember", ""))["entry"]["id"]
    [schema] = [each.schema for each in goldens.dialect(name).tools if each.name == tool]
    properties: Any = schema["properties"]
    for argument in properties:
        for wrong in WRONG:
            answer = client.used(tool, **{**filled(tool, entry), argument: wrong})
            said = answer["content"][0]["text"]
            assert answer["isError"] in {True, False}
            assert "unexpected" not in said, (argument, wrong, client.failures)
            if not answer["isError"] and tool == "correct":
                entry = client.call("get", id=entry)["entry"]["superseded_by"] or entry
    assert client.failures == []


GIVEN: dict[str, dict[str, Any]] = {
    "memory_memorize": {"content": "Said to memorize.", "source": "agent"},
    "memory_recall": {"query": "said", "max_results": 3},
    "memory_correct": {"action": "replace", "reason": "asked for", "new_content": "Put right."},
    "memory_govern": {"action": "derive_lesson", "reason": "asked for", "lesson_content": "Learned."},
    "memory_handoff": {"summary": "Handed over.", "source": "user"},
    "memory_stats": {},
}


@pytest.mark.req("HMG-10", "HMG-15", "HMG-21", "HMG-26")
@pytest.mark.parametrize("tool", GIVEN)
def test_any_argument_of_hmg_is_taken_rejected_or_refused(tool: str, hmg: Any) -> None:
    [schema] = [each.schema for each in goldens.dialect("hmg").tools if each.name == tool]
    arguments: Any = [*schema["properties"], "nonsense"]  # type: ignore[misc]
    target = {"target_atom": hmg.call("memory_memorize", content="Something to judge.")["atom_id"]}
    for argument in arguments:
        for wrong in WRONG:
            before = hmg.call("memory_stats")
            given = {**GIVEN[tool], **(target if "target_atom" in arguments else {}), argument: wrong}
            answer = hmg.used(tool, **given)
            said = answer["content"][0]["text"]
            assert "unexpected" not in said, (argument, wrong, hmg.failures)
            if answer["isError"] or '"effect":"rejected"' in said:
                assert hmg.call("memory_stats") == before, (argument, wrong)
    assert hmg.failures == []
