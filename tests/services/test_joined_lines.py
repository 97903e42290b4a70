"""Events that several lines make: a message that comes in chunks is anchored to all of its lines."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path

import orjson
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from quoth.core.model import Filter
from quoth.core.names import mirror_name
from quoth.wiring import Kernel
from services.archive import Archive

SESSION = "01a158f7-d780-7739-9bd0-29629243732e"
KINDS = ("user_message_chunk", "agent_message_chunk", "plan", "usage_update", "available_commands_update")


def line(number: int, kind: str) -> bytes:
    body = {"sessionUpdate": kind, "content": {"type": "text", "text": f"words {number} "}}
    meta = {"promptId": "p-1", "agentTimestampMs": 1_792_494_000_000 + number}
    params = {"sessionId": SESSION, "update": body, "_meta": meta}
    return orjson.dumps({"timestamp": 1_792_494_000, "method": "session/update", "params": params}) + b"\n"


def differing(kernel: Kernel) -> Iterator[str]:
    """Yield the events whose anchor does not have the hash of the lines it names."""
    for session in kernel.index.sessions(Filter(), limit=9, offset=0):
        events = kernel.index.session_events(session.source, session.session, everything=True, limit=500, offset=0)
        for anchor in (anchor for event in events for anchor in kernel.index.anchors(event.id)):
            stream = anchor.stream
            name = mirror_name(stream.source, stream.root, stream.key, stream.generation)
            if hashlib.sha256(kernel.mirror.line(name, anchor.first_line, anchor.line)).digest() != anchor.sha256:
                yield f"{anchor.event} lines {anchor.first_line} to {anchor.line}"


@pytest.mark.req("INV-3")
@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    kinds=st.lists(st.sampled_from([*KINDS, *KINDS[:2] * 4]), min_size=1, max_size=150),
    passes=st.lists(st.integers(0, 150), max_size=3),
)
def test_an_anchor_has_the_hash_of_all_lines_of_a_message_however_they_arrive(
    kinds: list[str], passes: list[int], tmp_path_factory: pytest.TempPathFactory
) -> None:
    archive = Archive(tmp_path_factory.mktemp("chunks"))
    archive.env["GROK_HOME"] = str(archive.folder / "grok")
    log = archive.folder / "grok" / "sessions" / "%2Fsrv" / SESSION / "updates.jsonl"
    log.parent.mkdir(parents=True)
    written = 0
    for stop in [*sorted(passes), len(kinds)]:
        with log.open("ab") as file:
            file.writelines(line(number, kinds[number]) for number in range(written, min(stop, len(kinds))))
        written = max(written, min(stop, len(kinds)))
        archive.sync()
    assert archive.ask(lambda kernel: list(differing(kernel))) == []


@pytest.mark.req("INV-3")
def test_a_message_that_goes_on_long_after_its_beginning_is_anchored_to_all_between(tmp_path: Path) -> None:
    archive = Archive(tmp_path)
    archive.env["GROK_HOME"] = str(tmp_path / "grok")
    log = tmp_path / "grok" / "sessions" / "%2Fsrv" / SESSION / "updates.jsonl"
    log.parent.mkdir(parents=True)
    between = ["usage_update"] * 200
    kinds = ["agent_message_chunk", "agent_message_chunk", *between, "agent_message_chunk", "agent_message_chunk"]
    log.write_bytes(b"".join(line(number, kind) for number, kind in enumerate(kinds)))
    archive.sync()
    assert archive.ask(lambda kernel: list(differing(kernel))) == []
    (said,) = [event for event in archive.events() if event["kind"] == "message"]
    assert said["text"] == "words 0 words 1 words 202 words 203 "
