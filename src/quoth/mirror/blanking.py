"""Overwrite bytes of one stream for ever, as its only writer. Line numbers, offsets and sizes stay.

What makes a `kill -9` at any moment harmless:

- `<name>.g0` says which ranges of raw bytes are overwritten. It is on the disk before they are: whoever compares the
  mirror with a log may always ignore what differs there.
- Then the frames that hold such bytes are written anew, and the tail, each into a file beside (`.g00`) that takes the
  place of the old one in one step. That file holds nothing that the old one did not; a left-over one is removed first.

`<name>.g0` is text: a line `{"format": 1}`, then one line `[start, stop]` for each range. Never change its meaning;
raise the format.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TypeAlias

from quoth.core.blanking import differing
from quoth.core.errors import MirrorDamaged, NewerFormat
from quoth.core.model import Line
from quoth.mirror.durable import force, force_folder, make_folder, open_private, write_whole
from quoth.mirror.frames import HEADER, Frame, as_written, pack, unpack
from quoth.mirror.streams import StreamFiles

FORMAT = 1

Range: TypeAlias = tuple[int, int]


@dataclass(slots=True)
class Chosen:
    """The bytes to overwrite, each run with where it begins, and in how many lines they are."""

    lines: int = 0
    runs: list[tuple[int, bytes]] = field(default_factory=list)

    def take(self, line: Line, offset: int, new: bytes | None) -> None:
        """Take what differs of a line that begins at `offset`."""
        if new is None or new == line.data:
            return
        if len(new) != len(line.data) or b"\n" in new:
            raise ValueError("a blanked line is as long as it was")
        self.lines += 1
        self.runs += [(offset + start, new[start:stop]) for start, stop in differing(line.data, new)]

    @property
    def ranges(self) -> Sequence[Range]:
        return [(start, start + len(new)) for start, new in self.runs]

    def within(self, start: int, stop: int) -> Sequence[tuple[int, bytes]]:
        """Return what falls into a part of the stream, with places from its beginning."""
        found = []
        for begin, new in self.runs:
            first, last = max(begin, start), min(begin + len(new), stop)
            if first < last:
                found.append((first - start, new[first - begin : last - begin]))
        return found


def overwrite(files: StreamFiles, chosen: Chosen) -> None:
    """Put the chosen bytes in place; they are on the disk when this returns."""
    _beside(files.frames).unlink(missing_ok=True)
    if not chosen.runs:
        return
    add_ranges(files, chosen.ranges)
    frames = files.table().frames
    stop = frames[-1].stop if frames else 0
    if chosen.within(0, stop):
        _replace(files.frames, _frames(files, frames, chosen))
    if files.tail.exists():
        tail = files.tail.read_bytes()
        if new := chosen.within(stop, stop + len(tail)):
            _replace(files.tail, [_patched(tail, new)])


def ranges(files: StreamFiles) -> Sequence[Range]:
    """Return the ranges that are or will be overwritten, in order."""
    try:
        first, *rest = files.blanked.read_bytes().splitlines()
    except FileNotFoundError:
        return []
    except ValueError as error:
        raise MirrorDamaged(files.name, "its list of wiped ranges is empty") from error
    try:
        number = json.loads(first)["format"]
        if number > FORMAT:
            raise NewerFormat(f"mirror file {files.name}", number, FORMAT)
        return [(int(start), int(stop)) for start, stop in map(json.loads, rest)]
    except (ValueError, LookupError, TypeError) as error:
        raise MirrorDamaged(files.name, "its list of wiped ranges can't be read") from error


def add_ranges(files: StreamFiles, new: Iterable[Range]) -> None:
    """Add ranges to those that are overwritten; they are on the disk when this returns."""
    joined = _joined([*ranges(files), *new])
    lines = [json.dumps({"format": FORMAT}), *(json.dumps(each) for each in joined)]
    make_folder(files.blanked.parent)
    _replace(files.blanked, [f"{line}\n".encode() for line in lines])


def _frames(files: StreamFiles, frames: Sequence[Frame], chosen: Chosen) -> Iterator[bytes]:
    """Yield the frames anew; those without a chosen byte as they are."""
    last: Frame | None = None
    with open_private(files.frames, "rb") as file:
        for frame in frames:
            if new := chosen.within(frame.start, frame.stop):
                data, last = pack(_patched(unpack(file, frame), new), last)
            else:
                data = as_written(file, frame)
                last = replace(frame, at=(last.end if last else 0) + HEADER)
            yield data


def _patched(raw: bytes, new: Iterable[tuple[int, bytes]]) -> bytes:
    changed = bytearray(raw)
    for start, piece in new:
        changed[start : start + len(piece)] = piece
    return bytes(changed)


def _beside(path: Path) -> Path:
    return path.with_suffix(".g00")


def _replace(path: Path, pieces: Iterable[bytes]) -> None:
    """Write a whole new file in the place of one, so that either is there at any moment."""
    beside = _beside(path)
    try:
        with open_private(beside, "wb") as file:
            for piece in pieces:
                write_whole(file, piece)
            force(file.fileno())
        beside.replace(path)
    except BaseException:
        beside.unlink(missing_ok=True)
        raise
    force_folder(path.parent)


def _joined(found: Iterable[Range]) -> Iterator[Range]:
    """Yield ranges in order, those that touch as one."""
    last: Range | None = None
    for start, stop in sorted(found):
        if last and start <= last[1]:
            last = last[0], max(last[1], stop)
            continue
        if last:
            yield last
        last = start, stop
    if last:
        yield last
