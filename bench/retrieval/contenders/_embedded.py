"""Give every text of a home its vector; `QUOTH_BENCH_VECTORS` names a folder that keeps them from run to run."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from quoth.services.compare import Comparing
from quoth.services.embed import Embedding
from quoth.wiring import Kernel

KEPT = "QUOTH_BENCH_VECTORS"


def embed(kernel: Kernel) -> Comparing:
    """Embed what is missing, and return what compares; close its `vectors`."""
    embedder = kernel.embedder
    assert embedder, "the embedder is installed"
    with kept(kernel.home / f"vectors-{embedder.model}.bin"):
        vectors = kernel.vectors_of(embedder)
        embedding = Embedding(embedder, vectors, kernel.embedding_notes)
        embedding.run(kernel.index, told=lambda _: None, is_over=lambda: False)
        vectors.close()
    comparing = Comparing(embedder, kernel.vectors_of(embedder))
    comparing.vectors.keep({*kernel.index.texts()})  # what was kept from other runs is near to questions too
    return comparing


@contextmanager
def kept(file: Path) -> Iterator[None]:
    """Begin with the vectors of earlier runs, and keep those that are new."""
    folder = os.environ.get(KEPT)
    if not folder:
        yield
        return
    before = Path(folder) / file.name
    if before.exists():
        shutil.copyfile(before, file)
    yield
    if file.exists() and (not before.exists() or file.stat().st_size > before.stat().st_size):
        before.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(file, before)
