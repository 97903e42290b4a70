"""The option that writes golden files: `pytest tests/sources --update-goldens`."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update-goldens", action="store_true", help="write what the adapters read instead of comparing it"
    )


@pytest.fixture
def updates_goldens(request: pytest.FixtureRequest) -> bool:
    return bool(request.config.getoption("--update-goldens", default=False))


@pytest.fixture
def copied(tmp_path: Path) -> Callable[[Path], Path]:
    """Return a callable that copies a sample home, because reading a database may leave files beside it."""

    def copy(case: Path) -> Path:
        return Path(shutil.copytree(case / "home", tmp_path / "sample"))

    return copy
