"""What of a text is read for its meaning, and the keys and values of vectors."""

from __future__ import annotations

import math

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from quoth.core.vectors import LONGEST, Vectors, is_model_name, key_of, tidy, unit

ANY = st.text(st.characters(codec=None, exclude_categories=()), max_size=200)


@given(text=ANY)
@example(text="\ud800\udfff\x00\ufdfa\u200b")
def test_a_tidy_text_can_be_written_and_has_single_spaces(text: str) -> None:
    found = tidy(text)
    found.encode()
    assert found == found.strip()
    assert "  " not in found
    assert not any(character < " " or "\ud800" <= character <= "\udfff" for character in found)


@pytest.mark.parametrize(
    "text",
    ["\ufdfa" * 100_000, "a" * 1_000_000, " \n" * 500_000, "\ud800" * 1_000_000, "e\u0301" * 500_000, "\x00" * 9],
)
def test_the_longest_and_strangest_texts_are_cut(text: str) -> None:
    assert len(tidy(text)) <= LONGEST


def test_texts_that_read_the_same_have_the_same_key_and_others_have_not() -> None:
    assert key_of("  ｆｕｌｌ\n\twidth ") == key_of("full width")
    assert key_of("a\x00b") == key_of("a b")
    assert key_of("Full width") != key_of("full width")
    assert len({*map(key_of, map(str, range(1000)))}) == 1000
    assert {len(key_of(str(number))) for number in range(9)} == {16}


@given(values=st.lists(st.floats(-1e6, 1e6, width=32), min_size=1, max_size=20))
def test_a_vector_has_length_one_or_there_is_none(values: list[float]) -> None:
    made = unit(values)
    if made is None:
        assert math.hypot(*values) < 1e-9
        return
    (row,) = made
    assert math.isclose(math.hypot(*row), 1, abs_tol=1e-5)


def test_vectors_of_one_text_can_be_taken_apart() -> None:
    first, second = unit([3, 4]), unit([1, 0])
    assert first
    assert second
    both = Vectors(2, first.data + second.data)
    assert (len(both), both.cut()) == (2, [first, second])
    assert unit([math.nan, 1]) is None
    assert unit([math.inf, 1]) is None


@pytest.mark.parametrize("name", ["", "a/b", "..", "A", "a" * 81, "a b", "-a", "ä"])
def test_a_name_of_a_model_is_safe_in_a_file_name(name: str) -> None:
    assert not is_model_name(name)
    assert is_model_name("e5-small-q4-1")
