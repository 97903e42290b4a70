"""Quoth as its recall answers with the model on this machine, every text embedded before the first question.

The worker's part is done in this process: what its socket costs is measured by `python -m bench recall`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from bench.retrieval.contenders import _embedded
from bench.retrieval.contenders._port import Contender
from bench.retrieval.contenders.quoth import Quoth
from bench.retrieval.sets import Doc
from quoth.core.relevance import FLOOR
from quoth.embedders.local import Local


class WithModel(Quoth):
    def index(self, docs: Sequence[Doc]) -> None:
        super().index(docs)
        self._comparing = _embedded.embed(self.home.kernel)
        self.home.recall = replace(self.home.kernel.recall, meaning=self._comparing)

    def close(self) -> None:
        self._comparing.vectors.close()
        super().close()


CONTENDER = Contender(WithModel, has_model=True, floor=FLOOR, is_judged=True, is_here=lambda: Local().is_installed())
