"""Keep what no log says: devices, roots, streams with their rank, moves, and what was seen of directories.

`observations.jsonl` holds one JSON object a line and is only appended to. Never change the meaning of a record; add a
kind or a field, or raise the format.

    home    the first line: `format`, id and name of the device
    device  the id and name of the device from here on
    root    a folder of a source, by the name it has in the mirror
    stream  a generation begins; the n-th such record has rank n, from 1
    moved   the stream of a rank was found at another path
    place   what was seen of a directory
"""

from __future__ import annotations

import os
import platform
import secrets
import threading
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeAlias

import orjson

from quoth.core.errors import JournalDamaged, NewerFormat
from quoth.core.ids import ProjectId, SourceId
from quoth.core.model import Form, Found, Place, Root, Stream
from quoth.core.names import log_path, printable_path
from quoth.core.ports import Clock
from quoth.mirror.durable import failing_as_store, force, force_folder, open_private, write_whole

FILE = "observations.jsonl"
FORMAT = 1

_Record: TypeAlias = dict[str, Any]
_StreamKey: TypeAlias = tuple[str, str, str, int]


@dataclass(slots=True)
class _Observed:
    """What the complete lines say, and where they end. `inode` tells when another file took the place of this one."""

    inode: int = 0
    offset: int = 0
    lines: int = 0
    device: tuple[str, str] | None = None
    devices: list[str] = field(default_factory=list)
    roots: dict[tuple[str, str], str] = field(default_factory=dict)
    streams: list[Stream] = field(default_factory=list)
    ranks: dict[_StreamKey, int] = field(default_factory=dict)
    places: dict[str, Place] = field(default_factory=dict)

    def take(self, line: bytes) -> None:
        try:
            self._take(orjson.loads(line))
        except (ValueError, TypeError, LookupError) as error:
            raise JournalDamaged(self.lines + 1) from error
        self.lines += 1
        self.offset += len(line) + 1

    def _take(self, record: _Record) -> None:
        kind = record["k"]
        if (kind == "home") != (self.lines == 0):
            raise ValueError("the first line alone tells of the home")
        match kind:
            case "home":
                if record["format"] > FORMAT:
                    raise NewerFormat("journal of observations", record["format"], FORMAT)
                self._named(record)
            case "device":
                self._named(record)
            case "root":
                self.roots[record["source"], record["name"]] = record["path"]
            case "stream":
                stream = _stream(record, len(self.streams) + 1)
                self.ranks.setdefault((stream.source, stream.root, stream.key, stream.generation), stream.rank)
                self.streams.append(stream)
            case "moved":
                self.streams[record["rank"] - 1] = replace(self.streams[record["rank"] - 1], path=record["path"])
            case "place":
                self.places[record["cwd"]] = _place(record)

    def _named(self, record: _Record) -> None:
        self.device = (record["device"], record["name"])
        self.devices.append(record["device"])


class JournalFile:
    """The journal of a home. Whoever writes holds the ingest lock; others may read meanwhile."""

    def __init__(self, home: Path, *, clock: Clock | None = None) -> None:
        self._path = home / FILE
        self._clock = clock
        self._observed = _Observed()
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

    def begin_all(self, begun: Sequence[tuple[Root, Found, int]]) -> Sequence[Stream]:
        """Record new generations (root, file, generation), give each its rank in this order; durable together.

        A generation that is there already keeps its rank.
        """
        with self._lock:
            known = self._read()
            new = {_key(root, found, generation): _begun(root, found, generation) for root, found, generation in begun}
            roots = {(root.source, root.name): _rooted(root) for root, _, _ in begun}
            self._write(
                [record for key, record in roots.items() if key not in known.roots]
                + [record for key, record in new.items() if key not in known.ranks]
            )
            known = self._read()
            return [known.streams[known.ranks[_key(*each)] - 1] for each in begun]

    def moved(self, stream: Stream, path: str) -> Stream:
        """Record where the file of a stream is now; nothing is written when it was there already."""
        path = printable_path(path)
        with self._lock:
            if self._read().streams[stream.rank - 1].path != path:
                self._write([{"k": "moved", "rank": stream.rank, "path": path}])
            return self._read().streams[stream.rank - 1]

    def saw(self, place: Place) -> None:
        self.saw_all([place])

    def saw_all(self, places: Iterable[Place]) -> None:
        """Record what was seen of directories, where it differs from what is known; durable together."""
        with self._lock:
            known = self._read().places
            seen = [_printable({"k": "place", **asdict(place)}) for place in places]
            self._write([record for record in seen if known.get(record["cwd"]) != _place(record)])

    def renew(self) -> None:
        """Give this device a new id; a restored store goes on under a series of its own."""
        with self._lock:
            self._write([{"k": "device", **_new_device()}])

    # --- the file

    def _read(self) -> _Observed:
        """Take in what was appended since the last call; a last line without its LF is not there yet."""
        with self._lock, failing_as_store("Reading the journal of observations"):
            try:
                status = os.stat(self._path)
            except FileNotFoundError:
                self._observed = _Observed()
                return self._observed
            if status.st_ino != self._observed.inode or status.st_size < self._observed.offset:
                self._observed = _Observed(status.st_ino)
            if status.st_size > self._observed.offset:
                self._take_in()
            return self._observed

    def _take_in(self) -> None:
        with open_private(self._path, "rb") as file:
            file.seek(self._observed.offset)
            *complete, _ = file.readall().split(b"\n")
        for line in complete:
            self._observed.take(line)

    def _write(self, records: Sequence[_Record]) -> None:
        if not records:
            return
        end = self._created().offset
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

    def _line(self, record: _Record) -> bytes:
        at = {} if self._clock is None else {"at": self._clock.now()}
        return orjson.dumps(_printable(record) | at) + b"\n"

    def _created(self) -> _Observed:
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


def _new_device() -> _Record:
    return {"device": secrets.token_hex(16), "name": platform.node()}


def _rooted(root: Root) -> _Record:
    return {"k": "root", "source": root.source, "name": root.name, "path": str(root.path)}


def _begun(root: Root, found: Found, generation: int) -> _Record:
    return {
        "k": "stream",
        "source": root.source,
        "root": root.name,
        "key": found.key,
        "generation": generation,
        "form": found.form.value,
        "identity": found.identity,
        "path": log_path(found.path, compressed=found.compressed),
        "mtime": found.signature.mtime_ns // 1_000_000,
    }


def _key(root: Root, found: Found, generation: int) -> _StreamKey:
    return root.source, root.name, printable_path(found.key), generation


def _printable(record: _Record) -> _Record:
    return {name: printable_path(value) if isinstance(value, str) else value for name, value in record.items()}


def _stream(record: _Record, rank: int) -> Stream:
    return Stream(
        rank,
        SourceId(record["source"]),
        record["root"],
        record["key"],
        record["generation"],
        Form(record["form"]),
        record["identity"],
        record["path"],
        record["mtime"],
    )


def _place(record: _Record) -> Place:
    return Place(
        record["cwd"],
        ProjectId(record["project"]),
        record["name"],
        record.get("owner"),
        record.get("root"),
        record.get("branch"),
    )
