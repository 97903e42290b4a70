"""Reach the vectors of every model that a home has or had: what is destroyed must be in none of their files."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from quoth.core.errors import StoreFailed
from quoth.core.vectors import TextKey


@dataclass(frozen=True, slots=True)
class HomeVectors:
    """Implements the port `Wiping` for one home. NumPy is loaded when there is a file to wipe in, and only then."""

    home: Path

    def wipe(self, keys: Collection[TextKey]) -> int:
        """Wipe the vectors of texts; where NumPy is missing now, all caches are removed."""
        if not keys or not any(_files(self.home)):
            return 0
        return wipe(self.home, keys) if find_spec("numpy") else self.remove()

    def remove(self) -> int:
        return remove(self.home)


def wipe(home: Path, keys: Collection[TextKey]) -> int:
    """Wipe the vectors of texts from the caches of all models, and return how many were held.

    A file that can't be read is removed: it may hold them. Needs NumPy; where it is missing, call `remove`.
    """
    from quoth.storage._vector_file import Foreign
    from quoth.storage._vectors import FileVectors

    wiped = 0
    for path in _files(home):
        try:
            cache = FileVectors.named(path)
        except Foreign:
            _unlink(path)
            continue
        except OSError as error:
            raise StoreFailed(f"Opening {path.name}", error.strerror or type(error).__name__) from error
        wiped += cache.forget(keys)
        cache.close()
    return wiped


def remove(home: Path) -> int:
    """Remove the caches of all models, and return how many there were. They are made again by embedding again."""
    found = [*_files(home), *home.glob(".write-vectors-*")]
    for path in found:
        _unlink(path)
    return len(found)


def _files(home: Path) -> Iterator[Path]:
    return iter(sorted(home.glob("vectors-*.bin")))


def _unlink(path: Path) -> None:
    try:
        path.unlink(missing_ok=True)
    except OSError as error:
        raise StoreFailed(f"Removing {path.name}", error.strerror or type(error).__name__) from error
