"""The adapter that the page shows is a whole one: it is taken from there and put through what holds for all."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Mapping
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/adding-a-format.md").read_text("utf-8")
_BLOCK = re.compile(r"^```(\w+)(?: sample=(\S+))?\n(.*?)^```$", re.DOTALL | re.MULTILINE)
_KIT = ("conftest.py", "feeding.py", "running.py", "sources/conftest.py", "sources/test_goldens.py")


def _blocks(language: str) -> Mapping[str, str]:
    """Return the blocks of a language by what they are a sample of."""
    return {sample: text for written, sample, text in _BLOCK.findall(PAGE) if written == language}


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a copy of the package and the test kit with nothing added but what the page says."""
    folder = tmp_path_factory.mktemp("project")
    shutil.copytree(ROOT / "src/quoth", folder / "src/quoth", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", folder)
    for file in _KIT:
        (folder / "tests" / file).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / "tests" / file, folder / "tests" / file)
    (folder / "src/quoth/sources/ember.py").write_text(_blocks("python")[""], "utf-8")
    for sample, text in _blocks("jsonl").items():
        path = folder / "tests/data/sources/ember/everyday/home" / sample
        path.parent.mkdir(parents=True)
        path.write_text(text, "utf-8")
    (folder / "docs").mkdir()
    for name in ("generate.py", "sources.md"):
        shutil.copy(ROOT / "docs" / name, folder / "docs")
    return folder


def _run(project: Path, *command: str, **env: str) -> subprocess.CompletedProcess[str]:
    """Run Python so that it sees the copy of the package and not the installed one."""
    home = project / "person"
    variables = {"PYTHONPATH": str(project / "src"), "HOME": str(home), "QUOTH_HOME": str(project / "store")}
    variables |= {"QUOTH_WORKER": "off", **env}
    return subprocess.run(
        [sys.executable, *command],
        cwd=project,
        env={**os.environ, **variables},
        capture_output=True,
        text=True,
        check=False,
    )


def _tested(project: Path, *options: str) -> subprocess.CompletedProcess[str]:
    return _run(project, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests/sources", "-k", "ember", *options)


@pytest.mark.req("ARC-3", "ARC-8")
def test_the_example_is_golden_and_holds_every_law(project: Path) -> None:
    before = _tested(project, "-x")
    assert before.returncode == 1, "a sample without its golden file must fail"
    written = _tested(project, "--update-goldens")
    assert written.returncode == 0, written.stdout
    after = _tested(project)
    assert after.returncode == 0, after.stdout
    golden = (project / "tests/data/sources/ember/everyday/facts.jsonl").read_text("utf-8").splitlines()
    said = [json.loads(line) for line in golden]
    assert [fact["fact"] for fact in said] == ["Titled", "Event", "Event", "Event", "Unread"]
    assert [fact["id"] for fact in said if "id" in fact] == [f"ember:lamp:m{n}" for n in (1, 2, 3)]


def test_the_example_is_read_by_the_program_with_nothing_else_changed(project: Path) -> None:
    shutil.copytree(project / "tests/data/sources/ember/everyday/home", project / "person/.ember")
    assert _run(project, "-m", "quoth", "sync").returncode == 0
    listed = json.loads(_run(project, "-m", "quoth", "timeline", "--since", "2020-01-01", "--json").stdout)["sessions"]
    assert [(session["session"], session["title"]) for session in listed] == [("lamp", "Why the lamp flickers")]
    assert listed[0]["resume"] == "ember --chat lamp"
    (hit,) = json.loads(_run(project, "-m", "quoth", "search", "лампа", "--json").stdout)["events"]
    assert hit["id"] == "ember:lamp:m3"


def test_the_example_appears_in_the_registry(project: Path) -> None:
    done = _run(project, "docs/generate.py")
    assert done.returncode == 0, done.stderr
    registry = json.loads((project / "docs/sources.json").read_text("utf-8"))
    (ember,) = (source for source in registry["sources"] if source["id"] == "ember")
    assert ember["folders"]["Windows"] == ["%USERPROFILE%\\.ember"]
    assert "`<chat>:<id of the message>`" in ember["event_id"]
    assert "### Ember" in (project / "docs/sources.md").read_text("utf-8")
    assert _run(project, "docs/generate.py", "--check").returncode == 0
    (project / "docs/sources.json").write_text("{}", "utf-8")
    stale = _run(project, "docs/generate.py", "--check")
    assert (stale.returncode, stale.stdout) == (1, "sources.json is stale; run scripts/docs.\n")


def test_the_example_is_short_and_written_as_the_house_writes(project: Path) -> None:
    file = project / "src/quoth/sources/ember.py"
    lines = [line for line in file.read_text("utf-8").splitlines() if line.strip()]
    assert len(lines) < 60
    for command in (["check"], ["format", "--check"]):
        done = subprocess.run(
            [str(Path(sysconfig.get_path("scripts")) / "ruff"), *command, "--no-cache", str(file)],
            cwd=project,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout
