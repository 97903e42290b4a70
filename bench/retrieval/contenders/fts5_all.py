"""FTS5 as it comes: every word of the question must be there."""

from __future__ import annotations

from bench.retrieval.contenders._fts5 import Table, quoted
from bench.retrieval.contenders._port import Contender

CONTENDER = Contender(lambda folder: Table(folder, lambda words: " ".join(quoted(words))))
