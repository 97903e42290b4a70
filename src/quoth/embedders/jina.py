"""The service of Jina, whose models are told whether a text asks or answers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from quoth.core.vectors import Use
from quoth.embedders._service import Service


@dataclass(frozen=True)
class Jina(Service):
    name: str = "jina"
    url: str = "https://api.jina.ai/v1/embeddings"
    asked_model: str = "jina-embeddings-v5-text-small"

    def options(self, use: Use) -> Mapping[str, object]:
        size = {} if self.wanted is None else {"dimensions": self.wanted}
        return {"task": f"retrieval.{use}", "normalized": True, **size}


EMBEDDER = Jina
