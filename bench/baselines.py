"""What the bars are ratios to: the fastest JSON library parsing the lines, a plain FTS5 table of the same texts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import islice
from pathlib import Path

import apsw
import orjson

from bench.measure import NOTHING, Took, timed

_ROWS = 2_000  # in one transaction


def parse(files: Iterable[Path]) -> Took:
    """Parse every line of every file; reading and splitting are not counted, which makes the bar harder."""
    taken = NOTHING
    for file in files:
        lines = file.read_bytes().splitlines()
        taken += timed(partial(_parse, lines))[0]
    return taken


class PlainTable:
    """`create virtual table t using fts5(text)` and nothing else."""

    def __init__(self, path: Path) -> None:
        path.unlink(missing_ok=True)
        self._connection = apsw.Connection(str(path))
        self._connection.execute("pragma journal_mode = wal; pragma synchronous = normal")
        self._connection.execute("create virtual table t using fts5(text)")

    def insert(self, texts: Iterable[str]) -> Took:
        """Insert the texts; making or fetching them is not counted."""
        taken = NOTHING
        for rows in _portions(texts):
            taken += timed(partial(self._transaction, rows))[0]
        return taken

    def search(self, query: str, *, limit: int = 20) -> Sequence[str]:
        """Return the best texts that contain every word of the query, each taken literally."""
        words = " ".join('"' + word.replace('"', '""') + '"' for word in query.split())
        asked = self._connection.execute("select text from t where t match ? order by rank limit ?", (words, limit))
        return [str(text) for (text,) in asked]

    def close(self) -> None:
        self._connection.close()

    def _transaction(self, rows: Sequence[tuple[str]]) -> None:
        with self._connection:
            self._connection.executemany("insert into t(text) values (?)", rows)


def _parse(lines: Sequence[bytes]) -> None:
    for line in lines:
        orjson.loads(line)


def _portions(texts: Iterable[str]) -> Iterator[Sequence[tuple[str]]]:
    source = iter(texts)
    while rows := [(text,) for text in islice(source, _ROWS)]:
        yield rows
