"""The protocol core through a client in the same process: both eras, questions, sealed states, pages, failures."""

from __future__ import annotations

import base64
import json
from dataclasses import replace
from typing import Any

import pytest
from everything import EVERYTHING
from memory import Hands, Memory

from quoth.core.errors import UnknownId
from quoth.surfaces.mcp.agents import agent_name
from quoth.surfaces.mcp.dialect import Answer, Dialect, Resources, Tool, json_answer, text
from quoth.surfaces.mcp.protocol import CLIENT

FORMS: dict[str, Any] = {"elicitation": {"form": {}}}
STATEFUL = {"name": "test_input_required_result_request_state", "arguments": {"x": 1}}
ACCEPTED = {"confirm": {"action": "accept", "content": {"ok": True}}}


def everything(clock: Hands | None = None) -> Memory[None]:
    return Memory(EVERYTHING, None, clock=clock)


def dialect(**tools: Any) -> Dialect[None]:
    made = [Tool(name, name, {"type": "object"}, run) for name, run in tools.items()]
    return Dialect("test", "Test.", made)


# --- eras ---


@pytest.mark.req("ENG-2", "ENG-4", "ENG-7")
def test_both_eras_say_the_same_of_the_server() -> None:
    client = everything()
    discovered, greeted = client.result("server/discover"), client.greet()
    assert {key: discovered[key] for key in ("capabilities", "instructions")} == {
        key: greeted[key] for key in ("capabilities", "instructions")
    }
    assert greeted["serverInfo"] == discovered["_meta"]["io.modelcontextprotocol/serverInfo"]
    assert set(greeted["capabilities"]) == {"tools", "prompts", "resources", "completions"}


@pytest.mark.req("ENG-4")
def test_only_modern_results_say_how_complete_they_are_and_how_long_they_hold() -> None:
    client = everything()
    legacy = client.result("resources/list", modern=False)
    modern = client.result("resources/list")
    assert set(legacy) == {"resources"}
    assert set(modern) == {"resources", "resultType", "ttlMs", "cacheScope", "_meta"}
    assert modern["resources"] == legacy["resources"]


@pytest.mark.req("ENG-4")
@pytest.mark.parametrize(
    ("method", "params"),
    [
        ("resources/list", {}),
        ("resources/templates/list", {}),
        ("resources/read", {"uri": "test://static-text"}),
    ],
)
def test_whatever_may_show_memory_is_cached_for_nobody_else(method: str, params: dict[str, Any]) -> None:
    result = everything().result(method, params)
    assert (result["resultType"], result["cacheScope"], result["ttlMs"]) == ("complete", "private", 0)


@pytest.mark.req("ENG-4")
def test_a_call_is_never_cached() -> None:
    result = everything().result("tools/call", {"name": "test_simple_text"})
    assert "ttlMs" not in result
    assert "cacheScope" not in result


@pytest.mark.req("ENG-3")
@pytest.mark.parametrize("method", ["ping", "initialize", "test_simple_text", "logging/setLevel", "roots/list"])
def test_the_modern_era_has_no_such_method(method: str) -> None:
    assert everything().error(method)["code"] == -32601


@pytest.mark.req("ENG-2")
def test_a_greeting_is_nothing_to_a_modern_request() -> None:
    client = everything()
    client.greet(sampling={})
    error = client.error("tools/call", {"name": "test_missing_capability"})
    assert (error["code"], error["data"]) == (-32021, {"requiredCapabilities": {"sampling": {}}})


# --- asking back ---


@pytest.mark.req("ENG-2", "ENG-4")
def test_a_modern_call_that_needs_an_answer_ends_and_begins_again_with_it() -> None:
    client = everything()
    first = client.result("tools/call", STATEFUL, **FORMS)
    assert first["resultType"] == "input_required"
    assert first["inputRequests"]["confirm"]["method"] == "elicitation/create"
    assert "ttlMs" not in first
    brought = {**STATEFUL, "inputResponses": ACCEPTED, "requestState": first["requestState"]}
    assert client.result("tools/call", brought, **FORMS)["content"][0]["text"].startswith("state-ok")


def test_a_missing_answer_is_asked_for_again() -> None:
    client = everything()
    state = client.result("tools/call", STATEFUL, **FORMS)["requestState"]
    again = client.result("tools/call", {**STATEFUL, "inputResponses": {"other": {}}, "requestState": state}, **FORMS)
    assert again["resultType"] == "input_required"


def test_answers_without_the_sealed_state_prove_nothing() -> None:
    answer = everything().result("tools/call", {**STATEFUL, "inputResponses": ACCEPTED}, **FORMS)
    assert answer["content"][0]["text"] == "state lost"


def test_a_sealed_state_opens_once() -> None:
    client = everything()
    brought = {
        **STATEFUL,
        "inputResponses": ACCEPTED,
        "requestState": client.result("tools/call", STATEFUL, **FORMS)["requestState"],
    }
    client.result("tools/call", brought, **FORMS)
    assert client.error("tools/call", brought, **FORMS)["code"] == -32602


def test_a_sealed_state_gets_old() -> None:
    clock = Hands()
    client = everything(clock)
    early, late = (client.result("tools/call", STATEFUL, **FORMS)["requestState"] for _ in range(2))
    clock.time += 600
    client.result("tools/call", {**STATEFUL, "inputResponses": ACCEPTED, "requestState": early}, **FORMS)
    clock.time += 1
    error = client.error("tools/call", {**STATEFUL, "inputResponses": ACCEPTED, "requestState": late}, **FORMS)
    assert error["message"] == "Invalid or expired requestState"


def forgeries(state: str) -> dict[str, Any]:
    data = base64.urlsafe_b64decode(state)
    body = json.loads(data[32:])
    later = json.dumps({**body, "until": body["until"] + 1e6}, sort_keys=True).encode()
    return {
        "nothing": "",
        "garbage": "!!!",
        "no text": 7,
        "cut short": state[:-8],
        "a changed byte": base64.urlsafe_b64encode(data[:-1] + bytes([data[-1] ^ 1])).decode(),
        "a later end": base64.urlsafe_b64encode(data[:32] + later).decode(),
        "an empty seal": base64.urlsafe_b64encode(bytes(32) + data[32:]).decode(),
        "not ASCII": "é" + state,
    }


@pytest.mark.parametrize("how", forgeries(base64.urlsafe_b64encode(bytes(32) + b'{"until":0.0}').decode()))
def test_a_forged_state_is_refused(how: str) -> None:
    client = everything()
    forged = forgeries(client.result("tools/call", STATEFUL, **FORMS)["requestState"])[how]
    error = client.error("tools/call", {**STATEFUL, "inputResponses": ACCEPTED, "requestState": forged}, **FORMS)
    assert error["code"] == -32602


@pytest.mark.parametrize(
    "elsewhere",
    [
        {"name": STATEFUL["name"], "arguments": {"x": 2}},
        {"name": "test_input_required_result_tampered_state", "arguments": {"x": 1}},
    ],
)
def test_a_state_belongs_to_one_tool_and_its_arguments(elsewhere: dict[str, Any]) -> None:
    client = everything()
    state = client.result("tools/call", STATEFUL, **FORMS)["requestState"]
    brought = {**elsewhere, "inputResponses": ACCEPTED, "requestState": state}
    assert client.error("tools/call", brought, **FORMS)["code"] == -32602


def test_a_state_belongs_to_who_asked() -> None:
    client = everything()
    state = client.result("tools/call", STATEFUL, **FORMS)["requestState"]
    client.connection.principal = "somebody else"
    brought = {**STATEFUL, "inputResponses": ACCEPTED, "requestState": state}
    assert client.error("tools/call", brought, **FORMS)["code"] == -32602


def test_the_same_tool_asks_a_legacy_client_through_its_connection() -> None:
    client = everything()
    client.greet(**FORMS)
    client.says = lambda _: {"result": {"action": "accept", "content": {"name": "Ada"}}}
    answer = client.used("test_input_required_result_elicitation", modern=False)
    assert answer["content"][0]["text"] == "Hello, Ada!"
    assert [said["method"] for said in client.sent] == ["elicitation/create"]


# --- lists ---


def many(count: int) -> Dialect[None]:
    return dialect(**{f"tool_{number:03}": lambda call, arguments: Answer([text("x")]) for number in range(count)})


def test_long_lists_come_in_pages() -> None:
    client, names, cursor = Memory(many(250), None), [], None
    for size in (100, 100, 50):
        page = client.result("tools/list", {"cursor": cursor} if cursor else {})
        assert len(page["tools"]) == size
        names += [tool["name"] for tool in page["tools"]]
        cursor = page.get("nextCursor")
    assert cursor is None
    assert names == [f"tool_{number:03}" for number in range(250)]


def test_a_full_page_that_is_the_last_has_no_next() -> None:
    assert "nextCursor" not in Memory(many(100), None).result("tools/list")


def test_lists_that_a_dialect_does_not_have_are_no_methods() -> None:
    client = Memory(many(1), None)
    assert client.result("server/discover")["capabilities"] == {"tools": {}}
    for method in ("prompts/list", "prompts/get", "resources/list", "resources/read", "completion/complete"):
        assert client.error(method)["code"] == -32601


def test_a_resource_that_is_not_there_is_named() -> None:
    error = everything().error("resources/read", {"uri": "test://gone"})
    assert (error["code"], error["data"]) == (-32602, {"uri": "test://gone"})


@pytest.mark.parametrize(
    ("method", "params"),
    [
        ("resources/read", {}),
        ("prompts/get", {"name": "nope"}),
        ("prompts/get", {"name": "test_prompt_with_arguments", "arguments": {"arg1": "x"}}),
        ("prompts/get", {"name": 5}),
    ],
)
def test_wrong_parameters_are_errors_of_the_protocol(method: str, params: dict[str, Any]) -> None:
    for modern in (True, False):
        assert everything().error(method, params, modern=modern)["code"] == -32602


# --- tools ---


def refuse(call: Any, arguments: Any) -> Answer:
    raise UnknownId("ent_1")


def break_down(call: Any, arguments: Any) -> Answer:
    raise RuntimeError("a secret of the person")


@pytest.mark.req("ORI-16")
def test_what_a_service_refuses_is_a_tool_error_in_both_eras() -> None:
    client = Memory(dialect(refuse=refuse), None)
    assert client.refusal("refuse") == client.refusal("refuse", modern=False) == "Unknown entry or event ent_1."


@pytest.mark.req("ORI-16")
def test_what_breaks_is_a_tool_error_that_tells_no_secret() -> None:
    client = Memory(dialect(break_down=break_down), None)
    assert client.refusal("break_down") == "Something unexpected happened (RuntimeError). `quoth doctor` may say more."
    assert [type(error) for error in client.failures] == [RuntimeError]


def test_a_resource_that_breaks_is_an_error_of_the_server() -> None:
    broken = replace(dialect(), resources=Resources(lambda call: [], lambda call, uri: 1 / 0))  # type: ignore[arg-type, return-value]
    client = Memory(broken, None)
    error = client.error("resources/read", {"uri": "x"})
    assert error == {"code": -32603, "message": "Internal error"}


@pytest.mark.req("ENG-8")
def test_metadata_and_annotations_of_a_tool_are_listed() -> None:
    tool = Tool("x", "X.", {"type": "object"}, refuse, {"readOnlyHint": True}, {"anthropic/alwaysLoad": True})
    [listed] = Memory(Dialect("test", "Test.", [tool]), None).result("tools/list")["tools"]
    assert listed["annotations"] == {"readOnlyHint": True}
    assert listed["_meta"] == {"anthropic/alwaysLoad": True}


def test_structured_content_is_listed_beside_the_text() -> None:
    client = Memory(dialect(both=lambda call, arguments: Answer([text("x")], {"text": "x"})), None)
    assert client.used("both")["structuredContent"] == {"text": "x"}


# --- who asks ---


def whoami(call: Any, arguments: Any) -> Answer:
    return json_answer(call.client.agent)


@pytest.mark.req("ORI-73")
def test_the_agent_is_the_client_of_the_request_else_of_the_greeting() -> None:
    client = Memory(dialect(whoami=whoami), None)
    assert client.call("whoami", modern=False) is None
    client.greet("codex-mcp-client")
    assert client.call("whoami", modern=False) == "codex"
    assert client.call("whoami") == "test"
    named = {"name": "whoami", "_meta": {CLIENT: {"name": "claude-code"}}}
    answer = client.result("tools/call", named, modern=False)
    assert answer["content"][0]["text"] == '"claude-code"'


@pytest.mark.req("ORI-73")
@pytest.mark.parametrize(
    ("client", "agent"),
    [
        ("claude-code", "claude-code"),
        ("codex-mcp-client", "codex"),
        ("My Agent!", "my-agent"),
        ("a@b\n/../c", "a-b-c"),
        ("агент", None),
        ("", None),
        ("x" * 100, "x" * 40),
    ],
)
def test_a_client_is_mapped_to_its_agent_or_made_harmless(client: str, agent: str | None) -> None:
    assert agent_name(client) == agent
