"""Current entries as files for people and other programs: Markdown with front matter, and a table."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator, Mapping
from unicodedata import normalize

from quoth.core.memory import EntryRow
from quoth.core.model import Json
from quoth.core.names import portable_part
from quoth.core.times import local_iso
from quoth.readers import front_matter
from quoth.services._entry_shapes import entry_shape

_HISTORY = "history"  # the folder of versions that were replaced
_LONGEST_NAME = 80  # characters of a file's name
_SEPARATORS = re.compile(r"[\s/\\]+")
# What a spreadsheet takes for the beginning of a formula, also in the full width of CJK.
_FORMULA = re.compile(r"^[\s\0]*[=+\-@\uff1d\uff0b\uff0d\uff20|%]|^[\t\r\n]")

_COLUMNS = (
    "id",
    "name",
    "kind",
    "type",
    "text",
    "confidence",
    "status",
    "project",
    "author",
    "created",
    "valid_from",
    "valid_to",
    "tags",
    "events",
    "quotes",
    "uncited",
)


def csv_lines(rows: Iterable[EntryRow]) -> Iterator[str]:
    """Yield the lines of a table, the names of the columns first."""
    for cells in ([*_COLUMNS], *(_cells(row) for row in rows)):
        line = io.StringIO()
        csv.writer(line).writerow(cells)
        yield line.getvalue()


def _cells(row: EntryRow) -> list[str]:
    shape, said = entry_shape(row), row.version.statement
    more: Mapping[str, Json] = {
        "tags": ", ".join(said.tags) if said else "",
        "events": " ".join(cited.event for cited in row.cites),
        "quotes": "\n".join(cited.quote for cited in row.cites if cited.quote),
        "uncited": said.uncited if said else None,
    }
    return [_harmless(more[name] if name in more else shape[name]) for name in _COLUMNS]


def _harmless(value: Json) -> str:
    """Keep a spreadsheet from calculating what is only text."""
    if isinstance(value, int | float):
        return f"{value:g}"
    text = "" if value is None else str(value).replace("\0", "")
    return f"'{text}" if _FORMULA.match(text) else text


def markdown_files(rows: Iterable[EntryRow]) -> Iterator[tuple[str, str]]:
    """Yield the name and the text of a file for each version; no two names differ only in case or spelling."""
    taken: set[str] = set()
    for row in rows:
        said = row.version.statement
        if said is not None:
            yield _name(row, taken), front_matter.write(_front(row), said.text)


def _name(row: EntryRow, taken: set[str]) -> str:
    digits = row.id.partition("_")[2]
    folder = "" if row.is_current else f"{_HISTORY}/"
    title = _SEPARATORS.sub("-", row.name or "").strip(".-")[:_LONGEST_NAME]
    spelled = [title] if title and row.is_current else []
    for stem in (*spelled, *(f"{title}-{digits[-length:]}".strip("-") for length in (8, 32))):
        name = f"{folder}{portable_part(stem)}.md"
        if _spelled(name) not in taken:
            break
    taken.add(_spelled(name))
    return name


def _spelled(name: str) -> str:
    return normalize("NFC", name).casefold()


def _front(row: EntryRow) -> Mapping[str, Json]:
    shape, said = entry_shape(row), row.version.statement
    listed = ("id", "name", "type", "kind", "project", "author", "created", "confidence", "status", "valid_from")
    return {
        **{name: shape[name] for name in (*listed, "valid_to", "supersedes")},
        "importance": said.importance if said else None,
        "event_time": local_iso(said.event_time) if said and said.event_time is not None else None,
        "attribution": said.attribution.value if said else None,
        "tags": list(said.tags) if said else None,
        "uncited": said.uncited if said else None,
        "sources": [_source(cited.event, cited.quote) for cited in row.cites],
    }


def _source(event: str, quote: str | None) -> dict[str, Json]:
    return {"event": event, "quote": quote} if quote else {"event": event}
