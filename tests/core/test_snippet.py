"""Snippets and cuts."""

from __future__ import annotations

from itertools import cycle, islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quoth.core.query import Query
from quoth.core.snippet import cut, snippet


def shown(text: str, query: str) -> str:
    return snippet(text, Query.parse(query))


@pytest.mark.req("ORI-37")
@pytest.mark.parametrize(
    ("text", "query", "expected"),
    [
        ("Fix the Cache now", "cache", "Fix the [Cache] now"),
        ("cache, CACHE; caching", "cache", "[cache], [CACHE]; caching"),
        ("call getUserName() or get_user_name", "getusername", "call [getUserName]() or get_user_name"),
        ("call getUserName() or get_user_name", "user", "call get[User]Name() or get_[user]_name"),
        ("call getUserName() or get_user_name", "getUserName", "call [getUserName]() or [get_user_name]"),
        ("我们用SQLite数据库", "用sqlite数据", "我们[用SQLite数据]库"),
        ("數據庫和数据", "数据", "[數據]庫和[数据]"),
        ("数据库", "数", "[数]据库"),
        ("数据库", "据库", "数[据库]"),
        ("Ёлка и ёлка", "елка", "[Ёлка] и [ёлка]"),
        ("Ｆｕｌｌ ｗｉｄｔｈ", "width", "Ｆｕｌｌ [ｗｉｄｔｈ]"),
        ("the ﬁne ①", "fine 1", "the [ﬁne] [①]"),
        ("ｶﾞｷﾞｸﾞ", "ガ", "[ｶﾞ]ｷﾞｸﾞ"),
        ("cafe\u0301 here", "café", "[cafe\u0301] here"),
        ("two words here", "words two", "[two] [words] here"),
        ("foo.bar baz", "foo.bar", "[foo.bar] baz"),
        ("one\ntwo\r\nthree\u2028four", "two", "one [two]  three four"),
        ("nothing here", "absent", "nothing here"),
        ("", "x", ""),
        ("[already] here", "already", "[[already]] here"),
    ],
)
def test_every_match_stands_in_brackets_as_it_was_written(text: str, query: str, expected: str) -> None:
    assert shown(text, query) == expected


@pytest.mark.req("ORI-37")
def test_a_snippet_is_short_and_around_the_first_match() -> None:
    text = "hay " * 5_000 + "needle one " + "hay " * 5_000 + "needle two"
    result = shown(text, "needle")
    assert "[needle] one" in result
    assert len(result) <= 202
    assert result.index("[") <= 60


@pytest.mark.req("ORI-37")
def test_brackets_do_not_count() -> None:
    result = shown("cache " * 200, "cache")
    assert len(result.replace("[", "").replace("]", "")) <= 200
    assert len(result) > 200


def test_a_match_deep_in_a_huge_text_is_found() -> None:
    assert "[иголка]" in shown("сено " * 200_000 + "иголка", "иголка")
    assert "[针]" in shown("草" * 200_000 + "针" + "草" * 90, "针")


def test_a_match_longer_than_a_snippet_is_cut() -> None:
    result = shown("start " + "x" * 500, "x" * 500)
    assert result.startswith("[x")
    assert result.endswith("x]")
    assert len(result) <= 202


HAY = "the quick getUserName 数据库 ёлка ﬁne ｶﾞ\ncafe\u0301 —，🙂 HTTPServer\t"


@pytest.mark.req("ORI-37")
@given(st.text(HAY, max_size=900), st.text(HAY, min_size=1, max_size=6))
def test_a_snippet_is_a_part_of_its_text(text: str, query: str) -> None:
    result = shown(text, query)
    plain = result.replace("[", "").replace("]", "")
    assert len(plain) <= 200
    assert plain in "".join(" " if c in "\n\t" else c for c in text)
    assert "\n" not in result


@given(st.sampled_from(["needle", "数据库", "иголка", "getUserName"]), st.integers(0, 9_000))
def test_a_match_is_shown_wherever_it_is(needle: str, before: int) -> None:
    text = "".join(islice(cycle("hay 草 сено. "), before)) + f" {needle} " + "hay " * 60
    assert f"[{needle}]" in shown(text, needle)


@pytest.mark.parametrize(
    ("text", "limit", "expected"),
    [
        ("hello", 5, "hello"),
        ("hello", 3, "hel… [2 more characters]"),
        ("数据库", 1, "数… [2 more characters]"),
        ("", 0, ""),
    ],
)
def test_a_cut_text_says_how_much_is_missing(text: str, limit: int, expected: str) -> None:
    assert cut(text, limit) == expected
