"""Fixtures that every test may ask for."""

from __future__ import annotations

from pathlib import Path

import pytest

from running import Run


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """Return where the store of this test will be; it does not exist yet."""
    return tmp_path / "quoth"


@pytest.fixture
def person(tmp_path: Path) -> Path:
    """Return an empty home folder of a person, where a test puts agents' logs (`.claude`, `.codex`)."""
    folder = tmp_path / "person"
    folder.mkdir()
    return folder


@pytest.fixture
def run(person: Path, home: Path) -> Run:
    """Return a callable that runs the real `quoth` command on `home` and `person` alone."""
    return Run(person, home)
