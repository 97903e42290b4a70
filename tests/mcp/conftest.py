"""Archives to ask, and clients to ask them with."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parent))  # this folder can't be a package: `mcp` is the official client

from desk import CHOICE, Desk
from memory import Memory
from sample_logs import Silent, logged
from wire import Wire

from quoth.surfaces.mcp.archive import Archive
from quoth.surfaces.mcp.door import load
from quoth.wiring import Kernel
from running import Run


@pytest.fixture(scope="session")
def archived(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """Return a way to run `quoth` on sample logs that were read already; nobody may change them."""
    folder = tmp_path_factory.mktemp("archived")
    run = Run(logged(folder / "person"), folder / "quoth")
    kernel = Kernel(run.environment())
    kernel.ingest.run(Silent())
    kernel.close()
    return run


@pytest.fixture
def asked(archived: Run) -> Iterator[Callable[[str], Memory[Archive]]]:
    """Return a callable that connects an in-memory client to a dialect over the sample logs."""
    archive = Archive(lambda: Kernel(archived.environment()))
    yield lambda dialect: Memory(load(dialect), archive)
    archive.close()


@pytest.fixture
def connect(run: Run) -> Iterator[Callable[..., Wire]]:
    """Return a callable that starts a server process of this test's home and connects to its pipes."""
    with Wire.factory(run) as start:
        yield start


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    """Return a home of this test alone, with one thing said that nobody has read yet."""
    desk = Desk(tmp_path)
    desk.say(CHOICE)
    yield desk
    desk.close()


@pytest.fixture
def hmg(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> Memory[Archive]:
    """Return a client of HMG's contract that works in a folder without git."""
    desk.logs.project.mkdir(parents=True)
    monkeypatch.chdir(desk.logs.project)
    return desk.client("hmg")
