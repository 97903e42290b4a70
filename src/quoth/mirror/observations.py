"""Say what the journal of observations holds, record by record; `JournalFile` tells of the file and its kinds."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

import orjson

from quoth.core.errors import JournalDamaged, NewerFormat
from quoth.core.ids import ProjectId, SourceId
from quoth.core.model import Form, Found, Named, Place, Root, Stream
from quoth.core.names import log_path, printable_path

FORMAT = 1

Record: TypeAlias = dict[str, Any]
StreamKey: TypeAlias = tuple[str, str, str, int]


@dataclass(slots=True)
class Observed:
    """What the complete lines say, and where they end. `inode` tells when another file took the place of this one."""

    inode: int = 0
    offset: int = 0
    lines: int = 0
    device: tuple[str, str] | None = None
    devices: list[str] = field(default_factory=list)
    roots: dict[tuple[str, str], str] = field(default_factory=dict)
    streams: list[Stream] = field(default_factory=list)
    ranks: dict[StreamKey, int] = field(default_factory=dict)
    places: dict[str, Place] = field(default_factory=dict)
    named: dict[ProjectId, Named] = field(default_factory=dict)

    def take(self, line: bytes) -> None:
        try:
            self._take(orjson.loads(line))
        except (ValueError, TypeError, LookupError) as error:
            raise JournalDamaged(self.lines + 1) from error
        self.lines += 1
        self.offset += len(line) + 1

    def _take(self, record: Record) -> None:
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
                stream = stream_of(record, len(self.streams) + 1)
                self.ranks.setdefault((stream.source, stream.root, stream.key, stream.generation), stream.rank)
                self.streams.append(stream)
            case "moved":
                self.streams[record["rank"] - 1] = replace(self.streams[record["rank"] - 1], path=record["path"])
            case "place":
                self.places[record["cwd"]] = place_of(record)
            case "project":
                told = named_of(record)
                self.named[told.project] = told

    def _named(self, record: Record) -> None:
        self.device = (record["device"], record["name"])
        self.devices.append(record["device"])


def root_record(root: Root) -> Record:
    return {"k": "root", "source": root.source, "name": root.name, "path": str(root.path)}


def stream_record(root: Root, found: Found, generation: int) -> Record:
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


def stream_key(root: Root, found: Found, generation: int) -> StreamKey:
    return root.source, root.name, printable_path(found.key), generation


def printable(record: Record) -> Record:
    return {name: printable_path(value) if isinstance(value, str) else value for name, value in record.items()}


def stream_of(record: Record, rank: int) -> Stream:
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


def named_of(record: Record) -> Named:
    return Named(ProjectId(record["project"]), record["name"], record.get("owner"))


def place_of(record: Record) -> Place:
    return Place(
        record["cwd"],
        ProjectId(record["project"]),
        record["name"],
        record.get("owner"),
        record.get("root"),
        record.get("branch"),
    )
