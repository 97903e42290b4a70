"""The line to the worker, when what it leads to is slow, silent, or somebody else."""

from __future__ import annotations

import os
import socket
import threading
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from quoth.core.candidates import Compared
from quoth.core.errors import Busy, EmbedderFailed
from quoth.core.model import Json
from quoth.remotes import worker
from quoth.remotes._places import ELSEWHERE, LOCK, NAME, folder, found
from quoth.remotes._server import Server
from quoth.remotes.worker import WorkerLine
from quoth.services.compare import Comparing
from quoth.storage._vectors import FileVectors
from worker.keeping import Quick, until

pytestmark = pytest.mark.skipif(not hasattr(socket, "AF_UNIX"), reason="no sockets that are files: there is no worker")


class Hanging:
    """A worker whose embedder never answers, until `free` is set."""

    def __init__(self) -> None:
        self.free, self.left = threading.Event(), threading.Event()
        self.questions = 0

    def compare(self, text: str, **_: Any) -> Compared | None:
        self.questions += 1
        self.free.wait(60)
        return None

    def meaning(self) -> Any:
        return self

    def about(self) -> Mapping[str, Json]:
        return {"pid": 1}

    def poke(self) -> None:
        """Have nothing to do."""

    def leave(self) -> None:
        self.left.set()


@pytest.fixture
def home(tmp_path: Path) -> Path:
    folder(tmp_path).mkdir(mode=0o700)
    return tmp_path


@pytest.fixture
def hanging(home: Path) -> Iterator[Hanging]:
    asked = Hanging()
    server = Server(home, "same", asked)
    yield asked
    asked.free.set()
    server.close()


@pytest.mark.req("INV-6")
def test_questions_that_nobody_answers_do_not_keep_the_worker_from_being_told_to_leave(
    home: Path, hanging: Hanging
) -> None:
    line = WorkerLine(home, "same", None)

    def is_full() -> bool:
        assert line.compare("a question", nearest=1, wait_ms=1) is None
        return hanging.questions >= 8

    until(is_full, "that many questions wait")
    for _ in range(10):
        assert line.compare("a question", nearest=1, wait_ms=1) is None
    assert line.ping() == {"pid": 1}
    assert line.stop()
    assert hanging.left.is_set()


def test_a_worker_that_is_there_and_silent_is_not_taken_for_none(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from filelock import FileLock

    monkeypatch.setattr(worker, "_LEAVING", 0.2)
    line = WorkerLine(home, "same", None)
    assert not line.stop()
    with FileLock(folder(home) / LOCK), pytest.raises(Busy):
        line.stop()


@pytest.mark.req("INV-9")
@pytest.mark.parametrize("spoil", ["open to others", "a link"])
def test_no_text_is_sent_to_a_socket_in_a_folder_that_is_not_ours_alone(tmp_path: Path, spoil: str) -> None:
    home = tmp_path / ("long" * 20) / ("path" * 20)
    folder(home).mkdir(parents=True)
    place = tmp_path / "quoth-there" / NAME
    place.parent.mkdir(mode=0o700)
    (folder(home) / ELSEWHERE).write_bytes(os.fsencode(place))
    assert found(home) == place
    if spoil == "a link":
        place.parent.rename(tmp_path / "elsewhere")
        place.parent.symlink_to(tmp_path / "elsewhere")
    else:
        place.parent.chmod(0o711)
    assert found(home) is None


@pytest.mark.req("PER-5")
def test_a_question_that_was_announced_is_read_once_while_whoever_asks_looks_for_words(home: Path) -> None:
    goes_on, begun = threading.Event(), threading.Event()

    def read(_: str) -> None:
        begun.set()
        goes_on.wait(60)

    quick = Quick(read)
    asked = Hanging()
    comparing = Comparing(quick, FileVectors(home, model="quick-1", dimensions=8))
    asked.meaning = lambda: comparing  # type: ignore[method-assign]
    server = Server(home, "same", asked)
    line = WorkerLine(home, "same", None)
    try:
        line.expect("a question")
        assert begun.wait(60), "it is read although nobody waits"
        assert line.compare("a question", nearest=1, wait_ms=1) is None, "it is not read yet"
        goes_on.set()
        assert line.compare("a question", nearest=1, wait_ms=60_000)
        assert quick.asked == [["a question"]]
    finally:
        server.close()


def test_a_question_that_can_not_be_read_is_read_again_the_next_time(home: Path) -> None:
    is_failing = [True]

    def fail(_: str) -> None:
        if is_failing[0]:
            raise EmbedderFailed("quick", "it does not want to", "Ask another one.")

    comparing = Comparing(Quick(fail), FileVectors(home, model="quick-1", dimensions=8))
    with pytest.raises(EmbedderFailed):
        comparing.expect("a question")
    is_failing[0] = False
    assert comparing.compare("a question", nearest=1).model == "quick-1"
