"""FTS5 as it comes, asked for any of the words."""

from __future__ import annotations

from bench.retrieval.contenders._fts5 import Table, quoted
from bench.retrieval.contenders._port import Contender

CONTENDER = Contender(lambda folder: Table(folder, lambda words: " OR ".join(quoted(words))))
