"""What a pass leaves that is killed after the journal was written and before the index was."""

from __future__ import annotations

from pathlib import Path

import pytest

from quoth.core.model import Form, Found, Root
from quoth.core.names import root_name
from quoth.readers.tree import signature
from quoth.wiring import Kernel
from services.archive import Archive


@pytest.mark.req("INV-1", "INV-2", "ARC-7")
def test_a_move_that_only_the_journal_knows_is_told_by_the_next_pass_as_by_a_rebuild(tmp_path: Path) -> None:
    archive = Archive(tmp_path)
    log = archive.log()
    log.write_bytes(b"".join(archive.records(["Is the oven on?", "It is."])))
    archive.sync()
    moved = archive.log(folder="-work-other")
    log.unlink()
    moved.write_bytes(b"".join(archive.records(["Was the oven on?"], first=9)))

    def die_behind_the_journal(kernel: Kernel) -> None:
        (stream,) = kernel.journal.streams()
        kernel.journal.moved(stream, str(moved))
        (root,) = [root for root in kernel.roots if root.path == archive.claude]
        kernel.journal.begin_all([(root, found(root, moved), 1)])

    archive.ask(die_behind_the_journal)
    archive.sync()
    before = archive.answers()
    archive.rebuild()
    assert archive.answers() == before


def found(root: Root, path: Path) -> Found:
    assert root.name == root_name(str(root.path))
    key = path.relative_to(root.path).as_posix()
    return Found(key, path, Form.LOG, path.name, signature(path.stat()))
