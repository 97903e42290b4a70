"""The model on this machine alone: every text by the nearest of its windows, compared with all of them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

from bench.retrieval.contenders import _embedded
from bench.retrieval.contenders._port import Contender, Found
from bench.retrieval.sets import Doc, Question
from quoth.core.vectors import TextKey, key_of
from quoth.embedders.local import Local
from quoth.storage._vectors import FileVectors

_BATCH = 32


class Near:
    def __init__(self, folder: Path) -> None:
        self._model = Local()
        self._file = folder / f"vectors-{Local.model}.bin"
        self._cache = FileVectors(folder, model=Local.model, dimensions=Local.dimensions)
        self._ids: dict[TextKey, list[str]] = defaultdict(list)

    def index(self, docs: Sequence[Doc]) -> None:
        texts = {key_of(doc.shown): doc.shown for doc in docs}
        for doc in docs:
            self._ids[key_of(doc.shown)].append(doc.id)
        with _embedded.kept(self._file):
            missing = self._cache.missing(texts)
            for start in range(0, len(missing), _BATCH):
                batch = missing[start : start + _BATCH]
                read = self._model.embed([texts[key] for key in batch], use="passage")
                self._cache.put(zip(batch, read, strict=True))

    def ask(self, question: Question, *, most: int) -> Sequence[Found]:
        return sorted(self.scores(question), key=lambda found: (-found.score, found.id))[:most]

    def scores(self, question: Question) -> Sequence[Found]:
        """Return the cosine of every text."""
        (asked,) = self._model.embed([question.text], use="query")
        near = self._cache.cosines(asked, self._ids.keys()) if len(asked) else ()
        return [Found(id_, each.cosine) for each in near for id_ in self._ids[each.key]]

    def close(self) -> None:
        self._cache.close()


CONTENDER = Contender(Near, has_model=True, is_here=lambda: Local().is_installed())
