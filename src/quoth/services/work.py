"""Work: the one background process of a home. It reads new logs, embeds what has no vector yet, answers questions, and
leaves when nothing is left to do. Everything works without it.

Between two rounds of work nothing of the home is open but the cache of vectors: an index can be replaced meanwhile, and
a home can be removed.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Collection, Mapping
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass

from quoth._version import __version__
from quoth.core.errors import Busy, QuothError
from quoth.core.model import Json
from quoth.core.ports import Meter
from quoth.core.vectors import Embedder, TextKey, VectorCache
from quoth.services._embedding import Notes, Progress
from quoth.services._signals import Signals
from quoth.services.compare import Comparing
from quoth.services.embed import Embedding, Replaced, Texts

__all__ = ["Opened", "Progress", "Signals", "Way", "Work"]

_SLICE = 2.0  # seconds between two looks whether the home is still there
_REST = 9  # times as long as it took to list all texts, they are not listed again
_BACKOFF = (15.0, 60.0, 300.0)  # seconds until it is tried again after the first, second and later failures
_LOADING = "ready"  # is read once, so that no question waits for the model


@dataclass(frozen=True, slots=True)
class Way:
    """How to work. `is_once`: embed what is missing, and leave. `stays`: also when there is nothing to do.

    `told` hears how far it is; `niceness` is how far it steps back for other programs.
    """

    told: Callable[[Progress], None]
    is_once: bool = False
    stays: bool = False
    niceness: int = 0


@dataclass(frozen=True, slots=True)
class Opened:
    """The home, open for one round. `read` reads new logs, `drop_others` removes the vectors of other models.

    `is_present` tells whether its index is still that of the home, `all_texts` gives all that may have a vector, where
    that can be said: None while logs are being read, or the index is made.
    """

    identity: str
    texts: Texts
    embedder: Embedder | None
    read: Callable[[Meter], None]
    drop_others: Callable[[str], None]
    is_present: Callable[[], bool]
    all_texts: Callable[[], Collection[TextKey] | None]


class Work:
    """One run. `open` opens the home for a round, `lock` lets one worker in, `listen` answers questions meanwhile.

    `present` tells one home from another one in its place; None is none.
    """

    def __init__(
        self,
        *,
        identity: str,
        idle_s: float,
        interval_s: float,
        open_home: Callable[[], AbstractContextManager[Opened]],
        lock: Callable[[], AbstractContextManager[object]],
        listen: Callable[[Work], AbstractContextManager[object]],
        present: Callable[[], object],
        vectors: Callable[[Embedder], VectorCache],
        notes: Notes,
    ) -> None:
        self._identity, self._idle_s, self._interval_s = identity, idle_s, interval_s
        self._open, self._lock, self._listen, self._present = open_home, lock, listen, present
        self._vectors, self._notes = vectors, notes
        self.signals = Signals()
        self._embedding: Embedding | None = None
        self._comparing: Comparing | None = None
        self._progress: Progress | None = None
        self._questions = threading.Event()
        self._failures = 0
        self._is_tidy = False  # no vector is left of what was gone before this worker came
        self._listing_s = 0.0
        self._active_at = self._read_at = self._listed_at = self._failed_at = time.monotonic()

    def run(self, way: Way) -> Progress | None:
        """Work until it is over, and return how far it came; None when no embedder is used.

        Raises:
            Busy: another worker is at it.
            QuothError: with `is_once`, it could not go on; what was embedded stays.
        """
        with self._lock():
            mark = self._present()
            try:
                with self._listen(self):
                    self._step_back(way)
                    self._rounds(way, lambda: self.signals.is_leaving or self._present() != mark)
            finally:
                self._close()
        return self._progress

    def _close(self) -> None:
        for holding in (self._embedding, self._comparing):
            if holding:
                holding.vectors.close()

    # --- what those who ask are told, in their threads ---

    def meaning(self) -> Comparing | None:
        self._questions.set()
        return self._comparing

    def about(self) -> Mapping[str, Json]:
        progress = self._progress
        return {
            "pid": os.getpid(),
            "version": __version__,
            "is_ready": self._comparing is not None,
            **({} if progress is None else progress.shape()),
        }

    def poke(self) -> None:
        self.signals.poke()

    def leave(self) -> None:
        self.signals.leave()

    # --- rounds ---

    def _step_back(self, way: Way) -> None:
        """Let other programs go first, and questions before texts: on Linux this thread alone steps back."""
        if way.niceness and hasattr(os, "nice"):
            os.nice(way.niceness)

    def _rounds(self, way: Way, has_to_stop: Callable[[], bool]) -> None:
        while not has_to_stop():
            if self._wait() <= 0:
                if self._round(way, has_to_stop) and way.is_once:
                    return
            elif self._is_idle() and not way.stays:
                return
            else:
                self.signals.wait(min(_SLICE, self._wait()))

    def _wait(self) -> float:
        """Return the seconds until there may be work; at first there is."""
        now = time.monotonic()
        if self._failures:
            return self._failed_at + _BACKOFF[min(self._failures, len(_BACKOFF)) - 1] - now
        if self._embedding is None and self._progress is None:
            return 0
        waits = [self._read_at + self._interval_s - now] if self._interval_s else []
        if self.signals.is_poked:
            waits.append(self._listed_at + _REST * self._listing_s - now)
        return min(waits, default=_SLICE)

    def _is_idle(self) -> bool:
        if self._questions.is_set():
            self._questions.clear()
            self._active_at = time.monotonic()
        return time.monotonic() - self._active_at >= self._idle_s

    def _round(self, way: Way, has_to_stop: Callable[[], bool]) -> bool:
        """Do what there is; what fails is written down, and tried again later. False when it is to be done again."""
        self.signals.is_poked = False
        try:
            with suppress(_Left), self._open() as opened:
                if opened.identity != self._identity:
                    self.leave()  # the settings were changed: the next worker has the new ones
                    return True
                self._load(opened.embedder)
                self._read(opened, has_to_stop)
                self._embed(opened, way, has_to_stop)
            self._failures = 0
        except Replaced:
            self._listing_s, self.signals.is_poked = 0.0, True
            return False
        except Exception as error:  # whatever it is, it is said in `status`, and the next time it may be gone
            self._fail(error)
            if way.is_once:
                raise
            way.told(self._progress or Progress("", 0, 0))
        return True

    def _load(self, embedder: Embedder | None) -> None:
        if self._embedding or embedder is None:
            return
        embedder.embed([_LOADING], use="query")
        self._embedding = Embedding(embedder, self._vectors(embedder), self._notes)
        self._comparing = Comparing(embedder, self._vectors(embedder))

    def _read(self, opened: Opened, has_to_stop: Callable[[], bool]) -> None:
        self._read_at = time.monotonic()
        with suppress(Busy):  # another process reads
            opened.read(_Leaving(has_to_stop))

    def _embed(self, opened: Opened, way: Way, has_to_stop: Callable[[], bool]) -> None:
        if self._embedding is None:
            self._progress = Progress("", 0, 0)
            self.leave()  # without an embedder there is nothing to do
            return
        begun, self._listing_s = time.monotonic(), 0.0

        def told(progress: Progress) -> None:
            self._listing_s = self._listing_s or time.monotonic() - begun
            if self._progress and progress.embedded > self._progress.embedded:
                self._active_at = time.monotonic()
            self._progress = progress
            way.told(progress)

        def is_over() -> bool:
            is_news = self.signals.is_poked and time.monotonic() - begun >= _REST * self._listing_s
            return has_to_stop() or (is_news and not way.is_once)

        progress = self._embedding.run(opened.texts, told=told, is_over=is_over, is_present=opened.is_present)
        told(progress)
        self._listed_at = begun + self._listing_s
        if progress.total and progress.is_complete:  # a new index may still be empty
            opened.drop_others(progress.model)
            self._tidy(opened, self._embedding.vectors)

    def _tidy(self, opened: Opened, vectors: VectorCache) -> None:
        """Once, wipe the vectors of texts that are gone: another program may have begun a new index, or died."""
        if not self._is_tidy and (texts := opened.all_texts()):
            vectors.keep(texts)
            self._is_tidy = True

    def _fail(self, error: Exception) -> None:
        self._failures += 1
        self._failed_at = time.monotonic()
        sentence = str(error) if isinstance(error, QuothError) else f"The worker failed ({type(error).__name__})."
        self._progress = self._notes.fail(sentence)


class _Left(BaseException):
    """Raised in the middle of a pass over logs; nothing is lost by it."""


@dataclass(frozen=True, slots=True)
class _Leaving:
    """A meter that ends a pass when the worker has to stop."""

    has_to_stop: Callable[[], bool]

    def begin(self, *, files: int, total: int) -> None: ...

    def advance(self, *, read: int, events: int) -> None:
        if self.has_to_stop():
            raise _Left

    def end(self) -> None: ...
