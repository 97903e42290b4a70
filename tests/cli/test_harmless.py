"""Text from logs can't act on a terminal."""

from __future__ import annotations

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quoth.surfaces.cli.harmless import harmless, harmless_json, one_line

# Said apart from the code: C0 but LF and TAB, DEL, C1, bidi controls, lone surrogates, what is invisible.
ACTING = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ud800-\udfff\U000e0000-\U000e007f]"
)


@pytest.mark.req("SEC-2")
@given(st.text(st.characters(exclude_categories=[])))
def test_nothing_that_acts_on_a_terminal_survives(text: str) -> None:
    assert not ACTING.search(harmless(text))
    assert "\n" not in one_line(text)


@pytest.mark.req("SEC-2")
@pytest.mark.parametrize(
    ("hostile", "shown"),
    [
        ("\x1b]0;title\x07", "␛]0;title␇"),
        ("\x1b[2J", "␛[2J"),
        ("\x9b31m", "\\x9b31m"),
        ("a\x7fb", "a␡b"),
        ("50\rEuro", "50␍Euro"),
        ("user\u202etxt.exe", "user\\u202etxt.exe"),
        ("\u2066x\u2069", "\\u2066x\\u2069"),
        ("pay\u200bpal", "pay\\u200bpal"),
        ("pay\u200dpal", "pay\\u200dpal"),
        ("half \ud83d", "half \\ud83d"),
        ("\U000e0041", "\\U000e0041"),
        ("a\ufe01\ufe02\ufe03", "a\ufe01\\ufe02\\ufe03"),
    ],
)
def test_what_acts_is_shown_as_what_it_is(hostile: str, shown: str) -> None:
    assert harmless(hostile) == shown


@pytest.mark.req("SEC-2")
@pytest.mark.parametrize(
    "plain", ["naïve café", "缓存 失效", "ещё", "a\tb\nc", "👩‍💻 ❤️", "می‌خواهم", "[bold]x[/]", "\u3000全角"]
)
def test_ordinary_text_of_any_language_is_left_alone(plain: str) -> None:
    assert harmless(plain) == plain


def test_line_ends_of_windows_are_no_spectacle() -> None:
    assert harmless("a\r\nb") == "a\nb"


@pytest.mark.req("SEC-2")
@given(st.text(st.characters(exclude_categories=[])))
def test_json_for_a_terminal_says_the_same_and_acts_on_nothing(text: str) -> None:
    document = harmless_json(json.dumps({"text": text}, ensure_ascii=False))
    assert not ACTING.search(document)
    assert json.loads(document) == json.loads(json.dumps({"text": text}))
