"""Kill a pass behind each of its durable steps, whatever becomes of the log before and after, twice in a row."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from itertools import product
from random import Random
from typing import Any

import pytest

from quoth.core.names import mirror_name
from quoth.wiring import Kernel, Unseen
from services.archive import Archive


class Killed(BaseException):
    """Ends a pass as SIGKILL would: nothing catches it, and all that runs on the way out is the lock's release."""


# The durable steps of a pass, by the part that takes them.
STEPS = {"append": "mirror", "begin_all": "journal", "moved": "journal", "put": "index"}


class Upstream:
    """What happens to the only log between two passes. Every text is new, and remembered as written."""

    def __init__(self, archive: Archive) -> None:
        self.archive = archive
        self.log = archive.log()
        self._said = 0
        self.add()

    def add(self) -> None:
        with self.log.open("ab") as log:
            log.write(self._record())

    def rewrite(self) -> None:
        self.log.write_bytes(self._record())

    def move(self) -> None:
        if self.log.exists():
            folder = "-work-other" if self.log.parent.name == "-work-bakery" else "-work-bakery"
            self.log = self.log.rename(self.archive.log(folder=folder))

    def move_and_rewrite(self) -> None:
        self.move()
        self.rewrite()

    def delete(self) -> None:
        self.log.unlink(missing_ok=True)

    def _record(self) -> bytes:
        self._said += 1
        return self.archive.record(f"sentence {self._said}", n=self._said)


CHANGES: Mapping[str, Callable[[Upstream], None]] = {
    name: getattr(Upstream, name) for name in ("add", "rewrite", "move", "move_and_rewrite", "delete")
}


def killed_behind(archive: Archive, step: str) -> None:
    """Do a pass that ends behind the first durable step of that name; where there is none the pass ends by itself."""

    def run(kernel: Kernel) -> None:
        part = getattr(kernel, STEPS[step])
        method = getattr(part, step)

        def last(*args: Any) -> object:
            done = method(*args)
            if args == ([],):  # nothing was to be done
                return done
            raise Killed

        setattr(part, step, last)
        kernel.ingest.run(Unseen())

    with suppress(Killed):
        archive.ask(run)


def unread_lines(archive: Archive) -> list[str]:
    """Return the streams of which the mirror holds more than the index has read."""

    def ask(kernel: Kernel) -> Iterator[str]:
        read = {state.stream.rank: state.progress.offset for state in kernel.index.streams()}
        for stream in kernel.journal.streams():
            name = mirror_name(stream.source, stream.root, stream.key, stream.generation)
            if read.get(stream.rank) != kernel.mirror.size(name):
                yield name

    return archive.ask(lambda kernel: list(ask(kernel)))


# Every second kill with every change behind it; what comes before takes turns. And the generation that ends unread.
BEFORE = Random(4).sample(list(product(STEPS, CHANGES)), 20)
CASES = [(*before, *after) for before, after in zip(BEFORE, product(STEPS, CHANGES), strict=True)]
CASES += [("append", "rewrite", "begin_all", other) for other in CHANGES]


@pytest.mark.req("INV-1", "INV-2", "ARC-7")
@pytest.mark.parametrize(("first", "change", "second", "other"), CASES)
def test_two_kills_behind_any_steps_leave_what_a_rebuild_would_make(
    archive: Archive, first: str, change: str, second: str, other: str
) -> None:
    upstream = Upstream(archive)
    archive.sync()
    upstream.add()
    killed_behind(archive, first)
    CHANGES[change](upstream)
    killed_behind(archive, second)
    CHANGES[other](upstream)
    archive.sync()
    before = archive.answers()
    assert unread_lines(archive) == []
    archive.rebuild()
    assert archive.answers() == before
