"""A query as terms and phrases."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quoth.core import text as words
from quoth.core.query import Phrase, Query
from quoth.storage import _match


def said(query: str) -> list[list[str]]:
    """Return each term's forms; an open phrase ends in `…`."""
    return [
        [" ".join(form.tokens) + ("…" if form.is_open else "") for form in term.forms]
        for term in Query.parse(query).terms
    ]


@pytest.mark.parametrize(
    ("query", "terms"),
    [
        ("two words", [["two"], ["words"]]),
        ("getUserName", [["get user name", "getusername"]]),
        ("get_user_name", [["get user name"]]),
        ("main.py", [["main py"]]),
        ("数据库", [["数据 据库"]]),
        ("库", [["库…"]]),
        ("用sqlite数据", [["用 sqlite 数据"]]),
        ("数据库sqlite", [["数据 据库 库 sqlite"]]),
        ("数据。库", [["数据 据 库…"]]),
        ("記憶 记忆", [["记忆"]]),
        ("Ёж еж", [["еж"]]),
        ("a　b", [["a"], ["b"]]),
        ('!!! - " 🙂', []),
        ("", []),
        ("x OR y*", [["x"], ["or"], ["y"]]),
    ],
)
def test_a_query_is_terms_of_phrases(query: str, terms: list[list[str]]) -> None:
    assert said(query) == terms


def test_a_query_keeps_what_was_typed() -> None:
    assert Query.parse(" Hello!  ").text == " Hello!  "


@given(st.text())
def test_a_text_without_camel_case_contains_the_words_of_itself(text: str) -> None:
    for term in Query.parse(text).terms:
        for form in term.forms:
            assert all(token and " " not in token for token in form.tokens)


def test_long_phrases_are_also_asked_for_in_windows_that_fit_a_piece() -> None:
    run = "".join(chr(0x4E00 + n) for n in range(200))
    (term,) = Query.parse(run).terms
    (phrase,) = term.forms
    windows = [expression.strip('()"').split() for expression in _match.apart(Query.parse(run))]
    assert all(len(window) == _match.SHARED for window in windows)
    assert [token for token in phrase.tokens if any(token in window for window in windows)] == list(phrase.tokens)
    assert windows[-1][-1] == phrase.tokens[-1]


def test_expressions_quote_every_token() -> None:
    assert _match.whole(Query.parse("AND getUser 库")) == '("and") AND ("get user" OR "getuser") AND ("库" *)'
    assert Phrase(("库",), is_open=True).tokens == tuple(words.parts(words.mark("库")))
