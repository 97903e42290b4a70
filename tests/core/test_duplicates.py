"""How far two statements say the same, held against pairs that people would call the same or not (MMC-8)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quoth.core.duplicates import DIFFERENT, Original, likeness
from quoth.core.trigrams import overlap, trigrams
from quoth.core.vectors import Vectors
from quoth.embedders.local import Local
from quoth.readers.stems import stem

LANGUAGES = ("en", "zh", "ru")
_DATA = Path(__file__).parents[1] / "data" / "duplicates"
_THRESHOLD = 0.9


class Pair(NamedTuple):
    part: str
    is_same: bool
    one: str
    other: str


def pairs(language: str) -> Iterator[Pair]:
    part = statement = ""
    for line in (_DATA / f"{language}.txt").read_text("utf-8").splitlines():
        mark, _, text = line.partition(" ")
        part, statement = text if mark == "#" else part, text if mark == "=" else statement
        if mark in {"~", "!"}:
            yield Pair(part, mark == "~", statement, text)


def similarity(one: str, other: str, meant: float | None = None) -> float:
    return Original(one, stem).repeated_by(other, meant=meant)


def right(found: list[tuple[Pair, float]], *, same: bool) -> float:
    """Return the share of the pairs of one kind that are told rightly."""
    told = [(score >= _THRESHOLD) == pair.is_same for pair, score in found if pair.is_same is same]
    return sum(told) / len(told)


# --- labelled pairs ---


@pytest.mark.req("MMC-8")
def test_there_are_enough_labelled_pairs_in_each_of_three_languages() -> None:
    for language in LANGUAGES:
        found = [*pairs(language)]
        assert sum(pair.is_same for pair in found) >= 150
        assert sum(not pair.is_same for pair in found) >= 150
        assert all(pair.one != pair.other for pair in found)


@pytest.mark.req("MMC-8", "INV-10")
@pytest.mark.parametrize("language", LANGUAGES)
def test_words_alone_tell_duplicates_from_what_only_looks_like_them(language: str) -> None:
    found = [(pair, similarity(pair.one, pair.other)) for pair in pairs(language)]
    assert right(found, same=False) >= 0.99
    assert right(found, same=True) >= 0.92


@pytest.mark.req("MMC-8", "INV-10")
@pytest.mark.parametrize("language", LANGUAGES)
def test_meaning_finds_what_is_said_in_other_words_and_takes_nothing_else_for_it(language: str) -> None:
    embedder, held = Local(), [*pairs(language)][-90::3]  # all of the reporting part, and of the choosing part the end
    texts = [text for pair in held for text in (pair.one, pair.other)]
    vectors = [found.cut()[0] for found in embedder.embed(texts, use="passage")]
    meant = [likeness(embedder.model, _cosine(*both)) for both in zip(vectors[::2], vectors[1::2], strict=True)]
    found = [(pair, similarity(pair.one, pair.other, near)) for pair, near in zip(held, meant, strict=True)]
    assert right(found, same=False) >= 0.99
    assert right(found, same=True) >= 0.9


def _cosine(one: Vectors, other: Vectors) -> float:
    (ours,), (theirs,) = one, other
    return sum(left * right for left, right in zip(ours, theirs, strict=True))


@pytest.mark.req("MMC-8")
def test_it_is_the_same_from_both_sides() -> None:
    for language in LANGUAGES:
        for pair in pairs(language):
            assert similarity(pair.one, pair.other) == similarity(pair.other, pair.one)


# --- what counts, and what does not ---


@pytest.mark.req("MMC-8")
@pytest.mark.parametrize(
    ("one", "other"),
    [
        (
            "The API of the shop listens on port 8080 of the host.",
            "The API of the shop listens on port 1933 of the host.",
        ),
        ("The build uses Node 20.", "The build uses Node 20.1."),
        ("The cache is enabled.", "The cache is not enabled."),
        ("Deploy before the migration.", "Deploy after the migration."),
        ("Migrate from MySQL to Postgres.", "Migrate from Postgres to MySQL."),
        ("Anna reviews the work of Boris.", "Boris reviews the work of Anna."),
        ("Tests in src/ run first, tests in lib/ run last.", "Tests in lib/ run first, tests in src/ run last."),
        ("生产库的端口是 8080。", "生产库的端口是 8081。"),
        ("不要提交这个文件。", "要提交这个文件。"),
        ("先构建再测试。", "先测试再构建。"),
        ("Кэш включён.", "Кэш не включён."),
        ("Порт базы 8080.", "Порт базы 8081."),
    ],
)
def test_what_differs_in_something_that_counts_is_no_duplicate_whatever_the_measures_say(one: str, other: str) -> None:
    assert similarity(one, other, 1.0) <= DIFFERENT


@pytest.mark.req("MMC-8", "INV-10")
@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Never commit secrets.", "never commit secrets!"),
        ("The limit is 10,000 rows.", "The limit is 10000 rows"),
        ("The job runs twice, with twenty-five workers.", "the job runs twice with 25 workers"),
        ("Ｑｕｏｔｈ　ｉｓ　ｌｏｃａｌ．", "Quoth is local."),
        ("The front-end build needs 4 GB.", "The frontend build needs 4GB."),
        ("Responses must be compressed.", "Responses must be comperssed."),
        ("In staging, we use Redis.", "We use Redis in staging."),
        ("缓存保留三十天。", "緩存保留 30 天"),
        ("Всё хранится в ветке.", "Все хранится в ветках"),
    ],
)
def test_what_adds_nothing_makes_no_difference(one: str, other: str) -> None:
    assert similarity(one, other) == 1.0


@pytest.mark.req("MMC-8")
def test_meaning_raises_what_words_leave_open_and_never_lowers_it() -> None:
    one, other = (
        "The function parse_order returns None for orders from 2019.",
        "parse_order returns None for 2019 orders.",
    )
    assert similarity(one, other) < similarity(one, other, 0.95) == 0.95
    assert similarity(one, one, 0.1) == 1.0


@pytest.mark.req("MMC-8")
def test_likeness_rises_with_the_cosine_for_every_model() -> None:
    cosines = [step / 50 for step in range(-50, 51)]
    for model in ("e5-small-q4-1", "another-model"):
        found = [likeness(model, cosine) for cosine in cosines]
        assert found == sorted(found)
        assert (found[0], found[-1]) == (0.0, 1.0)


@given(st.text(), st.text())
def test_any_two_texts_can_be_compared(one: str, other: str) -> None:
    assert 0.0 <= similarity(one, other) <= 1.0
    assert similarity(one, one) == 1.0


@pytest.mark.parametrize(
    "text", ["九" * 20_000, "a" * 20_000, "ab " * 7_000, "不" * 20_000, "1" * 20_000, "\ufdfa" * 1_000]
)
def test_no_text_is_too_much(text: str) -> None:
    assert similarity(text, text[:-1] + "z") <= 1.0


@given(st.lists(st.text(alphabet="abc数据库", min_size=1), max_size=6), st.randoms())
def test_groups_of_letters_do_not_depend_on_the_order_of_words(words: list[str], random: object) -> None:
    shuffled = sorted(words, key=lambda word: hash((word, str(random))))
    assert trigrams(words) == trigrams(shuffled)
    assert overlap(trigrams(words), trigrams(shuffled)) == (1.0 if words else 0.0)
