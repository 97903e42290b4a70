"""One memory behind every dialect and every process: what one writes the others find, and nobody finds themselves."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from desk import CHOICE, ENTRY, Desk, ids, quoted, stated
from places import repository
from test_process import append
from wire import Wire

from running import Run

Connect = Callable[..., Wire]


@pytest.mark.req("ORI-21", "QUO-2", "QUO-5", "QUO-6")
def test_what_one_dialect_writes_the_other_finds_corrects_and_forgets(desk: Desk) -> None:
    origin, quoth = desk.client("origin"), desk.other("quoth")
    first = stated(origin, sources=quoted(CHOICE))
    [found] = quoth.call("search", query="staging", target="entries")["entries"]
    assert {name: found[name] for name in ENTRY} == first
    second = quoth.call("correct", id=first["id"], text="Staging runs 17.", sources=quoted("replication"))["entry"]
    seen = origin.call("get", id=second["id"])
    assert seen["entry"] == {name: second[name] for name in ENTRY}
    assert seen["history"] == quoth.call("get", id=first["id"])["history"]
    uncited = quoth.call("remember", text="Tea is preferred.", uncited="said aloud", type="preference")["entry"]
    assert set(origin.call("get", id=uncited["id"])["entry"]) == ENTRY
    assert origin.call("sources", id=uncited["id"]) == []
    origin.call("forget", id=second["id"], reason="asked for")
    assert quoth.refusal("get", id=first["id"]) == f"{first['id']} has been forgotten."
    quoth.call("forget", id=uncited["id"], reason="asked for")
    assert origin.call("search", scope="entries")["entries"] == []


@pytest.mark.req("ORI-50", "ARC-9")
@pytest.mark.parametrize("server", ["origin", "quoth"])
def test_the_calls_of_our_tools_are_never_found_and_never_cited(server: str, desk: Desk) -> None:
    origin, text = desk.client("origin"), "Zanzibar is where the servers stand."
    entry = stated(origin, text, sources=quoted("for staging"))
    call, result = desk.use_tool(f"mcp__{server}__remember", {"text": text}, json.dumps({"entry": entry}))
    desk.logs.sync()
    for dialect in ("origin", "quoth"):
        client = desk.client(dialect)
        found = client.call("search", query="zanzibar", include_tools=True)
        assert (ids(found["entries"]), found["events"]) == ([entry["id"]], [])
        for source in ({"quote": "zanzibar is where"}, {"event_id": call}):
            refused = client.refusal("remember", kind="memory", text="x", confidence=1, sources=[source])
            assert refused.startswith(("No event contains the quote", f"Event {call} ", "Unknown entry or event")), (
                result
            )


@pytest.mark.req("ORI-43", "QUO-5")
def test_an_entry_that_cites_nothing_is_linked_to_the_call_that_wrote_it(desk: Desk) -> None:
    quoth, text = desk.client("quoth"), "The lamp in the hall is broken."
    entry = quoth.call("remember", text=text, uncited="seen")["entry"]
    given, at = {"text": text, "uncited": "seen"}, datetime.fromisoformat(entry["created"]).astimezone(UTC)
    timestamp = at.isoformat().replace("+00:00", "Z")
    call, _ = desk.use_tool("mcp__quoth__remember", given, json.dumps({"entry": entry}), timestamp=timestamp)
    desk.logs.sync()
    [source] = quoth.call("get", id=entry["id"])["sources"]
    assert source["id"].startswith(call)
    assert call.split(":")[1] in quoth.call("sources", id=entry["id"])[0]["raw"]


# --- processes ---


@pytest.mark.req("ORI-2", "ORI-48", "ORI-51", "ORI-57", "INV-2")
def test_two_servers_at_once_remember_everything_and_see_each_other(run: Run, connect: Connect) -> None:
    append(run, CHOICE, n=1)
    wires = [connect("--dialect=origin"), connect()]
    written: list[Any] = []

    def write(number: int, wire: Wire) -> None:
        for n in range(8):
            given = {
                "kind": "memory",
                "text": f"Statement {number}-{n}.",
                "confidence": 1,
                "sources": quoted("staging"),
            }
            written.append(wire.call("remember", **given)["entry"])

    threads = [threading.Thread(target=write, args=pair) for pair in enumerate(wires)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len({entry["id"] for entry in written}) == 16
    for wire, target in zip(wires, ({"scope": "entries"}, {"target": "entries"}), strict=True):
        found = wire.call("search", query="statement", limit=100, **target)["entries"]
        assert {entry["id"] for entry in found} == {entry["id"] for entry in written}
    [first, *_] = written
    assert wires[1].call("forget", id=first["id"], reason="asked for")["forgotten_entries"] == [first["id"]]
    gone = wires[0].result("tools/call", {"name": "get", "arguments": {"id": first["id"]}}, modern=True)
    assert (gone["isError"], gone["content"][0]["text"]) == (True, f"{first['id']} has been forgotten.")


@pytest.mark.req("ORI-2", "ORI-53", "ORI-65", "ORI-73")
def test_the_real_server_remembers_corrects_and_forgets(run: Run, connect: Connect) -> None:
    append(run, CHOICE, n=1)
    wire = connect("--dialect=origin")
    wire.greet()
    given = {"kind": "memory", "text": "Staging runs it.", "confidence": 1, "sources": quoted("PostgreSQL 16")}
    entry = wire.call("remember", **given)["entry"]
    assert set(entry) == ENTRY
    later = append(run, "It is PostgreSQL 17 from today.", n=2)
    newer = wire.call("correct", id=entry["id"], text="17 it is.", sources=quoted("17 from today"))["entry"]
    assert ids(wire.call("get", id=newer["id"])["sources"])[-1] == later
    assert wire.call("forget", id=newer["id"], reason="asked for")["excluded_events"] == 2
    assert wire.close() == 0
    assert run("search", "17", "--json", check=False).code == 3
    assert "17" not in wire.errors


@pytest.mark.req("ORI-48")
def test_an_entry_belongs_to_the_repository_its_server_runs_in(run: Run, tmp_path: Path, connect: Connect) -> None:
    folder = repository(tmp_path / "bakery", "https://git.example/anna/bakery.git")
    wire = connect(cwd=folder)
    assert wire.call("remember", text="Rye bread needs two days.", uncited="known")["entry"]["project"] == "bakery"
