"""Secrets in logs: our own dialect takes them out and says so; the terminal and Origin's contract show every word."""

from __future__ import annotations

import codecs
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from memory import Memory

from quoth.surfaces.mcp.archive import Archive
from quoth.surfaces.mcp.door import load
from services.archive import CLAUDE_SESSION
from services.archive import Archive as Logs

KEY = codecs.decode("tuc_Nn1Oo2Pp3Qq4Rr5Ss6Tt7Uu8Vv9Ww0Xx1Yy2", "rot13")  # so that no scanner takes it for a leak
ADDRESS = "postgres://bakery:Rye9Loaf2Crumb@db.internal/orders"
TEXTS = [
    f"the oven deploys with {KEY} today",
    f"and orders live in {ADDRESS}",
    "nothing secret about flour",
    "x" * 390 + f" {KEY} is past the end of a short text",
    "pad " * 4_995 + f"{KEY}",
]
SECRETS = (KEY, KEY[:12], "Rye9Loaf2Crumb", "bakery:Rye")


@pytest.fixture
def logs(tmp_path: Path) -> Logs:
    logs = Logs(tmp_path)
    logs.log().write_bytes(b"".join(logs.records(TEXTS)))
    logs.sync()
    return logs


@pytest.fixture
def connect(logs: Logs) -> Iterator[Callable[[str], Memory[Archive]]]:
    archive = Archive(logs.kernel)
    yield lambda dialect: Memory(load(dialect), archive)
    archive.close()


@pytest.fixture
def quoth(connect: Callable[[str], Memory[Archive]]) -> Memory[Archive]:
    return connect("quoth")


def everything(client: Memory[Archive]) -> list[Any]:
    """Return what every reading tool answers about the session and each of its events."""
    found = [client.call("search"), client.call("search", query="oven"), client.call("timeline", since="2000-01-01")]
    session = client.call("timeline", session=CLAUDE_SESSION)
    each = [client.call(tool, id=event["id"]) for event in session["events"] for tool in ("get", "sources")]
    return [*found, session, *each]


@pytest.mark.req("SEC-5", "ENG-34")
def test_no_tool_of_our_dialect_shows_a_secret_or_a_piece_of_one(quoth: Memory[Archive]) -> None:
    said = json.dumps(everything(quoth))
    assert [secret for secret in SECRETS if secret in said] == []
    assert "[REDACTED:github_token]" in said
    assert "postgres://[REDACTED:connection_string]@db.internal/orders" in said


@pytest.mark.req("SEC-5")
def test_an_item_that_lost_a_secret_says_so_and_the_others_do_not(quoth: Memory[Archive]) -> None:
    events = quoth.call("timeline", session=CLAUDE_SESSION)["events"]
    assert [event.get("redacted") for event in events[:3]] == [1, 1, None]
    assert events[2]["text"] == TEXTS[2]
    assert quoth.call("get", id=events[1]["id"])["redacted"] == 1
    [line] = quoth.call("sources", id=events[1]["id"])
    assert line["redacted"] == 1
    [session] = quoth.call("timeline", since="2000-01-01")["sessions"]
    assert (session["redacted"], session["prompt"]) == (1, "the oven deploys with [REDACTED:github_token] today")


@pytest.mark.req("SEC-5")
def test_a_snippet_shows_no_secret_even_to_who_knows_it(quoth: Memory[Archive]) -> None:
    [*found] = quoth.call("search", query=KEY)["events"]
    assert found
    assert KEY[:12] not in json.dumps(found).replace("[", "").replace("]", "")


@pytest.mark.req("SEC-5")
def test_a_long_raw_line_is_cut_after_its_secrets_were_taken_out(quoth: Memory[Archive], logs: Logs) -> None:
    line = logs.record(" ".join([ADDRESS] * 2_500), n=99)
    logs.log().write_bytes(logs.log().read_bytes() + line)
    logs.sync()
    newest = quoth.call("search", limit=1)["events"][0]
    [place] = quoth.call("sources", id=newest["id"])
    assert len(place["raw"]) < 4_100
    assert "Rye9" not in place["raw"]
    assert place["redacted"] > 10


@pytest.mark.req("ORI-46")
def test_origin_and_the_terminal_show_what_was_said_word_for_word(
    connect: Callable[[str], Memory[Archive]], logs: Logs
) -> None:
    said = json.dumps(everything(connect("origin")))
    events = logs.ask(lambda kernel: kernel.timeline.session(CLAUDE_SESSION, whole=True))["events"]
    assert [event["text"] for event in events] == TEXTS
    for secret in (KEY, ADDRESS):
        assert secret in said
    assert "REDACTED" not in said


@pytest.mark.req("SEC-5")
def test_a_log_that_holds_no_secret_gives_the_same_answers_as_before(quoth: Memory[Archive], logs: Logs) -> None:
    found = logs.ask(lambda kernel: kernel.search.run("flour"))
    assert quoth.call("search", query="flour") == json.loads(json.dumps(found))
