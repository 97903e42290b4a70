"""The form in which texts are compared when words are purged: one text has many spellings in logs."""

from __future__ import annotations

import base64
import re
from collections.abc import Iterable, Iterator

_CODE = re.compile(r"\\+u([0-9a-fA-F]{4})")
_PACKED = re.compile(r"[A-Za-z0-9+/_-]{24,}={0,2}")
_LEFT_OUT = re.compile(r'(?:\\+[nrtbf]?|["\s])+')


def normal(text: str) -> str:
    """Return a text as it is compared; a piece of JSON gives the same as what it says."""
    if "\\u" in text:
        text = _CODE.sub(lambda code: chr(int(code[1], 16)), text)
        text = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return _LEFT_OUT.sub("", text).casefold()


def spans(text: str, forms: Iterable[str]) -> Iterator[tuple[int, int]]:
    """Yield where texts of some normal forms stand in another one; nothing where that has escapes of Unicode."""
    if "\\u" in text:
        return
    folded: list[str] = []
    places: list[int] = []
    for place in _kept(text):
        letters = text[place].casefold()
        folded.append(letters)
        places += [place] * len(letters)
    whole = "".join(folded)
    for form in forms:
        start = whole.find(form) if form else -1
        while start >= 0:
            yield places[start], places[start + len(form) - 1] + 1
            start = whole.find(form, start + len(form))


def unpacked(said: str) -> Iterator[str]:
    """Yield what rows of a database that are no text hold: they are mirrored as base64."""
    if not _PACKED.fullmatch(said):
        return
    try:
        padded = said + "=" * (-len(said) % 4)
        yield base64.b64decode(padded, altchars=b"-_" if "-" in said or "_" in said else None).decode(
            "utf-8", "replace"
        )
    except ValueError:
        return


def _kept(text: str) -> Iterator[int]:
    """Yield the places of the characters that count."""
    at = 0
    for left_out in _LEFT_OUT.finditer(text):
        yield from range(at, left_out.start())
        at = left_out.end()
    yield from range(at, len(text))
