"""Any service that speaks the embeddings interface of OpenAI: theirs, or a program on this machine."""

from __future__ import annotations

from dataclasses import dataclass

from quoth.embedders._service import Service


@dataclass(frozen=True)
class OpenAI(Service):
    name: str = "openai"
    url: str = "https://api.openai.com/v1/embeddings"
    asked_model: str = "text-embedding-3-small"


EMBEDDER = OpenAI
