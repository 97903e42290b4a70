"""What holds for every dialect: it shows what its golden file says, and all of it can be used as it is shown.

Those whose tools are our verbs over the archive also answer alike.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import goldens
import pytest
from memory import Memory

from quoth.surfaces.mcp.archive import Archive
from quoth.surfaces.mcp.schema import KEYWORDS

_each = pytest.mark.parametrize("name", goldens.NAMES)
_archive = pytest.mark.parametrize("name", goldens.ARCHIVES)

Ask = Callable[[str], Memory[Archive]]
TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}[+-]\d\d:\d\d")
INSTANTS = {"time", "started", "ended", "created", "valid_from", "valid_to"}


@_each
def test_a_dialect_shows_what_its_golden_file_says(name: str) -> None:
    said = json.loads(goldens.golden(name).read_text("utf-8"))
    assert goldens.shown(name) == said, "run `python tests/mcp/goldens.py` and read what changed"


@_each
def test_the_tools_are_the_same_in_both_eras_and_as_shown(name: str, asked: Ask) -> None:
    client, shown = asked(name), goldens.shown(name)
    assert client.result("tools/list")["tools"] == client.result("tools/list", modern=False)["tools"] == shown["tools"]
    assert client.greet()["instructions"] == client.result("server/discover")["instructions"] == shown["instructions"]


@pytest.mark.req("ENG-7", "QUO-1", "ORI-11", "HMG-32")
@_each
def test_instructions_fit_into_what_hosts_show_of_them(name: str) -> None:
    assert len(goldens.dialect(name).instructions) <= 512


@pytest.mark.req("ENG-7", "QUO-1", "ORI-11")
@_archive
def test_instructions_say_when_to_look(name: str) -> None:
    said = goldens.dialect(name).instructions
    assert all(word in said for word in ("Before", "past work", "search", "read", "ids"))


def schemas(schema: Any) -> Iterator[Mapping[str, Any]]:
    yield schema
    for each in schema.get("properties", {}).values():
        yield from schemas(each)
    if "items" in schema:
        yield from schemas(schema["items"])


@_each
def test_a_schema_says_nothing_that_is_not_checked(name: str) -> None:
    for tool in goldens.dialect(name).tools:
        said = {keyword for schema in schemas(tool.schema) for keyword in schema}
        assert said <= KEYWORDS, f"{tool.name} uses {said - KEYWORDS}"


@pytest.mark.req("QUO-1", "ENG-8")
@_archive
def test_tools_that_read_say_so(name: str) -> None:
    reading = {tool.name for tool in goldens.dialect(name).tools if tool.annotations.get("readOnlyHint") is True}
    assert reading == {"search", "timeline", "get", "sources"} | ({"recall"} if name == "quoth" else set())


@pytest.mark.req("QUO-1")
@_archive
def test_only_forgetting_says_that_it_takes_something_away(name: str) -> None:
    writing = [tool for tool in goldens.dialect(name).tools if tool.annotations.get("readOnlyHint") is False]
    hints = {tool.name: tool.annotations["destructiveHint"] for tool in writing}
    assert hints == {name: name == "forget" for name in hints}
    assert {"remember", "correct", "forget"} <= set(hints)


@pytest.mark.req("ORI-11")
@_archive
def test_instructions_say_when_to_write(name: str) -> None:
    said = goldens.dialect(name).instructions
    words = ("remember", "decisions with their reasons", "facts", "preferences", "citing the events they come from")
    assert all(word in said for word in (*words, "correct", "forget only when the user asks"))
    assert name != "origin" or ("imported entry mirrors" in said and "user's reason" in said)


@pytest.mark.req("QUO-2", "QUO-4", "ORI-16")
@_archive
def test_an_unknown_argument_names_the_known_ones(name: str, asked: Ask) -> None:
    for tool in goldens.dialect(name).tools:
        sentence = asked(name).refusal(tool.name, id="x", nonsense=1)
        assert sentence.endswith(f"Known arguments: {', '.join(tool.schema['properties'])}.")


@pytest.mark.req("ORI-15", "ORI-16", "ORI-45")
@pytest.mark.parametrize("tool", ["get", "sources"])
@pytest.mark.parametrize(
    "given", ["ent_3f9a1c2b7d4e", "codex:nothing", "%", "'; DROP TABLE events", "x" * 5000, "\x00"]
)
@_archive
def test_an_unknown_id_is_named(name: str, tool: str, given: str, asked: Ask) -> None:
    assert asked(name).refusal(tool, id=given) == f"Unknown entry or event {given}."


@pytest.mark.req("ORI-14", "ORI-16", "ORI-38", "QUO-2")
@pytest.mark.parametrize("tool", ["search", "timeline"])
@pytest.mark.parametrize("argument", ["since", "until"])
@_archive
def test_a_time_that_is_none_is_named(name: str, tool: str, argument: str, asked: Ask) -> None:
    sentence = asked(name).refusal(tool, **{argument: "yesterday"})
    assert sentence.startswith(f"`{argument}` must be a time")


@pytest.mark.req("ORI-16", "ORI-72")
@pytest.mark.parametrize("tool", ["search", "timeline"])
@_archive
def test_an_unknown_source_or_project_is_named(name: str, tool: str, asked: Ask) -> None:
    assert asked(name).refusal(tool, source="vim").startswith("Unknown source vim. Known sources: ")
    assert "Unknown project nowhere." in asked(name).refusal(tool, project="nowhere")


@pytest.mark.req("ORI-42")
@_archive
def test_an_unknown_session_is_an_error(name: str, asked: Ask) -> None:
    assert "Unknown session nowhere." in asked(name).refusal("timeline", session="nowhere")


@pytest.mark.req("ORI-31", "ORI-38", "QUO-2", "QUO-4")
@pytest.mark.parametrize(("tool", "most"), [("search", 100), ("timeline", 500)])
@_archive
def test_a_limit_out_of_range_is_an_error(name: str, tool: str, most: int, asked: Ask) -> None:
    client = asked(name)
    for limit in (0, -1, most + 1, "5", 2.5):
        assert client.refusal(tool, limit=limit) == f"`limit` must be an integer from 1 to {most}."
    client.call(tool, limit=most)


def instants(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        yield from (item for key, item in value.items() if key in INSTANTS and item is not None)
    items = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    for item in items:
        yield from instants(item)


@pytest.mark.req("ORI-12", "ORI-13", "QUO-4")
@_archive
def test_every_answer_is_one_json_text_with_local_times(name: str, asked: Ask) -> None:
    client = asked(name)
    found = client.call("search", query="parser")
    event = found["events"][0]
    answers = [
        found,
        client.call("search"),
        client.call("timeline", since="1000d"),
        client.call("timeline", session=event["session"]),
        client.call("get", id=event["id"]),
        client.call("sources", id=event["id"]),
    ]
    said = [instant for answer in answers for instant in instants(answer)]
    assert len(said) > 20
    assert all(TIME.fullmatch(instant) for instant in said)


@pytest.mark.req("QUO-2")
@_archive
def test_empty_arguments_count_as_absent(name: str, asked: Ask) -> None:
    client = asked(name)
    empty = {"since": "", "until": None, "source": "", "project": None, "include_tools": None, "limit": None}
    assert client.call("search", query="parser", **empty) == client.call("search", query="parser")
    assert client.call("timeline", session="", **empty) == client.call("timeline")


@pytest.mark.parametrize("query", ['"', "*", "a OR", "(", "col:x", "\x00", "NEAR(a b)", "x" * 100_000, "🙂", "'"])
@_archive
def test_a_query_is_taken_literally_whatever_it_is(name: str, query: str, asked: Ask) -> None:
    assert set(asked(name).call("search", query=query)) >= {"entries", "events"}
