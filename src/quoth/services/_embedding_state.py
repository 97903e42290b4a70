"""How finding by meaning stands: which embedder, how far it is, whether the worker is there (QUO-9, INV-6)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from quoth.core.errors import QuothError
from quoth.core.model import Json
from quoth.core.ports import Index
from quoth.core.vectors import Embedder
from quoth.services._embedding import Notes, Progress
from quoth.services._findings import FAIL, PASS, WARN, Check, counted

_MANY = 20_000  # texts; more are not counted again for who only looks
_LARGE = 64 << 20  # bytes of a cache that is not read as a whole unless all is
_ALONE = "everything is found by its words"
_ONCE = "When it is put right, `quoth work --once` tries it at once."


@dataclass(frozen=True, slots=True)
class EmbeddingState:
    """Parts are callables that open them, because opening may fail. `name` is that of the embedder, None is none.

    `ping` is what the worker says of itself, `wants_worker` whether one is started when there is work, `damage` what is
    wrong with the cache of a model; `size` is that of all caches, `begin_anew` removes them.
    """

    name: Callable[[], str | None]
    embedder: Callable[[], Embedder | None]
    version: str
    wants_worker: Callable[[], bool]
    notes: Callable[[], Notes]
    ping: Callable[[], Mapping[str, Json] | None]
    index: Callable[[], Index]
    damage: Callable[[str], Sequence[str] | None]
    size: Callable[[], int]
    begin_anew: Callable[[], None]

    # --- status ---

    def shape(self) -> dict[str, Json]:
        """Return `embedding` and `worker` as status tells them; what can't be read of the settings is told there."""
        try:
            name, wants_worker = self.name(), self.wants_worker()
        except QuothError as error:
            return {"embedding": {"embedder": None, **Progress("", 0, 0, str(error)).shape()}, "worker": _gone(False)}
        worker = self.ping()
        progress = self.progress() if name else Progress("", 0, 0)
        return {
            "embedding": {"embedder": name, **progress.shape()},
            "worker": _gone(wants_worker) if worker is None else _here(worker),
        }

    def progress(self) -> Progress:
        """Return how far it is: as was written down last, of the texts that there are now."""
        known = self.notes().read() or Progress("", 0, 0)
        if known.total > _MANY:
            return known
        total = len({*self.index().texts()})
        return replace(known, total=total, embedded=min(known.embedded, total - min(known.refused, total)))

    # --- doctor ---

    def checks(self, *, deep: bool) -> Iterator[Check]:
        """Examine embedder, cache, worker and how far it is; `deep` reads a text with the embedder, and the whole
        cache."""
        name = self.name()
        yield self._embedder(name, deep=deep)
        if left := len(self.index().unsaid()):
            message = f"{counted(left, 'text that is', 'texts that are')} forgotten may still have a vector."
            yield Check("vectors", FAIL, message, "Run `quoth doctor --fix`; texts are embedded again.")
        if name is None:
            return
        progress, worker = self.progress(), self.ping()
        yield from self._cache(progress, deep=deep)
        yield self._worker(worker)
        yield self._behind(progress, is_running=worker is not None)

    def _embedder(self, name: str | None, *, deep: bool) -> Check:
        if name is None:
            return Check("embedder", PASS, f"No embedder is used; {_ALONE}.")
        embedder, failed = self.embedder(), (self.notes().read() or Progress("", 0, 0)).failed
        if embedder is None:
            return Check("embedder", PASS, f"No embedder is used; {_ALONE}.")
        try:
            embedder.check()
            if deep:
                embedder.embed(["ready"], use="query")
                failed = None
        except QuothError as error:
            failed = str(error)
        if failed:
            return Check("embedder", FAIL, failed, _ONCE)
        return Check(
            "embedder", PASS, f"The embedder {name} can be used." if deep else f"The embedder {name} is there."
        )

    def _cache(self, progress: Progress, *, deep: bool) -> Iterator[Check]:
        if not progress.model or (self.size() > _LARGE and not deep):
            return
        found = self.damage(progress.model)
        if found is None:
            return
        if found:
            yield Check("vectors", FAIL, f"{found[0]}", "Run `quoth doctor --fix`; texts are embedded again.")
        else:
            yield Check("vectors", PASS, "The cache of vectors is sound.")

    def _worker(self, worker: Mapping[str, Json] | None) -> Check:
        if worker is None:
            said = "it is started when there is work" if self.wants_worker() else "it is switched off (`worker.use`)"
            return Check("worker", PASS, f"No worker runs; {said}.")
        if worker.get("version") != self.version:
            message = f"The worker that runs is of version {worker.get('version')!s}."
            return Check("worker", WARN, message, "Run `quoth work --stop`; the next one is of this version.")
        return Check("worker", PASS, f"The worker runs (process {worker.get('pid')!s}).")

    def _behind(self, progress: Progress, *, is_running: bool) -> Check:
        left = progress.total - progress.embedded
        if not left:
            return Check("embedding", PASS, f"{counted(progress.total, 'text is', 'texts are')} embedded.")
        message = (
            f"{progress.embedded:,} of {progress.total:,} texts are embedded; the others are found by their words."
        )
        is_waiting = is_running or not self.wants_worker()
        return Check("embedding", PASS if is_waiting else WARN, message, "Run `quoth work --once`.")


def _gone(is_wanted: bool) -> dict[str, Json]:
    return {"state": "none" if is_wanted else "off", "pid": None, "version": None}


def _here(worker: Mapping[str, Json]) -> dict[str, Json]:
    return {"state": "running", "pid": worker.get("pid"), "version": worker.get("version")}
