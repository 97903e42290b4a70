"""Tokens are a unit of our own: exact by its rules, and no less than what a real vocabulary counts."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quoth.core.counting import CHARACTERS, TOKENS, Quoted, Unit, compact
from quoth.core.vectors import tidy
from quoth.embedders.local import EMBEDDER

if TYPE_CHECKING:
    from quoth.embedders._unigram import Unigram

STATEMENTS = Path(__file__).parents[2] / "bench/retrieval/data/statements.txt"
_units = st.sampled_from([CHARACTERS, TOKENS, Quoted(CHARACTERS), Quoted(TOKENS)])
_text = st.text(max_size=80) | st.text("aB1 .\n_\u0416\u6570\u2014\U0001f642", max_size=80)


@pytest.mark.req("QUO-3")
@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("", 0),
        ("the queue", 3),
        ("getUserName", 3),
        ("HTTPServer", 4),
        ("internationalisation", 10),
        ("2026-10-26", 10),
        ("a\nb", 3),
        ("заказ готов", 6),
        ("数据库", 5),
        ("—", 1),
        ("🙂", 4),
        ("ไทย", 6),
    ],
)
def test_tokens_are_counted_by_their_rules(text: str, tokens: int) -> None:
    assert TOKENS.count(text) == tokens


@pytest.mark.req("QUO-3", "INV-7")
@given(st.lists(_text, min_size=1, max_size=6), _units)
def test_lines_count_together_what_they_count_alone(texts: list[str], unit: Unit) -> None:
    whole = "\n".join(texts)
    assert unit.count(whole) <= sum(map(unit.count, texts)) + unit.line_end * (len(texts) - 1)


@pytest.mark.req("QUO-3")
@given(_text, _units)
def test_a_budget_holds_no_more_characters_than_it_says(text: str, unit: Unit) -> None:
    words = " ".join(text.split())
    assert len(words) <= unit.most(unit.count(words) + 1)


@pytest.mark.req("QUO-3")
@given(_text)
def test_nothing_counts_more_than_its_bytes(text: str) -> None:
    assert TOKENS.count(text) <= len(text.encode("utf-8", "surrogatepass"))


@pytest.mark.req("QUO-3")
def test_quoted_text_counts_as_it_stands_in_json() -> None:
    text = 'say "yes"\n\\o/'
    assert Quoted(CHARACTERS).count(text) == len(compact(text)) - 2


@pytest.mark.req("QUO-3")
def test_blocks_count_no_less_than_with_a_real_vocabulary() -> None:
    lines = [line.rpartition("|")[2] for line in STATEMENTS.read_text("utf-8").splitlines() if "|" in line]
    for first in range(0, len(lines), 10):
        text = "\n".join(lines[first : first + 10])
        assert TOKENS.count(text) >= len(_vocabulary().tokens(tidy(text), most=100_000))


@cache
def _vocabulary() -> Unigram:
    if not EMBEDDER().is_installed():
        pytest.skip("needs the extra `local`")
    from quoth.embedders import _files, _weights
    from quoth.embedders._unigram import Unigram

    path = _files.installed()
    assert path
    weights = _weights.parsed(_files.mapped(path))
    return Unigram(weights.pieces, weights.scores)
