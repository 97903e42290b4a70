"""A home that has something to embed, an embedder that is quick, and workers that end with their test."""

from __future__ import annotations

import hashlib
import json
import os
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from quoth.core.errors import EmbedderFailed
from quoth.core.speaker import Speaker
from quoth.core.vectors import TextKey, Use, VectorCache, Vectors, key_of, tidy, unit
from quoth.services._embedding import Notes, Progress
from quoth.services.embed import Embedding
from quoth.storage._vectors import FileVectors
from quoth.wiring import Kernel

LONGEST = 60.0  # seconds that a test waits for another process


def always(_: str) -> None:
    """Read every text."""


@dataclass
class Quick:
    """An embedder that needs no weights. `before` may refuse a text, or do what happens while it is read."""

    before: Callable[[str], None] = always
    model: str = "quick-1"
    dimensions: int = 8
    scale: Sequence[tuple[float, float]] = ((0.0, 0.0), (1.0, 1.0))
    asked: list[list[str]] = field(default_factory=list)

    def check(self) -> None:
        """Be there."""

    def embed(self, texts: Sequence[str], *, use: Use) -> Sequence[Vectors]:
        self.asked.append([*texts])
        for text in texts:
            self.before(text)
        return [self._vectors(text) for text in texts]

    def _vectors(self, text: str) -> Vectors:
        made = unit([byte - 127.5 for byte in hashlib.sha256(tidy(text).encode()).digest()[: self.dimensions]])
        return made if made and tidy(text) else Vectors(self.dimensions, b"")


def refusing(word: str) -> Callable[[str], None]:
    """Fail for texts with a word, as a service does."""

    def refuse(text: str) -> None:
        if word in text:
            raise EmbedderFailed("quick", "it does not want to", "Ask another one.")

    return refuse


class Place:
    """A home, and the person's folder beside it."""

    def __init__(self, folder: Path, home: Path | None = None, **env: str) -> None:
        self.folder = folder
        self.home = home or folder / "quoth"
        self.env = {
            "HOME": str(folder),
            "QUOTH_HOME": str(self.home),
            "QUOTH_WORKER": "off",
            "USER": "ada",
            "PATH": os.environ.get("PATH", ""),
            **env,
        }
        self.kernel = Kernel(self.env)
        self._texts = 0
        self._opened: list[FileVectors] = []

    def close(self) -> None:
        for vectors in self._opened:
            vectors.close()
        self.kernel.close()

    def remembers(self, text: str, **env: str) -> str:
        """Remember something as the person, and return the id of the entry."""
        kernel = Kernel({**self.env, **env}) if env else self.kernel
        stored = kernel.remember.run(text, by=Speaker(), uncited="said so", importance=0.5)
        if env:
            kernel.close()
        return str(stored["entry"]["id"])  # type: ignore[call-overload,index]  # JSON

    def says(self, *texts: str) -> None:
        """Let the person say something to an agent, and read it."""
        session = "6b1c2f6e-8f0a-4d7e-9d55-3a1c5e0f7a11"
        log = self.folder / ".claude" / "projects" / "-srv-bakery" / f"{session}.jsonl"
        log.parent.mkdir(parents=True, exist_ok=True)
        with log.open("a", encoding="utf-8") as file:
            for text in texts:
                file.write(json.dumps(self._line(text, session)) + "\n")
        from quoth.wiring import Unseen

        self.kernel.ingest.run(Unseen())

    def _line(self, text: str, session: str) -> Mapping[str, Any]:
        self._texts += 1
        return {
            "type": "user",
            "uuid": f"{self._texts:08d}-0000-4000-8000-000000000000",
            "sessionId": session,
            "timestamp": f"2026-05-01T10:{self._texts // 60:02d}:{self._texts % 60:02d}.000Z",
            "cwd": "/srv/bakery",
            "version": "2.1.0",
            "message": {"role": "user", "content": text},
        }

    def forgets(self, entry: str) -> None:
        """Forget an entry as another process would."""
        other = Kernel(self.env)
        other.forget.run([entry], reason="a test", by=Speaker())
        other.close()

    def vectors(self, embedder: Quick) -> FileVectors:
        self._opened.append(FileVectors(self.home, model=embedder.model, dimensions=embedder.dimensions))
        return self._opened[-1]

    def embedding(self, embedder: Quick, vectors: VectorCache | None = None) -> Embedding:
        return Embedding(embedder, vectors or self.vectors(embedder), self.notes)

    @property
    def notes(self) -> Notes:
        return Notes(self.home, "quick")

    def embed(self, embedder: Quick) -> Progress:
        """Embed everything that is missing."""
        return self.embedding(embedder).run(self.kernel.index, told=lambda _: None, is_over=lambda: False)

    def holds(self, embedder: Quick, *texts: str) -> list[bool]:
        """Tell of each text whether the cache has it."""
        missing = self.vectors(embedder).missing(map(key_of, texts))
        return [key_of(text) not in missing for text in texts]


def until(is_so: Callable[[], Any], what: str) -> Any:
    """Wait for another process, and return what is so then."""
    waiting = threading.Event()
    for _ in range(int(LONGEST / 0.05)):
        if found := is_so():
            return found
        waiting.wait(0.05)
    raise AssertionError(f"{what} did not happen in {LONGEST:.0f} seconds")


def is_gone(process: int) -> bool:
    """Tell whether a process has ended; a dead one that nobody buried counts."""
    try:
        state = Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[0]
    except OSError:
        return not _is_known(process)
    return state in "ZX"


def _is_known(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return not Path("/proc/self").exists()


def keys(*texts: str) -> list[TextKey]:
    return [key_of(text) for text in texts]
