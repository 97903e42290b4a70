"""How big an installation is: what the program needs, and what the embedder on this machine needs beside it."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

from packaging.requirements import Requirement

import quoth
from bench.bars import Row

_BARS = {"": 60, "local": 300}
_MB = 1e6


def measure() -> Iterator[Row]:
    for extra, bar in _BARS.items():
        size = (_own() + sum(map(_bytes, _needed("quoth", extra)))) / _MB
        with_ = f"with `{extra}`" if extra else "without extras"
        yield Row("PER-11", f"installed, {with_}", f"{size:.0f} MB", bar=f"≤ {bar} MB", ok=size <= bar)


def _own() -> int:
    folder = Path(quoth.__file__).parent
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def _needed(name: str, extra: str) -> set[str]:
    """Return the packages that one needs on this machine, and what these need."""
    if extra and extra not in (distribution(name).metadata.get_all("Provides-Extra") or ()):
        raise SystemExit(f"{name} was installed before it had the extra {extra}: run scripts/dev.")
    found: set[str] = set()
    left = {(name, extra)}
    while left:
        package, wanted = left.pop()
        for text in distribution(package).requires or ():
            one = Requirement(text)
            if one.marker is None or one.marker.evaluate({"extra": wanted}):
                left |= {(one.name, part) for part in ("", *one.extras)} if one.name not in found else set()
                found.add(one.name)
    return found


def _bytes(name: str) -> int:
    try:
        files = distribution(name).files or ()
    except PackageNotFoundError as error:
        raise SystemExit(f"{name} is not installed: the figure would be too small.") from error
    return sum(path.stat().st_size for path in (Path(str(file.locate())) for file in files) if path.is_file())
