"""A quote is found whatever white space and case it has, and answered in the characters of the text."""

from __future__ import annotations

import re
from unicodedata import normalize

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quoth.core import text as words
from quoth.core.ledger import quotes
from quoth.core.query import Phrase

LETTERS = "abBzé ßİſ数据库用シガかｶёЁ①ﬁ.-_,\n\t\u3000\u200b\u0301\u0327가\u1100\u1161\u11a8\ufdfa\ud800🙂"
texts = st.text(alphabet=LETTERS, max_size=40)


def held(text: str, quote: str) -> str | None:
    span = quotes.find(text, quote)
    return None if span is None else text[slice(*span)]


@pytest.mark.req("ORI-49", "ORI-72")
@pytest.mark.parametrize(
    ("text", "quote", "exact"),
    [
        ("Ship it, but without GraphQL.", "ship IT,", "Ship it,"),
        ("Ship it, but\n   without GraphQL.", "but without", "but\n   without"),
        ("Ship it, but without", "Ship it, but\r\n\twithout", "Ship it, but without"),
        ("The reason", "eas", "eas"),
        ("先不要使用 GraphQL 接口。", "使用GraphQL接口", "使用 GraphQL 接口"),
        ("先不要使用接口。", "使 用\n接口", "使用接口"),
        ("数据\n库", "数据库", "数据\n库"),
        ("Сначала склад,\nпотом заказы", "СКЛАД, потом", "склад,\nпотом"),
        ("die Straße", "STRASSE", "Straße"),
        ("İstanbul", "i\u0307stanbul", "İstanbul"),
        ("cafe\u0301 au lait", "CAFÉ au", "cafe\u0301 au"),
        ("café au lait", "cafe\u0301", "café"),
        ("\u1112\u1161\u11ab\u1100\u1173\u11af 파일", "한글 파일", "\u1112\u1161\u11ab\u1100\u1173\u11af 파일"),
        ("a\u200bb\u2060c", "abc", "a\u200bb\u2060c"),
        ("one two, one two three", "two three", "two three"),
        ("smile 🙂 now", "🙂", "🙂"),
        ("\ud800 half \udc00", "half \udc00", "half \udc00"),
        ("\ufdfa said", "\ufdfa SAID", "\ufdfa said"),
        ("ёлка", "елка", None),
        ("naïve", "naive", None),
        ("the cat", "the dog", None),
        ("anything", " \n\u3000\u200b", None),
        ("", "word", None),
    ],
)
def test_a_quote_is_found_whatever_its_white_space_and_case(text: str, quote: str, exact: str | None) -> None:
    assert held(text, quote) == exact


@pytest.mark.req("ORI-49")
@given(before=texts, quote=texts, after=texts)
def test_what_is_found_reads_like_the_quote(before: str, quote: str, after: str) -> None:
    text = f"{before} {quote} {after}"
    exact = held(text, quote)
    assert (exact is None) == (quotes.fold(quote) == "")
    assert exact is None or quotes.fold(quote) in quotes.fold(exact)


@given(texts)
def test_no_white_space_is_left_of_what_is_compared(text: str) -> None:
    folded = quotes.fold(text)
    assert not re.search(r"\s", folded)
    assert folded == re.sub(r"[\s\u200b]", "", normalize("NFC", text).casefold())


@pytest.mark.parametrize(
    "hostile",
    [
        "a" + "\u0301\u0316" * 500_000,
        "a" * 1_000_000 + "b",
        "\ufdfa" * 1_000_000,
        "\ud800" * 1_000_000,
        "İ" * 300_000 + "数据库" * 100_000,
        "\u1100\u1161\u11a8" * 300_000,
        " \n" * 500_000,
    ],
    ids=["marks", "one letter", "ligature", "half characters", "growing", "hangul", "blank"],
)
@pytest.mark.req("ORI-49")
def test_a_megabyte_of_anything_is_looked_through(hostile: str) -> None:
    assert quotes.find(hostile, "a" * (quotes.LONGEST - 1) + "c") is None
    assert held(hostile + " the END", "theend") == "the END"


# --- what full text is asked ---


def _is_held(phrase: Phrase, tokens: list[str]) -> bool:
    size = len(phrase.tokens)
    assert not phrase.is_open
    return any(tuple(tokens[at : at + size]) == phrase.tokens for at in range(len(tokens) - size + 1))


def _may_hold(text: str, quote: str) -> bool:
    """Tell whether an index would list a text among those that may hold a quote."""
    query = quotes.query_for(quote)
    lists = words.tokens(text)
    return query is None or all(
        any(_is_held(form, tokens) for form in term.forms for tokens in lists) for term in query.terms
    )


@pytest.mark.req("ORI-50")
@pytest.mark.parametrize(
    ("text", "quote"),
    [
        ("We call getUserName() before saveAll.", "tUserName() before save"),
        ("We call getUserName() before saveAll.", "call getusername() before"),
        ("we call getusername() before", "call getUserName() before"),
        ("我们用SQLite数据库来保存", "用 SQLite 数据库来"),
        ("我们用 SQLite 数据\n库来保存", "用SQLite数据库来"),
        ("Сначала перенести склад, потом заказы.", "нести склад, потом зак"),
        ("數據庫的遷移", "數據庫的"),
        ("read docs/api/v2/index.md\nfirst", "docs/api/v2/index.md"),
        ("한글 파일을 지웠다", "글 파일을 지웠"),
    ],
)
def test_the_full_text_is_asked_only_for_what_it_must_hold(text: str, quote: str) -> None:
    assert quotes.find(text, quote)
    assert quotes.query_for(quote)
    assert _may_hold(text, quote)


@given(
    before=texts, quote=st.lists(texts.map(str.split), max_size=6), after=texts, gap=st.sampled_from([" ", "\n", "  "])
)
def test_no_text_with_the_same_words_is_missed(before: str, quote: list[list[str]], after: str, gap: str) -> None:
    said = [word for each in quote for word in each]
    assert _may_hold(before + gap.join(said) + after, " ".join(said))


@given(before=texts, run=st.text(alphabet="数据库用的迁移", min_size=1, max_size=12), after=texts, data=st.data())
def test_no_run_without_spaces_is_missed_where_the_text_parts_it(
    before: str, run: str, after: str, data: st.DataObject
) -> None:
    parted = "".join(char + data.draw(st.sampled_from(["", "\n", " "])) for char in run)
    assert _may_hold(before + parted + after, run)


@pytest.mark.parametrize("quote", ["ship", "two words", "!!!", "\ud800", "数", "…", ""])
def test_nothing_is_asked_where_nothing_has_to_stand_whole(quote: str) -> None:
    assert quotes.query_for(quote) is None


def test_a_long_quote_asks_for_its_longest_words() -> None:
    query = quotes.query_for(" ".join(f"word{'x' * n}" for n in range(60)))
    assert query is not None
    assert len(query.terms) <= 12
    assert all("xxxxxxxxxx" in term.forms[0].tokens[0] for term in query.terms)
