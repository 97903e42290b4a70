"""Laws of the protocol core: whatever comes, there is one well-formed reply; our validator is as strict as others."""

from __future__ import annotations

import json
from typing import Any

import goldens
import pytest
from everything import EVERYTHING
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from memory import Memory
from published import meta

from quoth.surfaces.mcp import messages
from quoth.surfaces.mcp.messages import Notification, Request, Response
from quoth.surfaces.mcp.protocol import Refused
from quoth.surfaces.mcp.schema import WrongArguments, check

_json = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)
_methods = st.sampled_from(
    [
        "initialize",
        "ping",
        "server/discover",
        "tools/list",
        "tools/call",
        "resources/list",
        "resources/read",
        "prompts/list",
        "prompts/get",
        "completion/complete",
        "test_simple_text",
        "nonsense",
    ]
)
_names = ["name", "arguments", "cursor", "uri", "protocolVersion", "capabilities", "clientInfo", "_meta"]
_params = st.dictionaries(
    st.sampled_from([*_names, "inputResponses", "requestState"]),
    _json | st.sampled_from(["test_simple_text", "test_simple_prompt", "test://static-text", {}]),
)
_slow = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])


@_slow
@given(st.binary() | _json.map(lambda value: json.dumps(value).encode()))
def test_whatever_arrives_is_a_message_or_refused(data: bytes) -> None:
    assert taken(data) in {Request, Notification, Response, -32700, -32600, -32602}


def taken(data: bytes) -> type | int:
    """Return what kind of message some bytes are, or the code they are refused with."""
    try:
        return type(messages.message(messages.decode(data)))
    except Refused as refused:
        return refused.code


@_slow
@given(_methods, _params, st.booleans())
@example("tools/call", {"name": "test_input_required_result_elicitation", "inputResponses": {"user_name": {}}}, True)
def test_every_request_gets_one_reply_and_breaks_nothing(method: str, params: dict[str, Any], modern: bool) -> None:
    client = Memory(EVERYTHING, None)
    value = {**params, "_meta": meta()} if modern else params
    request = messages.message({"jsonrpc": "2.0", "id": "x", "method": method, "params": value})
    assert isinstance(request, Request)
    reply = client.server.answer(request, client.connection)
    assert reply is not None
    assert client.failures == []
    assert json.loads(messages.encode(reply))["id"] == "x"
    assert ("result" in reply) != ("error" in reply)


@pytest.mark.parametrize("name", goldens.NAMES)
def test_the_schema_of_a_tool_is_one(name: str) -> None:
    for tool in goldens.shown(name)["tools"]:
        Draft202012Validator.check_schema(tool["inputSchema"])
        assert tool["inputSchema"]["type"] == "object"


_SCHEMA: Any = {
    "type": "object",
    "properties": {
        "text": {"type": "string", "minLength": 1, "maxLength": 3},
        "count": {"type": "integer", "minimum": 0, "maximum": 9},
        "share": {"type": "number", "minimum": 0, "maximum": 1},
        "flag": {"type": "boolean"},
        "choice": {"enum": ["a", "b"]},
        "end": {"type": ["string", "null"]},
        "list": {"type": "array", "items": {"type": "integer"}, "minItems": 1, "maxItems": 2},
        "place": {"type": "object", "properties": {"line": {"type": "integer"}}, "required": ["line"]},
    },
    "required": ["text"],
    "additionalProperties": False,
}
_values = _json | st.sampled_from(["a", 1, 1.0, 0.5, True, [1], [1, 2.0, 3], {"line": 1}, {"line": "x"}])


@_slow
@given(st.dictionaries(st.sampled_from([*_SCHEMA["properties"], "other"]), _values))
@example({"text": "a", "count": True})
@example({"text": "a", "count": 1.0, "list": [2.0]})
def test_our_validator_takes_what_the_reference_takes(arguments: dict[str, Any]) -> None:
    given_ = {name: value for name, value in arguments.items() if not is_absent(name, value)}
    try:
        check(arguments, _SCHEMA)
        is_taken = True
    except WrongArguments:
        is_taken = False
    assert is_taken == Draft202012Validator(_SCHEMA).is_valid(given_)


def is_absent(name: str, value: object) -> bool:
    """Say whether we count an argument as absent that the reference would judge."""
    return name in _SCHEMA["properties"] and (value == "" or (value is None and name != "end"))
