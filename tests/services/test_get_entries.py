"""An entry is answered with everything that is kept of it, what it cites, and its history."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from quoth.core.errors import Forgotten, NotCurrent, UnknownId
from quoth.core.ids import EntryId, EventId
from quoth.core.ledger.operations import Destroy, Forget, Relate, Verdict, citing
from quoth.core.ledger.values import Citation
from services.archive import Archive
from services.entries import append, correct, entry, forget, get, history, judge, quoted, search

LONG = "The shop listens on port 8737. " + "x" * 600


@pytest.fixture
def archive(tmp_path: Path) -> Archive:
    made = Archive(tmp_path)
    made.log().write_bytes(b"".join(made.records(["Which port?", LONG, "And now?"])))
    made.sync()
    return made


@pytest.fixture
def port(archive: Archive) -> str:
    return entry(
        archive, "The port is 8737.", sources=[*quoted(quote="port 8737"), *quoted(_event(archive, "And now?"))]
    )


def _event(archive: Archive, text: str) -> str:
    return next(str(event["id"]) for event in archive.events() if event["text"] == text)


@pytest.mark.req("ORI-43", "QUO-4")
def test_an_entry_comes_with_its_sources_and_history(archive: Archive, port: str) -> None:
    answer = get(archive, port)
    assert list(answer) == ["entry", "sources", "history"]
    assert list(answer["entry"])[-9:] == [
        *("fields", "attribution", "relations", "tags", "importance", "epistemic", "polarity", "event_time", "uncited")
    ]
    (cited, whole) = answer["sources"]
    assert list(cited) == ["id", "time", "source", "project", "session", "role", "kind", "text", "quote"]
    assert (cited["quote"], cited["text"]) == ("port 8737", LONG[:500] + f"… [{len(LONG) - 500} more characters]")
    assert (whole["quote"], whole["text"]) == (None, "And now?")
    made = answer["entry"]
    assert answer["history"] == [
        {"id": port, "supersedes": None, "author": made["author"], "created": made["created"], "status": "active"}
    ]


@pytest.mark.req("ORI-43", "ORI-44")
def test_superseded_and_ended_versions_are_still_there(archive: Archive, port: str) -> None:
    new = correct(archive, port, "The port is 9000.", valid_to="1d")["entry"]["id"]
    assert search(archive)["entries"] == []
    assert [get(archive, each)["entry"]["text"] for each in (port, new)] == ["The port is 8737.", "The port is 9000."]
    for given in (port, new):
        assert [(each["id"], each["supersedes"], each["status"]) for each in get(archive, given)["history"]] == [
            (port, None, "superseded"),
            (new, port, "active"),
        ]


@pytest.mark.req("QUO-4")
def test_relations_are_shown_on_both_ends(archive: Archive, port: str) -> None:
    other = entry(archive, "The host is blue.")
    one, two = EntryId(port), EntryId(other)
    append(archive, Relate(one, one, two, two, "uses"))
    relation = {"relation": "uses", "entry": port, "other": other}
    assert [get(archive, each)["entry"]["relations"] for each in (port, other)] == [[relation], [relation]]


@pytest.mark.req("ORI-43", "HMG-6")
def test_a_quote_is_kept_redacted_and_shown_as_it_was_said(archive: Archive) -> None:
    secret = "ghp_0123456789abcdefghijABCDEFGHIJ012345"
    with archive.log().open("ab") as log:
        log.write(archive.record(f"The bot logs in with {secret} today.", n=9))
    bot = entry(archive, "The bot has a token.", sources=quoted(quote=f"logs in with {secret}"))
    assert [each["quote"] for each in get(archive, bot)["sources"]] == [f"logs in with {secret}"]
    assert secret.encode() not in (archive.home / "ledger.db").read_bytes()


# --- what is hidden ---


@pytest.mark.req("ORI-16", "ORI-23", "INV-5")
def test_a_forgotten_entry_is_told_as_forgotten(archive: Archive, port: str) -> None:
    new = correct(archive, port, "The port is 9000.")["entry"]["id"]
    forget(archive, port)
    for given in (port, new):
        for ask in (get, history):
            with pytest.raises(Forgotten, match=f"^{given} has been forgotten\\.$"):
                ask(archive, given)


@pytest.mark.req("INV-5")
def test_a_destroyed_entry_is_told_as_forgotten(archive: Archive, port: str) -> None:
    append(archive, Destroy((EntryId(port),)))
    with pytest.raises(Forgotten):
        get(archive, port)


@pytest.mark.req("ORI-58", "INV-5")
def test_a_cited_event_that_is_hidden_through_another_entry_is_left_out(archive: Archive, port: str) -> None:
    other = entry(archive, "Somebody asked again.", sources=quoted(_event(archive, "And now?")))
    append(archive, Forget((EntryId(other),), cited=True))
    assert [each["quote"] for each in get(archive, port)["sources"]] == ["port 8737"]


@pytest.mark.req("HMG-13")
@pytest.mark.parametrize(("verdict", "state"), [(Verdict.QUARANTINE, "quarantined"), (Verdict.SEAL, "sealed")])
def test_what_is_held_back_is_forgotten_but_for_its_history(
    archive: Archive, port: str, verdict: Verdict, state: str
) -> None:
    judge(archive, port, verdict)
    with pytest.raises(Forgotten):
        get(archive, port)
    assert search(archive, "port", target="entries")["entries"] == []
    (version,) = history(archive, port)["versions"]
    assert (version["text"], version["state"]) == (f"[governed payload hidden: {state}]", state)


@pytest.mark.req("HMG-12", "HMG-17")
def test_what_was_negated_is_shown_as_ended(archive: Archive, port: str) -> None:
    judge(archive, port, Verdict.NEGATE)
    said = get(archive, port)["entry"]
    assert (said["text"], said["state"], said["status"]) == ("The port is 8737.", "negated", "active")
    assert said["valid_to"] == said["created"]
    assert search(archive, "port", target="entries")["entries"] == []


def test_a_version_whose_words_are_destroyed_stays_in_the_history(archive: Archive, port: str) -> None:
    correct(archive, port, "The port is 9000.")
    operation = archive.ask(lambda kernel: kernel.memory.any_entry(port).version.operation)
    append(archive, Destroy(operations=(operation,)))
    texts = [(each["text"], each["state"], each["status"]) for each in history(archive, port)["versions"]]
    assert texts == [("[destroyed]", "destroyed", "superseded"), ("The port is 9000.", "current", "active")]


def test_a_version_that_was_destroyed_alone_leads_to_the_current_one(archive: Archive, port: str) -> None:
    new = correct(archive, port, "The port is 9000.")["entry"]["id"]
    operation = archive.ask(lambda kernel: kernel.memory.any_entry(port).version.operation)
    append(archive, Destroy(operations=(operation,)))
    found = get(archive, port)
    assert "8737" not in str(found)
    assert (found["entry"]["text"], found["entry"]["superseded_by"]) == ("[destroyed]", new)
    with pytest.raises(NotCurrent, match=new):
        correct(archive, port, "The port is 9001.")
    judge(archive, new, Verdict.QUARANTINE)
    with pytest.raises(Forgotten):
        get(archive, port)
    with pytest.raises(Forgotten):
        correct(archive, port, "The port is 9001.")


def test_an_event_whose_log_is_on_another_device_is_named_by_its_id(archive: Archive, port: str) -> None:
    root = EntryId(port)
    append(archive, citing(root, root, [Citation(EventId("codex:elsewhere"), "words")]))
    last: dict[str, Any] = get(archive, port)["sources"][-1]
    assert last == {
        **dict.fromkeys(("time", "project", "session", "role", "kind", "text")),
        "id": "codex:elsewhere",
        "source": "codex",
        "quote": "words",
    }


@pytest.mark.req("ORI-16")
@pytest.mark.parametrize("given", ["ent_0123456789ab", "nothing", "", "claude-code:none", "0" * 32, "tmb_" + "0" * 32])
def test_an_unknown_id_is_told(archive: Archive, given: str) -> None:
    for ask in (get, history):
        with pytest.raises(UnknownId) as caught:
            ask(archive, given)
        assert str(caught.value) == f"Unknown entry or event {given}."
