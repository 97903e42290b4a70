"""Private keys in their armour, whole or cut off, in a file, a quotation, or a string of JSON."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from quoth.core._redact_span import Span

_BEGIN: Final = re.compile(r"-----BEGIN (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----")
_END: Final = re.compile(r"-----END (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----")
_NEXT: Final = "-----BEGIN"
_LONGEST: Final = 40_000  # characters between the two lines
_LETTERS: Final = re.compile(r"[A-Za-z0-9+/]{16}")
_HEAD: Final = r"(?:(?:Proc-Type|DEK-Info|Version|Comment|Charset|Hash):[^\n\\]{0,100}+)"
_GAP: Final = r"(?:\\+[nrt]|[\s\"'|>+,])*+"
_OPEN: Final = re.compile(
    rf"(?:{_GAP}{_HEAD}){{0,4}}+(?:{_GAP}[A-Za-z0-9+/=]{{16,}}+)++(?:{_GAP}[A-Za-z0-9+/=]{{1,15}}+(?=\W*\Z))?"
)
_TYPE: Final = "private_key"


def blocks(text: str) -> Iterator[Span]:
    """Find private keys; a first line with no key behind it is a word about keys."""
    if "PRIVATE KEY" not in text:
        return
    for begin in _BEGIN.finditer(text):
        after = begin.end()
        end = _END.search(text, after, _limit(text, after))
        if end and _LETTERS.search(text, after, end.start()):
            yield Span(begin.start(), end.end(), _TYPE)
        elif not end and (cut := _OPEN.match(text, after)):
            yield Span(begin.start(), cut.end(), _TYPE)


def _limit(text: str, after: int) -> int:
    following = text.find(_NEXT, after, after + _LONGEST)
    return following if following >= 0 else after + _LONGEST
