"""The look for long runs agrees with splitting the text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quoth.sources._runs import has_run


@pytest.mark.req("PER-3")
@given(words=st.text(alphabet="ab \n", max_size=60), length=st.integers(1, 12))
def test_a_run_is_found_where_splitting_at_blanks_leaves_one(words: str, length: int) -> None:
    assert has_run(words, length) == any(len(part) >= length for part in words.split(" "))
