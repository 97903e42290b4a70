"""Our own dialect, writing: what is kept, what is said of it, and what no agent may see."""

from __future__ import annotations

import codecs
import json
from typing import Any

import pytest
from desk import CHOICE, ENTRY, EVENT, Desk, ids, quoted, stated
from memory import Memory

from quoth.core.ids import EntryId, ulid
from quoth.core.ledger.operations import asserting
from quoth.core.ledger.values import EntryKind, Scope, Statement
from quoth.surfaces.mcp.archive import Archive

KEY = codecs.decode("tuc_Nn1Oo2Pp3Qq4Rr5Ss6Tt7Uu8Vv9Ww0Xx1Yy2", "rot13")  # so that no scanner takes it for a leak
ROUTINE = (
    "on every single morning of our working week, long before any baker comes in, so that bread, rolls and cakes are"
    " warm when doors open at seven and children pass by on their way to school."
)
WHY = "the user asked for it"


@pytest.fixture
def quoth(desk: Desk) -> Memory[Archive]:
    return desk.client("quoth")


# --- remember ---


@pytest.mark.req("QUO-5", "ORI-73")
def test_remembering_answers_the_entry_the_verdict_and_what_is_alike(quoth: Memory[Archive]) -> None:
    done = quoth.call("remember", text="Staging runs PostgreSQL 16.", sources=quoted("PostgreSQL 16"))
    assert set(done) == {"entry", "verdict", "similar", "redacted"}
    assert set(done["entry"]) >= ENTRY | {"name", "type", "scope", "state"}
    assert (done["verdict"], done["similar"], done["redacted"]) == ("ADD", [], 0)
    assert done["entry"]["confidence"] == 0.8
    assert done["entry"]["author"].startswith("claude-code@")
    again = quoth.call("remember", text="Staging runs PostgreSQL 16.", sources=quoted("PostgreSQL 16"))
    assert (again["verdict"], again["entry"]) == ("NOOP", done["entry"])
    near = quoth.call("remember", text="Staging runs PostgreSQL 16.4.", sources=quoted("PostgreSQL 16"))
    assert near["verdict"] == "ADD"
    assert {"id": done["entry"]["id"], "text": "Staging runs PostgreSQL 16."} in [
        {name: each[name] for name in ("id", "text")} for each in near["similar"]
    ]


@pytest.mark.req("QUO-5")
def test_everything_that_can_be_said_of_an_entry_is_kept(quoth: Memory[Archive]) -> None:
    said = {
        "text": "Never deploy on Fridays.",
        "kind": "cognition",
        "type": "rule",
        "name": "no-friday",
        "uncited": "the user said it aloud",
        "confidence": 1,
        "importance": 0.9,
        "tags": ["deploy", "routine"],
        "valid_from": "2026-01-01",
        "valid_to": "2999-01-01",
        "event_time": "2026-01-01T10:00:00Z",
        "scope": "tenant",
    }
    entry = quoth.call("remember", **said)["entry"]
    got = quoth.call("get", id=entry["id"])
    assert got["sources"] == []
    kept = got["entry"]
    for name in ("text", "kind", "type", "name", "uncited", "importance", "tags"):
        assert kept[name] == said[name], name
    assert kept["confidence"] == 1.0
    assert kept["event_time"]
    assert kept["scope"]["repository"] == ""


@pytest.mark.req("QUO-5", "ORI-16", "ORI-48")
@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({}, "`sources` must be "),
        ({"sources": []}, "`sources` must be "),
        ({"uncited": ""}, "`sources` must be "),
        ({"sources": [{}]}, "`sources[0]` must be an object with `event_id`, `quote` or both."),
        ({"uncited": "x", "type": "nonsense"}, "Unknown type nonsense. Known types: "),
        ({"uncited": "x", "kind": "note"}, "`kind` must be one of memory, knowledge, cognition."),
        ({"uncited": "x", "confidence": "1"}, "`confidence` must be a number from 0 to 1."),
        ({"uncited": "x", "importance": 2}, "`importance` must be a number from 0 to 1."),
        ({"uncited": "x", "scope": "everywhere"}, "`scope` must be one of repository, branch, workspace, tenant."),
        ({"uncited": "x", "event_time": "then"}, "`event_time` must be a time"),
        ({"uncited": "x", "reason": "y"}, "Unknown argument `reason`. Known arguments: text, kind, type, "),
    ],
)
def test_what_can_not_be_remembered_is_refused_in_a_sentence(given: Any, sentence: str, quoth: Memory[Archive]) -> None:
    assert quoth.refusal("remember", text="Something.", **given).startswith(sentence)
    assert quoth.call("search", target="entries")["entries"] == []


# --- finding ---


@pytest.mark.req("QUO-2")
def test_search_looks_where_it_is_told(desk: Desk, quoth: Memory[Archive]) -> None:
    for kind, type_ in (("memory", "decision"), ("knowledge", "fact"), ("cognition", "rule")):
        quoth.call("remember", text=f"Staging {type_}.", kind=kind, type=type_, sources=quoted("staging"))
    desk.other("quoth").call("remember", text="Staging for codex.", type="note", sources=quoted("staging"))
    both = quoth.call("search", query="staging")
    assert set(both) == {"entries", "events", "next"}
    assert (len(both["entries"]), [event["text"] for event in both["events"]]) == (4, [CHOICE])
    for entry in both["entries"]:
        assert set(entry) >= ENTRY | {"name", "type", "scope", "state", "relevance"}
        assert 0 < entry["relevance"] <= 1
    assert quoth.call("search", query="staging", target="entries")["events"] == []
    assert quoth.call("search", query="staging", target="events")["entries"] == []
    assert [e["type"] for e in quoth.call("search", query="staging", kind="knowledge")["entries"]] == ["fact"]
    assert [e["type"] for e in quoth.call("search", query="staging", type="rule")["entries"]] == ["rule"]
    assert quoth.refusal("search", target="memories") == "`target` must be one of all, entries, events."


@pytest.mark.req("QUO-2")
def test_one_cursor_goes_through_both_lists(desk: Desk, quoth: Memory[Archive]) -> None:
    for n in range(5):
        desk.say(f"Staging is mentioned for the {n}. time.")
        quoth.call("remember", text=f"Staging statement {n}.", sources=quoted("for staging"))
    whole = quoth.call("search", query="staging", limit=100)
    found: dict[str, list[Any]] = {"entries": [], "events": []}
    cursor = None
    while cursor != "":
        part = quoth.call("search", query="staging", limit=2, cursor=cursor)
        found = {name: [*items, *part[name]] for name, items in found.items()}
        cursor = part["next"] or ""
    assert found == {name: whole[name] for name in found}
    assert len(found["entries"]) == 5


@pytest.mark.req("QUO-4", "ORI-43")
def test_get_and_sources_show_an_entry_with_where_it_comes_from(desk: Desk, quoth: Memory[Archive]) -> None:
    entry = quoth.call("remember", text="Staging runs it.", sources=quoted("PostgreSQL 16"))["entry"]
    got = quoth.call("get", id=entry["id"])
    assert set(got) == {"entry", "sources", "history"}
    assert set(got["entry"]) >= ENTRY | {"state", "scope", "name", "type", "fields", "attribution", "relations"}
    [source] = got["sources"]
    assert set(source) == EVENT | {"quote"}
    assert (source["text"], source["quote"]) == (CHOICE, "PostgreSQL 16")
    [line] = quoth.call("sources", id=entry["id"])
    assert (line["event_id"], line["quote"]) == (source["id"], "PostgreSQL 16")
    assert CHOICE in line["raw"]


# --- correct ---


@pytest.mark.req("QUO-6", "ORI-53")
@pytest.mark.parametrize("spelling", ["whole", "ulid", "end"])
def test_a_correction_takes_an_id_in_every_spelling(spelling: str, quoth: Memory[Archive]) -> None:
    first = quoth.call("remember", text="Staging runs 16.", uncited="known", name="staging")["entry"]
    spelled = {"whole": first["id"], "ulid": ulid(EntryId(first["id"])), "end": first["id"][-8:]}[spelling]
    done = quoth.call("correct", id=spelled, text="Staging runs 17.", reason="it was upgraded")
    assert set(done) >= {"entry", "redacted"}
    assert (done["entry"]["supersedes"], done["entry"]["name"]) == (first["id"], "staging")
    assert quoth.call("get", id=first["id"][-8:])["entry"]["superseded_by"] == done["entry"]["id"]
    assert "already corrected" in quoth.refusal("correct", id=first["id"], text="Again.")


@pytest.mark.req("QUO-6", "ORI-53")
def test_a_correction_changes_what_is_given_and_keeps_the_rest(quoth: Memory[Archive]) -> None:
    said = {"type": "rule", "importance": 0.9, "tags": ["a"], "event_time": "2026-01-01", "valid_to": "2999-01-01"}
    first = quoth.call("remember", text="One.", uncited="known", name="one", confidence=0.4, **said)["entry"]
    second = quoth.call("correct", id=first["id"], text="Two.")["entry"]
    before, after = (quoth.call("get", id=entry["id"])["entry"] for entry in (first, second))
    kept = ("kind", "type", "name", "confidence", "importance", "tags", "event_time", "valid_to", "scope", "root")
    assert {name: after[name] for name in kept} == {name: before[name] for name in kept}
    changes = {"tags": ["b"], "importance": 0.1, "valid_to": None, "event_time": None, "confidence": 1}
    third = quoth.call("correct", id=second["id"], text="Three.", **changes)["entry"]
    got = quoth.call("get", id=third["id"])["entry"]
    assert {name: got[name] for name in changes} == changes


# --- forget ---


@pytest.mark.req("QUO-6", "ORI-57", "ORI-60")
def test_forgetting_an_entry_leaves_what_it_cites_unless_asked(desk: Desk, quoth: Memory[Archive]) -> None:
    first = quoth.call("remember", text="Staging one.", sources=quoted("for staging"))["entry"]
    second = quoth.call("remember", text="Staging two.", sources=quoted("for staging"))["entry"]
    done = quoth.call("forget", id=first["id"][-8:], reason=WHY)
    assert set(done) == {"tombstone", "forgotten_entries", "excluded_events", "also_said"}
    assert (done["forgotten_entries"], done["excluded_events"]) == ([first["id"]], 0)
    found = quoth.call("search", query="staging")
    assert (ids(found["entries"]), len(found["events"])) == ([second["id"]], 1)
    assert quoth.refusal("get", id=first["id"]) == f"{first['id']} has been forgotten."
    assert quoth.call("forget", id=second["id"], reason=WHY, cited=True)["excluded_events"] == 1
    assert quoth.call("search", query="staging") == {"entries": [], "events": [], "next": None}


@pytest.mark.req("QUO-6", "INV-5")
def test_forgetting_words_reaches_every_event_that_holds_them(desk: Desk, quoth: Memory[Archive]) -> None:
    first, second = desk.say("The plan is called Nightjar."), desk.say("The plan is called Nightjar.", role="assistant")
    desk.logs.sync()
    done = quoth.call("forget", id=first, reason=WHY)
    assert (done["excluded_events"], done["also_said"]) == (1, 1)
    assert ids(quoth.call("search", query="nightjar")["events"]) == [second]
    again = quoth.call("forget", id=second, reason=WHY, words=True)
    assert (again["excluded_events"], again["also_said"]) == (1, 0)
    assert quoth.call("search", query="nightjar")["events"] == []


@pytest.mark.req("QUO-6", "ORI-59")
def test_forgetting_needs_a_reason(desk: Desk, quoth: Memory[Archive]) -> None:
    entry = stated(desk.client(), sources=quoted("for staging"))
    assert quoth.refusal("forget", id=entry["id"]) == "`reason` must be given."
    assert quoth.refusal("forget", id=entry["id"], reason=WHY, cited="yes") == "`cited` must be true or false."


# --- what no agent may see ---


@pytest.mark.req("QUO-5", "SEC-5", "HMG-6", "ENG-34")
def test_a_secret_is_taken_out_before_anything_is_stored(desk: Desk, quoth: Memory[Archive]) -> None:
    done = quoth.call("remember", text=f"The oven deploys with {KEY}.", uncited="known")
    assert done["redacted"] == 1
    assert done["entry"]["text"] == "The oven deploys with [REDACTED:github_token]."
    assert done["entry"]["redacted"] == 1
    assert [row["redacted"] for row in quoth.call("search", query="oven", target="entries")["entries"]] == [1]
    assert quoth.call("get", id=done["entry"]["id"])["entry"]["redacted"] == 1
    corrected = quoth.call("correct", id=done["entry"]["id"], text=f"It used {KEY}.")
    assert corrected["redacted"] == 1
    assert KEY not in str(desk.client().used("get", id=corrected["entry"]["id"]))
    assert not [path for path in desk.logs.home.rglob("*") if path.is_file() and KEY.encode() in path.read_bytes()]


@pytest.mark.req("SEC-5", "ORI-46", "INV-3")
def test_a_quote_with_a_secret_is_verbatim_in_origin_and_nowhere_else(desk: Desk, quoth: Memory[Archive]) -> None:
    said = f"the oven deploys with {KEY} today"
    event = desk.say(said)
    entry = stated(desk.client(), "The oven has a token.", sources=[{"event_id": event, "quote": said[4:]}])
    for tool in ("get", "sources"):
        exact, shown = (json.dumps(client.call(tool, id=entry["id"])) for client in (desk.client(), quoth))
        assert json.dumps(said[4:]) in exact
        assert KEY not in shown
        assert '"quote": "oven deploys with [REDACTED:github_token] today"' in shown
    assert quoth.call("sources", id=entry["id"])[0]["redacted"] == 1


@pytest.mark.req("SEC-5")
def test_a_secret_that_the_rules_of_another_day_let_through_is_not_shown(desk: Desk, quoth: Memory[Archive]) -> None:
    entry = EntryId(f"ent_{'a' * 32}")
    statement = Statement(
        text=f"The oven deploys with {KEY} {ROUTINE}",
        kind=EntryKind.MEMORY,
        type="note",
        created_at=1_760_000_000_000,
        author="codex@elsewhere",
        scope=Scope(desk.logs.ask(lambda kernel: kernel.tenant)),
        name="oven",
        tags=("oven", KEY),
        fields={"steps": [f"use {KEY}", {"then": KEY}, 3]},
        uncited=f"because of {KEY}",
    )
    desk.write(asserting(entry, statement))
    said = [quoth.call("search", query="oven"), quoth.call("search"), quoth.call("get", id=entry)]
    assert KEY not in json.dumps(said)
    assert said[2]["entry"]["fields"]["steps"][2] == 3
    assert [each["entries"][0]["redacted"] for each in said[:2]] == [1, 1]
    near = f"The oven deploys with care {ROUTINE}"
    alike = quoth.call("remember", text=near, uncited="known")["similar"]
    assert [each["redacted"] for each in alike] == [1]
    assert KEY not in json.dumps(alike)
    desk.logs.sync()  # takes the key out
    clean = quoth.call("get", id=entry)["entry"]["superseded_by"]
    refusal = quoth.refusal("correct", id=entry, text="The oven deploys by hand.")
    assert refusal.endswith(f"its current version is {clean}. Correct that one instead.")
    assert quoth.call("correct", id=clean, text="The oven deploys by hand.")["entry"]["supersedes"] == clean
    assert KEY not in json.dumps([quoth.call("get", id=each) for each in (entry, clean)])
