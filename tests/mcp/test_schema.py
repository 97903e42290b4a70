"""Arguments against their schema: sentences that say which argument, what it must be, and what there is."""

from __future__ import annotations

from typing import Any

import pytest

from quoth.surfaces.mcp.schema import WrongArguments, check

SCHEMA: Any = {
    "type": "object",
    "properties": {
        "id": {"type": "string", "minLength": 1},
        "query": {"type": "string", "maxLength": 5},
        "limit": {"type": "integer", "minimum": 1, "maximum": 100, "default": 20},
        "confidence": {"type": "number", "minimum": 0, "maximum": 1},
        "tools": {"type": "boolean", "default": False},
        "scope": {"enum": ["all", "events"]},
        "until": {"type": ["string", "null"]},
        "tags": {"type": "array", "items": {"type": "string"}, "maxItems": 2},
        "place": {
            "type": "object",
            "properties": {"line": {"type": "integer", "minimum": 1}},
            "required": ["line"],
            "additionalProperties": False,
        },
    },
    "required": ["id"],
    "additionalProperties": False,
}


@pytest.mark.req("QUO-2")
def test_defaults_fill_what_is_absent() -> None:
    assert check({"id": "x"}, SCHEMA) == {"id": "x", "limit": 20, "tools": False}


@pytest.mark.req("QUO-2")
@pytest.mark.parametrize("nothing", ["", None])
def test_an_optional_argument_that_is_empty_counts_as_absent(nothing: str | None) -> None:
    given = {"id": "x", "query": nothing, "limit": nothing, "tools": nothing, "scope": nothing, "place": nothing}
    assert check(given, SCHEMA) == {"id": "x", "limit": 20, "tools": False}


def test_null_stays_where_it_means_something() -> None:
    assert check({"id": "x", "until": None}, SCHEMA)["until"] is None


@pytest.mark.parametrize(
    ("given", "taken"),
    [
        ({"limit": 5.0}, 5),
        ({"limit": 100}, 100),
        ({"confidence": 1}, 1),
        ({"confidence": 0.5}, 0.5),
        ({"tools": True}, True),
        ({"scope": "events"}, "events"),
        ({"tags": ["a", "b"]}, ["a", "b"]),
        ({"place": {"line": 1}}, {"line": 1}),
        ({"query": "五个字符呀"}, "五个字符呀"),
    ],
)
def test_what_the_schema_says_is_taken(given: dict[str, Any], taken: object) -> None:
    [name] = given
    assert check({"id": "x", **given}, SCHEMA)[name] == taken


@pytest.mark.req("QUO-2", "ORI-16", "ORI-31")
@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"limit": 0}, "`limit` must be an integer from 1 to 100."),
        ({"limit": 101}, "`limit` must be an integer from 1 to 100."),
        ({"limit": "5"}, "`limit` must be an integer from 1 to 100."),
        ({"limit": True}, "`limit` must be an integer from 1 to 100."),
        ({"limit": 5.5}, "`limit` must be an integer from 1 to 100."),
        ({"limit": float("inf")}, "`limit` must be an integer from 1 to 100."),
        ({"confidence": "0.9"}, "`confidence` must be a number from 0 to 1."),
        ({"confidence": True}, "`confidence` must be a number from 0 to 1."),
        ({"confidence": float("nan")}, "`confidence` must be a number from 0 to 1."),
        ({"confidence": 1.01}, "`confidence` must be a number from 0 to 1."),
        ({"tools": "yes"}, "`tools` must be true or false."),
        ({"tools": 1}, "`tools` must be true or false."),
        ({"scope": "none"}, "`scope` must be one of all, events."),
        ({"scope": ["all"]}, "`scope` must be one of all, events."),
        ({"query": 5}, "`query` must be a text with at most 5 characters."),
        ({"query": "123456"}, "`query` must be a text with at most 5 characters."),
        ({"until": 5}, "`until` must be a text or null."),
        ({"tags": "a"}, "`tags` must be a list with at most 2 items."),
        ({"tags": ["a", "b", "c"]}, "`tags` must be a list with at most 2 items."),
        ({"tags": ["a", 5]}, "`tags[1]` must be a text."),
        ({"place": []}, "`place` must be an object."),
        ({"place": {}}, "`place.line` must be given."),
        ({"place": {"line": 0}}, "`place.line` must be an integer at least 1."),
        ({"place": {"line": 1, "x": 1}}, "Unknown argument `place.x`. Known arguments: line."),
        ({"id": ""}, "`id` must be given."),
        ({"id": None}, "`id` must be given."),
        ({"id": 5}, "`id` must be a text with at least 1 character."),
    ],
)
def test_what_is_wrong_is_named_with_what_it_must_be(given: dict[str, Any], sentence: str) -> None:
    with pytest.raises(WrongArguments) as error:
        check({"id": "x", **given}, SCHEMA)
    assert str(error.value) == sentence


@pytest.mark.req("QUO-2")
def test_an_unknown_argument_names_the_known_ones() -> None:
    with pytest.raises(WrongArguments, match=r"Unknown argument `limits`\. Known arguments: id, query, limit,"):
        check({"id": "x", "limits": 5}, SCHEMA)


def test_an_unknown_argument_is_shown_harmless() -> None:
    with pytest.raises(WrongArguments) as error:
        check({"id": "x", "\x1b[31m" * 100: 5}, SCHEMA)
    assert "\x1b" not in str(error.value)
    assert len(str(error.value)) < 600


def test_a_schema_without_arguments_takes_none() -> None:
    assert check({}, {"type": "object", "properties": {}, "additionalProperties": False}) == {}
    with pytest.raises(WrongArguments, match="Known arguments: none"):
        check({"x": 1}, {"type": "object", "properties": {}, "additionalProperties": False})


def test_an_open_schema_takes_everything() -> None:
    assert check({"x": {"y": 1}}, {"type": "object"}) == {"x": {"y": 1}}
