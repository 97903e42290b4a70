"""Read tidy texts with the model: tokens, windows, the network, the correction."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path

import numpy as np

from quoth.core.vectors import Use, Vectors
from quoth.embedders import _correction, _files, _weights
from quoth.embedders._network import Network
from quoth.embedders._unigram import BEGIN, END, Unigram

_WINDOW = 250  # tokens that are read at once; the network would take 510, but one vector can't say that much
_STEP = 220
_WINDOWS = 2  # more cost time and found less: long texts say a bit of everything
_TOGETHER = 768  # tokens in one pass through the network: more does not make it faster


class Reader:
    """The loaded model: about 300 MB, half a second to make."""

    def __init__(self, weights: Path) -> None:
        read = _weights.parsed(_files.mapped(weights))
        self._vocabulary = Unigram(read.pieces, read.scores)
        self._network = Network(read)

    @cached_property
    def _correct(self) -> _correction.Correction:
        return _correction.fitted()

    def read(self, texts: Sequence[str], *, use: Use) -> Sequence[Vectors]:
        """Return the vectors of each text; none of an empty one."""
        windows = [list(self.windows(text, use)) for text in texts]
        vectors = self._correct(self.means([window for some in windows for window in some]))
        size, at, found = vectors.shape[1], 0, []
        for some in windows:
            found.append(Vectors(size, vectors[at : at + len(some)].astype("<f4").tobytes()))
            at += len(some)
        return found

    def means(self, windows: Sequence[Sequence[int]]) -> _weights.Floats:
        """Return what the network says of windows of tokens, before the correction."""
        found = np.empty((len(windows), self._network.shape.hidden), np.float32)
        for some in _batches(windows):
            found[some] = self._network.means([windows[index] for index in some])
        return found

    def windows(self, text: str, use: Use) -> Iterator[list[int]]:
        """Yield the tokens of each part of a text that is read at once."""
        if not text:
            return
        most = _WINDOW if use == "query" else _WINDOW + (_WINDOWS - 1) * _STEP
        prefix = [BEGIN, *self._vocabulary.tokens(f"{use}:", most=8)]
        tokens = self._vocabulary.tokens(text, most=most)
        for start in range(0, max(1, len(tokens) - (_WINDOW - _STEP)), _STEP):
            yield [*prefix, *tokens[start : start + _WINDOW], END]


def _batches(windows: Sequence[Sequence[int]]) -> Iterator[list[int]]:
    """Yield the indices of windows of about one length that are read together."""
    batch: list[int] = []
    tokens = 0
    for index in sorted(range(len(windows)), key=lambda index: len(windows[index])):
        if batch and tokens + len(windows[index]) > _TOGETHER:
            yield batch
            batch, tokens = [], 0
        batch.append(index)
        tokens += len(windows[index])
    if batch:
        yield batch
