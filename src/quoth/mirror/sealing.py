"""Seal many streams together, as their only writer: the disk is slow, and waited for as seldom as possible."""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from pathlib import Path

from quoth.core.errors import QuothError
from quoth.mirror.appending import Appending
from quoth.mirror.durable import failing_as_store, force_path
from quoth.mirror.streams import StreamFiles


def seal(streams: Sequence[StreamFiles], *, frame_size: int, at_least: int) -> Mapping[str, int]:
    """Make a frame of each tail that holds that many bytes; return the sizes of the streams where that went well.

    Raises:
        StoreFailed: the disk refused; every stream is whole, some may be sealed.
    """
    forced = set[Path]()  # all of it is on the disk when this ends, so nobody needs to know
    sealing = _Sealing(
        {files.name: Appending(files, frame_size=frame_size, touched=forced).seal(at_least) for files in streams}
    )
    with failing_as_store("Forcing the mirror onto the disk"):
        while written := sealing.go_on():
            for path in sorted(written):
                force_path(path)
    return sealing.sizes


class _Sealing:
    def __init__(self, streams: dict[str, Generator[Path, None, int]]) -> None:
        self._streams = streams
        self.sizes: dict[str, int] = {}

    def go_on(self) -> set[Path]:
        """Take every stream one step further and return what was written; what fails is left behind."""
        written = set[Path]()
        for name, stream in list(self._streams.items()):
            try:
                written.add(next(stream))
            except StopIteration as ended:
                self.sizes[name] = ended.value
                del self._streams[name]
            except QuothError:
                del self._streams[name]
        return written
