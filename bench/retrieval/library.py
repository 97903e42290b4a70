"""Which sets there are, by name: our own, and the public ones of a folder."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from bench.retrieval import own, public
from bench.retrieval.sets import Set

_SMOKE = "smoke"  # in the name of a set that is too small to say anything


def names(folder: Path | None) -> Sequence[str]:
    there = public.names(folder) if folder else ()
    return [own.NAME, *(name for name in there if _SMOKE not in name)]


def read(folder: Path | None, name: str, most: int | None = None) -> Set:
    """Read a set, with at most so many questions."""
    asked = own.read() if name == own.NAME or folder is None else public.read(folder, name)
    return asked.part(most)
