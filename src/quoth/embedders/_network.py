"""The network itself, in NumPy: twelve layers of attention, and the mean of what stands at the end of them.

The tokens of a batch lie one after the other, without padding: what a text means does not depend on its neighbours.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

import numpy as np

from quoth.embedders._weights import Floats, Shape, Weights, unpacked


@dataclass(frozen=True)
class _Layer:
    """The weights of one layer, as they are multiplied with."""

    mixed: Floats
    """Queries, keys and values beside each other."""
    mixed_bias: Floats
    out: Floats
    out_bias: Floats
    after: tuple[Floats, Floats]
    inner: Floats
    inner_bias: Floats
    outer: Floats
    outer_bias: Floats
    end: tuple[Floats, Floats]


class Network:
    """The weights as numbers, about 90 MB of them; the table of words stays packed, in the mapped file."""

    def __init__(self, weights: Weights) -> None:
        self.shape = shape = weights.shape
        self._scales, self._nibbles = weights.packed("emb.word", shape.hidden)
        kind = weights.floats("emb.type").reshape(-1, shape.hidden)[0]
        self._places = weights.floats("emb.pos").reshape(-1, shape.hidden) + kind
        self._start = (weights.floats("emb.ln.w"), weights.floats("emb.ln.b"))
        self._layers = [_layer(weights, number) for number in range(shape.layers)]

    def means(self, texts: Sequence[Sequence[int]]) -> Floats:
        """Return, of each text given as tokens, the mean of its last layer, as a vector of length one."""
        order = sorted(range(len(texts)), key=lambda index: len(texts[index]))
        runs = list(_runs([len(texts[index]) for index in order]))
        tokens = np.array([token for index in order for token in texts[index]], np.int64)
        places = np.concatenate([np.tile(np.arange(length), count) for _, count, length in runs])
        found = unpacked(self._scales[tokens], self._nibbles[tokens])
        found += self._places[places]
        found = _normed(found, self._start, self.shape.epsilon)
        for layer in self._layers:
            found = _through(layer, found, runs, self.shape)
        means = np.empty((len(texts), self.shape.hidden), np.float32)
        sums = [_of(found, run, self.shape.hidden).mean(axis=1) for run in runs]
        means[order] = np.concatenate(sums)
        means /= np.linalg.norm(means, axis=1, keepdims=True)
        return means


def _layer(weights: Weights, number: int) -> _Layer:
    shape = weights.shape

    def turned(name: str, width: int) -> Floats:
        return np.ascontiguousarray(weights.matrix(f"l{number}.{name}.w", width).T)

    def floats(name: str) -> Floats:
        return weights.floats(f"l{number}.{name}")

    return _Layer(
        mixed=np.concatenate([turned(name, shape.hidden) for name in "qkv"], axis=1),
        mixed_bias=np.concatenate([floats(f"{name}.b") for name in "qkv"]),
        out=turned("ao", shape.hidden),
        out_bias=floats("ao.b"),
        after=(floats("aln.w"), floats("aln.b")),
        inner=turned("fi", shape.hidden),
        inner_bias=floats("fi.b"),
        outer=turned("fo", shape.inner),
        outer_bias=floats("fo.b"),
        end=(floats("oln.w"), floats("oln.b")),
    )


_Run = tuple[int, int, int]
"""Texts of one length that lie together: where the first token is, how many texts, how long each."""


def _runs(lengths: Sequence[int]) -> Iterator[_Run]:
    at = 0
    for length, group in groupby(lengths):
        count = len(list(group))
        yield at, count, length
        at += count * length


def _of(found: Floats, run: _Run, width: int) -> Floats:
    at, count, length = run
    return found[at : at + count * length].reshape(count, length, width)


def _through(layer: _Layer, given: Floats, runs: Sequence[_Run], shape: Shape) -> Floats:
    mixed = given @ layer.mixed
    mixed += layer.mixed_bias
    seen = np.empty_like(given)
    for run in runs:
        _of(seen, run, shape.hidden)[...] = _attention(_of(mixed, run, 3 * shape.hidden), shape)
    found = seen @ layer.out
    found += layer.out_bias
    found += given
    found = _normed(found, layer.after, shape.epsilon)
    inner = found @ layer.inner
    inner += layer.inner_bias
    outer = _gelu(inner) @ layer.outer
    outer += layer.outer_bias
    outer += found
    return _normed(outer, layer.end, shape.epsilon)


def _attention(mixed: Floats, shape: Shape) -> Floats:
    """Let every token of texts of one length look at every other."""
    count, length, _ = mixed.shape
    width = shape.hidden // shape.heads
    asks, keys, values = mixed.reshape(count, length, 3, shape.heads, width).transpose(2, 0, 3, 1, 4)
    weights = asks @ keys.swapaxes(-1, -2)
    weights *= np.float32(1 / math.sqrt(width))
    weights -= weights.max(axis=-1, keepdims=True)
    np.exp(weights, out=weights)
    weights /= weights.sum(axis=-1, keepdims=True)
    seen: Floats = (weights @ values).transpose(0, 2, 1, 3).reshape(count, length, shape.hidden)
    return seen


def _normed(given: Floats, scale: tuple[Floats, Floats], epsilon: float) -> Floats:
    """Bring every row to mean 0 and variance 1, then to its learned scale; in place."""
    given -= given.mean(axis=-1, keepdims=True)
    variance = np.einsum("ij,ij->i", given, given)[:, None] / np.float32(given.shape[1])
    given /= np.sqrt(variance + np.float32(epsilon))
    given *= scale[0]
    given += scale[1]
    return given


def _gelu(given: Floats) -> Floats:
    """Bend numbers as the network learned them bent; by the usual approximation with tanh."""
    bent = given * given
    bent *= np.float32(0.044715)
    bent += 1
    bent *= given
    bent *= np.float32(math.sqrt(2 / math.pi))
    np.tanh(bent, out=bent)
    bent += 1
    bent *= given
    bent *= np.float32(0.5)
    return bent
