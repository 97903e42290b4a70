"""Relevance by words: absolute, the same in any order, and nothing for a question about nothing."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quoth.core.candidates import Word
from quoth.core.relevance import FLOOR, Tally, asked, is_open, relevances, tally
from quoth.readers.stems import stem

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


def forms(question: str) -> list[str]:
    return [word.form for word in asked(question, stem)]


def of(question: str, texts: Sequence[str]) -> list[float]:
    wanted = asked(question, stem)
    return relevances(wanted, [tally(wanted, text, stem) for text in texts])


@pytest.mark.req("HMG-15")
@pytest.mark.parametrize(
    ("question", "place"),
    [
        ("PostgreSQL transactions pool configuration", 0),
        ("mongodb", 0),
        ("数据库的配置在哪里？", 1),
        ("數據庫", 1),
        ("где мы храним заказы?", 2),
        ("где хранится заказ?", 2),
        ("What about deploys on Friday: deploy or not?", 3),
        ("deployment on a friday", 3),
        ("load balancer", 4),
        ("getusername", 5),
        ("user name", 5),
    ],
)
def test_the_text_that_is_meant_is_the_most_relevant(question: str, place: int) -> None:
    found = of(question, TEXTS)
    assert found.index(max(found)) == place
    assert max(found) >= FLOOR


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
    assert max(of(question, TEXTS)) < FLOOR


def test_a_text_that_is_the_question_is_wholly_relevant() -> None:
    for text in TEXTS:
        assert of(text, [text]) == [1.0]


def test_words_that_say_nothing_are_not_asked_for() -> None:
    assert forms("Where is the configuration of our database?") == ["configuration", "database"]
    assert forms("What did I mention about budgets throughout our conversations?") == ["budgets"]
    assert forms("How do I join the conversation?") == ["join", "conversation"]
    assert forms("我们的数据库在哪里") == ["数据", "据库"]
    assert forms("目的和平了解") == ["目的", "的和", "和平", "平了", "了解"]
    assert forms("Что мы решили про заказы?") == ["решили", "заказы"]


def test_what_is_inflected_from_the_same_stem_is_one_word() -> None:
    assert asked("deploys deployed deploying", stem) == (Word("deploys", "deploy"),)
    wanted = asked("заказами", stem)
    assert tally(wanted, "Заказ, заказы, наказ", stem) == Tally((2,), 3)


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Where does PgBouncer keep its pool?", {"pg", "bouncer", "pgbouncer"}),
        ("Is docs/api.md about LF-42?", {"docs", "api", "md", "lf", "42"}),
        ("Who told Ada about the kiln?", {"ada"}),
        ("Kilns burn at what heat?", set()),
        ("Куда пишет journald свои логи?", {"journald"}),
        ("Redis 的端口是多少", {"redis"}),
        ("Кто сказал Аде про печь?", set()),
    ],
)
def test_names_are_known_by_how_they_are_written(question: str, names: set[str]) -> None:
    assert {word.form for word in asked(question, stem) if word.is_name} == names


def test_a_lone_character_is_the_beginning_of_a_pair() -> None:
    assert asked("库", stem) == (Word("库", "库", is_open=True),)
    assert (is_open("库存"), is_open("a")) == (False, False)
    [middle, end, nothing] = of("库", ["数据库配置", "数据库", "数据"])
    assert middle > 0
    assert end > 0
    assert nothing == 0


def test_a_rare_word_weighs_more_than_a_common_one() -> None:
    found = of("oven trays", ["oven red", *["oven blue"] * 30, "trays green"])
    assert found[-1] > found[0]


def test_a_long_text_is_held_against_itself() -> None:
    short, long, longer = of("oven", ["oven on", f"oven {'and so on ' * 20}", f"oven {'and so on ' * 200}"])
    assert short > long > longer > 0


@pytest.mark.req("HMG-11", "HMG-15")
@given(_texts, st.lists(_texts, max_size=8), st.randoms(use_true_random=False))
def test_the_same_candidates_score_the_same_in_any_order(question: str, texts: list[str], random: Random) -> None:
    places = list(range(len(texts)))
    random.shuffle(places)
    found = of(question, texts)
    assert of(question, [texts[place] for place in places]) == [found[place] for place in places]
    assert all(0 <= each <= 1 for each in found)


@given(st.text(max_size=200), st.lists(st.text(max_size=50), max_size=4))
def test_any_text_may_be_asked_for(question: str, texts: list[str]) -> None:
    assert len(asked(question, stem)) <= 64
    assert all(0 <= each <= 1 for each in of(question, texts))


@given(_texts, _texts)
def test_a_text_without_the_words_changes_no_relevance_of_the_others(question: str, text: str) -> None:
    assert of(question, [text, "nothing of it"])[0] == of(question, [text])[0]
