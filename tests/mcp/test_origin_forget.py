"""The contract of Origin, forgetting: gone from every answer of every dialect, and nobody here can bring it back."""

from __future__ import annotations

import re

import pytest
from desk import CHOICE, Desk, quoted, stated

from quoth.core.speaker import Speaker

SECRET_PLAN = "The plan is called Nightjar, keep it quiet."
WHY = "the user asked for it"


@pytest.mark.req("ORI-15", "ORI-16", "ORI-57", "ORI-58", "ORI-60", "INV-5")
def test_forgetting_an_entry_hides_its_versions_and_the_events_it_cites(desk: Desk) -> None:
    event = desk.say(SECRET_PLAN)
    kept = desk.say("The weather is fine today.")
    origin = desk.client()
    first = stated(origin, "Nightjar is the plan.", sources=quoted("is called Nightjar"))
    second = origin.call("correct", id=first["id"], text="Nightjar was the plan.")["entry"]
    other = stated(origin, "The weather was fine.", sources=quoted("weather is fine"))
    done = origin.call("forget", id=second["id"], reason=WHY)
    assert set(done) == {"tombstone", "forgotten_entries", "excluded_events"}
    assert re.fullmatch(r"tmb_[0-9a-f]+", done["tombstone"])
    assert sorted(done["forgotten_entries"]) == sorted([first["id"], second["id"]])
    assert done["excluded_events"] == 1
    for gone in (first["id"], second["id"], event):
        for tool in ("get", "sources"):
            assert origin.refusal(tool, id=gone) == f"{gone} has been forgotten."
    assert origin.refusal("correct", id=second["id"], text="x") == f"{second['id']} has been forgotten."
    said = desk.everything("nightjar", "plan")
    for word in ("ightjar", "quiet", event, first["id"], second["id"]):
        assert word not in said
    assert kept in said
    assert other["id"] in said


@pytest.mark.req("ORI-57", "ORI-58", "ORI-60", "INV-5")
def test_forgetting_an_event_hides_every_entry_that_cites_it_and_nothing_beyond(desk: Desk) -> None:
    event = desk.say(SECRET_PLAN)
    origin = desk.client()
    first = stated(origin, "Nightjar is the plan.", sources=[*quoted(CHOICE), {"event_id": event}])
    second = origin.call("correct", id=first["id"], text="Nightjar was the plan.")["entry"]
    later = stated(origin, "Staging runs it.", sources=quoted(CHOICE))
    cites = stated(origin, "Nightjar again.", sources=[{"event_id": event}])
    done = origin.call("forget", id=event, reason=WHY)
    assert sorted(done["forgotten_entries"]) == sorted([first["id"], second["id"], cites["id"]])
    assert done["excluded_events"] == 1
    assert origin.call("get", id=later["id"])["entry"]["text"] == "Staging runs it."
    assert CHOICE in [found["text"] for found in origin.call("search", query="replication")["events"]]
    assert "ightjar" not in desk.everything("nightjar")


@pytest.mark.req("ORI-49", "ORI-50", "ORI-58")
def test_what_is_forgotten_can_not_be_cited_again(desk: Desk) -> None:
    event = desk.say(SECRET_PLAN)
    origin = desk.client()
    stated(origin, "x", sources=[{"event_id": event}])
    origin.call("forget", id=event, reason=WHY)

    def refusal(**source: str) -> str:
        return origin.refusal("remember", kind="memory", text="y", confidence=1, sources=[source])

    assert refusal(event_id=event) == f"Event {event} has been forgotten and cannot be cited."
    assert refusal(event_id=event, quote="Nightjar") == f"Event {event} has been forgotten and cannot be cited."
    assert refusal(quote="called Nightjar").startswith('No event contains the quote "called Nightjar".')


@pytest.mark.req("INV-5", "ORI-58")
def test_it_stays_forgotten_when_the_log_is_read_again_and_the_index_made_anew(desk: Desk) -> None:
    event = desk.say(SECRET_PLAN)
    origin = desk.client()
    entry = stated(origin, "Nightjar is the plan.", sources=[{"event_id": event}])
    origin.call("forget", id=entry["id"], reason=WHY)
    path = desk.logs.log()
    path.write_bytes(path.read_bytes().replace(b"2.1.270", b"2.1.271"))
    desk.logs.sync()
    said = desk.everything("nightjar")
    assert "ightjar" not in said
    assert event not in said
    desk.logs.rebuild()
    assert desk.everything("nightjar") == said
    assert origin.refusal("get", id=entry["id"]) == f"{entry['id']} has been forgotten."


@pytest.mark.req("ORI-30", "ORI-42")
def test_a_session_counts_what_is_visible_and_goes_with_its_last_event(desk: Desk) -> None:
    session = "6b1c2f6e-8f0a-4d7e-9d55-3a1c5e0f7a22"
    said = [desk.say(f"Sentence {n} of the other session.", session=session) for n in range(2)]
    origin = desk.client()
    desk.logs.sync()
    origin.call("forget", id=said[0], reason=WHY)
    assert origin.call("timeline", session=session)["session"]["events"] == 1
    origin.call("forget", id=said[1], reason=WHY)
    assert session not in [each["session"] for each in origin.call("timeline", since="2000-01-01")["sessions"]]
    assert session in origin.refusal("timeline", session=session)


@pytest.mark.req("ORI-60")
def test_what_is_hidden_already_is_not_forgotten_twice(desk: Desk) -> None:
    origin = desk.client()
    entry = stated(origin, sources=quoted(CHOICE))
    origin.call("forget", id=entry["id"], reason=WHY)
    again = origin.call("forget", id=entry["id"], reason=WHY)
    assert again == {"tombstone": None, "forgotten_entries": [], "excluded_events": 0}
    assert len(desk.logs.ask(lambda kernel: kernel.forget.tombstones())) == 1


@pytest.mark.req("ORI-16", "ORI-59")
def test_forgetting_needs_a_reason_that_is_kept(desk: Desk) -> None:
    origin = desk.client()
    entry = stated(origin, sources=quoted(CHOICE))
    wrong = "`reason` must be a text with 1 to 2000 characters."
    assert origin.refusal("forget", id=entry["id"]) == "`reason` must be given."
    assert origin.refusal("forget", id=entry["id"], reason="") == "`reason` must be given."
    assert origin.refusal("forget", id=entry["id"], reason="x" * 2001) == wrong
    assert origin.refusal("forget", id=entry["id"], reason=" ").startswith("`reason` must be")
    assert origin.refusal("forget", id="ent_00000000dead", reason=WHY) == "Unknown entry or event ent_00000000dead."
    assert origin.refusal("forget", id="claude-code:none", reason=WHY) == "Unknown entry or event claude-code:none."
    assert origin.call("get", id=entry["id"])["entry"] == entry
    done = origin.call("forget", id=entry["id"], reason="x" * 2000)
    [tombstone] = desk.logs.ask(lambda kernel: kernel.forget.tombstones())
    assert (tombstone["tombstone"], tombstone["reason"]) == (done["tombstone"], "x" * 2000)
    assert tombstone["by"].startswith("claude-code@")


@pytest.mark.req("ORI-62")
@pytest.mark.parametrize("dialect", ["origin", "quoth"])
def test_no_tool_undoes_it(dialect: str, desk: Desk) -> None:
    tools = [tool["name"] for tool in desk.client(dialect).result("tools/list")["tools"]]
    assert not {"restore", "undo", "purge"} & {*tools}
    assert desk.client(dialect).error("tools/call", {"name": "restore", "arguments": {}})["code"] == -32602


@pytest.mark.req("ORI-65")
def test_what_was_just_said_can_be_forgotten(desk: Desk) -> None:
    event = desk.say(SECRET_PLAN)
    assert desk.client().call("forget", id=event, reason=WHY)["excluded_events"] == 1
    desk.logs.sync()
    assert "ightjar" not in desk.everything("nightjar")


def test_what_the_person_restores_is_back(desk: Desk) -> None:
    origin = desk.client()
    entry = stated(origin, sources=quoted(CHOICE))
    before = [origin.call("get", id=entry["id"]), origin.call("search", query="replication")]
    done = origin.call("forget", id=entry["id"], reason=WHY)
    desk.logs.ask(lambda kernel: kernel.undo.run(done["tombstone"], by=Speaker(), how="terminal"))
    assert [origin.call("get", id=entry["id"]), origin.call("search", query="replication")] == before
