"""How far embedding is, as the worker last wrote it down: `status` and `doctor` tell it without loading a model.

It stands in `locks/`, beside what is only true while processes run: losing it loses nothing.
"""

from __future__ import annotations

import json
import os
from collections.abc import Collection, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path

from quoth.core.model import Json
from quoth.core.vectors import KEY_BYTES, TextKey
from quoth.services._private import write_new

_FILE, _BEGUN = "embedding.json", "embedding.keys"


@dataclass(frozen=True, slots=True)
class Progress:
    """Of `total` texts, `embedded` need nothing more. `failed` says in a sentence why it does not go on; `refused` are
    texts that the model could not read although it read others."""

    model: str
    embedded: int
    total: int
    failed: str | None = None
    refused: int = 0

    @property
    def is_complete(self) -> bool:
        return self.embedded + self.refused >= self.total

    def shape(self) -> dict[str, Json]:
        return {
            "model": self.model,
            "embedded": self.embedded,
            "total": self.total,
            "failed": self.failed,
            "refused": self.refused,
        }


@dataclass(frozen=True, slots=True)
class Notes:
    """What is written down in a home, of the embedder that is used now: of another one nothing is known."""

    home: Path
    embedder: str

    def write(self, progress: Progress) -> None:
        """Write down how far it is; that this fails, as in a home that is gone, stops nothing."""
        if self._folder.is_dir():
            with suppress(OSError):
                beside = self._folder / f".{_FILE}-new"  # there is one worker
                beside.unlink(missing_ok=True)
                write_new(beside, json.dumps({**progress.shape(), "embedder": self.embedder}).encode())
                beside.replace(self._folder / _FILE)

    def read(self) -> Progress | None:
        """Return what was last written down."""
        try:
            said = json.loads((self._folder / _FILE).read_bytes())
        except (OSError, ValueError):
            return None
        match said:
            case {
                "embedder": self.embedder,
                "model": str(model),
                "embedded": int(embedded),
                "total": int(total),
                "refused": int(refused),
                "failed": str() | None as failed,
            }:
                return Progress(model, embedded, total, failed, refused)
        return None

    def fail(self, sentence: str) -> Progress:
        """Write down why it does not go on, and return that."""
        failed = replace(self.read() or Progress("", 0, 0), failed=sentence)
        self.write(failed)
        return failed

    @contextmanager
    def beginning(self, keys: Collection[TextKey]) -> Iterator[None]:
        """Have it written down which texts are on their way into the cache, in case the process is killed."""
        self._folder.mkdir(mode=0o700, exist_ok=True)
        descriptor = os.open(self._folder / _BEGUN, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with open(descriptor, "wb") as file:
            file.write(b"".join(keys))
        yield
        self.settled()

    def begun(self) -> Collection[TextKey]:
        """Return the texts that were on their way when a process was killed."""
        with suppress(FileNotFoundError):
            data = (self._folder / _BEGUN).read_bytes()
            return [TextKey(data[at : at + KEY_BYTES]) for at in range(0, len(data) - KEY_BYTES + 1, KEY_BYTES)]
        return ()

    def settled(self) -> None:
        """Say that of the texts that were on their way, those that are gone have no vector."""
        (self._folder / _BEGUN).unlink(missing_ok=True)

    @property
    def _folder(self) -> Path:
        return self.home / "locks"
