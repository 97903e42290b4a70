"""Private keys in their armour, whole or cut off, in a file, a quotation, or a string of JSON."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from quoth.core._forms import Form
from quoth.core._redact_span import Span

_BEGIN: Final = Form(r"-----BEGIN (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----")
_END: Final = Form(r"-----END (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----")
_NEXT: Final = "-----BEGIN"
_BETWEEN: Final = 40_000  # characters between the two lines
LONGEST: Final = _BETWEEN + 200  # characters of a whole key
_LETTERS: Final = Form(r"[A-Za-z0-9+/]{16}")
_HEAD: Final = r"(?:(?:Proc-Type|DEK-Info|Version|Comment|Charset|Hash):[^\n\\]{0,100}+)"
_GAP: Final = r"(?:\\+[nrt]|[\s\"'|>+,])*+"
_OPEN: Final = Form(
    rf"(?:{_GAP}{_HEAD}){{0,4}}+(?:{_GAP}[A-Za-z0-9+/=]{{16,}}+)++(?:{_GAP}[A-Za-z0-9+/=]{{1,15}}+(?=\W*\Z))?"
)
_TYPE: Final = "private_key"
_OTHER_WORDS: Final = ("Private-Lines:", "PRIVATE KEY ----", "OpenVPN Static key", "encrypted secret key")
_OTHERS: Final = (
    r"Private-Lines: \d{1,3}(?P<putty>(?:\s{1,2}|(?:\\+[nr]){1,2})"
    r"(?:[A-Za-z0-9+/=]{8,80}+(?:\s{1,2}|(?:\\+[nr]){1,2}|$)){1,120}+)"
    r"|---- BEGIN SSH2 (?:ENCRYPTED )?PRIVATE KEY ----(?P<ssh2>[^-]{16,20000})---- END"
    r"|-----BEGIN OpenVPN Static key V1-----(?P<openvpn>[\s0-9a-f\\rn]{64,2000}+)"
    r"|minisign encrypted secret key(?:\s{1,2}|(?:\\+[nr]){1,2})(?P<minisign>RW[A-Za-z0-9+/=]{60,400}+)"
)


def blocks(text: str) -> Iterator[Span]:
    """Find private keys; a first line with no key behind it is a word about keys."""
    if any(word in text for word in _OTHER_WORDS):
        for other in re.compile(_OTHERS).finditer(text):
            kind = other.lastgroup or ""
            yield Span(other.start(kind), other.start(kind) + len(other[kind].rstrip("\\nr \r\n")), _TYPE)
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
    following = text.find(_NEXT, after, after + _BETWEEN)
    return following if following >= 0 else after + _BETWEEN
