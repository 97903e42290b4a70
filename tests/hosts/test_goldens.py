"""What holds for every linker: its samples become exactly the golden files, and it says what a person needs to know.

A sample is a folder `tests/data/hosts/<host>/<case>/` with the file `before`, which may be missing, `linked`, and
`unlinked` as it is when nothing of the link is remembered; each has the suffix of the host's own file.
"""

from __future__ import annotations

from pathlib import Path
from typing import cast

import pytest

from quoth import _plugins
from quoth.core.links import Level, Link, Server, Target
from quoth.core.ports import Linker
from quoth.services import _link_plan

DATA = Path(__file__).parents[1] / "data/hosts"
HOSTS = _plugins.names("quoth.hosts")
CASES = [(host, case) for host in HOSTS for case in sorted((DATA / host).glob("*/"))]
SERVER = Server("quoth", ("quoth", "mcp"))

_each_host = pytest.mark.parametrize("host", HOSTS)
_each_case = pytest.mark.parametrize(("host", "case"), CASES, ids=lambda value: getattr(value, "name", value))


@pytest.fixture
def updates_goldens(request: pytest.FixtureRequest) -> bool:
    """Tell whether `pytest tests/sources tests/hosts --update-goldens` writes the golden files."""
    return bool(request.config.getoption("--update-goldens", default=False))


def _linker(host: str) -> Linker:
    return cast("Linker", _plugins.load("quoth.hosts", host, "LINKER"))


def _compare(file: Path, text: str | None, *, updates: bool) -> None:
    if updates and text is not None:
        file.write_bytes(text.encode())
    assert text == (file.read_bytes().decode() if file.exists() else None)


@_each_host
def test_a_host_has_samples(host: str) -> None:
    assert list((DATA / host).glob("*/")), f"write samples below {DATA / host}"


@pytest.mark.req("ENG-26", "ENG-36")
@_each_case
def test_a_sample_becomes_exactly_its_golden_files(host: str, case: Path, updates_goldens: bool) -> None:
    linker = _linker(host)
    target = linker.target(Level.WORKSPACE, workspace=Path("/w"), env={}, home=Path("/home/ada"))
    assert isinstance(target, Target)
    before, linked, unlinked = (case / f"{name}{target.path.suffix}" for name in ("before", "linked", "unlinked"))
    text = before.read_bytes().decode() if before.exists() else None
    link = Link(host, Level.WORKSPACE, target.path, SERVER.name, None, () if before.exists() else (target.path,))
    plan = _link_plan.to_link(linker, text, SERVER, link=link, links=[])
    _compare(linked, plan.after, updates=updates_goldens)
    _compare(unlinked, _link_plan.to_unlink(linker, plan.after, SERVER.name, []).after, updates=updates_goldens)


@pytest.mark.req("ENG-25")
@_each_host
@pytest.mark.parametrize("level", list(Level))
def test_a_host_has_a_file_for_each_level_and_says_what_the_person_confirms(host: str, level: Level) -> None:
    linker = _linker(host)
    target = linker.target(level, workspace=Path("/w"), env={}, home=Path("/home/ada"))
    assert isinstance(target, Target)
    assert target.path.is_relative_to("/w" if level is Level.WORKSPACE else "/home/ada")
    assert linker.confirm(level).endswith(".")
    assert linker.folder({}, Path("/home/ada")).is_relative_to("/home/ada")
    add, remove = linker.commands(SERVER)
    assert (add[0], remove[0]) == (linker.program, linker.program)
    assert tuple(add[-2:]) == SERVER.command
    assert linker.source in _plugins.names("quoth.sources")


@_each_host
def test_a_host_that_was_moved_by_its_own_variable_is_found_there(host: str) -> None:
    moved = {"CLAUDE_CONFIG_DIR": "/data/agent", "CODEX_HOME": "/data/agent"}
    linker = _linker(host)
    assert linker.folder(moved, Path("/home/ada")) == Path("/data/agent")
    target = linker.target(Level.GLOBAL, workspace=Path("/w"), env=moved, home=Path("/home/ada"))
    assert isinstance(target, Target)
    assert target.path.parent == Path("/data/agent")
