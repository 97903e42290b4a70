"""The registry of log formats says something of every source, in a form that programs can rely on."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from quoth._plugins import names

ROOT = Path(__file__).parents[2]
SOURCES = names("quoth.sources")


@cache
def registry() -> dict[str, Any]:
    found: dict[str, Any] = json.loads((ROOT / "docs/sources.json").read_text("utf-8"))
    return found


def source(name: str) -> dict[str, Any]:
    (found,) = (found for found in registry()["sources"] if found["id"] == name)
    return dict(found)


def test_every_source_is_there_once_sorted_by_the_names_of_the_agents() -> None:
    listed = registry()["sources"]
    assert sorted(found["id"] for found in listed) == list(SOURCES)
    agents = [found["agent"].casefold() for found in listed]
    assert agents == sorted(agents)
    page = (ROOT / "docs/sources.md").read_text("utf-8")
    assert re.findall(r"^### (.+)$", page, re.MULTILINE) == [found["agent"] for found in listed]


@pytest.mark.parametrize("name", SOURCES)
def test_a_source_has_exactly_the_fields_that_are_documented(name: str) -> None:
    assert list(source(name)) == list(registry()["fields"])
    page = (ROOT / "docs/sources.md").read_text("utf-8")
    assert all(f"| `{field}` | {about} |" in page for field, about in registry()["fields"].items())


@pytest.mark.parametrize("name", SOURCES)
def test_a_source_says_where_since_when_and_what_makes_an_id(name: str) -> None:
    found = source(name)
    assert {"Linux", "macOS", "Windows"} <= found["folders"].keys()
    assert re.fullmatch(r"20\d\d-[01]\d", found["observed"])
    assert found["read"]
    assert found["never_read"]
    assert found["versions"]
    assert all(each["what"] and each["why"] for each in found["unreadable"])
    assert "`" in found["event_id"], "state the rule of ids in the docstring, in a paragraph that says it is frozen"


@pytest.mark.parametrize("name", SOURCES)
def test_the_registry_names_no_place_of_a_machine_or_person(name: str) -> None:
    assert not re.search(r"/(?:home|Users|root|tmp|work)/", json.dumps(source(name)))
