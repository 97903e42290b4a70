"""From an entry or an event to the raw lines: verbatim, and nothing of what is forgotten (ORI-46, ORI-47)."""

from __future__ import annotations

import json
import uuid
from typing import Any

import pytest

from quoth.core.errors import Forgotten, UnknownId
from quoth.core.ids import DeviceId, EntryId, EventId, SourceId
from quoth.core.ledger.operations import Body, Draft, Forget, Judge, Verdict, citing
from quoth.core.ledger.values import Citation, StoredAnchor
from quoth.core.memory import Quoted
from quoth.core.speaker import Speaker
from services.archive import Archive

AGENT = Speaker("codex")
SECRET = "ghp_0123456789abcdefghijABCDEFGHIJ012345"
LINES = ("We sell\n  rye  bread.", "好的，卖黑麦\n面包。", f"The token is {SECRET} now.", "Хорошо, пекарь придёт.")
WITHHELD = "[withheld: a forgotten event is on this line]"


def number(n: int) -> str:
    """Return the id of what the n-th record says."""
    return f"claude-code:{uuid.UUID(int=0x5EED_0000_0000_4000_8000_0000_0000_0000 + n)}"


@pytest.fixture
def archive(archive: Archive) -> Archive:
    archive.log().write_bytes(b"".join(archive.records(LINES)))
    archive.sync()
    return archive


def remember(archive: Archive, *sources: Quoted) -> str:
    done = archive.ask(lambda kernel: kernel.remember.run("A statement.", by=AGENT, sources=sources))
    return str(done["entry"]["id"])


def sources(archive: Archive, given: str, **how: Any) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = archive.ask(lambda kernel: kernel.sources.run(given, **how))
    return found


def append(archive: Archive, *bodies: Body) -> None:
    archive.ask(lambda kernel: kernel.memory.append([Draft(body, "user@desk", "Not ours.") for body in bodies]))


@pytest.mark.req("ORI-46", "ORI-47", "INV-3", "QUO-4")
def test_an_entry_leads_to_the_line_of_each_event_it_cites_with_the_exact_words(archive: Archive) -> None:
    entry = remember(
        archive,
        Quoted(None, "sell RYE bread"),
        Quoted(number(2), "黑麦面包"),
        Quoted(number(4)),
        Quoted(number(1), "We sell"),
    )
    lines = archive.log().read_bytes().splitlines()
    found = sources(archive, entry)
    assert [(each["event_id"], each["quote"], each["line"]) for each in found] == [
        (number(1), "sell\n  rye  bread", 1),
        (number(2), "黑麦\n面包", 2),
        (number(4), None, 4),
    ]
    assert [each["raw"] for each in found] == [lines[n].decode() for n in (0, 1, 3)]
    assert found[0] == {**sources(archive, number(1))[0], "quote": "sell\n  rye  bread"}
    assert {each["original_file"] for each in found} == {str(archive.log())}
    assert {each["mirror_file"] for each in found} == {sources(archive, number(1))[0]["mirror_file"]}


@pytest.mark.req("ORI-46", "HMG-6")
def test_a_quote_is_verbatim_although_it_is_stored_redacted(archive: Archive) -> None:
    entry = remember(archive, Quoted(None, f"token is {SECRET}"))
    stored = archive.ask(lambda kernel: kernel.memory.entry(entry).cites[0].quote)
    assert SECRET not in stored
    assert sources(archive, entry)[0]["quote"] == f"token is {SECRET}"


def test_a_quote_whose_event_reads_otherwise_now_is_shown_as_it_was_stored(archive: Archive) -> None:
    entry = remember(archive, Quoted(number(4)))
    append(
        archive, citing(EntryId(entry), EntryId(entry), [Citation(EventId(number(4)), "пекарь", (0, 6), b"\0" * 32)])
    )
    assert sources(archive, entry)[0]["quote"] == "пекарь"


@pytest.mark.req("ORI-46")
def test_a_long_line_is_cut_and_whole_when_that_is_asked(archive: Archive) -> None:
    with archive.log().open("ab") as log:
        log.write(archive.record("x" * 9_000, n=20))
    archive.sync()
    entry = remember(archive, Quoted(number(20)))
    whole = archive.log().read_text().splitlines()[-1]
    (shown,) = sources(archive, entry)
    assert shown["raw"].startswith(whole[:4_000])
    assert shown["raw"].endswith(f"… [{len(whole) - 4_000} more characters]")
    assert sources(archive, entry, limit=None)[0]["raw"] == whole


def test_an_event_of_another_device_is_told_by_its_citation(archive: Archive) -> None:
    entry = remember(archive, Quoted(number(4)))
    there = StoredAnchor(DeviceId("d" * 32), SourceId("codex"), "codex-1a2b3c4d/sessions/a.jsonl", 2, 7, 8, b"\1" * 32)
    append(
        archive,
        citing(EntryId(entry), EntryId(entry), [Citation(EventId("codex:away"), "the words", None, None, there)]),
    )
    found = sources(archive, entry)[1]
    assert found["event_id"] == "codex:away"
    assert (found["quote"], found["original_file"], found["line"], found["lines"]) == (
        "the words",
        "sessions/a.jsonl",
        7,
        2,
    )
    assert found["mirror_file"] == "raw/codex/codex-1a2b3c4d/sessions/a.jsonl.g2"
    assert found["raw"] == "[the log of this event is not on this device]"


# --- what is forgotten ---


def _two_on_a_line(archive: Archive) -> tuple[str, str, str]:
    """Add a line that holds two events, and return their ids with what the first says."""
    record = json.loads(archive.record("", n=20, role="assistant"))
    record["message"]["content"] = [{"type": "text", "text": "A lamp."}, {"type": "text", "text": "A kettle."}]
    with archive.log().open("ab") as log:
        log.write(json.dumps(record).encode() + b"\n")
    archive.sync()
    ids = {event["text"]: event["id"] for event in archive.events()}
    return ids["A lamp."], ids["A kettle."], "lamp"


@pytest.mark.req("ORI-47", "ORI-58", "INV-5")
def test_a_line_on_which_a_forgotten_event_lies_is_withheld(archive: Archive) -> None:
    lamp, kettle, word = _two_on_a_line(archive)
    entry = remember(archive, Quoted(kettle, "kettle"))
    assert word in sources(archive, kettle)[0]["raw"]
    append(archive, Forget(events=(EventId(lamp),)))
    for given in (kettle, entry):
        for limit in (4_000, None):
            (shown,) = sources(archive, given, limit=limit)
            assert shown["raw"] == WITHHELD
            assert shown["withheld"] is True
            assert shown["sha256"] is None
            assert shown["line"] == 5
    assert sources(archive, entry)[0]["quote"] == "kettle"
    with pytest.raises(Forgotten):
        sources(archive, lamp)


@pytest.mark.req("ORI-58")
def test_what_is_cited_through_a_forgotten_entry_is_left_out_of_another(archive: Archive) -> None:
    one = remember(archive, Quoted(number(1)))
    other = archive.ask(
        lambda kernel: kernel.remember.run("Another.", by=AGENT, sources=[Quoted(number(1)), Quoted(number(2))])
    )["entry"]["id"]
    append(archive, Forget(entries=(EntryId(one),), cited=True))
    assert [each["event_id"] for each in sources(archive, other)] == [number(2)]
    with pytest.raises(Forgotten, match=rf"^{one} has been forgotten\.$"):
        sources(archive, one)


@pytest.mark.req("ORI-16")
@pytest.mark.parametrize("given", ["ent_" + "0" * 32, "claude-code:nothing", "x", ""])
def test_an_id_that_nothing_has_is_refused(archive: Archive, given: str) -> None:
    with pytest.raises(UnknownId):
        sources(archive, given)


def test_an_entry_that_is_held_back_shows_no_sources(archive: Archive) -> None:
    entry = remember(archive, Quoted(number(1)))
    append(archive, Judge(Verdict.SEAL, EntryId(entry), EntryId(entry)))
    with pytest.raises(Forgotten):
        sources(archive, entry)


def test_an_entry_that_cites_nothing_has_no_sources(archive: Archive) -> None:
    done = archive.ask(lambda kernel: kernel.remember.run("Said nowhere.", by=AGENT, uncited="a test"))
    assert sources(archive, done["entry"]["id"]) == []
