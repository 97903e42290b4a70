"""A dialect that uses all the protocol core can do: what the official conformance suite asks for by name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from quoth.surfaces.mcp.dialect import Answer, Call, Dialect, Prompt, Question, Resources, Tool, failed, text

IMAGE = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg=="
SOUND = "UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA="
PICTURE = {"type": "image", "data": IMAGE, "mimeType": "image/png"}
ANYTHING: dict[str, Any] = {"type": "object", "additionalProperties": True}

Made = Call[None]


def form(message: str, **properties: str) -> Question:
    shape = {name: {"type": kind} for name, kind in properties.items()}
    schema = {"type": "object", "properties": shape, "required": [*shape]}
    return Question("elicitation/create", {"mode": "form", "message": message, "requestedSchema": schema})


def sample(prompt: str) -> Question:
    return Question(
        "sampling/createMessage", {"messages": [{"role": "user", "content": text(prompt)}], "maxTokens": 100}
    )


ROOTS = Question("roots/list")


def embedded(uri: str, kind: str, words: str) -> dict[str, Any]:
    return {"type": "resource", "resource": {"uri": uri, "mimeType": kind, "text": words}}


def content(reply: Mapping[str, Any]) -> Mapping[str, Any]:
    return reply.get("content") or {}


def says(*items: Any) -> Any:
    return lambda call, arguments: Answer(items)


# --- tools that ask back ---


def ask_name(call: Made, _: Any) -> Answer:
    reply = call.ask({"user_name": form("What is your name?", name="string")})["user_name"]
    return Answer([text(f"Hello, {content(reply).get('name', 'stranger')}!")])


def ask_sample(call: Made, _: Any) -> Answer:
    reply = call.ask({"capital_question": sample("What is the capital of France?")})["capital_question"]
    return Answer([text(f"The model said {reply.get('content')}")])


def ask_roots(call: Made, _: Any) -> Answer:
    roots = call.ask({"client_roots": ROOTS})["client_roots"].get("roots", [])
    return Answer([text(f"{len(roots)} roots")])


def ask_with_state(call: Made, _: Any) -> Answer:
    call.ask({"confirm": form("Please confirm", ok="boolean")}, keep="nonce")
    return Answer([text("state-ok: confirmation received" if call.kept == "nonce" else "state lost")])


def ask_three(call: Made, _: Any) -> Answer:
    name = form("What is your name?", name="string")
    call.ask({"user_name": name, "greeting": sample("Generate a greeting"), "client_roots": ROOTS}, keep="three")
    return Answer([text("All inputs received.")])


def ask_twice(call: Made, _: Any) -> Answer:
    kept = call.kept if isinstance(call.kept, dict) else {}
    if "name" not in kept:
        name = call.ask({"step1": form("Step 1: what is your name?", name="string")}, keep={"round": 1})["step1"]
        kept = {"round": 2, "name": content(name).get("name")}
    color = call.ask({"step2": form("Step 2: which colour?", color="string")}, keep=kept)["step2"]
    return Answer([text(f"{kept['name']} likes {content(color).get('color')}.")])


def ask_what_can_be_asked(call: Made, _: Any) -> Answer:
    possible = {"sample": sample("hi"), "ask": form("What is your name?", name="string"), "roots": ROOTS}
    call.ask({name: question for name, question in possible.items() if call.can_ask(question)}, keep="gated")
    return Answer([text("asked")])


# --- prompts and resources ---


def user(*items: Any) -> Any:
    return lambda call, arguments: [{"role": "user", "content": item} for item in items]


def embedding(_: Made, arguments: Mapping[str, Any]) -> list[Any]:
    item = embedded(arguments["resourceUri"], "text/plain", "Embedded resource content for testing.")
    return [{"role": "user", "content": each} for each in (item, text("Please process the embedded resource above."))]


def with_arguments(_: Made, arguments: Mapping[str, Any]) -> list[Any]:
    words = f"Prompt with arguments: arg1='{arguments['arg1']}', arg2='{arguments['arg2']}'"
    return [{"role": "user", "content": text(words)}]


def asking_prompt(call: Made, _: Any) -> list[Any]:
    reply = call.ask({"user_context": form("What context?", context="string")})["user_context"]
    return [{"role": "user", "content": text(f"Context: {content(reply).get('context')}")}]


def listed(_: Made) -> Sequence[Any]:
    return [
        {"uri": "test://static-text", "name": "static-text", "mimeType": "text/plain"},
        {"uri": "test://static-binary", "name": "static-binary", "mimeType": "image/png"},
    ]


def read(_: Made, uri: str) -> Sequence[Any] | None:
    if uri == "test://static-text":
        words = "This is the content of the static text resource."
        return [{"uri": uri, "mimeType": "text/plain", "text": words}]
    if uri == "test://static-binary":
        return [{"uri": uri, "mimeType": "image/png", "blob": IMAGE}]
    if uri.startswith("test://template/") and uri.endswith("/data"):
        number = uri.split("/")[3]
        words = f'{{"id":"{number}","templateTest":true,"data":"Data for ID: {number}"}}'
        return [{"uri": uri, "mimeType": "application/json", "text": words}]
    return None


ANSWERS = {
    "test_simple_text": says(text("This is a simple text response for testing.")),
    "test_image_content": says(PICTURE),
    "test_audio_content": says({"type": "audio", "data": SOUND, "mimeType": "audio/wav"}),
    "test_embedded_resource": says(
        embedded("test://embedded-resource", "text/plain", "This is an embedded resource content.")
    ),
    "test_multiple_content_types": says(
        text("Multiple content types test:"),
        PICTURE,
        embedded("test://mixed-content-resource", "application/json", '{"test":"data","value":123}'),
    ),
    "test_error_handling": lambda call, _: failed("This tool intentionally returns an error for testing"),
    "test_missing_capability": lambda call, _: Answer([text(str(call.ask({"x": sample("hi")})))]),
    "test_streaming_elicitation": ask_name,
    "test_logging_tool": says(text("This server keeps no log for its client.")),
    "test_tool_with_progress": says(text("This server answers at once.")),
    "test_input_required_result_elicitation": ask_name,
    "test_input_required_result_sampling": ask_sample,
    "test_input_required_result_list_roots": ask_roots,
    "test_input_required_result_request_state": ask_with_state,
    "test_input_required_result_multiple_inputs": ask_three,
    "test_input_required_result_multi_round": ask_twice,
    "test_input_required_result_tampered_state": ask_with_state,
    "test_input_required_result_capabilities": ask_what_can_be_asked,
}

EVERYTHING: Dialect[None] = Dialect(
    name="everything",
    instructions="Use these tools to test a client.",
    tools=[Tool(name, f"Answers as {name}.", ANYTHING, run) for name, run in ANSWERS.items()],
    prompts=[
        Prompt("test_simple_prompt", "One text.", user(text("This is a simple prompt for testing."))),
        Prompt("test_prompt_with_arguments", "Repeats.", with_arguments, {"arg1": True, "arg2": True}),
        Prompt("test_prompt_with_embedded_resource", "Embeds.", embedding, {"resourceUri": True}),
        Prompt("test_prompt_with_image", "Shows.", user(PICTURE, text("Please analyze the image above."))),
        Prompt("test_input_required_result_prompt", "Asks first.", asking_prompt),
    ],
    resources=Resources(listed, read, [{"uriTemplate": "test://template/{id}/data", "name": "template"}]),
    complete=lambda call, params: ["paris", "park"],
)
