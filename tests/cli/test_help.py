"""Every command says how it is used; the commands are found as the program finds them."""

from __future__ import annotations

import re
from collections.abc import Iterator

import click
import pytest

from quoth.surfaces.cli.program import program
from running import Run


def paths(command: click.Command, path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """Yield the words of every command below one, itself included."""
    yield path
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            below = command.get_command(context, name)
            assert below is not None
            yield from paths(below, (*path, name))


def test_the_commands_of_the_archive_are_there() -> None:
    found = {" ".join(path) for path in paths(program)}
    archive = "demo sync search timeline get sources open project exclude status doctor rebuild backup restore config"
    assert found >= set(archive.split())


@pytest.mark.req("QUO-10")
@pytest.mark.parametrize("path", list(paths(program)), ids=" ".join)
def test_help_has_an_example_the_exit_codes_and_json(path: tuple[str, ...]) -> None:
    context = click.Context(program, info_name="quoth", **program.context_settings)
    command: click.Command = program
    for name in path:
        assert isinstance(command, click.Group)
        command = command.get_command(context, name) or pytest.fail(name)
        context = click.Context(command, parent=context, info_name=name)
    text = command.get_help(context)
    assert f"\n  {' '.join(('quoth', *path))}" in text.partition("Example")[2]
    assert "0 done, 1 failed, 2 wrong use, 3 nothing found" in text
    assert "--json" in text or isinstance(command, click.Group)


@pytest.mark.req("QUO-10")
@pytest.mark.parametrize("args", [(), ("project",), ("exclude",), ("config",)])
def test_each_summary_is_a_whole_phrase_on_one_line_of_80_columns(run: Run, args: tuple[str, ...]) -> None:
    group = run(*args, "--help", env={"COLUMNS": "80"}).out
    rows = group[group.index("Begin:" if not args else "Commands:") : group.index("\nExample")].splitlines()
    rows = [row for row in rows if row.strip() and not row.endswith(":")]
    assert len(rows) > 2
    for row in rows:
        assert re.fullmatch(r"  [a-z]+ +[A-Z].+[^.,:;]\.", row), row
        assert len(row) <= 80


@pytest.mark.req("QUO-2", "QUO-10")
def test_help_is_data_and_ends_well(run: Run) -> None:
    done = run("search", "--help")
    assert "At most N entries and N events, up to 100. [20]" in done.out
    assert done.out.startswith("Usage: quoth search")
    assert done.err == ""


@pytest.mark.req("QUO-10")
@pytest.mark.parametrize(
    "args", [["serach"], ["search", "--limti", "3"], ["get"], ["exclude", "add"], ["sync", "--pause", "x"]]
)
def test_wrong_use_ends_with_2_and_says_where_help_is(run: Run, args: list[str]) -> None:
    done = run(*args, check=False)
    assert (done.code, done.out) == (2, "")
    assert done.err.strip()


@pytest.mark.req("QUO-10")
@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["serach"], "Did you mean `quoth search`?"),
        (["sync", "--watch", "--dry-run"], "Say either --dry-run or --watch."),
        (["sync", "--pause", "--resume"], "Say either --pause or --resume."),
        (["sync", "--every", "5"], "--every goes with --watch."),
    ],
)
def test_wrong_use_says_what_was_probably_meant(run: Run, args: list[str], said: str) -> None:
    assert said in run(*args, check=False).err


@pytest.mark.parametrize("group", ["config", "exclude", "project"])
def test_a_group_of_commands_lists_when_it_gets_none(run: Run, group: str) -> None:
    assert run(group).out == run(group, "list").out
    assert run(group, "--json").json() == run(group, "list", "--json").json()


@pytest.mark.req("QUO-10")
def test_wrong_use_is_json_on_standard_error_when_json_was_asked(run: Run) -> None:
    done = run("search", "x", "--limit", "0", "--no-sync", "--json", check=False)
    assert (done.code, done.out) == (2, "")
    import json

    assert json.loads(done.err)["error"]["code"] == "invalid_argument"
