"""Keep the exact bytes of every stream below the home."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from quoth.core.errors import MirrorDamaged
from quoth.core.model import Line
from quoth.mirror import blanking
from quoth.mirror.appending import Appending
from quoth.mirror.durable import failing_as_store, force_folder, force_path
from quoth.mirror.sealing import seal
from quoth.mirror.streams import StreamFiles

_FRAME = 1024 * 1024
_MANY = 64  # files to force; from here on one call for the whole machine is faster
_ENDINGS = (".zst", ".tail")


class MirrorFiles:
    """The mirror in a home folder. `frame_size` is how many raw bytes make a frame."""

    def __init__(self, home: Path, *, frame_size: int = _FRAME) -> None:
        self._home = home
        self._frame_size = frame_size
        self._streams: dict[str, StreamFiles] = {}
        self._touched: set[Path] = set()

    def size(self, name: str) -> int:
        """Return how many raw bytes of a stream are held; 0 when there are none."""
        with failing_as_store(f"Reading the mirror file {name}"):
            return self._stream(name).size()

    def append(self, name: str, chunks: Iterable[bytes], *, seal_from: int | None = None) -> int:
        """Append raw bytes and return the new size; they survive a killed process when it returns.

        With `seal_from`, what would begin a tail of that many bytes becomes a frame.

        Raises:
            StoreFailed: what was appended so far is a beginning of the bytes, and `size` tells how much.
        """
        appending = Appending(self._stream(name), frame_size=self._frame_size, touched=self._touched)
        return appending.append(chunks, seal_from=seal_from)

    def seal(self, names: Iterable[str], *, at_least: int = 1) -> Mapping[str, int]:
        """Make one frame of each tail that holds that many bytes, and return the sizes of the streams.

        What could not be sealed is missing. The frames are on the disk then, so nothing is left to force.
        """
        return seal([self._stream(name) for name in names], frame_size=self._frame_size, at_least=at_least)

    def sync(self) -> None:
        """Force everything appended since the last call onto the disk."""
        self.forcing()()

    def forcing(self) -> Callable[[], None]:
        """Return the work of forcing what was appended since the last call; another thread may do it."""
        touched = sorted(self._touched)
        self._touched.clear()

        def force_all() -> None:
            try:
                with failing_as_store("Forcing the mirror onto the disk"):
                    _force(touched)
            except BaseException:
                self._touched.update(touched)  # whoever tries again must try these too
                raise

        return force_all

    def read(self, name: str, start: int = 0, stop: int | None = None) -> Iterator[bytes]:
        """Yield raw bytes from `start` on, in chunks of about a frame."""
        with failing_as_store(f"Reading the mirror file {name}"):
            for begin, piece in self._stream(name).pieces(start):
                if stop is not None and begin >= stop:
                    return
                if wanted := piece[max(0, start - begin) : None if stop is None else stop - begin]:
                    yield wanted

    def lines(self, name: str, *, offset: int = 0, number: int = 0) -> Iterator[tuple[Line, int]]:
        """Yield each complete line after `offset`, where `number` lines end, with the offset behind it."""
        for line, end, is_complete in self._split(name, offset, number):
            if is_complete:
                yield line, end

    def line(self, name: str, first: int, last: int | None = None) -> bytes:
        """Return lines `first` to `last` joined by LF; what follows the last LF counts as a line here.

        Raises:
            MirrorDamaged: they are not there.
        """
        last = first if last is None else last
        with failing_as_store(f"Reading the mirror file {name}"):
            offset, number = self._stream(name).before_line(first)
        found: list[bytes] = []
        for line, _, _ in self._split(name, offset, number):
            if first <= line.number <= last:
                found.append(line.data)
            if line.number >= last:
                break
        if not found or len(found) != last - first + 1:
            raise MirrorDamaged(name, f"it does not hold lines {first} to {last}")
        return b"\n".join(found)

    def _split(self, name: str, offset: int, number: int) -> Iterator[tuple[Line, int, bool]]:
        """Yield each line with the offset behind it; at last what has no LF yet, as an incomplete one."""
        begun: list[bytes] = []  # a long line arrives in many pieces; joining them once keeps this linear
        for piece in self.read(name, offset):
            first, *rest = piece.split(b"\n")
            begun.append(first)
            for following in rest:
                data = b"".join(begun)
                number += 1
                offset += len(data) + 1
                yield Line(number, data), offset, True
                begun = [following]
        if any(begun):
            data = b"".join(begun)
            yield Line(number + 1, data), offset + len(data), False

    def names(self) -> Iterator[str]:
        """Yield the name of every stream, sorted."""
        with failing_as_store("Listing the mirror"):
            files = [path for path in (self._home / "raw").rglob("*") if path.suffix in _ENDINGS and path.is_file()]
        yield from sorted({path.relative_to(self._home).with_suffix("").as_posix() for path in files})

    def blank(self, name: str, blanked: Callable[[Line], bytes | None]) -> int:
        """Overwrite lines in place: with what the function returns, as long as the line was; None keeps a line.

        It is on the disk when this returns. A killed call leaves each byte as it was or overwritten; the next one does
        the rest. Nothing of the old bytes is in any file then.
        """
        stream = self._stream(name)
        with failing_as_store(f"Wiping in the mirror file {name}"):
            Appending(stream, frame_size=self._frame_size, touched=self._touched).mend()
            chosen = blanking.Chosen()
            for line, end, is_complete in self._split(name, 0, 0):
                chosen.take(line, end - len(line.data) - is_complete, blanked(line))
            blanking.overwrite(stream, chosen)
        return chosen.lines

    def blanks(self, name: str) -> Sequence[tuple[int, int]]:
        """Return the ranges of raw bytes that were overwritten, in order; mirror and log may differ there."""
        with failing_as_store(f"Reading the mirror file {name}"):
            return blanking.ranges(self._stream(name))

    def is_blanked(self, name: str, first: int, last: int) -> bool:
        """Tell whether something was overwritten in lines `first` to `last`."""
        ranges = self.blanks(name)
        if not ranges:
            return False
        offset, number = self._stream(name).before_line(first)
        start = stop = offset
        for line, end, _ in self._split(name, offset, number):
            start, stop = (stop, end) if line.number <= first else (start, end)
            if line.number >= last:
                break
        return any(begin < stop and end > start for begin, end in ranges)

    def expect_blanks(self, name: str, ranges: Sequence[tuple[int, int]]) -> None:
        """Say that ranges of raw bytes, which are not there yet, will be blank."""
        with failing_as_store(f"Writing the mirror file {name}"):
            blanking.add_ranges(self._stream(name), ranges)

    def check(self, name: str) -> list[str]:
        """Read every frame and return what is wrong, as sentences; an empty list means a sound stream."""
        with failing_as_store(f"Reading the mirror file {name}"):
            problems = list(self._stream(name).problems())
            try:
                blanking.ranges(self._stream(name))
            except MirrorDamaged as error:
                problems.append(f"{name}: {error}")
        return problems

    def _stream(self, name: str) -> StreamFiles:
        stream = self._streams.get(name)
        if stream is None:
            stream = self._streams[name] = StreamFiles(self._home, name)
        return stream


def _force(paths: Sequence[Path]) -> None:
    if sys.platform == "linux" and len(paths) > _MANY:
        os.sync()  # the calls below then find little to do, and tell of failures
    for path in paths:
        force_path(path)
    for folder in sorted({path.parent for path in paths}):
        force_folder(folder)
