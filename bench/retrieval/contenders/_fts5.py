"""A plain FTS5 table, asked in the ways in which people ask one."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import apsw

from bench.retrieval.contenders._port import Found
from bench.retrieval.sets import Doc, Question

_WORD = re.compile(r"\w+")


@dataclass
class Table:
    """`match` makes the engine's expression of a question's words."""

    folder: Path
    match: Callable[[Sequence[str]], str]
    tokenizer: str = "unicode61"
    _ids: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._connection = apsw.Connection(str(self.folder / "fts5.db"))
        self._connection.execute(f"create virtual table t using fts5(text, tokenize = '{self.tokenizer}')")

    def index(self, docs: Sequence[Doc]) -> None:
        self._ids = [doc.id for doc in docs]
        with self._connection:
            self._connection.executemany("insert into t(text) values (?)", [(doc.shown,) for doc in docs])

    def ask(self, question: Question, *, most: int) -> Sequence[Found]:
        match = self.match(_WORD.findall(question.text))
        if not match:
            return ()
        sql = "select rowid, -rank from t where t match ? order by rank limit ?"
        return [Found(self._ids[row - 1], score) for row, score in self._connection.execute(sql, (match, most))]

    def close(self) -> None:
        self._connection.close()


def quoted(words: Sequence[str]) -> list[str]:
    return [f'"{word}"' for word in words]
