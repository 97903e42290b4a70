"""An entry that cites nothing is linked to the call that wrote it, once the agent's log shows that call."""

from __future__ import annotations

import json
import uuid
from collections.abc import Sequence
from typing import Any

import pytest

from quoth.core.ids import EntryId, EventId
from quoth.core.ledger.operations import Cite, Draft, Forget
from quoth.core.speaker import Speaker
from quoth.wiring import Kernel, Unseen
from services.archive import Archive

CLAUDE = Speaker("claude-code")
TEXT = 'The shop listens on "8737";\n  端口固定。 Порт не меняем. 🙂'
SECRET = "ghp_0123456789abcdefghijABCDEFGHIJ012345"
THREAD = "019cdc2d-99f0-7790-9870-954b1321bc2b"
HOUR, DAY = 3_600_000, 86_400_000


class Clock:
    def __init__(self, at: int) -> None:
        self.at = at

    def now(self) -> int:
        return self.at


def number(n: int) -> str:
    """Return the id of what the n-th record says."""
    return f"claude-code:{uuid.UUID(int=0x5EED_0000_0000_4000_8000_0000_0000_0000 + n)}"


def instant(archive: Archive, n: int) -> int:
    """Return when the n-th record was written."""
    return int(archive.ask(lambda kernel: kernel.index.event(EventId(number(n)))).time)


@pytest.fixture
def archive(archive: Archive) -> Archive:
    archive.log().write_bytes(b"".join(archive.records(["Which port?", "8737."])))
    archive.sync()
    return archive


def at(archive: Archive, moment: int, use: Any) -> Any:
    """Answer a question at an instant."""

    def ask(kernel: Kernel) -> Any:
        kernel.__dict__["clock"] = Clock(moment)
        return use(kernel)

    return archive.ask(ask)


def remember(archive: Archive, text: str = TEXT, *, by: Speaker = CLAUDE, after: int = 0) -> str:
    """Remember a statement so long after the first record, and return its id."""
    moment = instant(archive, 1) + after
    done = at(archive, moment, lambda kernel: kernel.remember.run(text, by=by, uncited="the door has no sources"))
    return str(done["entry"]["id"])


def call(archive: Archive, given: object, *, n: int = 20, tool: str = "mcp__engram__remember") -> bytes:
    record = json.loads(archive.record("", n=n, role="assistant"))
    record["message"]["content"] = [{"type": "tool_use", "id": f"toolu_{n}", "name": tool, "input": given}]
    return json.dumps(record, ensure_ascii=n % 2 == 0).encode() + b"\n"


def log(archive: Archive, *lines: bytes, after: int = HOUR) -> None:
    """Add lines to the log, and read it so long after the first record."""
    with archive.log().open("ab") as file:
        file.writelines(lines)
    moment = instant(archive, 1) + after

    def read(kernel: Kernel) -> None:
        kernel.__dict__["clock"] = Clock(moment)
        kernel.ingest.run(Unseen())

    archive.ask(read)


def cited(archive: Archive, entry: str) -> Sequence[str]:
    row = archive.ask(lambda kernel: kernel.memory.entry(entry))
    return [citation.event for citation in row.cites]


def citings(archive: Archive) -> int:
    """Return how often something was cited later."""
    numbered = archive.ask(lambda kernel: kernel.ledger.since(0))
    return sum(isinstance(each.operation.body, Cite) for each in numbered)


@pytest.mark.req("INV-3", "ORI-48")
@pytest.mark.parametrize(
    ("given", "n"),
    [
        ({"text": TEXT}, 20),
        ({"text": TEXT}, 21),
        ({"items": [{"note": "another"}, {"content": f"  {TEXT}\n"}]}, 20),
        ({"arguments": json.dumps({"text": TEXT})}, 21),
        ({"arguments": json.dumps({"text": TEXT}, ensure_ascii=False)}, 20),
        ({"text": TEXT.replace("\n  ", " ")}, 20),
    ],
    ids=["escaped", "plain", "nested", "twice", "once", "white space"],
)
def test_an_entry_is_linked_to_the_call_that_wrote_it(archive: Archive, given: object, n: int) -> None:
    entry = remember(archive)
    assert cited(archive, entry) == []
    log(archive, call(archive, given, n=n))
    assert cited(archive, entry) == [number(n)]
    (source,) = archive.ask(lambda kernel: kernel.sources.run(entry))
    assert (source["event_id"], source["line"], source["quote"]) == (number(n), 3, None)


@pytest.mark.req("INV-3")
def test_it_is_linked_once_however_often_the_log_is_read(archive: Archive) -> None:
    entry = remember(archive)
    log(archive, call(archive, {"text": TEXT}), call(archive, {"text": TEXT}, n=22))
    for after in (2 * HOUR, 3 * HOUR):
        log(archive, call(archive, {"text": TEXT}, n=24 + after // HOUR), after=after)
    archive.rebuild()
    log(archive, after=4 * HOUR)
    assert citings(archive) == 1
    assert cited(archive, entry) == [number(20)]


def test_one_process_links_a_call_that_another_pass_brings(archive: Archive) -> None:
    entry = remember(archive)

    def passes(kernel: Kernel) -> None:
        kernel.__dict__["clock"] = Clock(instant(archive, 1) + HOUR)
        for n in (20, 22):
            with archive.log().open("ab") as file:
                file.write(call(archive, {"text": "something else" if n == 20 else TEXT}, n=n))
            kernel.ingest.run(Unseen())

    archive.ask(passes)
    assert cited(archive, entry) == [number(22)]


@pytest.mark.req("INV-3")
def test_a_call_that_was_read_before_its_entry_was_written_is_linked_by_the_next_pass(archive: Archive) -> None:
    log(archive, call(archive, {"text": TEXT}), after=0)
    entry = remember(archive, after=23_000)
    log(archive)
    assert cited(archive, entry) == [number(20)]


def test_an_old_entry_that_comes_late_is_not_looked_for(archive: Archive) -> None:
    log(archive, call(archive, {"text": TEXT}), after=0)
    entry = remember(archive, after=23_000)
    log(archive, after=8 * DAY)
    assert cited(archive, entry) == []


def test_of_two_calls_the_nearest_is_cited(archive: Archive) -> None:
    entry = remember(archive, after=23_000)  # the 24th record
    log(archive, call(archive, {"query": TEXT}, n=20), call(archive, {"text": TEXT}, n=24))
    assert cited(archive, entry) == [number(24)]


@pytest.mark.req("HMG-6")
def test_an_entry_that_was_redacted_is_linked_too(archive: Archive) -> None:
    entry = remember(archive, f"The token is {SECRET} for now.")
    log(archive, call(archive, {"text": f"The token is {SECRET} for now."}))
    assert cited(archive, entry) == [number(20)]


def test_a_call_whose_text_leaves_out_what_is_long_is_found_by_its_line(archive: Archive) -> None:
    text = f"The digest is {'QWxh' * 1_500} of the shop."
    entry = remember(archive, text, by=Speaker("codex"))
    told = {"name": "hmg__store", "arguments": json.dumps({"content": text}), "call_id": "call_1"}
    records = [
        {"type": "session_meta", "payload": {"id": THREAD, "cwd": "/srv/shop"}},
        {"type": "response_item", "payload": {"type": "function_call", **told}},
    ]
    stamped = [json.dumps({"timestamp": "2026-10-19T08:00:02.000Z", **record}).encode() for record in records]
    archive.rollout(THREAD).write_bytes(b"\n".join(stamped) + b"\n")
    log(archive)
    (event,) = cited(archive, entry)
    assert "QWxhQWxh" not in archive.ask(lambda kernel: kernel.get.run(event)["text"])
    assert archive.ask(lambda kernel: kernel.sources.run(entry))[0]["line"] == 2


@pytest.mark.parametrize(
    ("said", "by", "tool", "after"),
    [
        ("Another statement.", CLAUDE, "mcp__engram__remember", 0),
        (TEXT, Speaker("codex"), "mcp__engram__remember", 0),
        (TEXT, Speaker(), "mcp__engram__remember", 0),
        (TEXT, CLAUDE, "Write", 0),
        (TEXT, CLAUDE, "mcp__engram__remember", 3 * HOUR),
        (TEXT, CLAUDE, "mcp__engram__remember", -2 * DAY),
    ],
    ids=["other words", "another agent", "the person", "another tool", "before it", "long after"],
)
def test_what_another_call_says_is_not_cited(archive: Archive, said: str, by: Speaker, tool: str, after: int) -> None:
    entry = remember(archive, said, by=by, after=after)
    log(archive, call(archive, {"text": TEXT}, tool=tool), after=4 * HOUR)
    assert cited(archive, entry) == []


def test_an_agent_whose_logs_nobody_reads_may_write_through_another(archive: Archive) -> None:
    entry = remember(archive, by=Speaker("my-client"))
    log(archive, call(archive, {"text": TEXT}))
    assert cited(archive, entry) == [number(20)]


def test_after_a_week_nothing_is_linked_any_more(archive: Archive) -> None:
    entry = remember(archive)
    log(archive, call(archive, {"text": TEXT}), after=8 * DAY)
    assert cited(archive, entry) == []


@pytest.mark.req("ORI-58", "INV-5")
def test_a_forgotten_entry_is_left_alone(archive: Archive) -> None:
    entry = remember(archive)
    body = Forget(entries=(EntryId(entry),))
    archive.ask(lambda kernel: kernel.memory.append([Draft(body, "user@desk", "Not ours.")]))
    log(archive, call(archive, {"text": TEXT}))
    assert citings(archive) == 0
