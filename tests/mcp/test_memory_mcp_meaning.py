"""The contract of memory-mcp where a worker runs: what is found and compared by meaning."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from pathlib import Path

import pytest
from memory import Memory

from quoth.embedders.local import Local
from quoth.surfaces.mcp.archive import Archive
from quoth.surfaces.mcp.door import load
from quoth.wiring import Kernel
from worker.keeping import Place, is_gone, until

pytestmark = [
    pytest.mark.skipif(not hasattr(socket, "AF_UNIX"), reason="no sockets that are files: there is no worker"),
    pytest.mark.skipif(not Local().is_installed(), reason="the weights are not installed"),
]

SESSIONS = "User sessions expire after thirty minutes."
UNKNOWN = "The function parse_order returns None for an unknown currency."


@pytest.fixture
def awake(tmp_path: Path) -> Iterator[Kernel]:
    """Return a home that holds two memories with their vectors; its worker ends with the test."""
    place = Place(tmp_path)
    for text in (SESSIONS, UNKNOWN):
        place.remembers(text)
    kernel = Kernel({**place.env, "QUOTH_WORKER": "auto"})
    kernel.worker.wake()
    said = until(lambda: _all(kernel), "that both are embedded")
    yield kernel
    kernel.worker.stop()
    kernel.close()
    place.close()
    until(lambda: is_gone(said), "the end of the worker")


def _all(kernel: Kernel) -> int | None:
    said = kernel.worker.ping() or {}
    return int(str(said["pid"])) if said.get("is_ready") and said.get("embedded") == 2 else None


@pytest.mark.req("MMC-6", "MMC-8", "INV-10")
def test_a_memory_is_found_and_compared_by_what_it_means(awake: Kernel) -> None:
    archive = Archive(lambda: Kernel(awake.env))
    client = Memory(load("memory-mcp"), archive, name="antigravity")
    # A machine that is busy may take longer than a door waits, and then words decide.
    question = "Через сколько минут истекает сессия пользователя?"
    found = until(lambda: client.call("recall", query=question), "an answer by meaning")
    assert found[0]["content"] == SESSIONS
    shorter = "parse_order returns None for an unknown currency."
    done = until(lambda: _duplicate(client, shorter), "a comparison by meaning")
    assert [each["content"] for each in done] == [UNKNOWN]
    archive.close()


def _duplicate(client: Memory[Archive], content: str) -> object:
    return client.call("check_duplicate", content=content)["similar"]
