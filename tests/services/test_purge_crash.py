"""A purge that is killed at any point has done nothing, or leaves a rest that whoever comes next does."""

from __future__ import annotations

import random
import shutil
import time
from functools import partial

import pytest

from children import child, killed, needs_fork
from quoth.core.memory import Fate
from quoth.wiring import Unseen
from services.archive import Archive
from services.purged import PERSON, findings, left, purge, remember, streams

pytestmark = needs_fork

KILLS = 24
WORDS = "Zanzibar Quillwort"
TALK = [f"sentence {n} of the day" for n in range(40)]


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Archive:
    """A home in which the words are in an event, beside another event, in a title and in an entry."""
    archive = Archive(tmp_path_factory.mktemp("whole"))
    shared = [{"type": "text", "text": "a thought that stays"}, {"type": "text", "text": f"and {WORDS}"}]
    lines = archive.records([*TALK, f"the word is {WORDS}", "so be it"])
    lines.append(archive.record("", n=90, role="assistant", message={"role": "assistant", "content": shared}))
    lines.append(archive.record("a visible one", n=91, toolUseResult={"stdout": f"zanzibar\n{WORDS}"}))
    archive.log().write_bytes(b"".join(lines))
    archive.sync()
    remember(archive, f"It is {WORDS}")
    remember(archive, "Bread is baked at night")
    return archive


def _copied(archive: Archive, number: int) -> Archive:
    """Return another home with the same logs."""
    copy = Archive(archive.folder, f"killed-{number}")
    shutil.rmtree(copy.home, ignore_errors=True)
    shutil.copytree(archive.home, copy.home)
    return copy


@pytest.mark.req("INV-2", "INV-5")
def test_a_killed_purge_is_not_begun_or_can_be_finished(whole: Archive) -> None:
    rng, deaths, half = random.Random(5), 0, 0
    spoken, sizes = whole.spoken(), streams(whole)
    wanted = [text for text in spoken if WORDS not in text]
    begun = time.monotonic()
    assert child(partial(purge, _copied(whole, KILLS), words=WORDS)) == 0
    longest = 1.2 * (time.monotonic() - begun)
    for attempt in range(KILLS):
        archive = _copied(whole, attempt)
        status = child(partial(purge, archive, words=WORDS), kill_after=rng.uniform(longest / 20, longest))
        longest *= 1.05 if killed(status) else 0.8  # how busy the machine is changes meanwhile
        deaths += killed(status)
        half += (archive.home / "raw" / "purge.plan").exists()
        for finish in rng.choice([["sync"], ["rebuild"], ["purge"], ["sync", "rebuild"]]):
            _go_on(archive, finish)
        if archive.search(WORDS):
            assert archive.spoken() == spoken, "nothing was begun"
        purge(archive, words=WORDS)
        assert left(archive, WORDS) == []
        assert (archive.spoken(), streams(archive)) == (wanted, sizes)
        assert findings(archive) == []
        assert not (archive.home / "raw" / "purge.plan").exists()
        archive.sync()
        assert (archive.spoken(), streams(archive)) == (wanted, sizes)
        shutil.rmtree(archive.home)
    assert (deaths > KILLS // 4, half > 0) == (True, True), "the kills must hit"


def _go_on(archive: Archive, how: str) -> None:
    match how:
        case "sync":
            archive.sync()
        case "rebuild":
            archive.rebuild()
        case "purge":
            purge(archive, words=WORDS)


class _Interrupting(Unseen):
    """A person who loses patience when the index is to be made again."""

    def begin(self, *, files: int, total: int) -> None:
        raise KeyboardInterrupt


@pytest.mark.req("INV-5", "QUO-9")
def test_the_doctor_tells_of_a_purge_that_was_cut_short_and_mends_it(whole: Archive) -> None:
    archive = _copied(whole, 0)
    said = f"the word is {WORDS}"
    event = str(archive.search(said)[0]["id"])
    with pytest.raises(KeyboardInterrupt):
        archive.ask(lambda kernel: kernel.purge.run([event], by=PERSON, meter=_Interrupting()))
    archive.sync()
    assert not archive.search(said)
    assert "ledger:purge" in _doubts(archive)
    archive.ask(lambda kernel: kernel.doctor.run(fix=True))
    assert [name for name in left(archive, said) if ":" not in name] == []
    assert "ledger:purge" not in _doubts(archive)
    assert archive.ask(lambda kernel: kernel.memory.entries.fate(event)) is Fate.DESTROYED


def _doubts(archive: Archive) -> set[str]:
    return {check.id for check in archive.ask(lambda kernel: kernel.doctor.run()) if check.status != "pass"}
