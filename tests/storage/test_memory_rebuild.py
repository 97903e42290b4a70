"""Forgetting holds over real logs: read again, copied, compressed, rewritten, and in an index that is made again."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from backports import zstd

from ledger.world import cited, statement
from quoth.core.ids import EventId
from quoth.core.ledger.operations import Body, Destroy, Draft, Forget, asserting, restoring
from quoth.core.memory import Fate
from quoth.wiring import Kernel
from services.archive import Archive
from storage.folding import told
from storage.remembering import identity

TEXTS = ["zebra on a wall", "lion in a yard", "tiger and zebra", "no animal"]
OTHER = "7c2d3a7f-9a1b-4e8f-8e66-4b2d6f1a8b22"


@pytest.fixture
def archive(tmp_path: Path) -> Archive:
    archive = Archive(tmp_path)
    archive.log().write_bytes(b"".join(archive.records(TEXTS)))
    archive.sync()
    return archive


def says(archive: Archive, *bodies: Body) -> Any:
    def say(kernel: Kernel) -> Any:
        done = kernel.memory.append([Draft(body, "codex@desk") for body in bodies])
        kernel.memory.catch_up()
        return done

    return archive.ask(say)


def ids(archive: Archive) -> dict[str, EventId]:
    return {event["text"]: EventId(event["id"]) for event in archive.events()}


def seen(archive: Archive) -> list[str]:
    return archive.ask(
        lambda kernel: [
            event["text"]
            for session in kernel.timeline.sessions(since=None, limit=50)["sessions"]
            for event in kernel.timeline.session(session["session"], source=None, include_tools=True, limit=50)[
                "events"
            ]
        ]
    )


def _synced(archive: Archive) -> None:
    archive.sync()


def _copied(archive: Archive) -> None:
    copy = archive.log(folder="-work-moved")
    shutil.copy(archive.log(), copy)
    archive.sync()


def _compressed(archive: Archive) -> None:
    log = archive.log()
    log.with_name(log.name + ".zst").write_bytes(zstd.compress(log.read_bytes()))
    log.unlink()
    archive.sync()


def _rewritten(archive: Archive) -> None:
    archive.log().write_bytes(b"".join(archive.records(["something else"], first=40) + archive.records(TEXTS)))
    archive.sync()


def _renumbered(archive: Archive) -> None:
    archive.log().write_bytes(b"".join(archive.records(TEXTS, first=40)))
    archive.sync()


def _forked(archive: Archive) -> None:
    archive.log(OTHER).write_bytes(b"".join(archive.records(TEXTS, session=OTHER)))
    archive.sync()


def _rebuilt(archive: Archive) -> None:
    archive.rebuild()


def _lost(archive: Archive) -> None:
    for path in archive.home.glob("index-*"):
        path.unlink()
    archive.rebuild()


AGAIN = [_synced, _copied, _compressed, _rewritten, _renumbered, _forked, _rebuilt, _lost]


@pytest.mark.req("INV-1", "INV-5", "ARC-6")
@pytest.mark.parametrize("read", AGAIN)
def test_a_forgotten_event_stays_hidden_whatever_becomes_of_its_log(
    archive: Archive, read: Callable[[Archive], None]
) -> None:
    before = ids(archive)
    (forgotten,) = says(archive, Forget(events=(before[TEXTS[0]], before[TEXTS[2]])))
    read(archive)
    assert archive.search("zebra") == []
    assert not {TEXTS[0], TEXTS[2]} & {*seen(archive)}
    assert archive.search("lion")
    says(archive, restoring(forgotten.id, forgotten.body))
    assert {TEXTS[0], TEXTS[2]} <= {*seen(archive)}
    assert archive.search("zebra")


@pytest.mark.req("INV-1", "INV-4")
def test_a_rebuilt_index_holds_the_same_of_the_ledger(archive: Archive) -> None:
    known = ids(archive)
    says(
        archive,
        asserting(identity(1), statement("text one", name="port"), cited(known[TEXTS[0]], known[TEXTS[1]])),
        asserting(identity(2), statement("text two", name="port"), cited(known[TEXTS[3]])),
        Forget(events=(known[TEXTS[3]],)),
        Forget(entries=(identity(1),), cited=True),
    )
    held = archive.ask(lambda kernel: told(kernel.index.memory))
    answers = archive.ask(_answers)
    for make_again in (_rebuilt, _lost):
        make_again(archive)
        assert archive.ask(lambda kernel: told(kernel.index.memory)) == held
        assert archive.ask(_answers) == answers


def _answers(kernel: Kernel) -> Any:
    return [kernel.timeline.sessions(since=None, limit=50), kernel.search.run("tiger zebra lion", limit=50)]


@pytest.mark.req("INV-5")
def test_a_rebuild_writes_nothing_of_what_is_destroyed(archive: Archive) -> None:
    event = ids(archive)[TEXTS[0]]
    says(archive, Destroy(events=(event,)))
    archive.rebuild()
    assert archive.ask(lambda kernel: kernel.index.memory.fate(event)) is Fate.DESTROYED
    assert [path.name for path in archive.home.glob("index-*") if b"wall" in path.read_bytes()] == []
