"""Pages that can fail: what they name must exist, and what exists must be named."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

import pytest

from quoth._plugins import names

ROOT = Path(__file__).parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "changelog.d").glob("*.md")])
DECISIONS = sorted((ROOT / "docs/decisions").glob("0*.md"))


def _project() -> dict[str, dict[str, list[str]]]:
    return tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))


def _package(requirement: str) -> str:
    return re.split(r"[ <>=;\[]", requirement, maxsplit=1)[0]


def _needed() -> set[str]:
    return {_package(requirement) for requirement in _project()["project"]["dependencies"]}


def _needed_by_extras() -> set[str]:
    extras = chain.from_iterable(_project()["project"].get("optional-dependencies", {}).values())
    return {_package(requirement) for requirement in extras}


def _wanted_by_developers() -> set[str]:
    groups = chain.from_iterable(_project()["dependency-groups"].values())
    return {_package(requirement) for requirement in groups if isinstance(requirement, str)}


def _pins(name: str) -> dict[str, str]:
    """Return the pinned line of each package, with its hashes, by the package's name as PyPI spells it."""
    lines = (ROOT / "requirements" / name).read_text("utf-8").replace("\\\n", "").splitlines()
    return {line.partition("==")[0]: line for line in lines}


def _links(page: Path) -> Iterator[Path]:
    for target in re.findall(r"\]\(([^)\s]+)\)", page.read_text("utf-8")):
        if "://" not in target and not target.startswith("#"):
            yield page.parent / target.partition("#")[0]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_link_of_a_page_leads_somewhere(page: Path) -> None:
    assert [str(target) for target in _links(page) if not target.exists()] == []


@pytest.mark.parametrize("page", [ROOT / "README.md", *(ROOT / "docs").glob("*.md")], ids=lambda page: page.name)
def test_every_command_a_page_shows_exists(page: Path) -> None:
    shown = set(re.findall(r"(?:`|^|bin/)quoth ([a-z]+)", page.read_text("utf-8"), re.MULTILINE))
    assert shown <= set(names("quoth.surfaces.cli.commands"))


@pytest.mark.req("SEC-11")
def test_the_security_page_says_against_whom_what_is_defended_and_what_is_not() -> None:
    page = (ROOT / "docs/security.md").read_text("utf-8")
    sections = dict(re.findall(r"^## (.+)\n((?:(?!## ).*\n?)*)", page, re.MULTILINE))
    defended, open_ = sections["What is defended"], sections["What is not defended"]
    told = dict(re.findall(r"^\*\*(.+)\.\*\*\n(\S.+)", defended, re.MULTILINE))
    adversaries = {"Other users of the machine", "Hostile content of logs", "Agents that forget too much"}
    assert adversaries <= told.keys()
    assert len(re.findall(r"^- \*\*\w.+", open_, re.MULTILINE)) > 5


def test_every_dependency_is_argued_for() -> None:
    argued = (ROOT / "docs/decisions/0002-dependencies.md").read_text("utf-8")
    rows = {name.strip() for row in re.findall(r"^\| ([^|]+) \|", argued, re.MULTILINE) for name in row.split(",")}
    assert rows - {"package", "---"} == _needed() | _needed_by_extras() | _wanted_by_developers()


@pytest.mark.parametrize("page", DECISIONS, ids=lambda page: page.stem)
def test_a_decision_has_status_context_decision_and_consequences_and_is_listed(page: Path) -> None:
    text = page.read_text("utf-8")
    assert re.match(rf"# {page.name[:4]} – .+\n\nStatus: (accepted|replaced by \d{{4}})\n", text)
    assert re.findall(r"^## (.+)$", text, re.MULTILINE) == ["Context", "Decision", "Consequences"]
    assert f"({page.name})" in (ROOT / "docs/decisions/README.md").read_text("utf-8")


def test_pins_hold_every_package_with_hashes_and_name_no_host_or_path() -> None:
    text = "".join((ROOT / f"requirements/{name}.txt").read_text("utf-8") for name in ("run", "local", "dev"))
    assert not re.search(r"://|--index|--find-links|--extra|/", text)
    pins = chain.from_iterable(_pins(f"{name}.txt").values() for name in ("run", "local", "dev"))
    assert all("--hash=sha256:" in pin for pin in pins)


def test_pins_hold_what_the_project_asks_for() -> None:
    def spelled(packages: set[str]) -> set[str]:
        return {re.sub(r"[._]", "-", package).lower() for package in packages}

    assert spelled(_needed()) <= _pins("run.txt").keys()
    assert spelled(_needed() | _needed_by_extras()) <= _pins("local.txt").keys()
    assert spelled(_needed() | _needed_by_extras() | _wanted_by_developers()) <= _pins("dev.txt").keys()


def test_the_program_runs_with_the_versions_that_it_is_tested_with() -> None:
    def version(pin: str) -> str:
        return re.split(r"[ ;]", pin.partition("==")[2], maxsplit=1)[0]

    tested = {name: version(pin) for name, pin in _pins("dev.txt").items()}
    for pins in ("run.txt", "local.txt"):
        assert {name: version(pin) for name, pin in _pins(pins).items()}.items() <= tested.items()


@pytest.fixture
def pages(tmp_path: Path) -> Path:
    """Return a folder with the generator and one stale page."""
    shutil.copy(ROOT / "docs/generate.py", tmp_path)
    page = "# Page\n\n<!-- generated: failures -->\nold words\n<!-- end -->\n\nSaid by hand.\n"
    (tmp_path / "page.md").write_text(page, "utf-8")
    return tmp_path


def _generate(folder: Path, *options: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(folder / "generate.py"), *options]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_a_stale_page_is_named_and_left_alone_by_the_check(pages: Path) -> None:
    done = _generate(pages, "--check")
    assert (done.returncode, done.stdout) == (1, "page.md is stale; run scripts/docs.\n")
    assert "old words" in (pages / "page.md").read_text("utf-8")


def test_generating_fills_the_parts_and_keeps_the_rest(pages: Path) -> None:
    assert _generate(pages).returncode == 0
    text = (pages / "page.md").read_text("utf-8")
    assert text.startswith("# Page\n")
    assert text.endswith("<!-- end -->\n\nSaid by hand.\n")
    assert "old words" not in text
    assert "| `unknown_id` |" in text
    assert _generate(pages, "--check").returncode == 0


def test_a_part_that_nothing_generates_is_an_error(pages: Path) -> None:
    (pages / "page.md").write_text("<!-- generated: wishes -->\n<!-- end -->\n", "utf-8")
    assert _generate(pages, "--check").returncode != 0
