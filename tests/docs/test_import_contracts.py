"""The import contracts refuse what they forbid; a lint that can't fail would only be a wish."""

from __future__ import annotations

import os
import shutil
import subprocess
import sysconfig
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGES = ("core", "readers", "storage", "sources", "mirror", "services", "surfaces/cli/commands")


@pytest.fixture
def skeleton(tmp_path: Path) -> Path:
    """Return a project with our contracts and a package of the same plan, whose modules are empty."""
    shutil.copy(ROOT / ".importlinter", tmp_path)
    for package in PACKAGES:
        (tmp_path / "src/quoth" / package).mkdir(parents=True)
    for folder in [tmp_path / "src/quoth", *(tmp_path / "src/quoth").rglob("*/")]:
        (folder / "__init__.py").touch()
    for module in ("_plugins", "_version", "wiring"):
        (tmp_path / f"src/quoth/{module}.py").touch()
    return tmp_path


def _lint(project: Path) -> tuple[int, str]:
    command = [str(Path(sysconfig.get_path("scripts")) / "lint-imports"), "--no-cache", "--no-logo"]
    environment = {**os.environ, "PYTHONPATH": str(project / "src"), "COLUMNS": "300"}
    done = subprocess.run(command, cwd=project, env=environment, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


def test_the_plan_itself_passes(skeleton: Path) -> None:
    code, said = _lint(skeleton)
    assert code == 0, said


@pytest.mark.parametrize(
    ("file", "line", "broken"),
    [
        ("readers/jsonl.py", "import quoth.storage", "quoth.readers is not allowed to import quoth.storage"),
        ("services/sync.py", "import quoth.mirror", "quoth.services is not allowed to import quoth.mirror"),
        ("storage/index.py", "import quoth._plugins", "quoth.storage is not allowed to import quoth._plugins"),
        ("core/ids.py", "import os", "quoth.core is not allowed to import os"),
        ("core/ids.py", "import orjson", "quoth.core is not allowed to import orjson"),
        ("services/sync.py", "import apsw", "quoth.services is not allowed to import apsw"),
        ("wiring.py", "import click", "quoth is not allowed to import click"),
        (
            "surfaces/http.py",
            "import quoth.surfaces.cli",
            "quoth.surfaces.http is not allowed to import quoth.surfaces",
        ),
        ("readers/database.py", "import sqlite3", "quoth is not allowed to import sqlite3"),
        ("surfaces/cli/commands/sync.py", "import socket", "quoth is not allowed to import socket"),
        ("helpers/__init__.py", "", "helpers"),
    ],
)
def test_a_planted_violation_is_refused(skeleton: Path, file: str, line: str, broken: str) -> None:
    planted = skeleton / "src/quoth" / file
    planted.parent.mkdir(exist_ok=True)
    planted.write_text(f"{line}\n")
    code, said = _lint(skeleton)
    assert code == 1
    assert broken in said


@pytest.mark.parametrize(
    ("file", "line"),
    [
        ("surfaces/cli/tables.py", "import click, rich"),
        ("readers/database.py", "import apsw"),
        ("storage/index.py", "import apsw, quoth.readers, quoth.core"),
        ("wiring.py", "import os, quoth._plugins, quoth.storage, quoth.services"),
    ],
)
def test_what_the_plan_allows_passes(skeleton: Path, file: str, line: str) -> None:
    (skeleton / "src/quoth" / file).write_text(f"{line}\n")
    code, said = _lint(skeleton)
    assert code == 0, said
