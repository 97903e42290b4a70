"""Vectors: how fast texts are embedded and 100,000 of them searched, and how much the quick search misses."""

from __future__ import annotations

import resource
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from statistics import median

import numpy as np

from bench.bars import Row
from quoth.core.vectors import Embedder, TextKey, Vectors
from quoth.embedders.local import Local
from quoth.storage._vectors import FileVectors

_SENTENCES = Path(__file__).parent / "sentences"
_SPREAD = 0.05  # how far, in each dimension, texts lie from a sentence: dense enough to be hard
_LOAD = "from quoth.embedders.local import Local; Local().embed(['a'], use='query')"


def measure(work: Path, *, count: int = 100_000, seed: int = 1) -> Iterator[Row]:
    """Measure the embedder and the cache on one thread; times are processor time."""
    texts = [line for path in sorted(_SENTENCES.glob("*.txt")) for line in path.read_text("utf-8").splitlines()]
    embedder = Local()
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    subprocess.run([sys.executable, "-c", _LOAD], check=True)
    loaded = resource.getrusage(resource.RUSAGE_CHILDREN)
    yield _row(
        "load the model, a whole process", f"{loaded.ru_utime - before:.2f} s, {loaded.ru_maxrss / 1024:.0f} MiB"
    )
    embedder.embed(texts[:1], use="query")
    spent = _spent(lambda: embedder.embed(texts, use="passage"))
    yield _row("embed short texts", f"{len(texts) / spent:.0f} /s")
    long = " ".join(texts[:20])
    two = _times(lambda: embedder.embed([long], use="passage"), 5)
    yield _row("embed a text of two windows", f"{1000 * median(two):.0f} ms")
    one = [_spent(lambda text=text: embedder.embed([text], use="query")) for text in texts[:60]]  # type: ignore[misc]
    yield _row("embed a question", f"{1000 * median(one):.1f} ms")
    known = np.concatenate([_array(one) for one in embedder.embed(texts, use="passage")])
    yield from _searched(work, known, count=count, seed=seed)


def _searched(work: Path, known: np.ndarray, *, count: int, seed: int) -> Iterator[Row]:
    source = np.random.default_rng(seed)
    rows = _around(source, known, count)
    keys = [TextKey(source.bytes(16)) for _ in range(count)]
    held = [(key, Vectors(known.shape[1], row.tobytes())) for key, row in zip(keys, rows, strict=True)]
    work.mkdir(parents=True, exist_ok=True)
    cache = FileVectors(work, model="bench", dimensions=known.shape[1])
    spent = _spent(lambda: [cache.put(held[at : at + 1000]) for at in range(0, count, 1000)])
    yield _row(f"put {count} vectors, 1,000 at once", f"{count / spent:.0f} /s")
    cache.close()
    yield _row("open the cache", f"{1000 * _spent(lambda: len(cache)):.0f} ms")
    asked = [Vectors(known.shape[1], row.tobytes()) for row in _around(source, known, 60)]
    exact = [np.argsort(-(rows @ _array(one)[0]))[:10] for one in asked]
    slow = [_spent(lambda one=one: np.argpartition(-(rows @ _array(one)[0]), 10)) for one in asked]  # type: ignore[misc]
    quick, found = [], 0
    for one, best in zip(asked, exact, strict=True):
        quick.append(_spent(lambda one=one: cache.nearest(one, limit=10)))  # type: ignore[misc]
        found += len({near.key for near in cache.nearest(one, limit=10)} & {keys[place] for place in best})
    yield Row(
        "",
        f"nearest 10 of {count}",
        f"{1000 * median(quick):.1f} ms",
        f"all in memory, exact: {1000 * median(slow):.1f} ms",
        f"{median(quick) / median(slow):.2f}",
    )
    yield _row("… of the exact ten it finds", f"{found / len(asked) / 10:.3f}")
    few = frozenset(keys[::20])
    yield _row(
        "nearest 10 of a twentieth",
        f"{1000 * median(_times(lambda: cache.nearest(asked[0], limit=10, among=few), 9)):.1f} ms",
    )
    yield _row("forget a text", f"{1000 * _spent(lambda: cache.forget(keys[:1])):.0f} ms")
    cache.close()


def sentences(embedder: Embedder) -> np.ndarray:
    """Return the vectors of real sentences."""
    texts = [line for path in sorted(_SENTENCES.glob("*.txt")) for line in path.read_text("utf-8").splitlines()]
    return np.concatenate([_array(one) for one in embedder.embed(texts, use="passage")])


def around(known: np.ndarray, count: int, *, seed: int = 1) -> Sequence[Vectors]:
    """Return made-up vectors that lie around known ones."""
    rows = _around(np.random.default_rng(seed), known, count)
    return [Vectors(known.shape[1], row.tobytes()) for row in rows]


def _around(source: np.random.Generator, known: np.ndarray, count: int) -> np.ndarray:
    rows = known[source.integers(0, len(known), count)]
    rows = rows + source.normal(scale=_SPREAD, size=rows.shape)
    return (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype("<f4")


def _array(vectors: Vectors) -> np.ndarray:
    return np.frombuffer(vectors.data, "<f4").reshape(-1, vectors.dimensions)


def _row(work: str, figure: str) -> Row:
    return Row("", work, figure)


def _spent(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


def _times(work: Callable[[], object], count: int) -> Sequence[float]:
    return [_spent(work) for _ in range(count)]
