"""Folding and tokens."""

from __future__ import annotations

import re
import unicodedata
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quoth.core import text as words
from quoth.core.han import SIMPLIFIED, TRADITIONAL

ROOT = Path(__file__).parents[2]
SCRIPTS = "aZ9_.-/ éßÅяЁй记記憶が가ｶﾞﾊ①℃Ω\u0301\u0e33\u0e01\u093f\u0915\u200b\ufe0f🙂。，　ǰİ\U00020000"
anything = st.text() | st.text(SCRIPTS)


@pytest.mark.req("INV-10")
@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Straße", "STRASSE"),
        ("ＦＵＬＬ", "full"),
        ("記憶體", "记忆体"),
        ("ёлка Ёж", "елка еж"),
        ("ｶﾞｷﾞ", "ガギ"),
        ("cafe\u0301", "café"),
        ("soft\u00adhyphen", "softhyphen"),
        ("zero\u200bwidth", "zerowidth"),
        ("葛\U000e0100城", "葛城"),
        ("ﬁne ① ㎏", "fine 1 kg"),
        ("ΣΑΣ", "σας"),
        ("\u1112\u1161\u11ab", "한"),
    ],
)
def test_spellings_of_one_word_fold_alike(one: str, other: str) -> None:
    assert words.fold(one) == words.fold(other)


@pytest.mark.parametrize(("one", "other"), [("й", "и"), ("é", "e"), ("が", "か"), ("ö", "o"), ("ñ", "n")])
def test_different_letters_stay_different(one: str, other: str) -> None:
    assert words.fold(one) != words.fold(other)


@given(anything)
def test_folding_twice_is_folding_once(text: str) -> None:
    assert words.fold(words.fold(text)) == words.fold(text)


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("getUserName", "get user name"),
        ("HTTPServer", "http server"),
        ("parseHTTPResponse2", "parse http response2"),
        ("snake_case_word", "snake case word"),
        ("kebab-case", "kebab case"),
        ("com.example.Main", "com example main"),
        ("src/app/main.py:42", "src app main py 42"),
        ("utf8Decode", "utf8 decode"),
        ("Base64URL", "base64 url"),
        ("sha256 x11 2D 3F9A", "sha256 x11 2d 3f9a"),
        ("APIs PRs", "apis prs"),
        ("МойКласс", "мой класс"),
        ("it's", "it s"),
        ("数据库", "数据 据库 库"),
        ("用SQLite", "用 sq lite"),
        ("a中b", "a 中 b"),
        ("数据。库", "数据 据 库"),
        ("データ", "デー ータ タ"),
        ("한국어", "한국 국어 어"),
        ("हिन्दी", "हिन्दी"),
        ("مُحَمَّد", "مُحَمَّد"),
        ("שָׁלוֹם", "שָׁלוֹם"),
        ("25℃", "25 c"),
        ("🙂 … —", ""),
        ("", ""),
    ],
)
def test_words_are_indexed_by_their_parts(text: str, parts: str) -> None:
    assert words.tokens(text)[0] == parts.split()


@pytest.mark.parametrize(
    ("text", "joined"),
    [
        ("call getUserName now", "getusername"),
        ("GitHub and iPhone", "github iphone"),
        ("plain words, snake_case", ""),
        ("MyClass.getUserName()", "myclass getusername"),
        ("我们用SQLite数据库。好", "我们 们用 用 sqlite 数据 据库 库"),
    ],
)
def test_camel_case_words_are_also_indexed_whole_beside_their_neighbours(text: str, joined: str) -> None:
    assert words.tokens(text)[1] == joined.split()


@given(anything)
def test_tokens_hold_nothing_that_separates(text: str) -> None:
    for token in (token for tokens in words.tokens(text) for token in tokens):
        assert token
        assert not re.search(r"[\x00-\x2f\x3a-\x60\x7b-\x7f]|\s", token)
        assert words.BORDER not in token


@given(anything)
def test_every_letter_and_digit_is_in_a_token(text: str) -> None:
    held = "".join(words.tokens(text)[0])
    folded = words.fold(text)
    assert {letter for letter in folded if letter.isalnum()} <= set(held)


@given(st.text(SCRIPTS, max_size=60), st.integers(1, 12), st.integers(1, 4))
def test_pieces_hold_every_token_and_no_more_than_they_may(text: str, most: int, overlap: int) -> None:
    marked = words.mark(text)
    pieces = list(words.pieces(marked, most=most, overlap=overlap))
    assert {token for piece in pieces for token in words.spell(piece)[0].split()} >= set(words.spell(marked)[0].split())
    assert len(pieces) > 1 or pieces == [marked]


def test_pieces_share_what_a_phrase_may_need() -> None:
    marked = words.mark(" ".join(f"word{n}" for n in range(30_000)))
    pieces = [words.spell(piece)[0].split() for piece in words.pieces(marked, most=8_000, overlap=64)]
    assert len(pieces) == 4
    for one, other in pairwise(pieces):
        assert len(one) <= 8_000
        shared = other.index(one[-1]) + 1
        assert 64 <= shared < 400
        assert one[-shared:] == other[:shared]


@given(anything)
def test_clusters_normalise_as_the_whole_text_does(text: str) -> None:
    joined = "".join(words.unify(cluster[0]) for cluster in words.clusters(text))
    assert unicodedata.normalize("NFKC", joined) == words.unify(text)


def test_the_table_of_characters_is_what_its_script_makes() -> None:
    loader = SourceFileLoader("han_script", str(ROOT / "scripts/han"))
    spec = spec_from_loader("han_script", loader)
    assert spec is not None
    script = module_from_spec(spec)
    loader.exec_module(script)
    assert script.module(script.table(script.dictionary())) == (ROOT / "src/quoth/core/han.py").read_text("utf-8")


def test_the_table_of_characters_maps_one_to_one_and_ends() -> None:
    assert len(TRADITIONAL) == len(SIMPLIFIED) == len(set(TRADITIONAL))
    assert not set(TRADITIONAL) & set(SIMPLIFIED)
    assert all(unicodedata.is_normalized("NFKC", character) for character in TRADITIONAL + SIMPLIFIED)
