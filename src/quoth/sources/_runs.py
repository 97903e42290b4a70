"""Look for long runs without a blank: only there can encoded data be, and patterns that find it are slow on prose."""

from __future__ import annotations


def has_run(words: str, length: int) -> bool:
    """Tell whether so many characters follow one another without a blank."""
    start = 0
    while len(words) - start >= length:
        blank = words.rfind(" ", start, start + length)
        if blank < 0:
            return True
        start = blank + 1
    return False
