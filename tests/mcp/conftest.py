"""Archives to ask, and clients to ask them with."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parent))  # this folder can't be a package: `mcp` is the official client

from memory import Memory
from wire import Wire

from quoth.surfaces.mcp.archive import Archive
from quoth.surfaces.mcp.door import load
from quoth.wiring import Kernel
from running import Run

SAMPLES = Path(__file__).parents[1] / "data" / "sources"


class Silent:
    """A meter that shows nothing."""

    def begin(self, *, files: int, total: int) -> None: ...

    def advance(self, *, read: int, events: int) -> None: ...

    def end(self) -> None: ...


def logged(person: Path) -> Path:
    """Give a person the sample logs of two agents."""
    for source, folder in (("claude-code", ".claude"), ("codex", ".codex")):
        shutil.copytree(SAMPLES / source / "everyday" / "home", person / folder)
    return person


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
