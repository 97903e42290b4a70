"""A part of a text is redacted by what the whole tells of it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quoth.core.redact import redact, redact_part

SAID = "First, export DB_PASSWORD=kangaroo-9912-Xq then go on. Key: ghp_0123456789abcdefghijABCDEFGHIJ012345."


def part(of: str) -> str:
    start = SAID.index(of)
    return redact_part(SAID, start, start + len(of)).text


@pytest.mark.req("HMG-6", "ENG-34")
@pytest.mark.parametrize(
    ("words", "redacted"),
    [
        ("kangaroo-9912-Xq", "[REDACTED:password]"),
        ("garoo-99", "[REDACTED:password]"),
        ("PASSWORD=kanga", "PASSWORD=[REDACTED:password]"),
        ("9912-Xq then go", "[REDACTED:password] then go"),
        ("First, export", "First, export"),
        ("then go on.", "then go on."),
    ],
)
def test_a_part_of_a_secret_is_a_secret(words: str, redacted: str) -> None:
    assert part(words) == redacted


@pytest.mark.req("HMG-6")
@given(st.integers(0, len(SAID)), st.integers(0, len(SAID)))
def test_of_no_part_more_than_the_redacted_whole_is_shown(start: int, end: int) -> None:
    shown = redact_part(SAID, min(start, end), max(start, end)).text
    for words in shown.replace("[REDACTED:", "\0").split("\0"):
        assert words.rpartition("]")[2] in redact(SAID).text


@pytest.mark.req("HMG-6", "SEC-5")
def test_no_part_of_a_private_key_is_shown_however_far_its_first_line_is() -> None:
    line = "WWxGuW3zFl3H8YqJeHyW1OyuBPnvOrq9Q/f4KUEGeIbDXq7aR6j1wkB62aYsvblv\n"
    key = f"-----BEGIN PGP PRIVATE KEY BLOCK-----\n\n{line * 590}-----END PGP PRIVATE KEY BLOCK-----\n"
    text = f"See:\n{key}Done."
    for start in range(0, len(text), 3_001):
        assert line[10:40] not in redact_part(text, start, start + 400).text
    assert redact_part(text, len(text) - 5, len(text)).text == "Done."


def test_a_text_without_a_secret_comes_back_as_it_is() -> None:
    text = "好的，端口是 8737。 " * 1_000
    assert redact_part(text, 500, 900).text == text[500:900]
    assert redact_part(text, 500, 900).found == ()
