"""Leaving: take away everything of a home that is ours (QUO-12)."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass
from pathlib import Path

from quoth.core.errors import StoreFailed
from quoth.core.model import Json


@dataclass(frozen=True, slots=True)
class Leave:
    """What goes and what does not: `ours` and `others` are names in the home."""

    home: Path
    ours: tuple[str, ...]
    others: tuple[str, ...]
    files: int
    bytes: int

    @property
    def is_empty(self) -> bool:
        return not self.ours

    def shape(self) -> dict[str, Json]:
        return {
            "home": str(self.home),
            "goes": list(self.ours),
            "stays": list(self.others),
            "files": self.files,
            "bytes": self.bytes,
        }


@dataclass(frozen=True, slots=True)
class Leaving:
    """`is_ours` tells which names in a home are ours, `lock` does not wait, `close` closes what is open of the home.

    `without_worker` makes the worker leave, and lets none in.
    """

    home: Path
    is_ours: Callable[[str], bool]
    lock: Callable[[], AbstractContextManager[object]]
    close: Callable[[], None]
    without_worker: Callable[[], AbstractContextManager[object]]

    def plan(self) -> Leave:
        """Say what would go."""
        names = sorted(entry.name for entry in self.home.iterdir()) if self.home.is_dir() else []
        ours = tuple(name for name in names if self.is_ours(name))
        sizes = [size for name in ours for size in _sizes(self.home / name)]
        return Leave(self.home, ours, tuple(name for name in names if name not in ours), len(sizes), sum(sizes))

    def run(self) -> Leave:
        """Remove all of ours, and the home when nothing else is in it.

        Raises:
            Busy: another process reads logs, or the worker does not leave.
            StoreFailed: something can't be removed; it can be called again.
        """
        if (plan := self.plan()).is_empty:
            return plan
        with self.without_worker(), self.lock():
            self.close()
            plan = self.plan()  # the worker may have made something meanwhile
            try:
                for name in sorted(plan.ours, key=lambda name: name == "locks"):  # what others wait for goes last
                    _remove(self.home / name)
            except OSError as error:
                raise StoreFailed(f"Removing {error.filename}", error.strerror or type(error).__name__) from error
        for name in self._made_meanwhile():
            _remove(self.home / name)
        with suppress(OSError):  # something of somebody else is in it
            self.home.rmdir()
        return plan

    def _made_meanwhile(self) -> Sequence[str]:
        """Return what letting go of the lock left."""
        return [name for name in os.listdir(self.home) if name == "locks"]


def _remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def _sizes(path: Path) -> Iterator[int]:
    if path.is_dir() and not path.is_symlink():
        for folder, _, names in os.walk(path):
            yield from (_size(Path(folder, name)) for name in names)
    else:
        yield _size(path)


def _size(path: Path) -> int:
    try:
        return path.lstat().st_size
    except FileNotFoundError:  # it went away meanwhile, as a write-ahead log does
        return 0
