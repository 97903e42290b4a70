"""Give the archive of the services' tests, and make the bench at the project's root importable."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from services.archive import Archive

sys.path.append(str(Path(__file__).parents[2]))


@pytest.fixture
def archive(tmp_path: Path) -> Archive:
    return Archive(tmp_path)
