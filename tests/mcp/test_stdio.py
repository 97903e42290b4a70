"""The transport of two pipes: what runs at once, what is cancelled, what a client leaves behind."""

from __future__ import annotations

import io
import json
import os
import queue
import threading
from collections.abc import Iterator
from typing import Any

import pytest

from quoth.surfaces.mcp.dialect import Answer, Call, Dialect, NotAnswered, Question, Tool, failed, text
from quoth.surfaces.mcp.sealing import Seal
from quoth.surfaces.mcp.server import Server
from quoth.surfaces.mcp.stdio import Output, Stdio, lines

SOON = 20  # seconds; a bound for waits that end at once when all is well
ANYTHING: dict[str, Any] = {"type": "object"}
FORM = Question("elicitation/create", {"message": "Sure?", "requestedSchema": {"type": "object", "properties": {}}})


class Doors:
    """What the tools of these tests wait for."""

    def __init__(self) -> None:
        self.entered = threading.Semaphore(0)
        self.opened = threading.Event()


def wait(call: Call[Doors], arguments: Any) -> Answer:
    call.services.entered.release()
    assert call.services.opened.wait(SOON)
    return Answer([text("done")])


def ask(call: Call[Doors], arguments: Any) -> Answer:
    try:
        reply = call.ask({"sure": FORM})["sure"]
    except NotAnswered as error:
        return failed(f"nothing was saved: {error}")
    return Answer([text(str(reply["action"]))])


DIALECT = Dialect(
    "test", "Test.", [Tool(name, name, ANYTHING, run) for name, run in {"wait": wait, "ask": ask}.items()]
)


class Pair:
    """A client and the transport in one process, joined by pipes."""

    def __init__(self) -> None:
        self.doors = Doors()
        seal = Seal(now=lambda: 0.0, random=os.urandom)
        server = Server(DIALECT, self.doors, version="1", seal=seal, report=lambda error: None)
        given, self.stdin = os.pipe()
        self.stdout, taken = os.pipe()
        self.stdio = Stdio(server, Output(taken))
        self.ends = [given, self.stdout, taken]
        self.heard: queue.Queue[Any] = queue.Queue()
        self.serving = threading.Thread(target=self._serve, args=(given,), daemon=True)
        self.serving.start()
        threading.Thread(target=self._hear, daemon=True).start()

    def send(self, method: str, params: Any = None, number: Any = None) -> None:
        said = {"jsonrpc": "2.0", "method": method, "params": params or {}}
        self.write(said if number is None else {**said, "id": number})

    def write(self, value: Any) -> None:
        os.write(self.stdin, json.dumps(value).encode() + b"\n")

    def call(self, tool: str, number: Any) -> None:
        self.send("tools/call", {"name": tool}, number)

    def hear(self) -> Any:
        return self.heard.get(timeout=SOON)

    def greet(self, version: str = "2025-11-25", **capabilities: Any) -> None:
        self.send("initialize", {"protocolVersion": version, "capabilities": capabilities}, 0)
        assert self.hear()["id"] == 0

    def close(self) -> None:
        os.close(self.stdin)
        self.serving.join(SOON)

    def _serve(self, given: int) -> None:
        with open(given, "rb", closefd=False) as stream:
            self.stdio.serve(stream)

    def _hear(self) -> None:
        with open(self.stdout, "rb", closefd=False) as stream:
            for line in stream:
                self.heard.put(json.loads(line))


@pytest.fixture
def pair() -> Iterator[Pair]:
    pair = Pair()
    yield pair
    pair.doors.opened.set()
    if pair.serving.is_alive():
        pair.close()
    pair.stdio.drain(SOON)
    os.close(pair.ends[2])


@pytest.mark.req("ENG-5", "ORI-63")
def test_a_slow_call_keeps_nobody_waiting(pair: Pair) -> None:
    pair.call("wait", 1)
    pair.call("wait", 2)
    for _ in range(2):
        assert pair.doors.entered.acquire(timeout=SOON)
    pair.send("ping", number=3)
    assert pair.hear()["id"] == 3
    pair.doors.opened.set()
    assert {pair.hear()["id"], pair.hear()["id"]} == {1, 2}


@pytest.mark.req("ENG-5")
def test_an_id_in_use_is_refused_and_free_again_afterwards(pair: Pair) -> None:
    pair.call("wait", "a")
    assert pair.doors.entered.acquire(timeout=SOON)
    pair.call("wait", "a")
    refused = pair.hear()
    assert (refused["id"], refused["error"]["code"]) == ("a", -32600)
    pair.doors.opened.set()
    assert pair.hear()["result"]["content"][0]["text"] == "done"
    pair.call("wait", "a")
    assert pair.hear()["result"]["content"][0]["text"] == "done"


@pytest.mark.req("ENG-5")
def test_a_cancelled_call_is_never_answered(pair: Pair) -> None:
    pair.call("wait", 1)
    assert pair.doors.entered.acquire(timeout=SOON)
    pair.send("notifications/cancelled", {"requestId": 1, "reason": "the person pressed escape"})
    pair.send("ping", number=2)
    assert pair.hear()["id"] == 2
    pair.doors.opened.set()
    assert pair.stdio.drain(SOON)
    pair.send("ping", number=3)
    assert pair.hear()["id"] == 3


@pytest.mark.req("ENG-5")
def test_a_thousand_calls_at_once_are_all_answered(pair: Pair) -> None:
    pair.doors.opened.set()
    for number in range(1000):
        pair.call("wait", number)
    assert {pair.hear()["id"] for _ in range(1000)} == {*range(1000)}


@pytest.mark.req("ENG-2")
def test_a_legacy_client_is_asked_in_the_middle_of_a_call(pair: Pair) -> None:
    pair.greet(elicitation={})
    pair.call("ask", 1)
    question = pair.hear()
    assert (question["method"], question["params"]) == (FORM.method, FORM.params)
    pair.send("ping", number=2)
    assert pair.hear()["id"] == 2
    pair.write({"jsonrpc": "2.0", "id": question["id"], "result": {"action": "accept"}})
    assert pair.hear()["result"]["content"][0]["text"] == "accept"


def test_a_question_that_the_client_refuses_is_not_answered(pair: Pair) -> None:
    pair.greet(elicitation={})
    pair.call("ask", 1)
    pair.write({"jsonrpc": "2.0", "id": pair.hear()["id"], "error": {"code": -32603, "message": "no window"}})
    assert pair.hear()["result"]["isError"]


def test_a_client_that_goes_ends_the_wait_for_its_answer(pair: Pair) -> None:
    pair.greet(elicitation={})
    pair.call("ask", 1)
    assert pair.hear()["method"] == FORM.method
    pair.close()
    assert pair.stdio.drain(SOON)
    assert "nothing was saved" in pair.hear()["result"]["content"][0]["text"]


def test_cancelling_a_call_ends_its_question(pair: Pair) -> None:
    pair.greet(elicitation={})
    pair.call("ask", 1)
    question = pair.hear()
    pair.send("notifications/cancelled", {"requestId": 1})
    pair.send("ping", number=2)
    assert pair.hear()["id"] == 2
    assert pair.stdio.drain(SOON)
    pair.write({"jsonrpc": "2.0", "id": question["id"], "result": {"action": "accept"}})
    pair.send("ping", number=3)
    assert pair.hear()["id"] == 3


@pytest.mark.req("ENG-3")
def test_a_client_that_can_show_no_form_is_told_what_is_missing(pair: Pair) -> None:
    pair.greet()
    pair.call("ask", 1)
    error = pair.hear()["error"]
    assert (error["code"], error["data"]) == (-32021, {"requiredCapabilities": {"elicitation": {}}})


def test_a_client_of_spring_2025_may_send_a_list(pair: Pair) -> None:
    pair.greet("2025-03-26")
    pair.doors.opened.set()
    ping = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
    call = {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "wait"}}
    pair.write([ping, {"jsonrpc": "2.0", "method": "notifications/initialized"}, call, 7])
    replies = pair.hear()
    assert [reply["id"] for reply in replies] == [1, 2, None]
    pair.write([{"jsonrpc": "2.0", "method": "notifications/initialized"}])
    pair.write([])
    assert pair.hear()["error"]["code"] == -32600


def test_what_was_asked_before_the_end_is_still_answered(pair: Pair) -> None:
    pair.call("wait", 1)
    os.write(pair.stdin, b'{"jsonrpc":"2.0","id":2,"method":"ping"}')  # no line feed at the end
    pair.close()
    assert pair.hear()["id"] == 2
    pair.doors.opened.set()
    assert pair.stdio.drain(SOON)
    assert pair.hear()["id"] == 1


@pytest.mark.req("ENG-5")
def test_a_client_that_dies_in_the_middle_of_a_line_gets_a_refusal_and_nothing_happens(pair: Pair) -> None:
    os.write(pair.stdin, b'{"jsonrpc":"2.0","id":1,"method":"tools/ca')
    pair.close()
    assert pair.hear()["error"]["code"] == -32700


def test_a_client_that_stops_listening_is_no_error() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    Output(writing).send({"jsonrpc": "2.0"})
    os.close(writing)


def test_lines_are_cut_at_a_limit_without_losing_the_next_one() -> None:
    stream = io.BytesIO(b"12345\n123456\n1234567890\n\n12345\n123456")
    assert [*lines(stream, longest=5)] == [b"12345\n", None, None, b"\n", b"12345\n", None]


def test_the_last_line_needs_no_end() -> None:
    assert [*lines(io.BytesIO(b"1\n2"), longest=5)] == [b"1\n", b"2"]
