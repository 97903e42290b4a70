"""FTS5 at its best: English stems, any of the words but the commonest."""

from __future__ import annotations

from collections.abc import Sequence

from bench.retrieval.contenders._fts5 import Table, quoted
from bench.retrieval.contenders._port import Contender

_COMMON = """a about an and any are as at be been but by can could did do does for from had has have he her him his how
i if in into is it its me my of on or our she so some than that the their them then there they this to was we were what
when where which who why will with would you your"""


def _rare(words: Sequence[str]) -> str:
    return " OR ".join(quoted([word for word in words if word.lower() not in _COMMON.split()] or words))


CONTENDER = Contender(lambda folder: Table(folder, _rare, tokenizer="porter unicode61"))
