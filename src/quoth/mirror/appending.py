"""Append to one stream, or seal it, as its only writer. The order of the steps is what `streams.py` builds on."""

from __future__ import annotations

import os
import re
from collections.abc import Generator, Iterable, Iterator
from contextlib import contextmanager, suppress
from io import FileIO
from pathlib import Path

from quoth.core.errors import QuothError, ReadFailed, StoreFailed
from quoth.mirror.durable import failing_as_store, force_path, make_folder, open_private, write_whole
from quoth.mirror.frames import Frame, pack
from quoth.mirror.streams import StreamFiles


class Appending:
    """One append to a stream, or its sealing. `touched` collects what was written and not forced onto the disk."""

    def __init__(self, files: StreamFiles, *, frame_size: int, touched: set[Path]) -> None:
        self._files = files
        self._frame_size = frame_size
        self._touched = touched
        self._waiting = bytearray()
        self._last: Frame | None = None
        self._tail = 0
        self._opened: FileIO | None = None

    def append(self, chunks: Iterable[bytes], *, seal_from: int | None = None) -> int:
        """Append raw bytes and return the new size. Whatever fails, what is there then is a beginning of them."""
        try:
            with self._storing():
                self._begin()
            self._take(chunks)
            with self._storing():
                if seal_from is not None and not self._tail and len(self._waiting) >= max(1, seal_from):
                    self._add(self._frames_file(), self._first(self._frame_size))
                return self._end()
        finally:
            if self._opened:
                self._opened.close()

    def seal(self, at_least: int) -> Generator[Path, None, int]:
        """Hand a tail of that many bytes over to a frame of its own, and return the size of the stream.

        What is yielded must be on the disk before this goes on.
        """
        try:
            with self._storing():
                self._begin()
                if self._tail >= max(1, at_least):
                    yield from self._steps()
                return self._end()
        finally:
            if self._opened:
                self._opened.close()

    def _take(self, chunks: Iterable[bytes]) -> None:
        try:
            for chunk in chunks:
                self._waiting += chunk
                with self._storing():
                    self._add_frames()
        except ReadFailed:  # a torn or growing upstream file: what it gave is right, and all there may ever be
            with self._storing():
                self._end()
            raise

    @contextmanager
    def _storing(self) -> Iterator[None]:
        try:
            with failing_as_store(f"Writing the mirror file {self._files.name}"):
                yield
        except StoreFailed:
            with suppress(OSError, QuothError):  # a full disk still takes this; if not, the next writer does it
                self.mend()
            raise

    def _begin(self) -> None:
        make_folder(self._files.frames.parent)
        self.mend()
        self._last = self._files.table().last
        self._tail = self._files.tail.stat().st_size if self._files.tail.exists() else 0

    def mend(self) -> None:
        """Cut off a torn frame, and finish a hand-over whose frame is there."""
        table = self._files.table()
        if self._files.frames.exists() and self._files.frames.stat().st_size > table.end:
            os.truncate(self._files.frames, table.end)
        with suppress(FileNotFoundError):
            self._files.handed_over(table.stop).replace(self._files.tail)

    def _add_frames(self) -> None:
        while self._tail + len(self._waiting) >= self._frame_size:
            if self._tail:
                self._hand_over()
            else:
                self._add(self._frames_file(), self._first(self._frame_size))

    def _hand_over(self) -> None:
        for written in self._steps():
            force_path(written)

    def _steps(self) -> Iterator[Path]:
        """Make the tail and what follows a frame, in steps that can be interrupted anywhere.

        What is yielded must be on the disk before the next one: the folder with the new names, then the frame.
        """
        file = self._frames_file()
        raw = self._files.tail.read_bytes() + self._first(max(0, self._frame_size - self._tail))
        new_tail = self._files.handed_over((self._last.stop if self._last else 0) + len(raw))
        open_private(new_tail, "wb").close()
        yield new_tail.parent
        self._add(file, raw)
        yield self._files.frames
        new_tail.replace(self._files.tail)
        self._tail = 0

    def _add(self, file: FileIO, raw: bytes) -> None:
        data, frame = pack(raw, self._last)
        write_whole(file, data)
        self._last = frame

    def _frames_file(self) -> FileIO:
        if self._opened is None:
            self._remove_left_overs()
            self._opened = open_private(self._files.frames, "ab")
            self._touched.add(self._files.frames)
        return self._opened

    def _remove_left_overs(self) -> None:
        """Remove what hand-overs left that did not happen; the frames could come to end where one of them says."""
        if not self._files.tail.exists():
            return
        left_over = re.compile(re.escape(self._files.tail.name) + r"\.\d+", re.ASCII)
        for name in os.listdir(self._files.tail.parent):
            if left_over.fullmatch(name):
                self._files.tail.with_name(name).unlink()

    def _first(self, size: int) -> bytes:
        with memoryview(self._waiting) as view:
            raw = bytes(view[:size])
        del self._waiting[:size]
        return raw

    def _end(self) -> int:
        if self._waiting:
            self._touched.add(self._files.tail)
            with open_private(self._files.tail, "ab") as file:
                write_whole(file, self._waiting)
            self._tail += len(self._waiting)
            self._waiting.clear()
        return (self._last.stop if self._last else 0) + self._tail
