"""Raw lines against the real server: both eras mixed on one connection, hostile input in between."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import published
import pytest
from wire import Wire

from running import Run


def line(method: str, params: Any = None, *, number: Any = 7, **more: Any) -> bytes:
    said = {"jsonrpc": "2.0", "id": number, "method": method, **({} if params is None else {"params": params}), **more}
    return json.dumps(said).encode()


def modern(method: str, version: str = "2026-07-28", **params: Any) -> bytes:
    return line(method, {**params, "_meta": published.meta(version)})


def greeting(version: Any) -> bytes:
    return line("initialize", {"protocolVersion": version, "capabilities": {}, "clientInfo": {"name": "x"}})


PREFIX = "io.modelcontextprotocol/"
PARSE, REQUEST, METHOD, PARAMS, CAPABILITY, VERSION = -32700, -32600, -32601, -32602, -32021, -32022

ANSWERED = {
    "an old client": (greeting("2024-11-05"), {"protocolVersion": "2024-11-05"}),
    "a client of spring 2025": (greeting("2025-03-26"), {"protocolVersion": "2025-03-26"}),
    "a client of summer 2025": (greeting("2025-06-18"), {"protocolVersion": "2025-06-18"}),
    "a client of autumn 2025": (greeting("2025-11-25"), {"protocolVersion": "2025-11-25"}),
    "a client of the future": (greeting("2031-01-01"), {"protocolVersion": "2025-11-25"}),
    "a client that takes initialize to a modern version": (greeting("2026-07-28"), {"protocolVersion": "2025-11-25"}),
    "a client whose version is no text": (greeting(["2025-06-18"]), {"protocolVersion": "2025-11-25"}),
    "a client without a version": (line("initialize"), {"protocolVersion": "2025-11-25"}),
    "ping": (line("ping"), {}),
    "ping with an empty id": (line("ping", number=""), {}),
    "ping with a number of 200 digits": (line("ping", number=10**200), {}),
    "ping after a byte order mark": (b"\xef\xbb\xbf" + line("ping"), {}),
    "ping with a carriage return": (line("ping") + b"\r", {}),
    "ping between blanks": (b"\t  " + line("ping") + b"  ", {}),
    "discover": (modern("server/discover"), {"resultType": "complete", "supportedVersions": ["2026-07-28"]}),
    "legacy list": (line("tools/list"), {}),
    "modern list": (modern("tools/list"), {"resultType": "complete", "cacheScope": "public"}),
    "legacy list with a cursor of nothing": (line("tools/list", {"cursor": ""}), {}),
    "a tool that refuses": (
        line("tools/call", {"name": "get", "arguments": {"id": "codex:none"}}),
        {"isError": True, "content": [{"type": "text", "text": "Unknown entry or event codex:none."}]},
    ),
    "a modern tool that refuses": (modern("tools/call", name="get", arguments={"id": "x"}), {"isError": True}),
    "a tool without arguments": (line("tools/call", {"name": "get"}), {"isError": True}),
    "arguments of null": (line("tools/call", {"name": "get", "arguments": None}), {"isError": True}),
}

REFUSED = {
    "no JSON": (b"{bad json", PARSE, None),
    "words between messages": (b"Starting server...", PARSE, None),
    "a NUL byte": (b"\x00", PARSE, None),
    "NUL bytes in a message": (line("ping").replace(b":", b"\x00"), PARSE, None),
    "invalid UTF-8": (b'{"jsonrpc":"2.0","id":7,"method":"\xff\xfe"}', PARSE, None),
    "UTF-16": (line("ping").decode().encode("utf-16-le").replace(b"\n", b""), PARSE, None),
    "not a number": (b'{"jsonrpc":"2.0","id":7,"method":"ping","params":{"x":NaN}}', PARSE, None),
    "nesting without end": (b"[" * 100_000, PARSE, None),
    "two messages in a line": (line("ping") + line("ping"), PARSE, None),
    "an empty text": (b'""', REQUEST, None),
    "a number": (b"7", REQUEST, None),
    "null": (b"null", REQUEST, None),
    "an empty object": (b"{}", REQUEST, None),
    "a list": (b"[" + line("ping") + b"]", REQUEST, None),
    "an empty list": (b"[]", REQUEST, None),
    "an id of null": (line("ping", number=None), REQUEST, None),
    "an id that is an object": (line("ping", number={}), REQUEST, None),
    "an id that is true": (line("ping", number=True), REQUEST, None),
    "an id with a fraction": (line("ping", number=1.5), REQUEST, None),
    "no version of JSON-RPC": (b'{"id":7,"method":"ping"}', REQUEST, 7),
    "an old version of JSON-RPC": (line("ping", jsonrpc="1.0"), REQUEST, 7),
    "a method that is a number": (b'{"jsonrpc":"2.0","id":7,"method":5}', REQUEST, 7),
    "no method": (b'{"jsonrpc":"2.0","id":7}', REQUEST, 7),
    "params that are a list": (line("ping", [1]), PARAMS, 7),
    "metadata that is a text": (line("tools/list", {"_meta": "x"}), PARAMS, 7),
    "an unknown method": (line("tools/destroy"), METHOD, 7),
    "an empty method": (line(""), METHOD, 7),
    "prompts where there are none": (line("prompts/list"), METHOD, 7),
    "an unknown tool": (line("tools/call", {"name": "nope"}), PARAMS, 7),
    "an unknown tool in the modern era": (modern("tools/call", name="nope"), PARAMS, 7),
    "a tool without a name": (line("tools/call", {}), PARAMS, 7),
    "a tool whose name is a number": (line("tools/call", {"name": 7}), PARAMS, 7),
    "arguments that are a list": (line("tools/call", {"name": "get", "arguments": [1]}), PARAMS, 7),
    "a cursor of nobody": (line("tools/list", {"cursor": "!"}), PARAMS, 7),
    "a cursor beyond the end": (line("tools/list", {"cursor": "YWZ0ZXIgMTAw"}), PARAMS, 7),
    "discover without a version": (line("server/discover"), METHOD, 7),
    "modern ping": (modern("ping"), METHOD, 7),
    "modern initialize": (modern("initialize", protocolVersion="2025-11-25"), METHOD, 7),
    "a tool as a modern method": (modern("search", query="x"), METHOD, 7),
    "a version of the future": (modern("tools/list", "2027-01-01"), VERSION, 7),
    "an old version in the modern way": (modern("tools/list", "2025-11-25"), VERSION, 7),
    "a version that is a number": (line("tools/list", {"_meta": {f"{PREFIX}protocolVersion": 5}}), PARAMS, 7),
    "no capabilities": (line("tools/list", {"_meta": {f"{PREFIX}protocolVersion": "2026-07-28"}}), PARAMS, 7),
    "capabilities alone": (line("tools/list", {"_meta": {f"{PREFIX}clientCapabilities": {}}}), PARAMS, 7),
    "a state that nobody sealed": (modern("tools/call", name="get", requestState="forged"), PARAMS, 7),
    "replies that are texts": (modern("tools/call", name="get", inputResponses={"a": "b"}), PARAMS, 7),
}

SILENT = {
    "initialized": b'{"jsonrpc":"2.0","method":"notifications/initialized"}',
    "an unknown notification": b'{"jsonrpc":"2.0","method":"notifications/nonsense","params":{"x":1}}',
    "a request without an id": b'{"jsonrpc":"2.0","method":"tools/list"}',
    "a cancelled request of nobody": b'{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":99}}',
    "a cancellation without an id": b'{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":{}}}',
    "an answer to nothing": b'{"jsonrpc":"2.0","id":"quoth-1","result":{}}',
    "a failed answer to nothing": b'{"jsonrpc":"2.0","id":12,"error":{"code":-1,"message":"no"}}',
    "an empty line": b"",
    "blanks": b"  \t \r",
}


@pytest.fixture(scope="module")
def wire(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Wire]:
    """One server for the whole table, so that each row also shows that the rows before it did no harm."""
    folder = tmp_path_factory.mktemp("lines")
    (folder / "person").mkdir()
    with Wire.factory(Run(folder / "person", folder / "quoth")) as start:
        wire = start()
        wire.greet()
        yield wire


@pytest.fixture
def heard(wire: Wire) -> Callable[[bytes, int], list[Any]]:
    """Return a callable that sends a line and returns the replies, which are as many as expected and no more."""

    def ask(raw: bytes, expected: int) -> list[Any]:
        wire.write(raw + b"\n")
        replies = [wire.read() for _ in range(expected)]
        assert wire.result("ping") == {}
        return replies

    return ask


@pytest.mark.req("ENG-1", "ENG-2", "ENG-4", "ENG-5", "ORI-12", "ORI-16")
@pytest.mark.parametrize("row", ANSWERED)
def test_the_server_answers(row: str, heard: Callable[[bytes, int], list[Any]]) -> None:
    raw, expected = ANSWERED[row]
    [reply] = heard(raw, 1)
    published.check(json.loads(raw.decode("utf-8-sig")), reply)
    assert {name: reply["result"][name] for name in expected} == expected


@pytest.mark.req("ENG-3", "ENG-5", "ORI-16")
@pytest.mark.parametrize("row", REFUSED)
def test_the_server_refuses_and_goes_on(row: str, heard: Callable[[bytes, int], list[Any]]) -> None:
    raw, code, number = REFUSED[row]
    [reply] = heard(raw, 1)
    assert (reply["error"]["code"], reply["id"]) == (code, number)


@pytest.mark.req("ENG-5")
@pytest.mark.parametrize("row", SILENT)
def test_the_server_says_nothing(row: str, heard: Callable[[bytes, int], list[Any]]) -> None:
    assert heard(SILENT[row], 0) == []


@pytest.mark.req("ENG-3")
def test_a_refused_version_is_told_which_ones_are_spoken(heard: Callable[[bytes, int], list[Any]]) -> None:
    [reply] = heard(modern("tools/list", "2031-01-01"), 1)
    assert reply["error"]["data"] == {"supported": ["2026-07-28"], "requested": "2031-01-01"}


@pytest.mark.req("ENG-5")
def test_a_line_of_fifty_megabytes_is_refused_and_not_kept(
    wire: Wire, heard: Callable[[bytes, int], list[Any]]
) -> None:
    [reply] = heard(b'{"jsonrpc":"2.0","id":7,"method":"' + b"x" * 50_000_000 + b'"}', 1)
    assert reply["error"]["code"] == PARSE
    assert "8388608 bytes" in reply["error"]["message"]
    assert resident(wire) < 60_000


def resident(wire: Wire) -> int:
    """Return the kilobytes that the server holds in memory."""
    rows = Path(f"/proc/{wire.process.pid}/status").read_text().splitlines()
    return next(int(row.split()[1]) for row in rows if row.startswith("VmRSS"))


@pytest.mark.req("ENG-5")
def test_lone_surrogates_come_back_as_replacement_characters(heard: Callable[[bytes, int], list[Any]]) -> None:
    [reply] = heard(
        b'{"jsonrpc":"2.0","id":"\\ud800","method":"tools/call","params":{"name":"get","arguments":{"id":"\\udfff"}}}',
        1,
    )
    assert reply["id"] == "\ufffd"
    assert reply["result"]["content"][0]["text"] == "Unknown entry or event \ufffd."


@pytest.mark.req("ENG-6")
def test_a_tool_called_by_its_name_answers_its_text_alone(heard: Callable[[bytes, int], list[Any]]) -> None:
    [reply] = heard(line("get", {"id": "codex:none"}), 1)
    assert reply["result"] == "Unknown entry or event codex:none."
