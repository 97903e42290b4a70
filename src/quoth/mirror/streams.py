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
- Where words are wiped (`blanking.py`), another file takes the place of the frames or the tail. It has the same raw
  bytes at the same places but for the wiped ones, so a reader that opened the old one may read on. The ranges that were
  wiped stand in `<name>.g0` before that; so a frames file and that file together tell whether the known frames are
  those of the file, even where the system gives an inode anew. No part of a log's name ends in `.g0`
  (`core.names.portable_part`).
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import nullcontext, suppress
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
    """The complete frames of a stream. `file` tells when another one took the place of the one that was read."""

    file: tuple[int, ...] = ()
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
        self.blanked = base.with_name(f"{base.name}.g0")
        self._known = Table()

    def handed_over(self, stop: int) -> Path:
        """Return the file that is the tail when the frames end at `stop` and it exists."""
        return self.tail.with_name(f"{self.tail.name}.{stop}")

    def size(self) -> int:
        table, tail = self._at_rest(_length)
        return table.stop + (tail or 0)

    def pieces(self, start: int) -> Iterator[tuple[int, bytes]]:
        """Yield the raw bytes of each frame, and of the tail, that reach beyond `start`, with where they begin."""
        table, tail, file = self._opened()
        with file or nullcontext():
            for frame in table.frames:
                if file and frame.stop > start:
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
            table, _, file = self._opened()
        except MirrorDamaged as error:
            yield f"{self.name}: {error.__cause__ or error}"
            return
        with file or nullcontext():
            for frame in table.frames:
                if file and (problem := _problem(file, frame)):
                    yield f"{self.name}: {problem}"

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
        if known.file == self._file(status) and known.end == status.st_size:
            return known
        with open_private(self.frames, "rb") as file:
            status = os.fstat(file.fileno())
            if known.file != (is_now := self._file(status)) or known.end > status.st_size:
                known = Table(is_now)
            new = tuple(walk(file, status.st_size, name=self.name, after=known.last))
        return Table(known.file, known.frames + new)

    def _file(self, status: os.stat_result) -> tuple[int, ...]:
        """Return what tells a frames file from those before it; call this after `status` was taken."""
        try:
            blanked = os.stat(self.blanked)
        except FileNotFoundError:
            return (status.st_ino,)
        return status.st_ino, blanked.st_ino, blanked.st_mtime_ns, blanked.st_size

    def _opened(self) -> tuple[Table, bytes | None, FileIO | None]:
        """Return the frames and the tail at rest, with the very file that these frames are in."""
        for _ in range(_ATTEMPTS):
            table, tail = self._at_rest(_content)
            if not table.frames:
                return table, tail, None
            file = open_private(self.frames, "rb")
            if self._file(os.fstat(file.fileno())) == table.file:
                return table, tail, file
            file.close()
        raise self._restless()

    def _at_rest(self, look: Callable[[FileIO], _Seen]) -> tuple[Table, _Seen | None]:
        for _ in range(_ATTEMPTS):
            table = self.table()
            seen = self._look_at_tail(table.stop, look)
            if self.table().stop == table.stop:
                return table, seen
        raise self._restless()

    def _restless(self) -> StoreFailed:
        return StoreFailed(f"Reading the mirror file {self.name}", "it never came to rest")

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
