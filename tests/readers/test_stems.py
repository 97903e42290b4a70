"""Stems: what is inflected has one, whatever else a token is."""

from __future__ import annotations

import pytest

from quoth.core import text as words
from quoth.readers.stems import stem, stems


@pytest.mark.req("INV-10")
@pytest.mark.parametrize(
    "forms",
    ["fix fixes fixed fixing", "configure configured configuring", "настройка настройки настройкой", "файл файлы"],
)
def test_the_forms_of_a_word_have_one_stem(forms: str) -> None:
    assert len({stem(form) for form in forms.split()}) == 1


@pytest.mark.parametrize("token", ["utf8", "v2", "数据", "東京", "ключ1", "naïve", "ѓуми", "", "go", "x" * 200, "日ы"])
def test_what_is_no_english_or_russian_word_is_its_own_stem(token: str) -> None:
    assert stem(token) == token


def test_a_text_has_the_stems_of_its_inflected_words_alone_in_their_order_and_again_when_they_come_again() -> None:
    parts, _ = words.spell(words.mark("Fixes run; fixes `running2` in 数据库, НАСТРОЙКИ run"))
    assert list(stems(parts)) == ["fix", "fix", "настройк"]


def test_more_words_than_are_remembered_have_the_same_stems_as_before() -> None:
    before = stem("configurations")
    letters = "abcdefghij"
    spelled = " ".join("q" + "".join(letters[int(digit)] for digit in str(number)) for number in range(10_000, 80_000))
    assert len(list(stems(spelled))) <= 70_000
    assert stem("configurations") == before
