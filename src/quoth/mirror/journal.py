"""Keep what no log says: devices, roots, streams with their rank, moves, and what was seen of directories.

`observations.jsonl` holds one JSON object a line and is only appended to. Never change the meaning of a record; add a
kind or a field, or raise the format.

    home    the first line: `format`, id and name of the device
    device  the id and name of the device from here on
    root    a folder of a source, by the name it has in the mirror
    stream  a generation begins; the n-th such record has rank n, from 1
    moved   the stream of a rank was found at another path
    place   what was seen of a directory
    project what a project is called in another home, as an import told
"""

from __future__ import annotations

import os
import platform
import secrets
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from types import MappingProxyType

import orjson

from quoth.core.errors import JournalDamaged
from quoth.core.ids import ProjectId
from quoth.core.model import Found, Named, Place, Root, Stream
from quoth.core.names import printable_path
from quoth.core.ports import Clock
from quoth.mirror.durable import failing_as_store, force, force_folder, only_process, open_private, write_whole
from quoth.mirror.observations import (
    FORMAT,
    Observed,
    Record,
    named_of,
    place_of,
    printable,
    root_record,
    stream_key,
    stream_record,
)

FILE = "observations.jsonl"
LOCK = "observations.lock"

_WAIT = 30  # seconds; a write takes milliseconds


class JournalFile:
    """The journal of a home. One process writes at a time, under a lock of its own; others may read meanwhile."""

    def __init__(self, home: Path, *, clock: Clock | None = None) -> None:
        self._path = home / FILE
        self._clock = clock
        self._observed = Observed()
        self._lock = threading.RLock()

    def device(self) -> tuple[str, str]:
        """Return the id and the name of this device; the first process to ask makes them."""
        device = self._created().device
        if device is None:
            raise JournalDamaged(1)
        return device

    def devices(self) -> Sequence[str]:
        """Return every id that this home has had, the present one last."""
        return tuple(self._created().devices)

    def streams(self) -> Sequence[Stream]:
        """Return every stream, by rank."""
        return tuple(self._read().streams)

    def roots(self) -> Mapping[tuple[str, str], str]:
        """Return the path of each root by its source and its name in the mirror."""
        return MappingProxyType(self._read().roots)

    def places(self) -> Mapping[str, Place]:
        """Return what was last seen of each directory."""
        return MappingProxyType(self._read().places)

    def named(self) -> Mapping[ProjectId, Named]:
        """Return what projects are called of which another home told."""
        return MappingProxyType(self._read().named)

    def begin_all(self, begun: Sequence[tuple[Root, Found, int]]) -> Sequence[Stream]:
        """Record new generations (root, file, generation), give each its rank in this order; durable together.

        A generation that is there already keeps its rank.
        """
        new = {
            stream_key(root, found, generation): stream_record(root, found, generation)
            for root, found, generation in begun
        }
        roots = {(root.source, root.name): root_record(root) for root, _, _ in begun}
        known = self._write(
            lambda known: [
                *(record for key, record in roots.items() if key not in known.roots),
                *(record for key, record in new.items() if key not in known.ranks),
            ]
        )
        return [known.streams[known.ranks[stream_key(*each)] - 1] for each in begun]

    def moved(self, stream: Stream, path: str) -> Stream:
        """Record where the file of a stream is now; nothing is written when it was there already."""
        path, rank = printable_path(path), stream.rank
        new = {"k": "moved", "rank": rank, "path": path}
        return self._write(lambda known: [new] if known.streams[rank - 1].path != path else []).streams[rank - 1]

    def saw(self, place: Place) -> None:
        self.saw_all([place])

    def saw_all(self, places: Iterable[Place]) -> None:
        """Record what was seen of directories, where it differs from what is known; durable together."""
        seen = [printable({"k": "place", **asdict(place)}) for place in places]
        self._write(lambda known: [each for each in seen if known.places.get(each["cwd"]) != place_of(each)])

    def heard(self, told: Iterable[Named]) -> None:
        """Record what projects are called elsewhere, where it differs from what is known; durable together."""
        new = [printable({"k": "project", **asdict(each)}) for each in told]
        self._write(lambda known: [each for each in new if known.named.get(each["project"]) != named_of(each)])

    def renew(self) -> None:
        """Give this device a new id; a restored store goes on under a series of its own."""
        new = {"k": "device", **_new_device()}
        self._write(lambda _: [new])

    # --- the file

    def _read(self) -> Observed:
        """Take in what was appended since the last call; a last line without its LF is not there yet."""
        with self._lock, failing_as_store("Reading the journal of observations"):
            try:
                status = os.stat(self._path)
            except FileNotFoundError:
                self._observed = Observed()
                return self._observed
            if status.st_ino != self._observed.inode or status.st_size < self._observed.offset:
                self._observed = Observed(status.st_ino)
            if status.st_size > self._observed.offset:
                self._take_in()
            return self._observed

    def _take_in(self) -> None:
        with open_private(self._path, "rb") as file:
            file.seek(self._observed.offset)
            *complete, _ = file.readall().split(b"\n")
        for line in complete:
            self._observed.take(line)

    def _write(self, choose: Callable[[Observed], Sequence[Record]]) -> Observed:
        """Append what is new by what is known, and return what is known then.

        It is chosen again once no other process writes: that one may have written the same, or taken a rank.
        """
        with self._lock:
            if choose(self._read()):
                with only_process(self._path.parent, LOCK, "writing the journal of observations", wait=_WAIT):
                    self._append(choose(self._created()))
            return self._read()

    def _append(self, records: Sequence[Record]) -> None:
        if not records:
            return
        end = self._observed.offset
        data = b"".join(map(self._line, records))
        with failing_as_store("Writing the journal of observations"), open_private(self._path, "r+b") as file:
            file.truncate(end)  # a killed process may have left half a line
            file.seek(end)
            try:
                write_whole(file, data)
                force(file.fileno())
            except OSError:
                with suppress(OSError):
                    file.truncate(end)
                raise

    def _line(self, record: Record) -> bytes:
        at = {} if self._clock is None else {"at": self._clock.now()}
        return orjson.dumps(printable(record) | at) + b"\n"

    def _created(self) -> Observed:
        with self._lock:
            if self._read().device is None:
                with failing_as_store("Writing the journal of observations"):
                    self._create()
            return self._read()

    def _create(self) -> None:
        """Put a whole first line in place at once, so that of two processes that begin one wins and both see it."""
        new = self._path.with_name(f"{FILE}.{secrets.token_hex(4)}")
        try:
            with open_private(new, "xb") as file:
                write_whole(file, self._line({"k": "home", "format": FORMAT, **_new_device()}))
                force(file.fileno())
            self._put_in_place(new)
            force_folder(self._path.parent)
        finally:
            new.unlink(missing_ok=True)

    def _put_in_place(self, new: Path) -> None:
        try:
            os.link(new, self._path)
        except FileExistsError:
            if b"\n" not in self._path.read_bytes():  # its first line was torn, so nobody knows that device
                new.replace(self._path)
        except OSError:  # a file system without links
            new.replace(self._path)


def _new_device() -> Record:
    return {"device": secrets.token_hex(16), "name": platform.node()}
