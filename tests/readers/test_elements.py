"""Elements of a long array come out as they were written, however the file is cut into pieces."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quoth.readers.elements import TooLarge, elements

_scalars = st.none() | st.booleans() | st.integers() | st.text(alphabet='a"\\\\[]{},:\n 界', max_size=12)
_values = st.recursive(
    _scalars, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3)
)


def cut(data: bytes, length: int) -> list[bytes]:
    return [data[start : start + length] for start in range(0, len(data), length)]


@pytest.mark.req("ARC-3")
@given(st.lists(_values, max_size=4), st.integers(1, 40), st.booleans(), st.sampled_from([None, 1]))
def test_every_object_and_list_of_an_array_comes_once(
    listed: list[Any], length: int, ascii_only: bool, indent: int | None
) -> None:
    data = json.dumps(listed, ensure_ascii=ascii_only, indent=indent).encode()
    found = [
        json.loads(element) for element in elements(cut(data, length), largest=1 << 20) if isinstance(element, bytes)
    ]
    assert found == [value for value in listed if isinstance(value, dict | list)]


@given(st.dictionaries(st.text(max_size=3), _values, max_size=3), st.integers(1, 40))
def test_an_object_at_the_top_is_the_only_element(value: dict[str, Any], length: int) -> None:
    (found,) = elements(cut(json.dumps(value).encode(), length), largest=1 << 20)
    assert found == json.dumps(value).encode()


@pytest.mark.req("ARC-3")
def test_a_torn_end_is_yielded_and_what_is_too_large_is_measured() -> None:
    assert list(elements([b'[{"a":1},{"b":"to'], largest=100)) == [b'{"a":1}', b'{"b":"to']
    assert list(elements([b'[["', b"x" * 50, b'"],[1]]'], largest=20)) == [TooLarge(54), b"[1]"]
    assert list(elements([b"", b" \n", b"12"], largest=20)) == []
