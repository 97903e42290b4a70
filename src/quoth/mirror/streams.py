"""Read the exact bytes of one stream while another process may be appending to it.

`<name>.zst` holds compressed frames (see `frames.py`), `<name>.tail` the raw bytes behind them that wait to become one.
One process appends at a time (the holder of the ingest lock; see `appending.py`); any number read meanwhile. What makes
a `kill -9` at any moment harmless, and readers right without a lock:

- Bytes only ever go to the end of a file. A torn end is a clean prefix in the tail and no frame in the frames; the next
  writer cuts it off there.
- When a frame takes over a tail, an empty `<name>.tail.<L>` is made first, L being where the raw bytes of the frames
  will end; then the frame is appended; then that file replaces the tail. So if `.tail.<L>` exists for the L where the
  frames end now, it is the tail, and what `.tail` holds is in the frames already. With another L it is left from a
  hand-over that did not happen; the next writer removes it before the frames grow.
- A reader looks at the frames, at the tail, and at the frames again, and starts over when they grew meanwhile.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from io import FileIO
from pathlib import Path
from typing import TypeVar

from quoth.core.errors import MirrorDamaged, StoreFailed
from quoth.mirror.durable import open_private
from quoth.mirror.frames import Frame, FrameError, is_intact, unpack, walk

_ATTEMPTS = 1000  # to see a stream at rest; each is far shorter than writing one frame
_WALKS = 3  # a torn end that is cut off and written over while we read it looks damaged once

_Seen = TypeVar("_Seen")


@dataclass(frozen=True, slots=True)
class Table:
    """The complete frames of a stream. `inode` tells when another file took the place of the one that was read."""

    inode: int = 0
    frames: tuple[Frame, ...] = ()

    @property
    def last(self) -> Frame | None:
        return self.frames[-1] if self.frames else None

    @property
    def stop(self) -> int:
        """Where the raw bytes of the frames end and those of the tail begin."""
        return self.frames[-1].stop if self.frames else 0

    @property
    def end(self) -> int:
        return self.frames[-1].end if self.frames else 0


class StreamFiles:
    """The files of one stream, for reading; remembers the frames it has seen."""

    def __init__(self, home: Path, name: str) -> None:
        base = home / name
        self.name = name
        self.frames = base.with_name(f"{base.name}.zst")
        self.tail = base.with_name(f"{base.name}.tail")
        self._known = Table()

    def handed_over(self, stop: int) -> Path:
        """Return the file that is the tail when the frames end at `stop` and it exists."""
        return self.tail.with_name(f"{self.tail.name}.{stop}")

    def size(self) -> int:
        table, tail = self._at_rest(_length)
        return table.stop + (tail or 0)

    def pieces(self, start: int) -> Iterator[tuple[int, bytes]]:
        """Yield the raw bytes of each frame, and of the tail, that reach beyond `start`, with where they begin."""
        table, tail = self._at_rest(_content)
        wanted = [frame for frame in table.frames if frame.stop > start]
        if wanted:
            with open_private(self.frames, "rb") as file:
                for frame in wanted:
                    yield frame.start, self._unpacked(file, frame)
        if tail:
            yield table.stop, tail

    def before_line(self, number: int) -> tuple[int, int]:
        """Return an offset near the beginning of a line, and how many LFs come before that offset."""
        for frame in reversed(self.table().frames):
            if frame.feeds_until < number - 1:
                return frame.stop, frame.feeds_until
            if frame.feeds_before < number - 1:
                return frame.start, frame.feeds_before
        return 0, 0

    def problems(self) -> Iterator[str]:
        """Read every frame and say what is wrong."""
        try:
            frames = self.table().frames
        except MirrorDamaged as error:
            yield f"{self.name}: {error.__cause__ or error}"
            return
        if frames:
            with open_private(self.frames, "rb") as file:
                yield from (f"{self.name}: {problem}" for frame in frames if (problem := _problem(file, frame)))

    def table(self) -> Table:
        """Return the complete frames; reads only what was appended since the last call.

        Raises:
            MirrorDamaged: what lies behind a frame is no frame.
        """
        for attempt in range(1, _WALKS + 1):
            try:
                self._known = self._extended(self._known)
                break
            except FileNotFoundError:
                self._known = Table()
                break
            except FrameError as error:
                if attempt == _WALKS:
                    raise MirrorDamaged(self.name, str(error)) from error
        return self._known

    def _extended(self, known: Table) -> Table:
        status = os.stat(self.frames)
        if known.inode != status.st_ino or known.end > status.st_size:
            known = Table(status.st_ino)
        if known.end == status.st_size:
            return known
        with open_private(self.frames, "rb") as file:
            new = tuple(walk(file, status.st_size, name=self.name, after=known.last))
        return Table(known.inode, known.frames + new)

    def _at_rest(self, look: Callable[[FileIO], _Seen]) -> tuple[Table, _Seen | None]:
        for _ in range(_ATTEMPTS):
            table = self.table()
            seen = self._look_at_tail(table.stop, look)
            if self.table().stop == table.stop:
                return table, seen
        raise StoreFailed(f"Reading the mirror file {self.name}", "it never came to rest")

    def _look_at_tail(self, stop: int, look: Callable[[FileIO], _Seen]) -> _Seen | None:
        for path in (self.handed_over(stop), self.tail):
            with suppress(FileNotFoundError), open_private(path, "rb") as file:
                return look(file)
        return None

    def _unpacked(self, file: FileIO, frame: Frame) -> bytes:
        try:
            return unpack(file, frame)
        except FrameError as error:
            raise MirrorDamaged(self.name, str(error)) from error


def _length(file: FileIO) -> int:
    return os.fstat(file.fileno()).st_size


def _content(file: FileIO) -> bytes:
    return file.readall()


def _problem(file: FileIO, frame: Frame) -> str | None:
    try:
        intact = is_intact(frame, unpack(file, frame))
    except FrameError as error:
        return str(error)
    return None if intact else f"the frame at byte {frame.start} does not have the hash it was written with"
