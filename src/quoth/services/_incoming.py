"""What foreign files say, before it is known what is here already: values, and the bounded reading of the files."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from quoth.core.errors import ImportRefused, ReadFailed
from quoth.core.model import Json
from quoth.core.names import printable_path
from quoth.readers.compressed import open_regular

LARGEST = 256 << 20  # bytes of one import
LONGEST_LINE = 4 << 20  # bytes
MOST = 200_000  # lines or files

_LONGEST_PLACE = 1_900  # characters of a path that are told


@dataclass(frozen=True, slots=True)
class Left:
    """Something that was not imported, and why."""

    what: str
    reason: str

    def shape(self) -> dict[str, Json]:
        return {"what": self.what, "reason": self.reason}


@dataclass(frozen=True, slots=True, kw_only=True)
class Thing:
    """One entry to be: a note, or a thing of a knowledge graph.

    `place` identifies it whenever it is read again, `id` is what it says of itself. `given` holds what front matter
    says; `created_at` None is unknown.
    """

    place: str
    text: str
    name: str
    further_name: str
    type: str | None
    tags: Sequence[str] = ()
    given: Mapping[str, str] = field(default_factory=dict)
    id: str | None = None
    created_at: int | None = None

    @property
    def uncited(self) -> str:
        """Say where it comes from, in words by which it is found again."""
        return f"imported from {self.place[-_LONGEST_PLACE:]}"


@dataclass(frozen=True, slots=True)
class Edge:
    """A relation between two things, by their names."""

    one: str
    other: str
    relation: str


@dataclass(frozen=True, slots=True)
class Things:
    """All that a foreign store says. Names are unique where there are edges."""

    things: Sequence[Thing]
    edges: Sequence[Edge] = ()
    left: Sequence[Left] = ()


def lines(path: Path) -> Iterator[tuple[int, str]]:
    """Yield the lines of a file that are not blank, with their numbers.

    Raises:
        ImportRefused: it can't be read, is no UTF-8, or is larger than anybody's memory.
    """
    shown, size = printable_path(str(path)), 0
    with open(_opened(path), "rb") as file:
        for number in range(1, MOST + 2):
            raw = file.readline(LONGEST_LINE + 1)
            size += len(raw)
            if not raw:
                return
            if len(raw) > LONGEST_LINE or size > LARGEST or number > MOST:
                raise ImportRefused(shown, f"it is larger than {LARGEST >> 20} MiB or {MOST:,} lines", number)
            if text := _decoded(raw, shown, number).strip("\ufeff \t\r\n"):
                yield number, text


def whole(path: Path, *, largest: int) -> str | None:
    """Return the text of a file; None when it is larger than that.

    Raises:
        ImportRefused: it can't be read or is no UTF-8.
    """
    with open(_opened(path), "rb") as file:
        raw = file.read(largest + 1)
    return None if len(raw) > largest else _decoded(raw, printable_path(str(path)), 1)


def _opened(path: Path) -> int:
    try:
        return open_regular(path)
    except ReadFailed as error:
        raise ImportRefused(printable_path(str(path)), "it is no regular file") from error
    except OSError as error:
        why = (error.strerror or type(error).__name__).lower()
        raise ImportRefused(printable_path(str(path)), why) from error


def _decoded(raw: bytes, file: str, number: int) -> str:
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError as error:
        line = number + raw.count(b"\n", 0, error.start)
        raise ImportRefused(file, "it is no UTF-8", line) from error


def resolved(path: Path) -> Path:
    """Return where a path leads that the person named; only links inside a folder are not followed."""
    return Path(os.path.realpath(path))
