"""Memory files say what they are in a head that models write: nothing in it may stop us."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quoth.readers.memory_head import read


@pytest.mark.req("ORI-28")
@pytest.mark.parametrize(
    ("text", "said", "rest"),
    [
        ("Plain.\n", {}, "Plain.\n"),
        ("---\nname: a\n---\n\nText.", {"name": "a"}, "\nText."),
        ("\ufeff---\r\nname: a\r\n---\r\nText.", {"name": "a"}, "Text."),
        ("---\nname: 'a: b'\nmetadata:\n  type: user\n---\nText.", {"name": "a: b", "type": "user"}, "Text."),
        ("---\ndescription: fix: keep it: all\nname: 8\n---", {"description": "fix: keep it: all", "name": "8"}, ""),
        ("---\ntype: user\ntype: project\n- no pair\n---\nText.", {"type": "user"}, "Text."),
        ("---\nA ruler.\n", {}, "---\nA ruler.\n"),
        ("---\n" + "a: b\n" * 300 + "---\nToo long.", {}, "---\n" + "a: b\n" * 300 + "---\nToo long."),
        ("", {}, ""),
    ],
)
def test_a_head_is_read_line_by_line(text: str, said: dict[str, str], rest: str) -> None:
    assert (read(text).said, read(text).text) == (said, rest)


@pytest.mark.req("SEC-10")
@given(st.text(alphabet=st.sampled_from("-\n\r :a\"'{}[]&*!\ufeff"), max_size=80))
def test_whatever_stands_there_the_text_below_it_is_kept(text: str) -> None:
    assert text.endswith(read(text).text)
