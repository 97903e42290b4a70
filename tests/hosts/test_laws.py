"""What holds for every file of every host: nothing foreign changes, twice is once, unlinking gives the bytes back."""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hosts.texts import WithComments, json_texts, toml_texts
from quoth.core.links import Level, Link, Server
from quoth.core.ports import Linker
from quoth.hosts.claude_code import ClaudeCode
from quoth.hosts.codex import Codex
from quoth.services import _link_plan
from quoth.services._link_plan import Plan

CLAUDE, COMMENTS, CODEX = ClaudeCode(), WithComments(), Codex()
QUOTH = Server("quoth", ("quoth", "mcp"))
MOVED = Server("quoth", ("/opt/q u/bin/quoth", "mcp"), {"QUOTH_HOME": '/data/"é"'})
ORIGIN = Server("origin", ("quoth", "mcp", "--dialect", "origin"))
OTHER = Server("added-later", ("npx", "-y", "x"))

FILES = st.one_of(
    st.tuples(st.just(CLAUDE), json_texts()),
    st.tuples(st.just(COMMENTS), json_texts(comments=True)),
    st.tuples(st.just(CODEX), toml_texts()),
)
MADE = (Path("/w/.codex"), Path("/w/.codex/config.toml"))


def _link(linker: Linker, before: str | None, server: Server = QUOTH, links: Sequence[Link] = ()) -> Plan:
    created = MADE if before is None else ()
    link = Link("host", Level.WORKSPACE, MADE[-1], server.name, None, created)
    return _link_plan.to_link(linker, before, server, link=link, links=links)


def _unlink(linker: Linker, plan: Plan, name: str = "quoth") -> Plan:
    return _link_plan.to_unlink(linker, plan.after, name, plan.links)


def _is_inside(text: str, longer: str) -> bool:
    """Tell whether a text is left when characters of a longer one are taken away."""
    characters = iter(longer)
    return all(c in characters for c in text)


@pytest.mark.req("ENG-26", "ENG-36")
@settings(deadline=None, max_examples=300)
@given(FILES)
def test_link_then_unlink_gives_the_bytes_back_and_linking_only_adds(file: tuple[Linker, str]) -> None:
    linker, before = file
    linked = _link(linker, before)
    assert linked.after is not None
    assert _is_inside(before, linked.after)
    assert linker.servers(linked.after)["quoth"] == QUOTH
    assert _unlink(linker, linked).after == before
    assert _unlink(linker, linked).links == []


@pytest.mark.req("ENG-36")
@settings(deadline=None, max_examples=60)
@given(FILES)
def test_linking_twice_is_linking_once(file: tuple[Linker, str]) -> None:
    linker, before = file
    once = _link(linker, before)
    twice = _link(linker, once.after, links=once.links)
    assert (twice.status, twice.after, twice.links) == ("unchanged", once.after, once.links)


@pytest.mark.req("ENG-26", "ENG-36")
@settings(deadline=None, max_examples=60)
@given(FILES)
def test_linking_again_pins_again_and_still_gives_the_bytes_back(file: tuple[Linker, str]) -> None:
    linker, before = file
    once = _link(linker, before)
    moved = _link(linker, once.after, MOVED, once.links)
    assert moved.status == "repinned"
    assert linker.servers(moved.after or "")["quoth"] == MOVED
    assert _link(linker, moved.after, QUOTH, moved.links).after == once.after
    assert _unlink(linker, moved).after == before


@pytest.mark.req("ENG-26", "ENG-36")
@settings(deadline=None, max_examples=60)
@given(FILES, st.booleans())
def test_two_links_come_out_in_any_order(file: tuple[Linker, str], is_first: bool) -> None:
    linker, before = file
    one = _link(linker, before)
    both = _link(linker, one.after, ORIGIN, one.links)
    first, second = ("quoth", "origin") if is_first else ("origin", "quoth")
    left = _unlink(linker, both, first)
    assert left.after is not None
    assert set(linker.servers(left.after)) & {"quoth", "origin"} == {second}
    assert _unlink(linker, left, second).after == before


@pytest.mark.req("ENG-26", "ENG-36")
@settings(deadline=None, max_examples=60)
@given(FILES, st.booleans())
def test_what_was_added_since_stays_when_our_entry_goes(file: tuple[Linker, str], is_remembered: bool) -> None:
    linker, before = file
    linked = _link(linker, before)
    added = linker.linked(linked.after or "", OTHER)
    gone = _link_plan.to_unlink(linker, added, "quoth", linked.links if is_remembered else ())
    assert gone.after is not None
    assert linker.rest(gone.after, OTHER.name) == linker.rest(before, None)
    assert linker.servers(gone.after)[OTHER.name] == OTHER
    if linker is CLAUDE:
        json.loads(gone.after.removeprefix("\ufeff"))


@pytest.mark.req("ENG-26")
@settings(deadline=None, max_examples=200)
@given(FILES)
def test_without_memory_everything_that_is_said_stays_with_its_comments(file: tuple[Linker, str]) -> None:
    linker, before = file
    linked = _link(linker, before)
    gone = _link_plan.to_unlink(linker, linked.after, "quoth", ())
    assert gone.after is not None
    assert linker.rest(gone.after, None) == linker.rest(before, None)
    for comment in ("// note, }", "/* { , */", '// "a": 1,', "# a comment with", "# why", "# said", "# mine", "# ---"):
        assert gone.after.count(comment) == before.count(comment)


@pytest.mark.req("ENG-36")
@pytest.mark.parametrize("linker", [CLAUDE, COMMENTS, CODEX])
def test_a_file_that_did_not_exist_goes_again_unless_somebody_uses_it(linker: Linker) -> None:
    linked = _link(linker, None)
    assert _unlink(linker, linked).after is None
    used = _link_plan.to_unlink(linker, linker.linked(linked.after or "", OTHER), "quoth", linked.links)
    assert used.after is not None
    both = _link(linker, linked.after, ORIGIN, linked.links)
    left = _unlink(linker, both, "quoth")
    assert left.after is not None
    assert _unlink(linker, left, "origin").after is None


@pytest.mark.req("ENG-36")
@settings(deadline=None, max_examples=300)
@given(st.text(max_size=40) | st.text(st.sampled_from('{}[]",:=#\n /*mcpServrs_.quoth'), max_size=40))
def test_any_text_is_linked_and_given_back_or_refused_in_words(text: str) -> None:
    for linker in (CLAUDE, COMMENTS, CODEX):
        with suppress(ValueError):
            linked = _link(linker, text)
            assert _unlink(linker, linked).after == text
