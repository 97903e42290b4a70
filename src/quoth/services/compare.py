"""Compare texts with a question by meaning; it implements `core.candidates.Meaning` in the process of the worker."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Collection
from concurrent.futures import Future
from dataclasses import dataclass, field

from quoth.core.candidates import Compared
from quoth.core.vectors import Embedder, TextKey, Use, VectorCache, Vectors

_REMEMBERED = 256  # questions whose vector is kept: a service is slower than a door waits, and doors ask again


@dataclass(slots=True)
class Comparing:
    """Threads may share it. `vectors` is a view of the cache of its own: no question waits for what is written."""

    embedder: Embedder
    vectors: VectorCache
    _known: OrderedDict[tuple[Use, str], Future[Vectors]] = field(default_factory=OrderedDict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def compare(
        self,
        text: str,
        *,
        nearest: int,
        also: Collection[TextKey] = (),
        among: Collection[TextKey] | None = None,
        use: Use = "query",
        wait_ms: int | None = None,
    ) -> Compared:
        """Compare; whoever asked may be gone by then.

        Raises:
            EmbedderFailed: the text can't be read.
            StoreFailed: the cache can't be.
        """
        asked = self._asked(text, use)
        first = self.vectors.nearest(asked, limit=nearest, among=among) if asked else ()
        more = self.vectors.cosines(asked, also) if asked else ()
        found = {near.key: near for near in (*first, *more)}
        return Compared(self.embedder.model, [*found.values()], self.embedder.scale)

    def expect(self, text: str, *, use: Use = "query") -> None:
        """Read a text that will be compared in a moment.

        Raises:
            EmbedderFailed: it can't be read.
        """
        self._asked(text, use)

    def _asked(self, text: str, use: Use) -> Vectors | None:
        """Return the vector of a text, of a long passage that of its beginning; None of one that says nothing."""
        with self._lock:
            is_first = (use, text) not in self._known
            reading = self._known.setdefault((use, text), Future())
            while len(self._known) > _REMEMBERED:
                self._known.popitem(last=False)
        if is_first:
            self._read(text, use, reading)
        found = reading.result()
        return found.cut()[0] if len(found) else None

    def _read(self, text: str, use: Use, reading: Future[Vectors]) -> None:
        """Read a text once for all who wait for it."""
        try:
            (found,) = self.embedder.embed([text], use=use)
        except BaseException as error:
            with self._lock:
                self._known.pop((use, text), None)
            reading.set_exception(error)
        else:
            reading.set_result(found)
