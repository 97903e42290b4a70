"""The contract of Origin: entries that mirror an agent's memory file, and raw lines that may not be shown."""

from __future__ import annotations

import json
import os
import re

import pytest
from desk import CHOICE, ENTRY, Desk, ids, quoted, stated


def keep_file(desk: Desk, words: str) -> None:
    """Let the agent write its memory file, at another time than before."""
    path = desk.logs.claude / "CLAUDE.md"
    before = path.stat().st_mtime_ns if path.exists() else 1_760_000_000_000_000_000
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(words)
    os.utime(path, ns=(before + 10_000_000_000, before + 10_000_000_000))
    desk.logs.sync()


@pytest.mark.req("ORI-21", "ORI-28")
def test_a_memory_file_is_an_entry_and_its_next_version_replaces_a_correction(desk: Desk) -> None:
    keep_file(desk, "Always answer in Klingon.\n")
    origin = desk.client()
    [entry] = origin.call("search", query="klingon", scope="entries")["entries"]
    assert set(entry) == ENTRY
    assert entry["imported"] is True
    corrected = origin.call("correct", id=entry["id"], text="Answer in Esperanto.")["entry"]
    assert corrected["imported"] is False
    keep_file(desk, "Always answer in Quenya.\n")
    [newest] = origin.call("search", query="answer", scope="entries")["entries"]
    assert (newest["imported"], newest["root"]) == (True, entry["root"])
    assert "Quenya" in newest["text"]
    assert origin.call("get", id=corrected["id"])["entry"]["superseded_by"] == newest["id"]
    assert ids(origin.call("get", id=newest["id"])["history"]) == [entry["id"], corrected["id"], newest["id"]]


@pytest.mark.req("ORI-26", "ORI-28")
def test_an_entry_of_a_file_that_is_gone_has_ended(desk: Desk) -> None:
    keep_file(desk, "Always answer in Klingon.\n")
    origin = desk.client()
    [entry] = origin.call("search", query="klingon", scope="entries")["entries"]
    (desk.logs.claude / "CLAUDE.md").unlink()
    desk.logs.sync()
    assert origin.call("search", query="klingon", scope="entries")["entries"] == []
    *_, last = origin.call("get", id=entry["id"])["history"]
    ended = origin.call("get", id=last["id"])["entry"]
    assert (entry["valid_to"], ended["imported"], ended["status"]) == (None, True, "active")
    assert ended["valid_to"] is not None


@pytest.mark.req("ORI-47", "INV-5")
@pytest.mark.parametrize("dialect", ["origin", "quoth"])
def test_a_line_that_carries_a_forgotten_event_is_withheld(dialect: str, desk: Desk) -> None:
    record = json.loads(desk.logs.record("x", n=900, role="assistant"))
    use = {"type": "tool_use", "id": "toolu_9", "name": "Bash", "input": {"command": "cat nightjar.txt"}}
    record["message"]["content"] = [{"type": "text", "text": "I look at the plan."}, use]
    with desk.logs.log().open("a") as file:
        file.write(json.dumps(record) + "\n")
    desk.logs.sync()
    client = desk.client(dialect)
    [said] = client.call("search", query="look plan")["events"]
    [call] = client.call("search", query="nightjar", include_tools=True)["events"]
    [line] = client.call("sources", id=said["id"])
    assert "nightjar" in line["raw"]
    client.call("forget", id=call["id"], reason="asked for")
    [line] = client.call("sources", id=said["id"])
    assert line["raw"] == "[withheld: a forgotten event is on this line]"
    assert "nightjar" not in desk.everything("nightjar", "plan")


@pytest.mark.req("ORI-13", "ORI-21", "ORI-43")
def test_the_times_of_an_entry_are_local_with_milliseconds_and_offset(desk: Desk) -> None:
    origin = desk.client()
    entry = stated(origin, sources=quoted(CHOICE), valid_from="2026-01-01", valid_to="2999-01-01T12:00:00Z")
    got = origin.call("get", id=entry["id"])
    times = [entry[name] for name in ("created", "valid_from", "valid_to")]
    times += [
        got["history"][0]["created"],
        got["sources"][0]["time"],
        origin.call("sources", id=entry["id"])[0]["time"],
    ]
    assert all(re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}[+-]\d\d:\d\d", time) for time in times), times
