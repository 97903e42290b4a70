"""Feed the sample homes of `tests/data/sources/<source>/<case>/home` to their adapters, as ingestion would."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import MISSING, dataclass, fields
from pathlib import Path
from typing import Any, cast

from quoth import _plugins
from quoth.core.ids import SourceId
from quoth.core.model import Fact, Form, Found, Json, Line, Skipped, Stream
from quoth.core.ports import Adapter, EndingParser
from quoth.readers import compressed

DATA = Path(__file__).parent / "data" / "sources"


@dataclass(frozen=True)
class Said:
    """One line of one file and the facts it gave."""

    key: str
    line: Line
    facts: tuple[Fact, ...]


def sources() -> tuple[str, ...]:
    return _plugins.names("quoth.sources")


def adapter(source: str) -> Adapter:
    return cast(Adapter, _plugins.load("quoth.sources", source, "ADAPTER"))


def cases(source: str) -> list[Path]:
    folder = DATA / source
    return sorted(entry for entry in folder.iterdir() if entry.is_dir()) if folder.is_dir() else []


def found(source: str, home: Path) -> tuple[list[Found], list[Skipped]]:
    listed = list(adapter(source).find(home))
    files = sorted((entry for entry in listed if isinstance(entry, Found)), key=lambda entry: entry.key)
    return files, [entry for entry in listed if isinstance(entry, Skipped)]


def stream(source: str, file: Found, rank: int = 1) -> Stream:
    return Stream(rank, SourceId(source), "root", file.key, 1, file.form, file.identity, file.key, 0)


def lines(source: str, file: Found) -> list[Line]:
    """Return the complete lines of a file, split by LF alone; a file replaced as a whole needs none at its end."""
    if file.form is Form.ROWS:
        return [Line(number, row) for number, row in enumerate(adapter(source).rows(file, None), 1)]
    whole = b"".join(compressed.chunks(file.path, compressed=file.compressed))
    *complete, rest = whole.split(b"\n")
    if file.form is Form.FILE and rest:
        complete.append(rest)
    return [Line(number, data) for number, data in enumerate(complete, 1)]


def read(source: str, home: Path, *, reopened: bool = False) -> Iterator[Said]:
    """Read every file of a home; `reopened` gives each line to a new parser that knows only the state of the last."""
    for rank, file in enumerate(found(source, home)[0], 1):
        place = stream(source, file, rank)
        parser = adapter(source).parser(place)
        fed = lines(source, file)
        for line in fed:
            facts = tuple(parser.feed(line))
            if line is fed[-1] and isinstance(parser, EndingParser):
                facts += tuple(parser.end())
            yield Said(file.key, line, facts)
            if reopened:
                remembered: Json = json.loads(json.dumps(parser.state()))
                parser = adapter(source).parser(place, remembered)


def printed(key: str, fact: Fact) -> str:
    """Write a fact as one line of JSON, without fields that have their default."""
    said: dict[str, Any] = {"key": key, "fact": type(fact).__name__}
    for part in fields(fact):
        value = getattr(fact, part.name)
        if part.default is MISSING or value != part.default:
            said[part.name] = value
    return json.dumps(said, ensure_ascii=False, sort_keys=True)
