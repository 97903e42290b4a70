"""The scripts, as far as they can be tried without a network."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SCRIPTS = sorted(
    script for script in [*(ROOT / "scripts").iterdir(), ROOT / ".ci/run"] if b"bash\n" in script.read_bytes()[:30]
)

pytestmark = pytest.mark.skipif(os.name != "posix", reason="the scripts are for bash")


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """Return a checkout with scripts/dev and an empty `bin` that is the whole PATH but for bash's own needs."""
    (tmp_path / "scripts").mkdir()
    (tmp_path / "bin").mkdir()
    shutil.copy(ROOT / "scripts/dev", tmp_path / "scripts")
    shutil.copytree(ROOT / "requirements", tmp_path / "requirements")
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    for tool in ("bash", "cat", "cksum", "dirname", "rm", "mkdir"):
        (tmp_path / "bin" / tool).symlink_to(str(shutil.which(tool)))
    return tmp_path


def _program(checkout: Path, name: str, script: str) -> None:
    program = checkout / name
    program.parent.mkdir(parents=True, exist_ok=True)
    program.write_text(f"#!/usr/bin/env bash\n{script}\n")
    program.chmod(0o755)


def _dev(checkout: Path, *args: str) -> subprocess.CompletedProcess[str]:
    return _script(checkout, "dev", *args)


def _script(checkout: Path, name: str, *args: str) -> subprocess.CompletedProcess[str]:
    environment = {"PATH": str(checkout / "bin"), "HOME": str(checkout)}
    command = [str(checkout / "bin/bash"), str(checkout / "scripts" / name), *args]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.name)
def test_a_script_can_be_run_and_stops_at_the_first_failure(script: Path) -> None:
    assert os.access(script, os.X_OK)
    assert "set -euo pipefail" in script.read_text("utf-8")
    assert subprocess.run(["bash", "-n", script], check=False).returncode == 0


def test_without_python_set_up_says_what_is_needed(checkout: Path) -> None:
    done = _dev(checkout)
    assert done.returncode == 1
    assert "Quoth needs Python 3.11 or newer" in done.stderr


def test_an_older_python_is_refused_in_the_same_words(checkout: Path) -> None:
    _program(checkout, "bin/python3", "exit 1  # what 3.10 says when asked whether it is 3.11")
    done = _dev(checkout)
    assert done.returncode == 1
    assert "Quoth needs Python 3.11 or newer" in done.stderr


def test_a_python_without_venv_is_told_from_a_missing_one(checkout: Path) -> None:
    _program(checkout, "bin/python3", 'if [[ "$*" == *venv* ]]; then echo "No module named ensurepip"; exit 1; fi')
    done = _dev(checkout)
    assert done.returncode == 1
    assert "No module named ensurepip" in done.stderr
    assert "install python3-venv" in done.stderr


def test_set_up_installs_by_hash_once_and_again_only_after_a_change(checkout: Path) -> None:
    _program(checkout, ".venv/bin/python", f'[[ "$*" != *install* ]] || echo "$*" >>{checkout}/calls')
    assert _dev(checkout).returncode == 0
    packages, project = (checkout / "calls").read_text().splitlines()
    assert "--require-hashes -r requirements/dev.txt" in packages
    assert "--no-deps --no-build-isolation --editable ." in project
    assert _dev(checkout).returncode == _dev(checkout, "run").returncode == 0
    assert len((checkout / "calls").read_text().splitlines()) == 2
    with (checkout / "pyproject.toml").open("a") as changed:
        changed.write("# changed\n")
    assert _dev(checkout, "run").returncode == 0
    assert "requirements/run.txt" in (checkout / "calls").read_text().splitlines()[2]


def test_an_environment_serves_for_all_that_needs_less(checkout: Path) -> None:
    _program(checkout, ".venv/bin/python", f'[[ "$*" != *install* ]] || echo "$*" >>{checkout}/calls')
    assert [_dev(checkout, what).returncode for what in ("local", "local", "run")] == [0, 0, 0]
    assert len((checkout / "calls").read_text().splitlines()) == 2
    assert _dev(checkout).returncode == _dev(checkout, "local").returncode == 0
    assert len((checkout / "calls").read_text().splitlines()) == 4


@pytest.mark.parametrize(("fails", "calls"), [("local.txt", 3), ("hashes", 2)])
def test_the_demo_is_tried_without_the_model_where_it_can_not_be_installed(
    checkout: Path, fails: str, calls: int
) -> None:
    shutil.copy(ROOT / "scripts/demo", checkout / "scripts")
    install = f'[[ "$*" != *install* ]] || {{ echo "$*" >>{checkout}/calls; [[ "$*" != *{fails}* ]]; }}'
    _program(checkout, ".venv/bin/python", install)
    _program(checkout, ".venv/bin/quoth", 'echo "played: $*"')
    done = _script(checkout, "demo", "--json")
    assert len((checkout / "calls").read_text().splitlines()) == calls
    assert "trying without the model" in done.stderr
    assert done.stdout == ("played: demo --json\n" if fails == "local.txt" else "")


def test_an_interrupted_set_up_is_done_again(checkout: Path) -> None:
    _program(checkout, ".venv/bin/python", f'[[ "$*" != *hashes* ]] || {{ echo "$*" >>{checkout}/calls; exit 1; }}')
    assert _dev(checkout).returncode == _dev(checkout).returncode == 1
    assert len((checkout / "calls").read_text().splitlines()) == 2


def test_an_unknown_kind_of_environment_is_wrong_use(checkout: Path) -> None:
    done = _dev(checkout, "everything")
    assert done.returncode == 2
    assert "'run'" in done.stderr
