"""What did not change upstream adds nothing to the mirror, neither at the next pass nor behind a rebuild."""

from __future__ import annotations

import os
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from feeding import cases, found, sources
from quoth.core.ids import SourceId
from quoth.core.model import Form, Root
from quoth.core.names import root_name
from quoth.services.ingest import Report
from quoth.wiring import Kernel, Unseen
from services.archive import Archive
from services.two_sessions import STORES, OpenCode, Store, ZCode

LONG_AGO = 1_500_000_000
MANY = 520  # messages; more than a pass remembers one by one


def held(archive: Archive) -> dict[str, int]:
    """Return how many raw bytes the mirror holds of each stream."""
    sizes: dict[str, int] = archive.ask(
        lambda kernel: {name: kernel.mirror.size(name) for name in kernel.mirror.names()}
    )
    return sizes


def age(folder: Path) -> None:
    """Let every file have been written long ago, as in a copy that was put back."""
    for path in folder.rglob("*"):
        if path.is_file():
            os.utime(path, (LONG_AGO, LONG_AGO))


@pytest.mark.req("ARC-2", "INV-1")
@pytest.mark.parametrize("is_old", [False, True], ids=["new", "old"])
@pytest.mark.parametrize(
    ("source", "case"),
    [
        pytest.param(source, case, id=f"{source}-{case.name}")
        for source in sources()
        for case in cases(source)
        if any(file.form is Form.ROWS for file in found(source, case / "home")[0])
    ],
)
def test_a_sample_is_mirrored_once_however_often_the_index_is_made_again(
    archive: Archive, source: str, case: Path, is_old: bool
) -> None:
    folder = Path(shutil.copytree(case / "home", archive.folder / "sample"))
    if is_old:
        age(folder)
    root = Root(SourceId(source), folder, root_name(str(folder)))

    def sync(kernel: Kernel) -> Report:
        return replace(kernel.ingest, roots=[root]).run(Unseen())

    archive.ask(sync)
    once = held(archive)
    for _ in range(2):
        archive.ask(sync)
        archive.rebuild()
    archive.ask(sync)
    assert held(archive) == once


@pytest.mark.req("ARC-2", "INV-1")
@pytest.mark.parametrize("store", STORES, ids=lambda store: store.__name__)
def test_what_grew_is_mirrored_once_however_often_the_index_is_made_again(archive: Archive, store: type[Store]) -> None:
    agent = store(archive.folder)
    for n in (1, 2, 3):
        agent.say(n)
        archive.sync()
    once = held(archive)
    for _ in range(2):
        archive.rebuild()
        archive.sync()
    assert held(archive) == once


@pytest.mark.req("ARC-2", "INV-1")
@pytest.mark.parametrize("store", [OpenCode, ZCode], ids=lambda store: store.__name__)
def test_a_database_whose_file_is_older_than_its_rows_is_mirrored_once(archive: Archive, store: type[OpenCode]) -> None:
    agent = store(archive.folder)
    agent.writer.db.execute("BEGIN")
    for n in range(MANY):
        agent.say(n)
    agent.writer.db.execute("COMMIT")
    age(archive.folder / store.path.partition("/")[0])
    archive.sync()
    once = held(archive)
    archive.rebuild()
    archive.sync()
    assert held(archive) == once
