"""Relevance by words: absolute, the same in any order, and nothing for a question about nothing."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quoth.core.relevance import FLOOR, asked, is_open, relevances

TEXTS = (
    "Staging runs PostgreSQL 16, not MongoDB, because we need transactions.",
    "数据库配置必须用 YAML 文件。",
    "Мы храним заказы в PostgreSQL.",
    "Never deploy on Fridays.",
    "The proxy must act as a load balancer.",
    "getUserName returns the display name of a user.",
)
_words = st.sampled_from(["oven", "trays", "bread", "数据库", "заказы", "the", "getUserName", "и", "16"])
_texts = st.lists(_words, max_size=12).map(" ".join)


def best(question: str) -> tuple[float, str]:
    return max(zip(relevances(asked(question), TEXTS), TEXTS, strict=True))


@pytest.mark.req("HMG-15")
@pytest.mark.parametrize(
    ("question", "place"),
    [
        ("PostgreSQL transactions pool configuration", 0),
        ("mongodb", 0),
        ("数据库的配置在哪里？", 1),
        ("數據庫", 1),
        ("где мы храним заказы?", 2),
        ("What about deploys on Friday: deploy or not?", 3),
        ("load balancer", 4),
        ("getusername", 5),
        ("user name", 5),
    ],
)
def test_the_text_that_is_meant_is_the_most_relevant(question: str, place: int) -> None:
    relevance, text = best(question)
    assert text == TEXTS[place]
    assert relevance >= FLOOR


@pytest.mark.parametrize(
    "question",
    [
        "",
        "?",
        "what is the",
        "how do I do it",
        "как и что это",
        "什么是的吗",
        "capital of France",
        "天气预报",
        "погода завтра",
    ],
)
def test_a_question_about_nothing_is_below_the_floor(question: str) -> None:
    assert max(relevances(asked(question), TEXTS)) < FLOOR


def test_a_text_that_is_the_question_is_wholly_relevant() -> None:
    for text in TEXTS:
        assert relevances(asked(text), [text]) == [1.0]


def test_words_that_say_nothing_are_not_asked_for() -> None:
    assert asked("Where is the configuration of our database?") == ("configuration", "database")
    assert asked("我们的数据库在哪里") == ("数据", "据库")
    assert asked("目的和平了解") == ("目的", "的和", "和平", "平了", "了解")
    assert asked("Что мы решили про заказы?") == ("решили", "заказы")


def test_a_lone_character_is_the_beginning_of_a_pair() -> None:
    assert (asked("库"), is_open("库"), is_open("库存"), is_open("a")) == (("库",), True, False, False)
    [middle, end, nothing] = relevances(("库",), ["数据库配置", "数据库", "数据"])
    assert middle > 0
    assert end > 0
    assert nothing == 0


def test_a_rare_word_weighs_more_than_a_common_one() -> None:
    texts = ["oven red", *["oven blue"] * 30, "trays green"]
    found = relevances(("oven", "trays"), texts)
    assert found[-1] > found[0]


def test_a_long_text_is_held_a_little_against_itself() -> None:
    short, long = relevances(("oven",), ["oven on", f"oven {'and so on ' * 40}"])
    assert short > long > short / 2


@pytest.mark.req("HMG-11", "HMG-15")
@given(_texts, st.lists(_texts, max_size=8), st.randoms(use_true_random=False))
def test_the_same_candidates_score_the_same_in_any_order(question: str, texts: list[str], random: Random) -> None:
    wanted, places = asked(question), list(range(len(texts)))
    random.shuffle(places)
    found = relevances(wanted, texts)
    assert relevances(wanted, [texts[place] for place in places]) == [found[place] for place in places]
    assert all(0 <= each <= 1 for each in found)


@given(st.text(max_size=200), st.lists(st.text(max_size=50), max_size=4))
def test_any_text_may_be_asked_for(question: str, texts: list[str]) -> None:
    wanted = asked(question)
    assert len(wanted) <= 64
    assert all(0 <= each <= 1 for each in relevances(wanted, texts))
